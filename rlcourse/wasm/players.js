// Positions, search and the bots of one game. The rules, the trees and the sums of the networks are the course's kernels; what
// stands here is what rlcourse.agents does between their calls. Everything in a decision is for the player to move.

const RULE_NUMBERS = { puct: 0n, ucb1: 1n };
class Illegal extends Error {} // a move that the rules forbid, with the reason
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

// Weights divided by their sum, in float32.
function shares(weights) {
  const total = sum(weights);
  return weights.map((weight) => Math.fround(weight / total));
}

const wholeNumber = (random) => BigInt(Math.floor(random() * 2 ** 53));

// The most visited action, of equals that of the higher prior, then the lower one; and the policy that plays it.
function mostVisited(legal, visits, prior) {
  const [action] = [...legal].sort((a, b) => visits[b] - visits[a] || prior[b] - prior[a] || a - b);
  return { action, policy: visits.map((_, other) => Number(other === action)) };
}

// The index where the sum of the shares exceeds a number in [0, 1).
function drawn(policy, number) {
  const possible = [...policy.keys()].filter((action) => policy[action]);
  return possible.find((action) => (number -= policy[action]) < 0) ?? possible.at(-1);
}

// Numbers in [0, 1), the same for the same seed: mulberry32 (Ettinger 2017).
function generator(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// One position after the other in the same arrays. A position: cells [H*W], toPlay 0 or 1, done, points (the first player's).
class GridGame {
  constructor(kernels, known) {
    const { cells, actions } = known;
    Object.assign(this, { kernels, size: cells, actions, known });
    this.row = this.batch();
    this.oneAction = kernels.array("int64", [1, 1]);
    this.one = kernels.array("int64", [1], [1n]);
    this.allowed = kernels.array("bool", [1, actions]);
  }

  batch() {
    const { kernels } = this;
    const of = (type, ...shape) => kernels.array(type, [1, ...shape]);
    return { cells: of("int8", this.size), toPlay: of("int8"), done: of("bool"), points: of("float32") };
  }

  start() {
    return { cells: new Int8Array(this.size), toPlay: 0, done: false, points: 0 };
  }

  load(batch, { cells, toPlay, done, points }) {
    batch.cells.view.set(cells);
    batch.toPlay.view[0] = toPlay;
    batch.done.view[0] = Number(done);
    batch.points.view[0] = points;
  }

  position({ cells, toPlay, done, points }) {
    return { cells: cells.view.slice(), toPlay: toPlay.view[0], done: done.view[0] === 1, points: points.view[0] };
  }

  play(batch, actions, lengths) {
    return this.kernels.call("play", batch.cells, batch.toPlay, batch.done, batch.points, actions, lengths);
  }

  // Writes which actions are legal in a batch to `allowed`.
  allow(batch) {
    this.kernels.call("legal", batch.cells, batch.done, this.allowed);
  }

  // The first player's points after one random game of a seed, written to `out`; the batch does not change.
  playout({ cells, toPlay, done, points }, seed, out) {
    this.kernels.call("playouts", cells, toPlay, done, points, seed, out);
  }

  // The legal actions of a position, ascending; sensible: in Go, without filling own eyes.
  legal(position, sensible = 0) {
    this.load(this.row, position);
    this.allow(this.row, sensible);
    return [...this.allowed.view.keys()].filter((action) => this.allowed.view[action]);
  }

  // The position after a move; null for an illegal one.
  after(position, action) {
    this.load(this.row, position);
    this.oneAction.view[0] = BigInt(action);
    return this.play(this.row, this.oneAction, this.one) === -1 ? this.position(this.row) : null;
  }
}

// The first row of an array that has one.
const only = ({ memory, type, shape, place }) => new KernelArray(memory, type, shape.slice(1), place);

// The arrays of rlcourse.games.go.GoBatch. known: around, komi, `start`, the arrays of one game before its first move, and what a
// search with RAVE knows: lines, and shapes as one bit each.
class GoGame extends GridGame {
  constructor(kernels, known) {
    super(kernels, known);
    this.komi = known.komi;
    this.around = filled(kernels, known.around);
    this.first = kernels.array("int64", [1]); // the rows that a kernel looks at
    this.repeats = kernels.array("bool", [1, this.size]);
    this.liberties = kernels.array("int16", [1, this.size]);
    this.owner = kernels.array("int8", [this.size]);
    this.lines = filled(kernels, known.lines);
    const shapes = numbersOf(known.shapes);
    this.shapes = kernels.array("uint8", [8 * shapes.length]);
    this.shapes.view.forEach((_, k, all) => (all[k] = (shapes[k >> 3] >> (k & 7)) & 1));
  }

  batch() {
    this.initial ??= Object.fromEntries(Object.entries(this.known.start).map(([name, array]) => [name, numbersOf(array)]));
    return Object.fromEntries(
      Object.entries(this.known.start).map(([name, { type, shape }]) => [name, this.kernels.array(type, [1, ...shape])]),
    );
  }

  start() {
    return this.written(this.initial);
  }

  load(batch, position) {
    for (const name in batch) batch[name].view.set(position.arrays[name]);
  }

  position(batch) {
    return this.written(Object.fromEntries(Object.entries(batch).map(([name, array]) => [name, array.view.slice()])));
  }

  // A position: what the page reads of it, and the arrays of the kernels.
  written(arrays) {
    const { board, toPlay, done, truncated, points, ply, moves } = arrays;
    const cells = Int8Array.from(board.subarray(0, this.size));
    const last = ply[0] ? moves[ply[0] - 1] : null;
    return { cells, toPlay: toPlay[0], done: done[0] === 1, truncated: truncated[0] === 1, points: points[0], last, arrays };
  }

  play({ board, hashes, moves, ply, toPlay, done, truncated, points }, actions, lengths) {
    const batch = [board, hashes, moves, ply, toPlay, done, truncated, points];
    return this.kernels.call("play", ...batch, this.around, this.komi, actions, lengths);
  }

  allow({ board, hashes, toPlay, done }, sensible = 0) {
    this.kernels.call("legal", board, hashes, this.around, toPlay, done, this.first, sensible, this.allowed);
  }

  // The position after the player to move has given up; its number is the one after the pass.
  resigned(position) {
    const arrays = Object.fromEntries(Object.entries(position.arrays).map(([name, array]) => [name, array.slice()]));
    const { moves, ply, points, toPlay, done } = arrays;
    moves[ply[0]] = this.actions;
    ply[0] += 1;
    points[0] = 2 * toPlay[0] - 1;
    toPlay[0] = 1 - toPlay[0];
    done[0] = 1;
    return this.written(arrays);
  }

  // The points where only superko forbids the player to move to play.
  forbidden(position) {
    this.load(this.row, position);
    this.repeat(this.row);
    return new Set([...this.repeats.view.keys()].filter((point) => this.repeats.view[point]));
  }

  repeat({ board, hashes, toPlay, done }) {
    this.kernels.call("repeats", board, hashes, this.around, toPlay, done, this.first, this.repeats);
  }

  // The planes of rlcourse.encoders.go_planes.SimpleEncoder, written to `out` [1, 11, size], which is 0.
  encode(batch, out) {
    this.repeat(batch);
    this.kernels.call("liberties", batch.board, this.first, this.around, this.liberties);
    const [codes, liberties, forbidden] = [out.view, this.liberties.view, this.repeats.view];
    const [toPlay] = batch.toPlay.view;
    batch.board.view.subarray(0, this.size).forEach((cell, point) => {
      const group = Math.min(liberties[point], 4) - 1 + (cell === 1 + toPlay ? 0 : 4);
      if (cell) codes[group * this.size + point] = 1;
      codes[(8 + toPlay) * this.size + point] = 1;
      codes[10 * this.size + point] = forbidden[point];
    });
  }

  // The owner of each point: 1 Black, 2 White, 0 nobody.
  area(position) {
    this.load(this.row, position);
    this.kernels.call("area", only(this.row.board), this.around, this.owner);
    return this.owner.view.slice();
  }

  // Black's area minus White's area and komi.
  score(position) {
    return sum([...this.area(position)].map((owner) => [0, 1, -1][owner])) - this.komi;
  }

  // The number of captured stones of Black and of White: those played that are no longer on the board.
  captured({ cells, arrays: { moves, ply } }) {
    const gone = [1, 2].map((colour) => -cells.filter((cell) => cell === colour).length);
    moves.subarray(0, ply[0]).forEach((action, k) => action < this.size && (gone[k % 2] += 1));
    return gone;
  }

  playout({ board, hashes, moves, ply, toPlay, done, points }, seed, out) {
    const batch = [board, hashes, moves, ply, toPlay, done, points];
    this.kernels.call("playouts", ...batch, this.around, this.komi, seed, out);
  }

  // The visits and the wins of each action after a search with RAVE.
  raveSearch(position, seed, { simulations, equivalence, atari, patterns, priors }) {
    const { kernels, row, size } = this;
    this.load(row, position);
    const before = kernels.top;
    const counts = [0, 0].map(() => kernels.array("float32", [this.actions]));
    const [ply] = row.ply.view;
    const turn = [1 + position.toPlay, position.last ?? size, Number(position.last === size), row.moves.length - ply].map(BigInt);
    const budget = [this.komi, seed, BigInt(simulations), equivalence, 0, Number(atari)];
    const shapes = new KernelArray(kernels.memory, "uint8", [patterns ? this.shapes.length : 0], this.shapes.place);
    const board = [only(row.board), only(row.hashes), this.around, this.lines];
    kernels.call("rave_search", ...board, ...turn, ...budget, shapes, Number(priors), ...counts);
    const results = counts.map(({ view }) => [...view]);
    kernels.top = before;
    return results;
  }
}

// The forward pass of a network that is data (rlcourse.networks): one position, numbers [points, filters] after each layer.
class Network {
  constructor(game, { planes, layers, windows, encoder, constants }, weights) {
    const { kernels } = game;
    Object.assign(this, { game, kernels, planes, encoder });
    const [depth, ...board] = planes;
    const points = board.reduce((a, b) => a * b, 1);
    this.shapes = { planes: [points, depth] };
    this.outputs = { planes: kernels.array("float32", [1, points, depth]) };
    this.codes = kernels.array("int8", [1, depth, points]);
    this.constants = constants.map(({ type, shape, numbers }) => kernels.array(type, shape, numbers));
    let place = 0;
    const take = (shape) => {
      const count = shape.reduce((a, b) => a * b, 1);
      return kernels.array("float32", shape, weights.subarray(place, (place += count)));
    };
    this.layers = layers.map((layer) => {
      const [before, width] = this.shapes[layer.of[0]];
      const dense = layer.kind === "dense";
      const joined = sum(layer.of.map((name) => this.outputs[name].length));
      const shaped = { mean: [1, width], join: [1, joined] }[layer.kind] ?? [before, width];
      this.shapes[layer.name] = layer.units ? [dense ? 1 : before, layer.units] : shaped;
      this.outputs[layer.name] = kernels.array("float32", [1, ...this.shapes[layer.name]]);
      if (!layer.units) return layer;
      // A dense layer is a convolution over one point that holds all numbers.
      const around = dense ? [[0]] : windows[layer.width];
      const inputs = dense ? before * width : width;
      const flat = around.flat().map(BigInt);
      return {
        ...layer,
        inputs,
        around: kernels.array("int64", [around.length, around[0].length], flat),
        matrix: take([around[0].length, inputs, layer.units]),
        bias: take([layer.units]),
      };
    });
  }

  // The last layer's numbers for many rows of inputs [R, units] at once, if all layers are dense ones with a sigmoid.
  through(rows) {
    const { kernels } = this;
    const [count] = rows.shape;
    const around = kernels.array("int64", [count, 1], BigInt64Array.from({ length: count }, (_, k) => BigInt(k)));
    for (const { matrix, bias, inputs } of this.layers) {
      const out = kernels.array("float32", [count, bias.length]);
      const input = new KernelArray(rows.memory, "float32", [1, count, inputs], rows.place);
      kernels.callInto(out, "convolve", input, matrix, bias, around, 0);
      const sums = out.view;
      for (let k = 0; k < sums.length; k++) sums[k] = 1 / (1 + Math.exp(-sums[k]));
      rows = out;
    }
    return rows;
  }

  // policy and value of the position in the arrays of a batch; no value without a head for it.
  evaluate(batch) {
    this.codes.view.fill(0);
    this.encode(batch);
    const [depth, points] = this.codes.shape.slice(1);
    const codes = this.codes.view;
    const planes = this.outputs.planes.view;
    for (let p = 0; p < points; p++) for (let c = 0; c < depth; c++) planes[p * depth + c] = codes[c * points + p];
    for (const layer of this.layers) this.forward(layer);
    return { policy: this.outputs.policy.view, value: this.outputs.value?.view[0] ?? null };
  }

  encode(batch) {
    const { cells, toPlay } = batch;
    if (this.encoder === "simple") return this.game.encode(batch, this.codes);
    if (this.encoder === "threats") return this.kernels.call("encode", cells, toPlay, ...this.constants, this.codes);
    // "two-plane": the stones of the player to move, then the opponent's.
    const codes = this.codes.view;
    const own = 1 + toPlay.view[0];
    cells.view.forEach((cell, point) => cell && (codes[(cell === own ? 0 : cells.length) + point] = 1));
  }

  forward(layer) {
    const [x, y] = layer.of.map((name) => this.outputs[name]);
    const out = this.outputs[layer.name];
    if (layer.kind === "add") {
      const [a, b, total] = [x.view, y.view, out.view];
      for (let k = 0; k < total.length; k++) total[k] = Math.max(a[k] + b[k], 0);
    } else if (layer.kind === "mean") {
      const [points, width] = this.shapes[layer.of[0]];
      const means = out.view.fill(0);
      x.view.forEach((number, k) => (means[k % width] += number));
      means.forEach((total, k) => (means[k] = total / points));
    } else if (layer.kind === "join") {
      out.view.set(x.view);
      out.view.set(y.view, x.length);
    } else if (layer.kind === "softmax") {
      const highest = Math.max(...x.view);
      const weights = [...x.view].map((logit) => Math.exp(logit - highest));
      out.view.set(weights.map((weight) => weight / sum(weights)));
    } else {
      const input = new KernelArray(x.memory, "float32", [1, x.length / layer.inputs, layer.inputs], x.place);
      const relu = Number(layer.activation === "relu");
      this.kernels.callInto(out, "convolve", input, layer.matrix, layer.bias, layer.around, relu);
      if (layer.activation === "tanh") out.view.set(out.view.map(Math.tanh));
    }
  }
}

// rlcourse.agents.search_tree for one game: a tree with room for `simulations`, and the simulations.
class Tree {
  constructor(game, position, evaluate, { simulations, rule, c }) {
    const { kernels } = game;
    const room = simulations + 1;
    const of = (type, ...shape) => kernels.array(type, [1, ...shape]);
    Object.assign(this, { game, position, evaluate, rule: RULE_NUMBERS[rule], c, simulations });
    this.edges = of("edge", room, game.actions);
    this.nodes = [of("int32", room), of("bool", room), of("float32", room), of("int8", room), of("int32")];
    this.path = [of("int64", room), of("int64", room), of("int64")];
    this.leaf = game.batch();
    this.evaluated = of("int64");
    this.policy = of("float64", game.actions);
    this.value = of("float64");
    game.load(this.leaf, position);
    this.backup();
    this.firstValue = position.done ? 0 : this.value.view[0];
  }

  simulate() {
    const { game, path } = this;
    const [total, done] = this.nodes;
    game.kernels.call("select", this.edges, total, done, this.rule, this.c, ...path);
    game.load(this.leaf, this.position);
    game.play(this.leaf, path[1], path[2]);
    this.backup();
  }

  backup() {
    const { game, leaf } = this;
    const running = !leaf.done.view[0];
    this.evaluated.view[0] = running ? 0n : -1n;
    if (running) {
      const { policy, value } = this.evaluate(leaf);
      this.policy.view.set(policy);
      this.value.view[0] = value;
    }
    game.allow(leaf);
    const ends = [leaf.done, leaf.points, leaf.toPlay];
    const tree = [this.edges, ...this.nodes, ...this.path, ...ends];
    const bad = game.kernels.call("backup", ...tree, this.evaluated, game.allowed, this.policy, this.value);
    if (bad >= 0) throw new Error("an evaluation was no policy and value");
  }

  // Visits, mean values (NaN: untried) and priors of the root's actions, and the value of the root.
  root() {
    const edges = new DataView(this.edges.memory.buffer, this.edges.place);
    const all = [...Array(this.game.actions).keys()];
    const visits = all.map((a) => edges.getInt32(EDGE_BYTES * a + 4, true));
    const sums = all.map((a) => edges.getFloat64(EDGE_BYTES * a + 8, true));
    const prior = all.map((a) => edges.getFloat64(EDGE_BYTES * a + 16, true));
    const q = all.map((a) => (visits[a] ? sums[a] / visits[a] : NaN));
    const total = sum(visits);
    return { visits, q, prior, value: total ? sum(sums) / total : this.firstValue };
  }
}

function gameOf(kernels, known) {
  if (known.game === "backgammon") return new BackgammonGame(kernels, known);
  return new (known.game === "go" ? GoGame : GridGame)(kernels, known);
}

const bytesOf = (base64) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
// An array that travels as { type, shape, base64 }.
const numbersOf = ({ type, base64 }) => new TYPES[type](bytesOf(base64).buffer);
const filled = (kernels, array) => kernels.array(array.type, array.shape, numbersOf(array));
const floatsOf = (base64) => new Float32Array(bytesOf(base64).buffer);

// What the bots of a page decide: action, and where they have them value, policy, q, visits and their network's own policy.
// known: what rlcourse.page writes down of the game and its bots.
class Players {
  constructor(game, known) {
    this.game = game;
    this.known = known;
    this.networks = known.networks.map((network) => new Network(game, network, floatsOf(network.weights)));
    this.bots = Object.fromEntries(
      Object.entries(known.bots).map(([name, { values, ...bot }]) => [name, values ? { ...bot, values: floatsOf(values) } : bot]),
    );
    if (!known.codes) return;
    this.decisions = new Map(); // of tic-tac-toe: code -> number of the decision, and where its values begin
    let start = 0;
    for (const code of new Uint16Array(bytesOf(known.codes).buffer)) {
      this.decisions.set(code, { number: this.decisions.size, start });
      for (let rest = code, square = 0; square < 9; rest = Math.floor(rest / 3), square++) start += rest % 3 === 0;
    }
  }

  static async load(known) {
    const kernels = await Kernels.load(bytesOf(known.module));
    return new Players(gameOf(kernels, known), known);
  }

  decide(name, position, random = Math.random) {
    if (name === JUDGE) return this.values(position);
    const bot = this.bots[name];
    return this[bot.kind](bot, position, this.game.legal(position), random);
  }

  // Every legal move with its value for the player to move, by the judge of the game; null where it cannot say.
  values(position) {
    const { bot, fewest } = this.known.judge;
    if (this.known.game === "connect-four") {
      this.solver ??= new ConnectFourSolver(this.game.kernels);
      return position.cells.filter(Boolean).length < fewest ? null : this.solver.results(position.cells);
    }
    if (!this.game.actions) {
      const plays = this.game.rated(this.networks[this.bots[bot].evaluation], position);
      return plays.map(({ move, equity }) => [move, 1000 * equity]);
    }
    if (this.known.game === "go") return this.chances(this.networks[this.bots[bot].evaluation], position);
    const { q } = this.decide(bot, position);
    return this.game.legal(position).map((action) => [action, q[action]]);
  }

  // Each legal move with the chance to win after it, in points in 100, by a critic; an ended game is exact.
  chances(critic, position) {
    const { game } = this;
    return game.legal(position).map((action) => {
      const after = game.after(position, action);
      const exact = position.toPlay === 0 ? after.points : -after.points;
      game.load(game.row, after);
      return [action, 50 * (1 + (after.done ? exact : -critic.evaluate(game.row).value))];
    });
  }

  random(bot, position, legal, random) {
    const sensible = this.game.legal(position, 1);
    const action = sensible[Math.floor(random() * sensible.length)];
    if (!this.game.actions) return { action }; // whole turns, which have no numbers
    const policy = Array(this.game.actions).fill(0);
    for (const action of sensible) policy[action] = 1 / sensible.length;
    return { action, policy };
  }

  // Tic-tac-toe: a move, and values where the bot has them, for each of the 4,520 decisions.
  table({ moves, values, draws }, { cells }, legal, random) {
    const code = cells.reduce((total, cell, square) => total + cell * 3 ** square, 0);
    const { number, start } = this.decisions.get(code);
    const q = values ? Array(9).fill(NaN) : null;
    if (values) legal.forEach((action, k) => (q[action] = values[start + k]));
    if (!draws) return { action: Number(moves[number]), q };
    const best = legal.filter((action) => q[action] === Math.max(...legal.map((other) => q[other])));
    return { action: best[Math.floor(random() * best.length)], q };
  }

  // A network's own policy, as in rlcourse.agents.policy: clipped, then the sensible actions alone, then sharpened.
  policy({ evaluation, clip, temperature }, position, legal, random) {
    const { game } = this;
    const sensible = game.legal(position, 1);
    game.load(game.row, position);
    const { policy: all, value } = this.networks[evaluation].evaluate(game.row);
    const total = sum([...all]);
    const clipped = Array.from(all, (share) => (clip ? Math.min(Math.max(share / total, clip), 1 - clip) : share));
    const unsure = sensible.every((action) => !clipped[action]);
    const weights = Array(game.actions).fill(0);
    for (const action of sensible) weights[action] = unsure ? 1 : (clipped[action] ?? 0);
    const most = Math.max(...weights);
    const own = shares(weights);
    const sharp = weights.map((weight) => (temperature ? (weight / most) ** (1 / temperature) : Number(weight === most)));
    const policy = shares(sharp);
    const action = temperature ? drawn(policy, random()) : weights.indexOf(most);
    return { action, value, policy, own: temperature === 1 ? null : own };
  }

  // Backgammon: the position of highest equity after a turn.
  equity({ evaluation }, position) {
    return this.game.weigh(this.networks[evaluation], position);
  }

  search({ rule, c, simulations, evaluation }, position, legal, random) {
    const { game } = this;
    const before = game.kernels.top;
    const network = this.networks[evaluation];
    const evaluate = network ? (leaf) => network.evaluate(leaf) : this[evaluation](random);
    const tree = new Tree(game, position, evaluate, { rule, c, simulations });
    for (let k = 0; k < simulations; k++) tree.simulate();
    const { visits, q, prior, value } = tree.root();
    game.kernels.top = before;
    return { ...mostVisited(legal, visits, prior), value, q, visits, own: network ? prior : null };
  }

  // Go: UCT with RAVE.
  rave(bot, position, legal, random) {
    const [visits, wins] = this.game.raveSearch(position, wholeNumber(random), bot);
    const scaled = (won, played) => Math.fround(Math.fround((2 * won) / played) - 1);
    const q = visits.map((count, action) => scaled(wins[action], count));
    const prior = q.map((mean) => (Number.isNaN(mean) ? 0 : mean + 1));
    return { ...mostVisited(legal, visits, prior), value: scaled(sum(wins), sum(visits)), q, visits };
  }

  // An evaluation without knowledge.
  uniform() {
    const policy = Array(this.game.actions).fill(1);
    return () => ({ policy, value: 0 });
  }

  // A uniform policy, and the result of one random game.
  rollouts(random) {
    const { kernels } = this.game;
    const policy = Array(this.game.actions).fill(1);
    const seeds = kernels.array("uint64", [1]);
    const out = kernels.array("float32", [1]);
    return (leaf) => {
      seeds.view[0] = wholeNumber(random);
      this.game.playout(leaf, seeds, out);
      return { policy, value: leaf.toPlay.view[0] === 0 ? out.view[0] : -out.view[0] };
    };
  }
}
