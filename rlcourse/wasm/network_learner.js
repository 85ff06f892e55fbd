// TD-Gammon that learns backgammon (rlcourse.learning.td_gammon_source) and its match with random play: dice, turns, boards, units,
// the network and its traces are kernels; what stands here is what Python does between their calls.

const UNITS = 198;
const MOST_TURNS = 3060;
const LONGEST = 10000; // plies; untrained players hit each other's checkers for hundreds of plies, a few of them for ever
const LAYERS = (hidden) => [[UNITS, hidden], [hidden], [hidden, 1], [1]];

// One game that is played by the numbers of turns, in the memory of the kernels.
class FastBackgammon {
  constructor(kernels, start) {
    const of = (type, ...shape) => kernels.array(type, shape);
    Object.assign(this, { kernels, first: start.view.slice() });
    this.start = new KernelArray(kernels.memory, "int8", [2, 26], start.place);
    this.checkers = of("int8", 1, 2, 26);
    this.toPlay = of("int8", 1);
    this.dice = of("int8", 1, 2);
    this.row = of("int64", 1);
    this.drawn = of("int64", 1);
    this.boards = of("int8", MOST_TURNS, 2, 26);
    this.units = of("float32", MOST_TURNS, UNITS);
    this.views = of("int8", MOST_TURNS); // zeros: as the first player sees it
    this.rollers = of("int8", MOST_TURNS);
    this.starts = of("int64", 1);
    this.counts = of("int64", 1);
  }

  begin() {
    this.checkers.view.set(this.first);
    this.toPlay.view[0] = 0;
  }

  get mover() {
    return this.toPlay.view[0];
  }

  // The first `count` rows of an array.
  rows({ memory, type, shape, place }, count) {
    return new KernelArray(memory, type, [count, ...shape.slice(1)], place);
  }

  // Throw the dice, and write the boards after every turn with their units. Returns how many there are.
  roll(random) {
    this.drawn.view[0] = BigInt(Math.floor(1080 * random()));
    this.kernels.call("throw_dice", this.checkers, this.row, this.start, this.drawn, this.dice);
    return this.afterstates();
  }

  afterstates() {
    const { kernels, checkers, toPlay, dice, row, boards, starts, counts } = this;
    kernels.call("generate", checkers, toPlay, dice, row, 0n, boards, starts, counts, 0n);
    const count = Number(counts.view[0]);
    this.rollers.view.fill(1 - this.mover, 0, count);
    kernels.call("encode", ...[boards, this.views, this.rollers, this.units].map((array) => this.rows(array, count)));
    return count;
  }

  unitsOf(turn) {
    return new KernelArray(this.units.memory, "float32", [UNITS], this.units.place + 4 * UNITS * turn);
  }

  // Play a turn; the first player's points, 0 while the game runs.
  play(turn) {
    this.checkers.view.set(this.boards.view.subarray(52 * turn, 52 * turn + 52));
    this.toPlay.view[0] = 1 - this.mover;
    const { memory, place } = this.checkers;
    const [first, second] = [place, place + 26].map((half) => new KernelArray(memory, "int8", [26], half));
    return this.kernels.call("result", first, second) - this.kernels.call("result", second, first);
  }
}

class NetworkLearner {
  static GAMES = 100; // with random play, for one verdict

  static async load(known) {
    return new NetworkLearner(await Kernels.load(bytesOf(known.module)), known);
  }

  constructor(kernels, known) {
    const { hidden, reach } = known;
    const zeros = () => LAYERS(hidden).map((shape) => kernels.array("float32", shape));
    Object.assign(this, { kernels, reach });
    this.game = new BackgammonGame(kernels, known);
    this.table = new FastBackgammon(kernels, this.game.opening);
    [this.weights, this.traces, this.gradients] = [zeros(), zeros(), zeros()];
    this.hidden = kernels.array("float32", [hidden]);
    this.sums = kernels.array("float32", [MOST_TURNS]);
    this.here = kernels.array("float32", [1, UNITS]);
  }

  // Forget all. settings: alpha and lam. random(): numbers in [0, 1), from which the first weights are drawn.
  begin(settings, random) {
    this.settings = settings;
    this.weights.forEach(({ view, shape }) => {
      for (let k = 0; k < view.length; k++) view[k] = shape.length > 1 ? this.reach * (2 * random() - 1) : 0;
    });
  }

  // A network gets its verdict so many games apart.
  every(slow) {
    return slow ? 10 : 100;
  }

  // Play one game against itself and learn after every move.
  learn(random) {
    const { table, here } = this;
    this.traces.forEach(({ view }) => view.fill(0));
    table.begin();
    // Before the first throw, as the first player sees it.
    this.kernels.call("encode", table.checkers, ...[table.views, table.views].map((array) => table.rows(array, 1)), here);
    for (let ply = 0; ply < LONGEST; ply++) {
      const turn = this.best(table.roll(random));
      const points = table.play(turn);
      const following = table.unitsOf(turn);
      this.step(following, points);
      here.view.set(following.view);
      if (points) return;
    }
  }

  step(following, points) {
    const { kernels, weights, traces, gradients, hidden, here, settings } = this;
    const features = new KernelArray(here.memory, "float32", [UNITS], here.place);
    const result = [Number(points !== 0), Number(points > 0), settings.alpha, settings.lam];
    kernels.call("step", ...weights, ...traces, ...gradients, hidden, features, following, ...result);
  }

  // The turn that the network plays: the first one after which the mover stands best. V belongs to the first player.
  best(count) {
    const { kernels, table } = this;
    const sums = table.rows(this.sums, count);
    kernels.call("inputs", ...this.weights, table.rows(table.units, count), this.hidden, sums);
    const { view } = sums;
    const sign = 1 - 2 * table.mover;
    let best = 0;
    for (let k = 1; k < count; k++) if (sign * view[k] > sign * view[best]) best = k;
    return best;
  }

  // What the network decides in a position, as players.js says it.
  decide({ checkers, toPlay, dice }) {
    const { table } = this;
    const turns = this.game.turns({ checkers, toPlay, dice, done: false });
    table.checkers.view.set(checkers);
    table.toPlay.view[0] = toPlay;
    table.dice.view.set(dice);
    const best = this.best(table.afterstates());
    const plays = turns.map(({ move, board }, k) => {
      const points = this.game.points(board);
      const first = points ? Number(points > 0) : Math.fround(1 / (1 + Math.exp(-this.sums.view[k])));
      const win = toPlay ? 1 - first : first;
      return { move, equity: 2 * win - 1, outputs: [win] };
    });
    const action = plays[best].move;
    plays.sort((a, b) => b.equity - a.equity);
    return { action, value: plays[0].equity, plays: plays.slice(0, 5) };
  }

  // The points of a match with random play, half of it begun by the network. random(): numbers in [0, 1).
  judge(random) {
    const { GAMES } = NetworkLearner;
    const points = [...Array(GAMES).keys()].map((game) => this.match(game % 2, random));
    const mean = sum(points) / GAMES;
    const variance = sum(points.map((one) => (one - mean) ** 2)) / (GAMES - 1);
    const wins = points.filter((one) => one > 0).length;
    return { n: GAMES, wins, share: shareOf(wins, GAMES), points: mean, reach: Z * Math.sqrt(variance / GAMES) };
  }

  // The network's points in one game with random play. seat: 0 if it moves first.
  match(seat, random) {
    const { table } = this;
    table.begin();
    for (let ply = 0; ply < LONGEST; ply++) {
      const count = table.roll(random);
      const points = table.play(table.mover === seat ? this.best(count) : Math.floor(count * random()));
      if (points) return seat ? -points : points;
    }
    return 0;
  }

  // How far a verdict has come: 1 when it wins nine games of ten, and not by luck.
  level({ share: [low] }) {
    return Number(low >= 0.9);
  }
}

const Z = 1.959963984540054; // standard errors from the middle of a 95% interval to its ends
// rlcourse.intervals.wilson
function shareOf(successes, n) {
  const [p, z] = [successes / n, Z];
  const middle = p + (z * z) / (2 * n);
  const reach = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return [successes ? (middle - reach) / (1 + (z * z) / n) : 0, successes < n ? (middle + reach) / (1 + (z * z) / n) : 1];
}

const LEARNER = NetworkLearner;
const percent = (share) => `${(100 * share).toFixed(1)}%`;
const signed = (points) => `${points < 0 ? "\u2212" : "+"}${Math.abs(points).toFixed(2)}`;

// What the page shows of its progress.
const PROGRESS = {
  player: "network",
  curve: "Games won with random play, 95% interval",

  // The numbers beside the axis, from 0 at its foot to 1, the place of a point and its interval.
  axis: () => ({
    ticks: [0, 25, 50, 75, 100].map((won) => [won / 100, `${won}%`]),
    place: ({ wins, n }) => wins / n,
    band: ({ share }) => share,
  }),

  short: ({ wins, n }) => `won ${wins} of ${n} with random play`,
  verdict: (point) =>
    `${PROGRESS.short(point)} (${point.share.map(percent).join(" to ")}), ${signed(point.points)} \u00b1 ${point.reach.toFixed(2)} points a game`,
  shown: ({ wins }) => ({ wins }),
  reached: (level, after) => `Wins nine games of ten with random play ${after}. Play it on the board, or go on.`,
};
