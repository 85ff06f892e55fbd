// The course's tables that learn tic-tac-toe (rlcourse.learning.q_table) and their exact judge (rlcourse.judges.tictactoe): games,
// updates, values, solution and lines are kernels; what stands here is what Python does between their calls.

// An array that travels as { type, shape, deflated }, in the memory of the kernels.
async function inflated(kernels, { type, shape, deflated }) {
  const packed = new Blob([bytesOf(deflated)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return kernels.array(type, shape, new TYPES[type](await new Response(packed).arrayBuffer()));
}

class TableLearner {
  // rules: the arrays of rlcourse.solvers.tictactoe, by name.
  static async load(known) {
    const kernels = await Kernels.load(bytesOf(known.module));
    const names = Object.keys(known.rules);
    const arrays = await Promise.all(names.map((name) => inflated(kernels, known.rules[name])));
    return new TableLearner(kernels, Object.fromEntries(names.map((name, k) => [name, arrays[k]])));
  }

  constructor(kernels, rules) {
    const { successor, done, points, to_play, canonical, image, backwards } = rules;
    const [positions] = done.shape;
    const of = (type, ...shape) => kernels.array(type, shape);
    Object.assign(this, { kernels, successor, backwards });
    this.end = [done, points, to_play, successor];
    this.after = [successor, to_play, canonical];
    this.play = [successor, done, points, canonical, image];
    this.image = image;
    this.uniform = of("float64", 1, 9, 2);
    this.ends = of("bool", 9);
    this.points = of("float32", 9);
    this.tables = { actions: of("float64", positions, 9), afterstates: of("float64", positions, 1) };
    const decisions = backwards.view.filter((code) => !done.view[code]);
    this.decisions = kernels.array("int32", [decisions.length], decisions);
    this.values = of("float64", decisions.length, 9);
    this.one = [of("int32", 1), of("float64", 1, 9)];
    this.chosen = of("int32", positions);
    this.counts = of("int64", positions, 3);
    this.exact = { value: of("float64", positions), q: of("float64", positions, 9) };
    kernels.call("solve", backwards, 1, ...this.end, this.exact.value, this.exact.q);
    this.begin({ method: "q-table" });
  }

  // Forget all. settings: method ("q-table", "afterstates", "classic"), alpha, epsilon and, of Q-learning, gamma.
  begin(settings) {
    this.settings = settings;
    this.afterstates = settings.method !== "q-table";
    this.table = this.tables[this.afterstates ? "afterstates" : "actions"];
    this.table.view.fill(0);
  }

  // Play one game against itself and learn from it. random(): numbers in [0, 1).
  learn(random) {
    const { kernels, table, after, ends, points, settings } = this;
    const { method, alpha, epsilon, gamma } = settings;
    const uniform = this.uniform.view;
    for (let k = 0; k < uniform.length; k++) uniform[k] = random();
    const types = ["int32 2", "int32 2", "bool 2", "int32 1", "float32 1"];
    const masked = 1;
    const game = [table, Number(this.afterstates), masked, epsilon, ...this.play, this.uniform];
    const played = kernels.callForArrays(types, "play_games", ...game);
    const length = played[3].view[0];
    const first = ({ type, place }) => new KernelArray(kernels.memory, type, [length], place);
    const [codes, actions, greedy] = played.map(first);
    points.view.fill(played[4].view[0]);
    ends.view.fill(0);
    ends.view[length - 1] = 1;
    const result = [first(ends), first(points), alpha];
    if (method === "q-table") kernels.call("q_learning", table, codes, actions, ...result, gamma, masked, ...after, this.image);
    else if (method === "afterstates") kernels.call("negamax_td", table, codes, actions, ...result, ...after);
    else kernels.call("classic_td", table, codes, actions, greedy, ...result, ...after);
  }

  // The legal square of highest value in row k of `values`; ties go to the lowest.
  best(code, values, k) {
    const successor = this.successor.view;
    let best = -1;
    for (let a = 0; a < 9; a++)
      if (successor[9 * code + a] >= 0 && (best < 0 || values[9 * k + a] > values[9 * k + best])) best = a;
    return best;
  }

  look(codes, values) {
    this.kernels.call("action_values", this.table, Number(this.afterstates), codes, ...this.after, this.image, values);
    return values.view;
  }

  // What the table decides in a position, as players.js says it.
  decide({ cells }) {
    const [codes, values] = this.one;
    const code = cells.reduce((total, cell, square) => total + cell * 3 ** square, 0);
    codes.view[0] = code;
    const q = [...this.look(codes, values)].map((value, a) => (this.successor.view[9 * code + a] >= 0 ? value : NaN));
    return { action: this.best(code, values.view, 0), q };
  }

  // Lines lost from both seats, over all replies of every opponent, and the decisions with a best move.
  judge() {
    const values = this.look(this.decisions, this.values);
    const [chosen, q, value] = [this.chosen.view, this.exact.q.view, this.exact.value.view];
    let optimal = 0;
    this.decisions.view.forEach((code, k) => {
      chosen[code] = this.best(code, values, k);
      optimal += q[9 * code + chosen[code]] === value[code];
    });
    const losing = [0n, 1n].map((seat) => {
      this.kernels.call("count_lines", this.chosen, seat, this.backwards, ...this.end, this.counts);
      return Number(this.counts.view[0]);
    });
    return { losing: sum(losing), optimal, decisions: this.decisions.length };
  }

  // A table gets its verdict so many games apart.
  every(slow) {
    return slow ? 1 : 50;
  }

  // How far a verdict has come: 1 unbeatable, 2 perfect.
  level({ losing, optimal, decisions }) {
    return losing ? 0 : optimal < decisions ? 1 : 2;
  }
}

const LEARNER = TableLearner;

// What the page shows of its progress.
const PROGRESS = {
  player: "table",
  curve: "Losing lines",

  // On an axis of 0, 1, 10, 100, ...: the numbers beside it, from 0 at its foot to 1, and the place of a point.
  axis(points) {
    const highest = Math.ceil(Math.log10(1 + Math.max(...points.map(({ losing }) => losing), 9)) - 1e-9);
    const share = (losing) => Math.log10(1 + losing) / highest;
    const numbers = [0, ...[...Array(highest).keys()].map((k) => 10 ** k)];
    return { ticks: numbers.map((losing) => [share(losing), counted(losing)]), place: ({ losing }) => share(losing) };
  },

  short: ({ losing }) => `${counted(losing)} losing ${losing === 1 ? "line" : "lines"}`,
  verdict: (point) => `${PROGRESS.short(point)}, best move in ${counted(point.optimal)} of ${counted(point.decisions)} decisions`,
  shown: ({ losing }) => ({ losing }),

  reached(level, after) {
    if (level === 1) return `Unbeatable ${after}. Try it on the board, or go on until every move is the best.`;
    return `Perfect ${after}: a best move in every position.`;
  },
};
