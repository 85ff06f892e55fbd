// Where did I go wrong? rlcourse.boards.review without Python: who judges, its bounds and its words travel as known.judge. The values
// come from the players, who run in a worker.

const JUDGE = null; // asked for the values of all moves instead of a bot

class Reviews {
  constructor(judge) {
    this.judge = judge;
    this.games = new Map(); // number of the game -> its judged moves
    this.moves = null; // of the game whose review is shown
  }

  // Judge a player's moves. From the end to the beginning: a solver that has seen the later positions is quicker.
  async add(referee, plies) {
    const judged = [];
    for (const ply of plies.toReversed()) {
      const state = referee.line[ply];
      judged.unshift({ ply, ...this.judged(referee.game, state, referee.moves[ply], await referee.ask(JUDGE, state)) });
    }
    this.games.set(referee.games, judged);
    this.moves = [...referee.moves];
  }

  // values: [move, value for the player to move] of every legal move; null where the judge cannot say.
  judged(game, state, move, values) {
    if (!values) return { best: null, cost: null, word: "not judged" };
    if (values.length === 1) return { best: move, cost: null, word: "forced" };
    const [best, most] = values.reduce((top, one) => (one[1] > top[1] ? one : top));
    if (this.judge.unit === "result" && most === -1) return { best, cost: null, word: "lost anyway" };
    // The steps of a turn can be made in several orders.
    const played = positionKey(game, state, move);
    const found = values.find(([other]) => positionKey(game, state, other) === played);
    if (!found) return { best, cost: null, word: "not judged" };
    const cost = most - found[1];
    return { best, cost, word: this.word(most, cost) };
  }

  word(most, cost) {
    const { unit, results, skill, much } = this.judge;
    if (cost === 0) return "best";
    if (unit === "result") return `turned a ${results[Math.round(most)]} into a ${results[Math.round(most - cost)]}`;
    if (unit === "chance") return cost < much ? "fine" : `gave ${fixed(cost, 0)} points in 100 away`;
    const [, name] = skill.find(([least]) => cost >= least) ?? [0, "fine"];
    return `${name}, ${fixed(cost, 0)} millipoints`;
  }

  // The review of the game on the board, while nothing of it is taken back or played on.
  table(referee) {
    const shown = this.games.get(referee.games);
    if (!shown || String(this.moves) !== String(referee.moves)) return null;
    const dear = shown.filter(({ cost }) => cost).sort((a, b) => b.cost - a.cost || a.ply - b.ply);
    const worst = new Set(dear.slice(0, this.judge.worst).map(({ ply }) => ply));
    const rows = shown.map(({ ply, best, cost, word }) => {
      const better = cost ? `best: ${referee.say(referee.line[ply], best)}` : "";
      return [ply, referee.moveText(ply), word, better, worst.has(ply)];
    });
    return { heading: `Judge: ${this.judge.name}.`, rows, rate: this.rate() };
  }

  // A sentence on all reviewed games together.
  rate() {
    const all = [...this.games.values()].flat().map(({ cost }) => cost);
    const costs = all.filter((cost) => cost !== null);
    if (!costs.length) return "";
    const games = this.games.size === 1 ? "1 game" : `${this.games.size} games`;
    const best = costs.filter((cost) => cost === 0).length;
    const sentence = `In ${games}, ${best} of ${costs.length} moves were among the best`;
    const unit = { millipoints: "millipoints", chance: "points in 100" }[this.judge.unit];
    return unit ? `${sentence}; mean cost ${fixed(sum(costs) / costs.length, 1)} ${unit}.` : `${sentence}.`;
  }
}

// The same for two moves that lead to the same position.
const positionKey = (game, state, move) => (game.actions ? move : String(game.after(state, move).checkers));
