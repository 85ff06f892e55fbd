// The front end of every board. The kernel draws (SVG text) and decides; this file shows the drawing, turns clicks, touches
// and keys on elements with data-action into messages, and reads announcements aloud. It knows no rules.

const STEPS = [
  ["first", "First position", "M4 3v10M13 3L6 8l7 5z"],
  ["previous", "Previous position", "M11 3L4 8l7 5z"],
  ["next", "Next position", "M5 3l7 5-7 5z"],
  ["last", "Last position", "M12 3v10M3 3l7 5-7 5z"],
];
const PLAY = ["Play", "M4 3l9 5-9 5z"];
const PAUSE = ["Pause", "M5 3v10M11 3v10"];
const SPEEDS = [["2000", "slow"], ["900", "medium"], ["300", "fast"]]; // ms from one position to the next
const MOVE_MS = 300; // how long a piece is on its way, as in board.css
const AT_REST = { start: -MOVE_MS, dx: 0, dy: 0 };
const FEW_MOVES = 12; // so many are all shown when a game is looked back at; of more, the worst first
const PATIENCE_MS = 800; // a kernel that runs a cell answers later: say so, in a page's own words where it has some
const WAITING = () => document.body.dataset.rlWaiting || "Waiting for the kernel: it is busy or has stopped.";
const ENDED = () => document.body.dataset.rlEnded || "The kernel of this board has ended.";

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function icon(path) {
  const holder = make("span", { class: "rl-icon", "aria-hidden": "true" });
  holder.innerHTML = `<svg viewBox="0 0 16 16" width="16" height="16"><path d="${path}"/></svg>`;
  return holder;
}

// The target nearest to `from` in the direction (dx, dy); off-axis distance counts double.
function neighbour(targets, from, dx, dy) {
  const centre = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = centre(from);
  let best = null;
  let least = Infinity;
  for (const target of targets) {
    const [tx, ty] = centre(target);
    const along = (tx - x) * dx + (ty - y) * dy;
    const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
    if (along > 1 && aside <= along && along + 2 * aside < least) {
      least = along + 2 * aside;
      best = target;
    }
  }
  return best;
}

// Piece and place -> when it began to go there, and from how far away. A piece that has come to a place slides there from where
// one of its name has gone, if it slides at all. What moves already goes on; what comes waits for it. board.css moves them.
function journeys(elements, last) {
  const now = performance.now();
  const here = new Set(elements.map((element) => element.dataset.piece));
  const gone = [...last.keys()].filter((piece) => !here.has(piece)).map((piece) => piece.split(" "));
  const free = Math.max(now, ...[...here].map((piece) => (last.get(piece) ?? AT_REST).start + MOVE_MS));
  const start = Math.min(free, now + MOVE_MS); // quick moves do not queue up
  return new Map(
    elements.map((element) => {
      const piece = element.dataset.piece;
      if (last.has(piece)) return [piece, last.get(piece)];
      const [name, x, y] = piece.split(" ");
      if (!element.classList.contains("rl-slides")) return [piece, { start, dx: 0, dy: -y }];
      const far = ([other, px, py]) => (other === name ? Math.hypot(px - x, py - y) : Infinity);
      const from = gone.reduce((near, other) => (far(other) < far(near) ? other : near), []);
      if (far(from) === Infinity) return [piece, AT_REST];
      gone.splice(gone.indexOf(from), 1);
      return [piece, { start, dx: from[1] - x, dy: from[2] - y }];
    }),
  );
}

// JupyterLab's shortcuts, many of one letter, stay off in a board, but for the one that saves.
const OFF = "data-lm-suppress-shortcuts";
const saves = (event) => (event.ctrlKey || event.metaKey) && event.key === "s";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function render({ model, el }) {
  let current = null; // the action whose element takes the focus
  let announced = model.get("view").announcement;
  let waiting = null; // the timer of a message without an answer
  let places = null; // of the pieces of the last drawing
  let playing = false; // whether the game goes on by itself
  let beat = null; // the timer of its next position
  let asked = false; // for a file, in this view: another one of the same board does not fetch it too

  // The kernel that moved this board has ended: it stays readable, and says what to do. A new kernel does not know it.
  const end = () => {
    clearTimeout(waiting);
    pause();
    root.classList.remove("rl-waiting");
    root.classList.add("rl-ended");
    root.dataset.busy = "false";
    status.textContent = ENDED();
    live.textContent = model.get("view").way_on;
    for (const control of root.querySelectorAll("button, select, input, [data-action]")) {
      control.setAttribute("aria-disabled", "true");
    }
  };

  const send = (message) => {
    if (root.classList.contains("rl-ended")) return;
    clearTimeout(waiting);
    try {
      model.send(message);
    } catch {
      return end(); // the channel to the kernel is closed, which nobody has told the board
    }
    waiting = setTimeout(() => {
      status.textContent = WAITING();
      root.classList.add("rl-waiting");
    }, PATIENCE_MS);
    root.dataset.busy = "true";
  };

  // The page is built once; `update` fills it, so that the focus stays where it is.
  const status = make("p", { class: "rl-status" });
  const live = make("p", { class: "rl-said", role: "status", "aria-live": "polite" }, model.get("view").said);
  const surface = make("div", { class: "rl-surface" });
  const why = make("div", { class: "rl-why", "aria-hidden": "true", hidden: "" }); // `live` says it aloud
  const score = make("p", { class: "rl-score" });
  const button = (label, shown, message) =>
    make("button", { type: "button", "aria-label": label, title: label, onclick: () => send(message) }, shown);
  const fresh = button("New game", "New game", { type: "new" });
  const undo = button("Undo", "Undo", { type: "undo" });
  const hint = button("Hint", "Hint", { type: "hint" });
  const place = make("span", { class: "rl-place" });
  const steps = STEPS.map(([value, label, path]) => button(label, icon(path), { type: "step", value }));
  const play = make("button", { type: "button", onclick: () => (playing ? pause() : goOn()) });
  const speed = make("select", {}, ...SPEEDS.map(([value, label]) => make("option", { value }, label)));
  speed.value = "900";
  const watching = make("div", { class: "rl-row rl-watch" }, play, make("label", {}, "Speed ", speed));
  const side = make("select", { onchange: () => send({ type: "side", value: side.value }) });
  const sideLabel = make("label", {}, "You play ", side);
  const opponent = make("select", { onchange: () => send({ type: "opponent", value: opponent.value }) });
  const opponentLabel = make("label", {}, "Opponent ", opponent);
  const overlay = make("input", {
    type: "checkbox",
    onchange: () => send({ type: "overlay", value: overlay.checked }),
  });
  const overlayLabel = make("label", { class: "rl-check" }, overlay, " Show values");
  const table = make("div", { class: "rl-numbers" });
  const moves = make("ol", { class: "rl-moves", "aria-label": "Moves played" });
  const movesBox = make("details", { class: "rl-history" }, make("summary", {}, "Moves"), moves);
  const save = button("Save the game", "Save the game", { type: "save" });
  save.addEventListener("click", () => (asked = true), { capture: true }); // before it is sent
  const again = button("Try again from here", "Try again from here", { type: "try again" });
  const askReview = button("Where did I go wrong?", "Where did I go wrong?", { type: "review" });
  const reviewBox = make("div", { class: "rl-row rl-again" }, askReview, again);
  const review = make("div", { class: "rl-numbers rl-review" });
  const lines = make("details", { class: "rl-lines" }); // of a long game, below its worst moves
  const saveBox = make("div", { class: "rl-row rl-history" }, save);
  const stepping = make("div", { class: "rl-row rl-steps", role: "group", "aria-label": "Step through the game" });
  stepping.append(steps[0], steps[1], place, steps[2], steps[3]);
  const root = make(
    "section",
    { class: "rl-board" },
    make(
      "div",
      { class: "rl-middle" },
      surface,
      why,
      make(
        "div",
        { class: "rl-side" },
        make("div", { class: "rl-row rl-choices" }, opponentLabel, sideLabel),
        status,
        live,
        score,
        make("div", { class: "rl-row rl-buttons" }, make("div", { class: "rl-row" }, fresh, undo, hint), stepping, watching),
        reviewBox,
        review,
        overlayLabel,
        table,
        movesBox,
        saveBox,
      ),
    ),
  );

  // A recorded game is stepped through, a watched one played on, position by position until its end or a press on Pause.
  const atEnd = () => steps[2].getAttribute("aria-disabled") === "true";
  const label = ([name, path]) => {
    play.replaceChildren(icon(path), ` ${name}`);
    play.dataset.name = name;
  };
  const pause = () => {
    clearTimeout(beat);
    playing = false;
    label(PLAY);
  };
  const goOn = () => {
    const back = atEnd() && model.get("view").replaying; // once more from the beginning
    label(PAUSE);
    playing = true;
    send({ type: "step", value: back ? "first" : "next" });
  };
  const playOn = () => {
    clearTimeout(beat);
    if (atEnd()) return pause();
    beat = setTimeout(() => send({ type: "step", value: "next" }), Number(speed.value));
  };

  // The reason for a refusal, above or below the square; nothing else moves for it.
  const explain = (action, reason) => {
    const target = targets().find((element) => element.dataset.action === String(action));
    why.hidden = !target;
    if (!target) return;
    why.textContent = reason;
    target.classList.add("rl-refused");
    const [board, box] = [surface, target].map((element) => element.getBoundingClientRect());
    const corner = why.parentElement.getBoundingClientRect();
    const within = (value, size, least, most) => Math.max(least, Math.min(value, most - size));
    const left = within(box.left + (box.width - why.offsetWidth) / 2, why.offsetWidth, board.left, board.right);
    const below = box.bottom + 6 + why.offsetHeight <= board.bottom;
    const top = below ? box.bottom + 6 : within(box.top - 6 - why.offsetHeight, why.offsetHeight, board.top, board.bottom);
    why.style.left = `${left - corner.left}px`;
    why.style.top = `${top - corner.top}px`;
  };
  const forget = () => {
    why.hidden = true;
    surface.querySelector(".rl-refused")?.classList.remove("rl-refused");
  };

  const targets = () => [...surface.querySelectorAll("[data-action]")];

  const take = (target) => {
    current = target.dataset.action;
    for (const other of targets()) other.setAttribute("tabindex", other === target ? "0" : "-1");
  };

  const click = (target) => {
    take(target);
    if (root.dataset.busy === "true") return; // one click at a time: the second of a double click is not a move
    send({ type: "click", action: Number(target.dataset.action), serial: model.get("view").serial });
  };

  surface.addEventListener("click", (event) => {
    const target = event.target.closest("[data-action]");
    if (!target) return;
    target.focus({ preventScroll: true });
    click(target);
  });
  root.addEventListener("pointerdown", forget, true);
  root.addEventListener("keydown", forget, true);
  surface.addEventListener("keydown", (event) => {
    const target = event.target.closest("[data-action]");
    if (!target || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in ARROWS) {
      const next = neighbour(targets(), target, ...ARROWS[event.key]);
      if (next) {
        take(next);
        next.focus({ preventScroll: true });
      }
    } else if (event.key === "Home" || event.key === "End") {
      const next = targets().at(event.key === "Home" ? 0 : -1);
      take(next);
      next.focus({ preventScroll: true });
    } else if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) click(target);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });

  const choices = (select, pairs, chosen) => {
    const wanted = JSON.stringify(pairs);
    if (select.dataset.pairs !== wanted) {
      select.replaceChildren(...pairs.map(([value, label]) => make("option", { value }, label)));
      select.dataset.pairs = wanted;
    }
    select.value = chosen;
  };

  const draw = (view) => {
    if (surface.dataset.svg === view.svg) return;
    const focused = surface.contains(document.activeElement);
    surface.innerHTML = view.svg;
    surface.dataset.svg = view.svg;
    const [width, height] = ["width", "height"].map((side) => Number(surface.firstElementChild.getAttribute(side)));
    root.style.setProperty("--rl-wide", `${width}px`);
    root.style.setProperty("--rl-ratio", width / height);
    const pieces = [...surface.querySelectorAll("[data-piece]")];
    places = places ? journeys(pieces, places) : new Map(pieces.map((element) => [element.dataset.piece, AT_REST]));
    for (const element of pieces) {
      const { start, dx, dy } = places.get(element.dataset.piece);
      const delay = start - performance.now();
      if (delay <= -MOVE_MS) continue;
      element.classList.add("rl-going");
      element.style.cssText = `--rl-dx: ${dx}px; --rl-dy: ${dy}px; --rl-delay: ${delay}ms`;
    }
    const all = targets();
    const again = all.find((target) => target.dataset.action === current);
    const start = again || all.find((target) => !target.hasAttribute("aria-disabled")) || all[0];
    if (!start) return;
    take(start);
    if (focused) start.focus({ preventScroll: true });
  };

  const showNumbers = (numbers) => {
    if (!numbers) return table.replaceChildren();
    const ranked = numbers.columns.length > 1; // rows with a rank in front need no word for the best
    const rows = numbers.rows.map(([move, ...cells]) => {
      const chosen = cells.pop();
      const shown = (ranked ? cells : [...cells, chosen ? "best" : ""]).map((cell) => make("td", {}, cell));
      return make("tr", chosen ? { class: "rl-chosen" } : {}, make("th", { scope: "row" }, move), ...shown);
    });
    const heads = ["Move", ...numbers.columns].map((name) => make("th", { scope: "col" }, name));
    const head = make("tr", {}, ...heads, ...(ranked ? [] : [make("td")]));
    const caption = make("caption", {}, numbers.heading);
    table.replaceChildren(make("table", {}, caption, ...(rows.length ? [make("thead", {}, head), make("tbody", {}, ...rows)] : [])));
  };

  const showReview = (reviewed) => {
    const wanted = JSON.stringify(reviewed);
    if (review.dataset.shown === wanted) return; // the focus stays, and the place in a long list
    review.dataset.shown = wanted;
    if (!reviewed) return review.replaceChildren();
    const row = ([ply, move, word, best, worst]) => {
      const look = () => {
        surface.scrollIntoView({ block: "nearest" });
        send({ type: "look", value: ply });
      };
      const go = make("button", { type: "button", title: "Go to this position", onclick: look }, move);
      return make("tr", worst ? { class: "rl-worst" } : {}, make("th", { scope: "row" }, go), make("td", {}, word), make("td", {}, best));
    };
    const listed = (rows, ...head) => make("table", {}, ...head, make("tbody", {}, ...rows.map(row)));
    const { rows } = reviewed;
    const long = rows.length > FEW_MOVES;
    lines.open = false;
    lines.replaceChildren(make("summary", {}, `All ${rows.length} moves`), make("div", {}, listed(rows)));
    const first = long ? rows.filter((entry) => entry.at(-1)) : rows;
    review.replaceChildren(listed(first, make("caption", {}, reviewed.heading)), ...(long ? [lines] : []), make("p", {}, reviewed.rate));
  };

  const update = () => {
    const view = model.get("view");
    clearTimeout(waiting);
    root.classList.remove("rl-waiting");
    root.dataset.busy = view.thinking;
    root.setAttribute("aria-label", `${view.title} board`);
    root.dataset.serial = view.serial;
    root.dataset.ply = view.ply;
    status.textContent = view.status;
    root.dataset.outcome = view.outcome;
    draw(view);
    choices(opponent, view.opponents.map((name) => [name, name]), view.opponent);
    choices(side, view.sides, view.side);
    opponentLabel.hidden = view.opponents.length === 0;
    sideLabel.hidden = view.sides.length < 2;
    opponentLabel.parentElement.hidden = opponentLabel.hidden && sideLabel.hidden;
    fresh.hidden = undo.hidden = view.replaying;
    hint.hidden = !view.hints;
    if (view.address) history.replaceState(null, "", view.address);
    overlay.checked = view.overlay;
    overlayLabel.hidden = !view.advised;
    watching.hidden = !view.watched;
    place.textContent = `${view.ply} / ${view.plies}`;
    const back = view.ply === 0;
    const end = view.ply === view.plies && !view.goes_on;
    steps.forEach((step, k) => step.setAttribute("aria-disabled", String(k < 2 ? back : end)));
    undo.setAttribute("aria-disabled", String(view.plies === 0 && !view.begun));
    play.setAttribute("aria-disabled", String(end && !(view.replaying && view.plies > 0)));
    if (playing) playOn();
    score.textContent = view.score;
    score.hidden = !view.score;
    moves.replaceChildren(...view.moves.map((move) => make("li", {}, move)));
    movesBox.hidden = view.plies === 0;
    saveBox.hidden = view.plies === 0 || !view.saves;
    showNumbers(view.numbers);
    askReview.hidden = !view.can_review || Boolean(view.reviewed);
    again.hidden = !view.again;
    reviewBox.hidden = view.replaying;
    showReview(view.reviewed);
    root.dataset.announcement = view.announcement;
    if (view.announcement !== announced) {
      announced = view.announcement;
      // The same sentence twice must be read twice: a trailing blank makes it a change.
      live.textContent = live.textContent === view.said ? `${view.said}\u00a0` : view.said;
      forget();
      if (view.refused !== null) explain(view.refused, view.said);
    }
  };

  // A file from the kernel: the browser puts it where it puts downloads.
  const download = ({ name, text }) => {
    if (!asked) return;
    asked = false;
    const href = URL.createObjectURL(new Blob([text], { type: "application/x-go-sgf" }));
    make("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
  };

  // Ahead of JupyterLab, which looks at the keys as they come down through the document, and first at where the focus is.
  const silence = (event) => root.contains(event.target) && event.target.toggleAttribute(OFF, !saves(event));
  addEventListener("keydown", silence, true);
  model.on("change:view", update);
  model.on("msg:custom", download);
  model.on("comm_live_update", end); // it comes alive only once, before this
  label(PLAY);
  update();
  el.append(root);
  return () => {
    clearTimeout(waiting);
    clearTimeout(beat);
    removeEventListener("keydown", silence, true);
    model.off("change:view", update);
    model.off("msg:custom", download);
    model.off("comm_live_update", end);
  };
}

export default { render };
