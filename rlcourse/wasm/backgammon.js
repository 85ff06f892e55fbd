// Backgammon without Python: positions, turns step by step and their sentences, as rlcourse.games and rlcourse.boards have them. Whole
// turns, boards, dice, results and the 198 units are the course's kernels. A move is a turn: a list of steps [from, to] on the mover's
// own points, where 25 is the bar and 0 is off. checkers [52]: each player's points 1 to 24, the bar, and the checkers borne off.

const [BAR, OFF] = [25, 0];
const [CAME_FROM, STEP_START, STEP_END, PLAY_FIELDS] = [4, 5, 6, 7];
const MOST_PLAY_ROWS = 3877;
const pointName = (point) => (point === BAR ? "bar" : point === OFF ? "off" : String(point));
const without = (left, die) => left.toSpliced(left.indexOf(die), 1);
const unique = (list) => [...new Set(list)];
const stepKey = (step) => step.join("/");

class BackgammonGame {
  constructor(kernels, known) {
    const of = (type, ...shape) => kernels.array(type, shape);
    Object.assign(this, { kernels, known, actions: null });
    this.plays = of("int64", MOST_PLAY_ROWS, PLAY_FIELDS);
    this.board = of("int8", 1, 2, 26);
    this.written = of("int8", 1, 2, 26);
    this.opening = filled(kernels, known.start);
    this.dice = of("int8", 1, 2);
    this.drawn = of("int64", 1);
    this.row = of("int64", 1);
    this.memories = new WeakMap(); // position -> its legal turns, and its turns under way
  }

  start() {
    return { checkers: this.opening.view.slice(), toPlay: 0, dice: [0, 0], points: 0, done: false };
  }

  half({ memory, place }, player) {
    return new KernelArray(memory, "int8", [26], place + 26 * player);
  }

  // The same position with its dice; drawn: a whole number from 0 to 1079.
  throw(position, drawn) {
    if (position.done || position.dice[0]) return position;
    this.board.view.set(position.checkers);
    this.drawn.view[0] = BigInt(drawn);
    this.kernels.call("throw_dice", this.board, this.row, this.flat(this.opening), this.drawn, this.dice);
    return { ...position, dice: [...this.dice.view] };
  }

  flat({ memory, place }) {
    return new KernelArray(memory, "int8", [2, 26], place);
  }

  // [first, last): the rows of `plays` that hold the results of a turn with these dice.
  find(checkers, mover, high, low) {
    this.board.view.set(checkers);
    this.kernels.call("find_plays", this.half(this.board, mover), this.half(this.board, 1 - mover), high, low, this.plays);
    return [...this.kernels.result.view.subarray(0, 2)].map(Number);
  }

  // The board after row `play` of the last turn that was found.
  boardOf(play, mover) {
    this.kernels.call("write_board", this.plays, BigInt(play), this.board, 0n, BigInt(mover), this.written, 0n);
    return this.written.view.slice();
  }

  field(play, name) {
    return Number(this.plays.view[PLAY_FIELDS * play + name]);
  }

  // The legal turns of a position, each with the board after it; before the throw and after the end none.
  turns(position) {
    const known = this.remembered(position);
    if (known.turns) return known.turns;
    known.turns = [];
    if (position.done || !position.dice[0]) return known.turns;
    const [first, last] = this.find(position.checkers, position.toPlay, ...position.dice);
    for (let play = first; play < last; play++) {
      const move = [];
      for (let row = play; this.field(row, CAME_FROM) >= 0; row = this.field(row, CAME_FROM))
        move.unshift([this.field(row, STEP_START) + 1, this.field(row, STEP_END) + 1]);
      known.turns.push({ move, board: this.boardOf(play, position.toPlay) });
    }
    return known.turns;
  }

  remembered(position) {
    if (!this.memories.has(position)) this.memories.set(position, { under: new Map() });
    return this.memories.get(position);
  }

  legal(position) {
    return this.turns(position).map(({ move }) => move);
  }

  // The first player's points on a board, 0 while the game runs.
  points(checkers) {
    this.board.view.set(checkers);
    const [first, second] = [0, 1].map((player) => this.half(this.board, player));
    return this.kernels.call("result", first, second) - this.kernels.call("result", second, first);
  }

  // The position after a whole turn, before the next throw.
  after(position, move) {
    const { checkers } = this.playSteps(position, move);
    const points = this.points(checkers);
    return { checkers, toPlay: 1 - position.toPlay, dice: [0, 0], points, done: points !== 0 };
  }

  // { checkers, left }: the board after these steps of a turn, and the dice left. Refuses the first step that cannot be played.
  playSteps({ checkers, toPlay, dice: [high, low] }, move) {
    const board = checkers.slice();
    const [own, other] = [board.subarray(26 * toPlay, 26 * toPlay + 26), board.subarray(26 - 26 * toPlay, 52 - 26 * toPlay)];
    let left = high === low ? [high, high, high, high] : [high, low];
    for (const [start, end] of move) {
      left = without(left, dieFor(start, end, own, other, left));
      own[start - 1] -= 1;
      own[end === OFF ? 25 : end - 1] += 1;
      if (end === OFF || other[24 - end] !== 1) continue;
      other[24 - end] = 0;
      other[24] += 1;
    }
    return { checkers: board, left };
  }

  // A move as players write it: "24/14", "bar/20*", "8/4(2) 6/2(2)", "pass".
  describe({ checkers, toPlay }, move) {
    if (!move.length) return "pass";
    const other = checkers.subarray(26 - 26 * toPlay, 52 - 26 * toPlay);
    const hits = new Set(move.map(([, end]) => end).filter((end) => end !== OFF && other[24 - end] === 1));
    const paths = [];
    for (const [start, end] of [...move].sort((a, b) => b[0] - a[0] || b[1] - a[1])) {
      const path = paths.find((one) => one.at(-1) === start);
      if (path) path.push(end);
      else paths.push([start, end]);
    }
    const repeats = new Map();
    for (const [first, ...rest] of paths) {
      let said = pointName(first);
      for (const point of rest) {
        if (hits.has(point)) said += `/${pointName(point)}*`;
        else if (point === rest.at(-1)) said += `/${pointName(point)}`;
      }
      repeats.set(said, (repeats.get(said) ?? 0) + 1);
    }
    return [...repeats].map(([said, times]) => (times > 1 ? `${said}(${times})` : said)).join(" ");
  }

  turnOf(position, steps = []) {
    const { under } = this.remembered(position);
    const key = steps.map(stepKey).join(" ");
    if (!under.has(key)) {
      const [high, low] = position.dice;
      const dice = high === low ? [high, high, high, high] : [high, low];
      if (!steps.length) under.set(key, new Turn(this, position, [], new TurnSearch(this, position), position.checkers, dice));
      else {
        const before = this.turnOf(position, steps.slice(0, -1));
        under.set(key, before.after(steps.at(-1)));
      }
    }
    return under.get(key);
  }

  // TD-Gammon: the turn whose board has the highest equity, and the best turns with equity and probabilities.
  weigh(network, position) {
    const plays = this.rated(network, position);
    const best = plays.reduce((top, one) => (one.value > top.value || (one.value === top.value && one.k < top.k) ? one : top));
    const shown = plays.slice(0, 5).map(({ move, equity, outputs }) => ({ move, equity, outputs }));
    return { action: best.move, value: best.value, plays: shown };
  }

  // All turns, the best first: k, the number of the turn; value, what it is chosen by; equity and probabilities.
  rated(network, position) {
    const turns = this.turns(position);
    const all = this.outputs(network, turns.map(({ board }) => board), 1 - position.toPlay);
    const rated = turns.map(({ move }, k) => {
      const outputs = otherSide(all[k]);
      return { k, move, value: -equityOf(all[k]), equity: equityOf(outputs), outputs };
    });
    return rated.sort((a, b) => b.equity - a.equity);
  }

  // For each board the probabilities for the player who rolls next: win, gammon, backgammon, gammon lost, backgammon lost. A finished
  // game is known.
  outputs(network, boards, roller) {
    const { kernels } = this;
    const before = kernels.top;
    const checkers = kernels.array("int8", [boards.length, 2, 26], Int8Array.from(boards.flatMap((board) => [...board])));
    const seats = kernels.array("int8", [boards.length], new Int8Array(boards.length).fill(roller));
    const units = kernels.array("float32", [boards.length, 198]);
    kernels.call("encode", checkers, seats, seats, units);
    const { view } = network.through(units);
    const known = (points) => Float32Array.from([points > 0, points > 1, points > 2, points < -1, points < -2]);
    const all = boards.map((board, k) => {
      const points = this.points(board) * (1 - 2 * roller);
      return points ? known(points) : view.slice(5 * k, 5 * k + 5);
    });
    kernels.top = before;
    return all;
  }
}

// The expected points of a game, in float32 as in rlcourse.agents.td_gammon.
function equityOf([win, gammon, backgammon, lostGammon, lostBackgammon]) {
  const plain = Math.fround(Math.fround(2 * win) - 1);
  return [gammon, backgammon, -lostGammon, -lostBackgammon].reduce((total, part) => Math.fround(total + part), plain);
}

const otherSide = ([win, ...rest]) => Float32Array.from([1 - win, rest[2], rest[3], rest[0], rest[1]]);

// The one of the dice left that a step uses. Refuses a step with the reason. own, other [26]: the boards before it.
function dieFor(start, end, own, other, dice) {
  const step = `${pointName(start)}/${pointName(end)}`;
  if (!own[start - 1]) throw new Illegal(`${step}: there is no checker of yours on ${start === BAR ? "the bar" : `point ${start}`}`);
  if (own[24] && start !== BAR) throw new Illegal(`${step}: a checker on the bar has to enter first`);
  if (!dice.length) throw new Illegal(`${step}: all dice have been played`);
  const shown = unique(dice).join(" and ");
  if (end !== OFF) {
    if (!dice.includes(start - end)) throw new Illegal(`${step} needs a ${start - end}; left to play: ${shown}`);
    const held = other[24 - end];
    if (held >= 2) throw new Illegal(`${step} is blocked: the opponent holds that point with ${held} checkers`);
    return start - end;
  }
  if (own.subarray(6, 25).some(Boolean))
    throw new Illegal(`${step}: nothing is borne off while a checker is outside the home board, points 6 to 1`);
  if (dice.includes(start)) return start;
  const highest = Math.max(...dice);
  if (highest < start) throw new Illegal(`${step} needs a ${start} or more; left to play: ${shown}`);
  const behind = own.subarray(start, 6).findLastIndex(Boolean);
  if (behind >= 0)
    throw new Illegal(`${step} with a ${highest}: a higher die takes the rearmost checker, here on point ${start + 1 + behind}`);
  return highest;
}
