// The turn of a position step by step, with a reason for each step that cannot be made, and the clicks that make it.

// The steps within the turn of one position, from the same search as whole turns: the first level of a double with a die.
class TurnSearch {
  constructor(game, position) {
    Object.assign(this, { game, mover: position.toPlay, completed: new Map() });
    this.ends = new Set(game.turns(position).map(({ board }) => board.join()));
  }

  // "from/to" -> { step, die, board } for every step that a die of `left` can play, the highest first.
  steps(board, left) {
    const { game, mover } = this;
    const steps = new Map();
    for (const die of unique(left)) {
      const [, used] = game.find(board, mover, die, die);
      for (let play = 1; play < used; play++) {
        if (game.field(play, CAME_FROM) !== 0) continue;
        const step = [game.field(play, STEP_START) + 1, game.field(play, STEP_END) + 1];
        if (!steps.has(stepKey(step)) || step[0] === die) steps.set(stepKey(step), { step, die, board: game.boardOf(play, mover) });
      }
    }
    return new Map([...steps].sort(([, a], [, b]) => b.step[0] - a.step[0] || b.step[1] - a.step[1]));
  }

  // Whether some continuation ends in a board that the rules list for this turn.
  completes(board, left) {
    const key = `${board.join()};${left.join()}`;
    if (!this.completed.has(key)) {
      const steps = [...this.steps(board, left).values()];
      const goesOn = () => steps.some(({ die, board: after }) => this.completes(after, without(left, die)));
      this.completed.set(key, steps.length ? goesOn() : this.ends.has(board.join()));
    }
    return this.completed.get(key);
  }
}

// rlcourse.games.backgammon_turn.Turn: the position after the first steps of a turn.
class Turn {
  constructor(game, position, steps, search, checkers, left) {
    Object.assign(this, { game, position, steps, search, checkers, left });
    this.possible = search.steps(checkers, left);
    const completes = ({ die, board }) => search.completes(board, without(left, die));
    this.next = [...this.possible.values()].filter(completes).map(({ step }) => step);
    this.complete = !this.next.length;
    this.sources = new Set(this.next.map(([start]) => start));
  }

  canPlay(step) {
    return this.next.some((one) => stepKey(one) === stepKey(step));
  }

  after(step) {
    const { die, board } = this.possible.get(stepKey(step));
    return new Turn(this.game, this.position, [...this.steps, step], this.search, board, without(this.left, die));
  }

  // end -> the steps that move one checker there with as few dice as possible; null if two such ways hit different blots.
  routes(start) {
    const routes = new Map();
    let reached = new Map([[start, [this]]]);
    while (reached.size) {
      const level = new Map();
      for (const [point, turns] of reached)
        for (const turn of turns)
          for (const step of turn.next) {
            if (step[0] !== point) continue;
            if (!level.has(step[1])) level.set(step[1], []);
            level.get(step[1]).push(turn.after(step));
          }
      for (const [end, turns] of level) {
        const boards = unique(turns.map(({ checkers }) => checkers.join()));
        if (!routes.has(end)) routes.set(end, boards.length === 1 ? turns[0].steps.slice(this.steps.length) : null);
      }
      reached = level;
    }
    return routes;
  }

  whyNotFrom(start) {
    const { toPlay } = this.position;
    const own = this.checkers.subarray(26 * toPlay, 26 * toPlay + 26);
    if (!own[start - 1] || (own[24] && start !== BAR)) return this.whyNoStep([start, start - 1]).replace(/^.*?: /, "");
    return unique(unique(this.left).map((die) => this.whyNoStep([start, Math.max(start - die, OFF)]))).join("; ");
  }

  whyNot(start, end) {
    const [from, to] = [start, end].map(pointName);
    if (end >= start) return `checkers go from higher points to lower ones, not from ${from} to ${to}`;
    const routes = this.routes(start);
    if (routes.has(end) && !routes.get(end)) return `two ways from ${from} to ${to} hit differently: click the point in between first`;
    const orders = ordersOf(this.left).filter((dice) => dice.length > 1 && sum(dice) === start - end);
    return unique(orders.map((dice) => this.whyNoRoute(start, dice))).join("; ") || this.whyNoStep([start, end]);
  }

  whyNoRoute(start, dice) {
    let turn = this;
    for (const die of dice) {
      const step = [start, start - die];
      if (!turn.canPlay(step)) return turn.whyNoStep(step);
      turn = turn.after(step);
      start -= die;
    }
    throw new Error(`there is a way with ${dice}`);
  }

  // Why a step is not among the next ones: it is illegal, or no legal turn follows.
  whyNoStep(step) {
    const possible = this.possible.get(stepKey(step));
    if (!possible) {
      try {
        this.game.playSteps(this.position, [...this.steps, step]);
      } catch (error) {
        if (error instanceof Illegal) return error.message;
        throw error;
      }
      throw new Error(`${step} can be made`);
    }
    const name = step.map(pointName).join("/");
    const [high, low] = this.position.dice;
    const most = Math.max(...this.game.legal(this.position).map((move) => move.length));
    if (high === low) return `${name} would leave fewer than ${most} of the four ${high}s to play; as many as possible must be played`;
    if (most === 1) return `${name}: only one die can be played, and it must be the higher one if it can, the ${high}`;
    const [rest] = without(this.left, possible.die);
    return `${name} would leave the ${rest} without a play: both dice can be played, so both must be`;
  }
}

// The orders in which one checker can play some of the dice that are left.
function ordersOf(left) {
  if (unique(left).length === 1) return left.map((_, k) => left.slice(0, k + 1));
  return [[left[0]], [left[1]], left, [...left].reverse()];
}

// rlcourse.boards.backgammon: clicks are places of the drawing in pairs (from, to); an unpaired last one is the selected checker.

const turnAt = (game, state, clicks) => {
  const points = clicks.slice(0, 2 * Math.floor(clicks.length / 2)).map((place) => pointOf(state.toPlay, place));
  return game.turnOf(state, [...Array(points.length / 2).keys()].map((k) => points.slice(2 * k, 2 * k + 2)));
};
const heldAt = (state, clicks) => (clicks.length % 2 ? pointOf(state.toPlay, clicks.at(-1)) : null);
const reachedFrom = (turn, held) =>
  new Set([...turn.routes(held)].filter(([, route]) => route).map(([end]) => placeOf(turn.position.toPlay, end)));

FACES.backgammon = {
  players: ["X", "O"],
  keepsScore: true,

  // The clicks that stand after a new last one: a checker selected, released, or moved.
  keep(game, state, clicks) {
    const [before, place] = [clicks.slice(0, -1), clicks.at(-1)];
    const [turn, held, mover] = [turnAt(game, state, before), heldAt(state, before), state.toPlay];
    if (!PLACES.includes(place)) throw new Illegal(`this board has no place ${place}`);
    if (turn.complete) {
      if (place !== DICE) throw new Illegal("nothing can be moved this turn: pass, by the button on the board");
      return [DICE];
    }
    if (place === DICE) throw new Illegal("something can be moved, so it has to be; only a turn without a move passes");
    const point = pointOf(mover, place);
    if (point === null) throw new Illegal(`that is the opponent's ${BARS.includes(place) ? "bar" : "tray"}`);
    if (held === null) {
      if (point === OFF) throw new Illegal("pick up a checker first: click the point it stands on, then where it goes");
      if (!turn.sources.has(point)) throw new Illegal(turn.whyNotFrom(point));
      return clicks;
    }
    if (point === held) return before.slice(0, -1);
    const route = turn.routes(held).get(point);
    if (route) return [...before.slice(0, -1), ...route.flat().map((end) => placeOf(mover, end))];
    if (turn.sources.has(point) && point > 0) return [...before.slice(0, -1), place];
    throw new Illegal(turn.whyNot(held, point));
  },

  // The whole turn once no further step is legal, else null.
  move(game, state, clicks) {
    if (clicks.length === 1 && clicks[0] === DICE) return [];
    const turn = turnAt(game, state, clicks);
    return turn.steps.length && turn.complete && heldAt(state, clicks) === null ? turn.steps : null;
  },

  targets(game, state, clicks) {
    const [turn, held] = [turnAt(game, state, clicks), heldAt(state, clicks)];
    if (turn.complete) return [DICE];
    return held === null ? [...turn.sources].map((point) => placeOf(state.toPlay, point)) : [...reachedFrom(turn, held)];
  },

  ask(state, clicks, game) {
    const [high, low] = state.dice;
    const [turn, held] = [turnAt(game, state, clicks), heldAt(state, clicks)];
    if (turn.complete) return `Nothing can be moved with ${high}-${low}: pass.`;
    if (held !== null) {
      const routes = [...turn.routes(held)].filter(([, route]) => route).sort(([a], [b]) => b - a);
      const ends = routes.map(([point]) => pointName(point));
      const last = ends.pop();
      return `From ${held === BAR ? "the bar" : held} to ${ends.length ? `${ends.join(", ")} or ${last}` : last}.`;
    }
    if (turn.steps.length) return `Played ${game.describe(state, turn.steps)}; left: ${turn.left.join(" and ")}.`;
    return high === low ? `Play ${high}-${low}, four times ${high}.` : `Play ${high}-${low}.`;
  },

  say: (game, state, move) => game.describe(state, move),
  threw: ({ dice: [high, low] }) => (high ? `, ${high}-${low}` : ""),
  won: ({ points }) => ` ${wonText(points)}`,
  mark: ({ toPlay }, move) => [toPlay, move],
};
