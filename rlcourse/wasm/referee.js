// The board without a kernel: what rlcourse.boards does for the grid games, with the interface that board.js expects of a model.
// A test sends both the same messages and compares all that they show.

const SIDES = { first: [0], second: [1], both: [0, 1], none: [] };
const HINT_TO_PLAY = "Click or touch to play, or use the arrow keys and Enter.";
const MOST_ROWS = 12; // of the table beside the board

// What the boards need to know of a game; see rlcourse.boards.faces.
const GRID_FACE = { players: ["X", "O"], ask: () => "", won: () => "" };
const FACES = {
  "tic-tac-toe": { ...GRID_FACE, reason: ({ cells }, action, label) => `${label} is occupied by ${"XO"[cells[action] - 1]}` },
  "connect-four": { ...GRID_FACE, reason: (position, action, label) => `column ${label} is full` },
  go: {
    players: ["Black", "White"],
    ask({ toPlay, last }, clicks, game) {
      if (clicks.length) return "Click resign once more to give up, or play on.";
      if (last !== game.size) return "";
      return `${FACES.go.players[1 - toPlay]} has passed: a second pass ends the game, and the area counts.`;
    },
    won(position, game) {
      if (position.last === game.actions) return " by resignation";
      const cut = position.truncated ? `, cut off after ${position.arrays.ply[0]} moves` : "";
      return ` by ${Math.abs(game.score(position))} points, the komi of ${game.komi} counted${cut}`;
    },
    reason(position, action, label, game) {
      const cell = position.cells[action];
      if (cell) return `${label} is occupied by ${["black", "white"][cell - 1]}`;
      if (game.forbidden(position).has(action)) return `${label} is forbidden by superko: the board would be as it has been before`;
      return `${label} would be suicide: the stone would have no liberty`;
    },
    // The game so far as SGF, as rlcourse.gtp.sgf writes it, but in one line.
    record({ game, state, moves }, black, white) {
      const width = Math.sqrt(game.size);
      const letter = (k) => String.fromCharCode(97 + k);
      const place = (point) => (point === game.size ? "tt" : letter(point % width) + letter(Math.floor(point / width)));
      const played = moves.filter((action) => action <= game.size).map((point, ply) => `;${"BW"[ply % 2]}[${place(point)}]`);
      const margin = state.last === game.actions ? "R" : Math.abs(game.score(state));
      const result = state.points === 0 ? "0" : `${state.points > 0 ? "B" : "W"}+${margin}`;
      const facts = { FF: 4, CA: "UTF-8", GM: 1, KM: game.komi, PB: black, PW: white, RE: state.done && result, RU: "Chinese", SZ: width };
      const known = Object.entries(facts).filter(([, value]) => value);
      const head = known.map(([key, value]) => `${key}[${String(value).replace(/[\]\\]/g, "\\$&")}]`);
      return `(;${head.join("")}${played.join("")})`;
    },
  },
};

class Refusal extends Error {}

class Referee {
  // ask(bot, position) -> a promise of what the bot decides. draw(games, moves): the dice, as a number from 0 to 1079; they depend on
  // the number of the game and of the move, so who takes a move back meets the same dice again.
  constructor(known, game, ask, draw = drawOf(Math.random() * 2 ** 32)) {
    Object.assign(this, { known, game, ask, draw, bots: Object.keys(known.bots) });
    this.face = FACES[known.game];
    this.players = this.face.players;
    this.labels = this.game.resigned ? [...known.labels, "resign"] : known.labels;
    this.reviews = known.judge ? new Reviews(known.judge) : null;
    this.clicks = []; // of a move that takes several: in backgammon, and resigning
    this.listeners = new Map();
    this.opponent = this.bots[0];
    this.side = "first";
    Object.assign(this, { finished: [], ended: [], overlayOn: false, serial: 0, announcement: 0, hint: null, games: 0 });
    this.said = "";
    this.trouble = "";
    this.line = [this.thrown(game.start(), 0)];
    this.moves = [];
    this.shown = 0;
    this.view = { said: HINT_TO_PLAY };
    this.queue = this.refresh(true);
  }

  // The interface of a model: board.js reads the view, listens to its changes and sends messages, one at a time.
  get(name) {
    return this[name];
  }

  on(event, listener) {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
  }

  off(event, listener) {
    this.listeners.set(event, this.listeners.get(event).filter((other) => other !== listener));
  }

  send(message) {
    this.queue = this.queue.then(() => this.obey(message)).catch((error) => this.refuse(error, message));
    return this.queue;
  }

  show(view) {
    this.view = view;
    for (const listener of this.listeners.get("change:view") ?? []) listener();
  }

  refuse(error, { type, action }) {
    const said = error instanceof Refusal ? error.message : `That did not work: ${error.name}: ${error.message}.`;
    this.announce(said, type === "click" ? action : null);
  }

  // Say something, and change nothing.
  announce(said, refused = null) {
    this.announcement += 1;
    this.show({ ...this.view, said, announcement: this.announcement, refused });
  }

  async obey({ type, value, action, serial }) {
    if (type !== "hint") this.hint = null;
    if (type === "click") {
      if (serial !== this.serial) throw new Refusal("That click came too late: the board had changed. Please click again.");
      if (!this.click(action)) return this.refresh();
    } else if (type === "overlay") {
      this.overlayOn = value;
      this.said = value ? "Values shown." : "Values hidden.";
      return this.refresh();
    } else if (type === "step") {
      await this.step(value);
      return this.refresh();
    } else if (type === "look") {
      this.look(value);
      return this.refresh();
    } else if (type === "save") {
      return this.save();
    } else if (type === "review") {
      await this.review();
      return this.refresh();
    } else if (type === "hint") {
      await this.suggest();
      return this.refresh();
    } else if (type === "new") this.newGame();
    else if (type === "undo") this.undo();
    else if (type === "try again") this.tryAgain();
    else if (type === "side") this.chooseSide(value);
    else if (type === "opponent") {
      Object.assign(this, { opponent: value, trouble: "", said: `Your opponent is ${value}.` });
    } else throw new Refusal(`The board does not know the message ${type}.`);
    // The player's own move is shown at once, then the answer.
    if (this.agentsTurn()) await this.refresh(true);
    await this.answer();
    return this.refresh();
  }

  // Requests of the player. Each throws a Refusal, or changes the game and what is said.

  save() {
    if (!this.face.record) throw new Refusal(`Games of Go are saved as SGF; ${this.known.game} has no such file.`);
    const name = `go-${Array(2).fill(Math.sqrt(this.game.size)).join("x")}.sgf`;
    const names = [0, 1].map((player) => (this.you.includes(player) ? "" : this.opponent));
    const text = this.face.record(this, ...names);
    for (const listener of this.listeners.get("msg:custom") ?? []) listener({ name, text });
    this.announce(`The game so far is ${name}, among the downloads of your browser.`);
  }

  click(action) {
    if (this.state.done) throw new Refusal(`The game is over: ${this.result()} Start a new game or undo.`);
    if (this.shown !== this.moves.length)
      throw new Refusal(`You are looking back at position ${this.shown}. Go to the last position to play on.`);
    if (!this.yourTurn()) throw new Refusal(`It is not your turn: ${this.name(this.state.toPlay)} moves.`);
    if (this.face.keep) return this.clickPlace(action);
    const resigns = action === this.game.actions && this.game.resigned;
    if (resigns && !this.clicks.length) {
      this.clicks = [action];
      this.said = this.face.ask(this.state, this.clicks, this.game);
      return false;
    }
    const after = resigns ? this.game.resigned(this.state) : this.game.after(this.state, action);
    if (!after) throw new Refusal(`Not possible: ${this.reason(action)}.`);
    this.push(action, after);
    return true;
  }

  // One click of a move that takes several; whether it completes the move.
  clickPlace(place) {
    const { face, game, state } = this;
    let clicks, move;
    try {
      clicks = face.keep(game, state, [...this.clicks, place]);
      move = clicks.length ? face.move(game, state, clicks) : null;
    } catch (error) {
      throw error instanceof Illegal ? new Refusal(`Not possible: ${error.message}.`) : error;
    }
    if (move) this.push(move, game.after(state, move));
    else Object.assign(this, { clicks, said: face.ask(state, clicks, game) });
    return Boolean(move);
  }

  newGame() {
    this.finished = [...this.finished, ...this.ended];
    this.games += 1;
    this.cut(0);
    this.line = [this.thrown(this.game.start(), 0)];
    this.ended = [];
    this.said = "New game.";
  }

  undo() {
    if (this.clicks.length) {
      const clicks = this.clicks.slice(0, 2 * Math.floor((this.clicks.length - 1) / 2));
      this.cut(this.moves.length);
      Object.assign(this, { clicks, said: clicks.length ? "Took back the last step." : "Started the move again." });
      return;
    }
    const own = [...this.moves.keys()].filter((k) => this.side === "none" || this.you.includes(this.line[k].toPlay));
    if (!own.length) throw new Refusal("There is no move of yours to take back.");
    const count = this.moves.length - own.at(-1);
    this.cut(own.at(-1));
    this.said = `Took back ${count} move${count > 1 ? "s" : ""}.`;
  }

  chooseSide(side) {
    Object.assign(this, { side, trouble: "", shown: this.moves.length, clicks: [] });
    if (side === "both") this.said = "You play both sides.";
    else if (side === "none") this.said = "You watch: Next plays a move.";
    else this.said = `You play ${this.players[this.you[0]]}.`;
  }

  async step(where) {
    const end = this.moves.length;
    const target = { first: 0, previous: this.shown - 1, next: this.shown + 1, last: end }[where];
    const playsOn = this.side === "none" && !this.state.done && this.shown === end;
    if (playsOn && (where === "next" || where === "last")) return this.watch(where === "last");
    if (target < 0) throw new Refusal("This is the first position.");
    if (target > end) throw new Refusal("This is the last position.");
    this.look(target);
  }

  // Show the position after `number` moves.
  look(number) {
    const end = this.moves.length;
    if (!(Number.isInteger(number) && 0 <= number && number <= end))
      throw new Refusal(`This game has the positions 0 to ${end}; got ${number}.`);
    Object.assign(this, { shown: number, clicks: [] });
    const before = number ? `, after ${this.moveText(number - 1)}` : "";
    this.said = `Position ${number} of ${end}${before}.`;
    if (number === end && this.state.done) this.said += ` ${this.result()}`;
  }

  ownPlies() {
    return [...this.moves.keys()].filter((k) => this.you.includes(this.line[k].toPlay));
  }

  // Whether the game is over and has moves by hand that somebody can judge.
  canReview() {
    return Boolean(this.reviews && this.state.done && this.ownPlies().length);
  }

  async review() {
    if (!this.reviews) throw new Refusal(`Nobody here can judge the moves of ${this.known.game}.`);
    if (!this.state.done) throw new Refusal("Your moves are judged when the game is over.");
    if (!this.ownPlies().length) throw new Refusal("No move of this game was yours.");
    const before = this.view;
    this.show({ ...before, status: "Your moves are being judged\u2026", thinking: true });
    this.said = "Your moves are judged.";
    try {
      await this.reviews.add(this, this.ownPlies());
    } catch (error) {
      this.show(before);
      throw error;
    }
  }

  async watch(toTheEnd) {
    Object.assign(this, { said: "", trouble: "" });
    do await this.agentMove();
    while (toTheEnd && !this.state.done && !this.trouble);
    if (toTheEnd) this.said = `Played to position ${this.moves.length}.`;
    this.said = `${this.said} ${this.trouble || this.result() || this.turn()}`.trim();
  }

  tryAgain() {
    if (this.shown === this.moves.length)
      throw new Refusal("This is the last position. Look back to the one to play on from.");
    this.cut(this.shown);
    this.said = `Back at position ${this.shown}: try again.`;
  }

  async suggest() {
    const place = this.shown === this.moves.length;
    if (!this.yourTurn() || !place) throw new Refusal(this.result() || "A hint is for your own turn, at the last position.");
    const { action } = await this.ask(this.bots[0], this.state);
    this.hint = this.mark(this.state, action);
    this.said = `Hint of ${this.bots[0]}: ${this.say(this.state, action)}.`;
  }

  // The line of play.

  get state() {
    return this.line.at(-1);
  }

  get you() {
    return SIDES[this.side];
  }

  yourTurn() {
    return !this.state.done && this.you.includes(this.state.toPlay);
  }

  agentsTurn() {
    return !this.state.done && this.side !== "none" && !this.trouble && !this.yourTurn();
  }

  push(action, after, agent = "") {
    const before = this.state;
    this.line.push(this.thrown(after, this.line.length));
    this.moves.push(action);
    Object.assign(this, { shown: this.moves.length, clicks: [] });
    if (after.done) this.ended = [[this.scorer(after.points < 0 ? 1 : 0), Math.abs(after.points)]];
    const name = agent || (this.side === "both" ? this.players[before.toPlay] : "You");
    const sentence = `${this.moveSentence(name, before, action)}.`;
    this.said = agent && this.said ? `${this.said} ${sentence}` : sentence;
  }

  cut(length) {
    this.line.length = length + 1;
    this.moves.length = length;
    Object.assign(this, { shown: length, trouble: "", clicks: [] });
    if (!this.state.done) this.ended = [];
  }

  async agentMove() {
    const { action } = await this.ask(this.opponent, this.state);
    const after = this.game.after(this.state, action);
    if (after) return this.push(action, after, this.opponent);
    const failed = `${this.opponent} failed: IllegalMove: ${this.reason(action)}.`;
    this.trouble = `${failed} Undo, start a new game or choose an opponent.`;
  }

  async answer() {
    while (this.agentsTurn()) await this.agentMove();
    const news = this.trouble || this.result() || this.turn();
    this.said = `${this.said} ${news}`.trim();
  }

  // Sentences.

  reason(action) {
    return this.face.reason(this.state, action, this.labels[action], this.game);
  }

  name(player) {
    if (this.side === "both") return this.players[player];
    return this.you.includes(player) ? `You (${this.players[player]})` : `${this.opponent} (${this.players[player]})`;
  }

  moveText(k) {
    return this.moveSentence(this.players[this.line[k].toPlay], this.line[k], this.moves[k]);
  }

  moveSentence(name, before, action) {
    return `${name}${this.face.threw?.(before) ?? ""}: ${this.say(before, action)}`;
  }

  // A move as text, and as the drawing marks it.
  say(state, action) {
    return this.face.say ? this.face.say(this.game, state, action) : this.labels[action];
  }

  mark(state, action) {
    return this.face.mark ? this.face.mark(state, action) : action;
  }

  // The position with the dice of move `number` of this game, where the game has dice.
  thrown(state, number) {
    return this.game.throw ? this.game.throw(state, this.draw(this.games, number)) : state;
  }

  turn() {
    const player = this.state.toPlay;
    let sentence = `${this.name(player)} to move.`;
    if (this.side === "both" || this.side === "none") sentence = `${this.players[player]} to move.`;
    else if (this.you.includes(player)) sentence = `Your turn: ${this.players[player]}.`;
    const task = this.yourTurn() ? this.face.ask(this.state, this.clicks, this.game) : "";
    return `${sentence} ${task}`.trim();
  }

  result() {
    const { done, points } = this.state;
    if (!done) return "";
    if (points === 0) return "A draw.";
    const player = points > 0 ? 0 : 1;
    const size = this.face.won(this.state, this.game);
    if (this.you.length === 1 && this.you.includes(player)) return `You win${size}!`;
    return `${this.name(player)} wins${size}.`;
  }

  outcome() {
    if (this.shown < this.moves.length || !this.state.done) return "";
    if (this.state.points === 0) return "drawn";
    if (this.you.length !== 1) return "over";
    return this.you.includes(this.state.points > 0 ? 0 : 1) ? "won" : "lost";
  }

  scorer(player) {
    if (this.side === "both" || this.side === "none") return this.players[player];
    return this.you.includes(player) ? "You" : this.opponent;
  }

  score() {
    const games = [...this.finished, ...this.ended];
    const names = [this.scorer(0), this.scorer(1)].sort((a, b) => Number(a !== "You") - Number(b !== "You"));
    const points = new Map(names.map((name) => [name, 0]));
    for (const [winner, won] of games) if (won) points.set(winner, (points.get(winner) ?? 0) + won);
    const totals = [...points].map(([name, won]) => `${name} ${won}`).join(", ");
    if (this.face.keepsScore) return `Points won in ${games.length} ${games.length === 1 ? "game" : "games"}: ${totals}.`;
    const drawn = games.filter(([, won]) => won === 0).length;
    return `Won in ${games.length} ${games.length === 1 ? "game" : "games"}: ${totals}${drawn ? `, drawn ${drawn}` : ""}.`;
  }

  status() {
    const { shown, moves } = this;
    if (shown < moves.length)
      return `Looking back: position ${shown} of ${moves.length}, ${this.players[this.line[shown].toPlay]} to move.`;
    if (this.trouble) return this.trouble;
    if (this.agentsTurn()) return `${this.opponent} is thinking\u2026`;
    return this.result() || this.turn();
  }

  // What can be clicked: the legal actions, and resigning where a game has it.
  targets() {
    if (this.face.targets) return this.face.targets(this.game, this.state, this.clicks);
    const legal = this.game.legal(this.state);
    return this.game.resigned ? [...legal, this.game.actions] : legal;
  }

  // What the opponent, or the first bot for two people, thinks: heading, numbers (a Map), scale, columns, beside, stands.
  async overlay() {
    const position = this.line[this.shown];
    const empty = { numbers: new Map(), scale: "value", columns: [], stands: "" };
    if (position.done) return { ...empty, heading: "No values: the game is over" };
    const bot = this.side === "both" ? this.bots[0] : this.opponent;
    const { agent, temperature } = this.known.bots[bot];
    const decision = await this.ask(bot, position);
    const player = this.players[position.toPlay];
    if (!this.game.actions) return { ...empty, ...this.turnsRated(decision.plays, agent, position) };
    const legal = this.game.legal(position);
    const numbers = (row) => new Map(legal.filter((a) => Number.isFinite(row[a])).map((a) => [a, row[a]]));
    const { visits, q, policy, own } = decision;
    if (!visits && q) return { ...empty, heading: `${agent}: value of each move for ${player}`, numbers: numbers(q) };
    const value = decision.value ?? null;
    const stands = value === null ? "" : `${player} stands at ${numberText(Math.fround(value), "value")}`;
    if (!visits && own) {
      const columns = ["Network", `At temperature ${temperature}`];
      const heading = `${agent}: the network's probability of each move`;
      return { ...empty, heading, numbers: numbers(own), scale: "share", stands, beside: numbers(policy), columns };
    }
    if (!visits) return { ...empty, heading: `${agent}: probability of each move`, numbers: numbers(policy), scale: "share", stands };
    const total = Math.max(1, sum(legal.map((a) => visits[a])));
    const shares = numbers(visits.map((count) => count / total));
    const heading = `${agent}: share of the visits of each move`;
    const beside = own ? { beside: numbers(own), columns: ["Visits", "Network"] } : {};
    return { ...empty, heading, numbers: shares, scale: "share", stands, ...beside };
  }

  // The best turns of backgammon with their equities, and the chance that the first player wins.
  turnsRated(plays, agent, position) {
    if (!plays) return { heading: `${agent} gives no numbers` };
    const texts = plays.map(({ move, equity, outputs: [win, gammon] }, k) => {
      const size = fixed(Math.abs(equity), 3);
      const signed = `${equity < 0 && Number(size) ? "\u2212" : "+"}${size}`;
      const gammons = gammon === undefined ? "-" : numberText(gammon, "share");
      return [`${k + 1}. ${this.say(position, move)}`, signed, numberText(win, "share"), gammons];
    });
    const [{ move, outputs }] = plays;
    const win = position.toPlay === 0 ? outputs[0] : 1 - outputs[0];
    const columns = ["Equity", "Win", "Gammon"];
    return { heading: `${agent}: best plays of ${this.players[position.toPlay]}`, columns, texts, chosen: this.mark(position, move), win };
  }

  table({ heading, numbers, scale, columns, beside, stands, texts = [] }) {
    if (!numbers.size) return { heading, columns, rows: texts.map((row, k) => [...row, k === 0]) };
    const order = [...numbers.keys()].sort((a, b) => numbers.get(b) - numbers.get(a) || a - b);
    const best = bestOf(numbers);
    const shown = beside ? [numbers, beside] : [numbers];
    const cells = (action) => shown.map((column) => numberText(column.get(action), scale));
    const named = order.length <= MOST_ROWS ? order : order.slice(0, MOST_ROWS - 1);
    const rows = named.map((action) => [this.labels[action], ...cells(action), best.has(action)]);
    const rest = order.slice(named.length);
    if (rest.length) {
      const sums = shown.map((column) => sum(rest.map((action) => column.get(action))));
      const texts = sums.map((one) => (scale === "share" ? numberText(one, "share") : ""));
      rows.push([`${rest.length} others`, ...texts, false]);
    }
    const names = columns.length ? columns : [scale === "value" ? "Value" : "Share"];
    return { heading: stands ? `${heading}. ${stands}.` : heading, columns: names, rows };
  }

  // With the serial that it has, a click on what was shown before still counts.
  async refresh(quiet = false, serial = this.serial + 1) {
    this.serial = serial;
    this.announcement += quiet ? 0 : 1;
    const { shown, moves } = this;
    const overlay = this.overlayOn ? await this.overlay() : null;
    const playable = shown === moves.length && this.yourTurn();
    const numbers = overlay?.numbers ?? new Map();
    const marks = {
      numbers,
      scale: overlay?.scale ?? "value",
      best: overlay?.chosen ? [overlay.chosen] : bestOf(numbers),
      last: shown && moves[shown - 1] !== this.game.actions ? this.mark(this.line[shown - 1], moves[shown - 1]) : null,
      clicks: this.clicks,
      win: overlay?.win ?? null,
      picked: new Set(this.clicks),
      hint: this.hint,
      targets: new Set(playable ? this.targets() : []),
      glows: shown > 0 && !this.you.includes(this.line[shown - 1].toPlay),
    };
    this.show({
      serial: this.serial,
      title: this.known.title,
      svg: DRAWINGS[this.known.game](this.line[shown], marks, this.game),
      score: this.score(),
      outcome: this.outcome(),
      refused: null,
      status: this.status(),
      said: quiet ? this.view.said : this.said,
      announcement: this.announcement,
      thinking: this.agentsTurn(),
      replaying: false,
      side: this.side,
      sides: [["first", `${this.players[0]} (first)`], ["second", `${this.players[1]} (second)`], ["both", "both sides"], ["none", "none: watch"]],
      opponent: this.opponent,
      opponents: this.bots,
      overlay: this.overlayOn,
      numbers: overlay && this.table(overlay),
      ply: shown,
      plies: moves.length,
      begun: this.clicks.length > 0,
      advised: true,
      watched: this.side === "none",
      goes_on: this.side === "none" && !this.state.done,
      saves: this.face.record !== undefined,
      moves: moves.map((_, k) => this.moveText(k)),
      way_on: "Reload this page to play on.",
      again: shown < moves.length,
      reviewed: this.reviews?.table(this) ?? null,
      can_review: this.canReview(),
    });
  }
}

// Dice for `Referee`, the same for the same seed.
function drawOf(seed) {
  return (games, number) => {
    const random = generator(seed + 7919 * games + 104729 * number);
    random();
    return Math.floor(1080 * random());
  };
}

// The actions with the highest number, unless all are equal.
function bestOf(numbers) {
  const all = [...numbers.values()];
  const most = Math.max(...all);
  if (!all.length || most === Math.min(...all)) return new Set();
  return new Set([...numbers.keys()].filter((action) => numbers.get(action) === most));
}
