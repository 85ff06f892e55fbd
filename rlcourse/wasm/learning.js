// A page on which a player learns: LEARNER, of which PROGRESS says how far it has come. It learns in a worker, which also plays for
// the board; the page draws the curve and renews the values on the board.

const LEARN = `
const SLICE_MS = 20; // between two looks at the messages
let learner, random;
let running = false;
let turn = 0; // the number of the run that goes on; an older one ends
const state = { games: 0, seconds: 0, verdict: null };
const level = () => learner.level(state.verdict);
let goal, speed;

function judge() {
  // Numbers of its own: to look does not change what is learned.
  state.verdict = learner.judge(generator(state.games));
  postMessage({ point: { games: state.games, seconds: state.seconds, ...state.verdict } });
}

// Learn until the judge says more than at the start of the run, or a message stops it.
async function run(own) {
  const started = performance.now();
  const before = state.games;
  const every = learner.every(speed < 50); // games between two verdicts
  while (running && own === turn) {
    const began = performance.now();
    const worked = state.seconds;
    const due = before + (speed * (began - started)) / 1000;
    while (state.games < due && performance.now() - began < SLICE_MS && running) {
      learner.learn(random);
      state.games += 1;
      if (state.games % every) continue;
      state.seconds = worked + (performance.now() - began) / 1000;
      judge();
      if (level() <= goal) continue;
      running = false;
      postMessage({ reached: level() });
    }
    state.seconds = worked + (performance.now() - began) / 1000;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

const COMMANDS = {
  async know(known) {
    learner = await LEARNER.load(known);
  },
  begin({ seed, settings }) {
    running = false;
    random = generator(seed);
    learner.begin(settings, random);
    Object.assign(state, { games: 0, seconds: 0 });
    judge();
  },
  set({ settings }) {
    learner.settings = settings;
  },
  run(message) {
    speed = message.speed;
    goal = level();
    running = true;
    run(++turn);
  },
  pause() {
    if (running) judge();
    running = false;
  },
  think({ number, position }) {
    postMessage({ number, decision: learner.decide(position) });
  },
};
let queue = Promise.resolve();
onmessage = ({ data: { command, ...message } }) => {
  queue = queue.then(() => COMMANDS[command](message)).catch((error) => postMessage({ failure: String(error) }));
};`;

const RENEW_MS = 250; // between two drawings of the values on the board
const MOVE_EVERY_MS = 900; // between two moves of a game that the player shows
const AT_RANDOM = 2; // so many of its first moves, as in the games that it learns from, where there are no dice
const MOST_POINTS = 800; // of the curve; then every second one goes
const NAMES = ["alpha", "epsilon", "gamma", "lam"];
const element = (id) => document.getElementById(id);
const counted = (number) => Math.round(number).toLocaleString("en-US");

// The curve, and the band of its intervals where it has them; a width in pixels, so that its text has the size of the page's.
function drawCurve(points, width) {
  const [left, top, right, bottom, height] = [58, 30, 20, 40, 230];
  const [last] = points.slice(-1);
  const most = niceEnd(last.games);
  const { ticks, place, band } = PROGRESS.axis(points);
  const across = (games) => left + ((width - left - right) * games) / most;
  const down = (share) => height - bottom - (height - bottom - top) * share;
  const number = (x, y, said, anchor, style = {}) => tag("text", { x, y, "text-anchor": anchor, ...style }, escaped(said));
  let body = number(4, 16, PROGRESS.curve, "start", { "font-weight": 600 });
  for (const [share, said] of ticks) {
    const y = down(share);
    body += tag("path", { class: "grid", d: `M${left} ${y.toFixed(1)}H${width - right}` });
    body += number(left - 8, y + 4, said, "end");
  }
  const parts = width < 500 ? 2 : 4;
  for (let k = 0; k <= parts; k++) {
    const games = (most * k) / parts;
    body += number(across(games), height - bottom + 18, counted(games), k === parts ? "end" : "middle");
  }
  body += number((left + width - right) / 2, height - 5, "games played", "middle");
  const at = (point, share) => [across(point.games), down(share)].map((place) => place.toFixed(1));
  const path = (all) => `M${all.map((one) => one.join(" ")).join("L")}`;
  if (band) {
    const [low, high] = [0, 1].map((end) => points.map((point) => at(point, band(point)[end])));
    body += tag("path", { class: "band", d: `${path([...low, ...high.reverse()])}Z` });
  }
  const places = points.map((point) => at(point, place(point)));
  body += tag("path", { class: "line", d: path(places) });
  const [x, y] = places.at(-1);
  body += tag("circle", { class: "dot", cx: x, cy: y, r: 5 });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${body}</svg>`;
}

// The least of 100, 200, 400, 1,000, 2,000, 4,000, ... that is not below the number.
function niceEnd(number) {
  for (let unit = 100; ; unit *= 10) for (const factor of [1, 2, 4]) if (number <= factor * unit) return factor * unit;
}

// The referee of a board whose player learns: what it shows changes without a message, and is not read aloud.
class LearnersReferee extends Referee {
  // The same position, with what the table thinks of it by now.
  renew() {
    this.queue = this.queue.then(() => this.refresh(true, this.serial));
  }

  // The player's next move against itself, or the start of another game.
  showMove() {
    this.queue = this.queue.then(async () => {
      if (this.side !== "none" || this.shown < this.moves.length) return;
      this.said = "";
      if (this.state.done) this.cut(0);
      else if (this.game.actions && this.moves.length < AT_RANDOM) {
        const legal = this.game.legal(this.state);
        const action = legal[Math.floor(Math.random() * legal.length)];
        this.push(action, this.game.after(this.state, action), this.opponent);
      } else await this.agentMove();
      await this.refresh(true);
    });
  }

  // Somebody who has only watched can play.
  invite() {
    if (this.side !== "none") return;
    this.send({ type: "side", value: "first" });
    this.send({ type: "new" });
  }
}

class LearningPage {
  constructor(known) {
    this.known = known;
    this.points = [];
    this.running = false;
    this.waiting = new Map(); // number of a question to the worker -> what to do with its answer
    this.asked = 0;
    this.renewed = 0;
    const text = element("engine").textContent + LEARN;
    this.worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.tell("know", known);
  }

  tell(command, message = {}) {
    this.worker.postMessage({ command, ...message });
  }

  // What the player decides, for the referee of the board.
  ask(bot, position) {
    this.tell("think", { number: ++this.asked, position });
    return new Promise((resolve) => this.waiting.set(this.asked, resolve));
  }

  hear({ point, reached, number, decision, failure }) {
    if (failure) this.say(`That did not work: ${failure}`);
    if (decision) {
      this.waiting.get(number)(decision);
      this.waiting.delete(number);
    }
    if (point) this.add(point);
    if (reached !== undefined) this.reach(reached);
  }

  add(point) {
    if (!point.games) this.points = [];
    this.points.push(point);
    if (this.points.length > MOST_POINTS) this.points = this.points.filter((_, k) => k % 2 === 0 || k > MOST_POINTS - 2);
    this.stale = true;
    this.frame ??= requestAnimationFrame(() => this.draw());
  }

  // The curve and the verdict, once a frame; the values on the board less often.
  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = null;
    if (!this.points.length) return; // begun anew; its first point is on the way
    const last = this.points.at(-1);
    const { games, seconds } = last;
    const place = element("curve");
    place.innerHTML = drawCurve(this.points, Math.max(280, place.clientWidth));
    element("verdict").textContent = `${counted(games)} games, ${seconds.toFixed(1)} s of work: ${PROGRESS.verdict(last)}`;
    const [before, after] = [this.points[0], last].map(PROGRESS.short);
    place.setAttribute("aria-label", `${PROGRESS.curve}: ${before} at first, ${after} after ${counted(games)} games`);
    Object.assign(document.body.dataset, PROGRESS.shown(last), { games });
    const now = performance.now();
    if (this.running && now - this.renewed < RENEW_MS) return;
    this.renewed = now;
    this.referee?.renew();
  }

  say(news) {
    element("news").textContent = news;
  }

  show(running) {
    this.running = running;
    element("run").textContent = running ? "Pause" : this.points.at(-1)?.games ? "Go on" : "Start";
    document.body.dataset.running = running;
  }

  reach(level) {
    if (!this.points.length) return; // of the run before
    this.show(false);
    this.draw();
    this.referee?.invite();
    const { games, seconds } = this.points.at(-1);
    this.say(PROGRESS.reached(level, `after ${counted(games)} games and ${seconds.toFixed(1)} s of work`));
  }

  settings() {
    const sliders = Object.keys(this.known.methods[element("method").value].settings);
    const values = Object.fromEntries(sliders.map((name) => [name, Number(element(name).value)]));
    return { method: element("method").value, ...values };
  }

  begin() {
    this.tell("begin", { seed: Math.floor(Number(element("seed").value)) || 0, settings: this.settings() });
    this.points = [];
    this.show(false);
    this.say("");
  }

  toggle() {
    if (this.running) this.tell("pause");
    else this.tell("run", { speed: Number(element("speed").value) });
    this.show(!this.running);
    this.say(this.running ? `The ${PROGRESS.player} learns.` : "Paused.");
  }

  // The sliders of a method, at the course's own values.
  choose() {
    const { settings } = this.known.methods[element("method").value];
    for (const name of NAMES) {
      element(name).closest("label").hidden = !(name in settings);
      if (name in settings) element(name).value = settings[name];
      this.label(name);
    }
    this.begin();
  }

  label(name) {
    const slider = element(name);
    slider.closest("label").querySelector("b").textContent = Number(slider.value).toFixed(2);
  }

  listen() {
    const { methods } = this.known;
    element("method").innerHTML = Object.entries(methods).map(([value, { title }]) => tag("option", { value }, escaped(title))).join("");
    element("method").addEventListener("change", () => this.choose());
    element("speed").value = this.known.speed;
    for (const name of NAMES)
      element(name).addEventListener("input", () => {
        this.label(name);
        this.tell("set", { settings: this.settings() });
      });
    element("speed").addEventListener("change", () => {
      if (this.running) this.tell("run", { speed: Number(element("speed").value) });
    });
    element("seed").addEventListener("change", () => this.begin());
    element("run").addEventListener("click", () => this.toggle());
    element("reset").addEventListener("click", () => this.begin());
    addEventListener("resize", () => this.points.length && this.draw());
    this.choose();
  }
}

async function open() {
  const known = JSON.parse(element("known").textContent);
  const page = new LearningPage(known);
  page.listen();
  const kernels = await Kernels.load(bytesOf(known.module));
  const referee = new LearnersReferee(known, gameOf(kernels, known), (bot, position) => page.ask(bot, position));
  await referee.queue;
  render({ model: referee, el: element("place") });
  page.referee = referee;
  referee.send({ type: "side", value: "none" });
  referee.send({ type: "overlay", value: true });
  setInterval(() => page.running && !document.hidden && referee.showMove(), MOVE_EVERY_MS);
}

open();
