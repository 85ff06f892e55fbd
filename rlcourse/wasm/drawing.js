// The drawing of a live board, as rlcourse.drawing makes it: a test holds both to the same text. Here a board is drawn without
// Python, so this is the one thing that the course has twice, with the sentences of the referee.

const [BLUE, VERMILLION, SKY, GOOD, BAD, GLOW] = ["#0072B2", "#D55E00", "#56B4E9", "#4DAC26", "#B58BD6", "#F0B429"];
const [WOOD, TILE, EDGE, INK, COORDINATES] = ["#EAD9B9", "#FDFAF3", "#CDB68C", "#26221C", "#55493A"];
const PLAYER_COLOURS = [BLUE, VERMILLION];
const FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";
const BEST = { fill: "none", stroke: INK, "stroke-width": 2.5, "stroke-dasharray": "6 5" };
const STONES = ["empty", "X", "O"];
const short = (number) => Number(number.toPrecision(6));

// A number with so many decimals; like Python's, it takes the even neighbour where two are equally near.
function fixed(number, decimals) {
  if (Math.abs(number * 2 ** (decimals + 1)) % 2 !== 1) return number.toFixed(decimals);
  const below = Math.floor(number * 10 ** decimals);
  return ((below % 2 === 0 ? below : below + 1) / 10 ** decimals).toFixed(decimals);
}

function numberText(number, scale) {
  const percent = 100 * number;
  if (scale === "share") return 0 < percent && percent < 0.5 ? "<1%" : `${fixed(percent, 0)}%`;
  const rounded = Number(fixed(number, 2));
  if (rounded === 0) return "0";
  const shown = Number.isInteger(rounded) ? String(rounded) : rounded.toFixed(2);
  return (rounded > 0 ? `+${shown}` : shown).replace("-", "\u2212");
}

function numberColour(number, scale) {
  const end = scale === "share" ? SKY : number > 0 ? GOOD : BAD;
  const weight = 0.85 * Math.min(1, scale === "share" ? Math.sqrt(Math.abs(number)) : Math.abs(number));
  const channels = [1, 3, 5].map((k) => {
    const [low, high] = [TILE, end].map((colour) => parseInt(colour.slice(k, k + 2), 16));
    return Number(fixed(low * (1 - weight) + high * weight, 0)).toString(16).padStart(2, "0");
  });
  return `#${channels.join("").toUpperCase()}`;
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
const escaped = (text) => String(text).replace(/[&<>"']/g, (sign) => ESCAPES[sign]);
const setting = (value) => (typeof value === "number" ? Number(value.toFixed(2)) : value);

function tag(name, attributes, content = "") {
  const present = Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined);
  const parts = [name, ...present.map(([key, value]) => `${key}="${escaped(setting(value))}"`)].join(" ");
  return content ? `<${parts}>${content}</${name}>` : `<${parts}/>`;
}

const square = (x, y, reach, rx, style) => tag("rect", { x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach, rx, ...style });
const circle = (cx, cy, r, style) => tag("circle", { cx, cy, r, ...style });
const hollow = (stroke, width) => ({ fill: "none", stroke, "stroke-width": width });

function text(x, y, line, size, style) {
  const attributes = { x, y: y + 0.35 * size, fill: INK, "text-anchor": "middle", "font-size": size, ...style };
  return tag("text", attributes, escaped(line));
}

function symbol(player, x, y, reach, stroke, colour = PLAYER_COLOURS[player]) {
  const style = { ...hollow(colour, stroke), "stroke-linecap": "round" };
  if (player === 1) return circle(x, y, 1.12 * reach, style);
  const [left, right, top, bottom] = [x - reach, x + reach, y - reach, y + reach];
  return tag("path", { d: `M${left} ${top}L${right} ${bottom}M${left} ${bottom}L${right} ${top}`, ...style });
}

const pieceOf = (name, x, y, shape, motion) => tag("g", { class: `rl-${motion}`, "data-piece": `${name} ${short(x)} ${short(y)}` }, shape);
const piece = (stone, ...rest) => pieceOf(STONES[stone], ...rest);
const halo = (x, y, reach, marks) => (marks.glows ? circle(x, y, reach, { class: "rl-glow", ...hollow(GLOW, 7) }) : "");

function target(action, name, shape, ghost, marks) {
  const enabled = marks.targets.has(action);
  const kind = marks.scale === "value" ? "value" : "share";
  if (marks.numbers.has(action)) name += `, ${kind} ${numberText(marks.numbers.get(action), marks.scale)}`;
  if (action === marks.hint) name += ", suggested";
  const preview = enabled ? tag("g", { class: "rl-ghost", opacity: 0 }, ghost) : "";
  const pressed = marks.picked.has(action) ? "true" : null;
  const state = { "aria-disabled": enabled ? null : "true", "aria-pressed": pressed };
  const spoken = { "data-action": action, role: "button", "aria-label": name, ...state };
  return tag("g", spoken, preview + shape);
}

function strike([x0, y0], [x1, y1]) {
  const way = { d: `M${x0} ${y0}L${x1} ${y1}`, fill: "none", "stroke-linecap": "round" };
  const stroke = (colour, width) =>
    tag("path", { ...way, stroke: colour, "stroke-width": width, pathLength: 1, class: "rl-won" });
  return stroke(INK, 11) + stroke(GLOW, 6);
}

// Every line of `length` equal stones, as its cells [row, column].
function winningLines(board, length) {
  const lines = [];
  for (const row of board.keys())
    for (const column of board[0].keys())
      for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
        const line = [...Array(length).keys()].map((k) => [row + k * down, column + k * right]);
        const stones = new Set(line.map(([r, c]) => board[r]?.[c]));
        if (stones.size === 1 && [...stones][0]) lines.push(line);
      }
  return lines;
}

function coordinates(xs, ys, x, y) {
  const style = { fill: COORDINATES };
  const letters = xs.map((columnX, k) => text(columnX, y, "abcdefg"[k], 14, style));
  return letters.join("") + ys.map((rowY, k) => text(x, rowY, ys.length - k, 14, style)).join("");
}

function describe({ done, points, toPlay }) {
  if (!done) return `${"XO"[toPlay]} to move`;
  return points === 0 ? "A draw" : `${points > 0 ? "X" : "O"} has won`;
}

function frame(width, height, body, title) {
  const place = { x: 1, y: 1, width: width - 2, height: height - 2, rx: 16 };
  const background = tag("rect", { ...place, fill: WOOD, stroke: EDGE, "stroke-width": 2 });
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  const spoken = { "font-family": FONT, role: "group", "aria-label": title };
  return tag("svg", { xmlns: "http://www.w3.org/2000/svg", ...size, ...spoken }, background + body);
}

const rowsOf = (cells, width) => [...Array(cells.length / width).keys()].map((row) => [...cells.slice(width * row, width * (row + 1))]);
const anyCell = (lines, row, column) => lines.some((line) => line.some(([r, c]) => r === row && c === column));

// Marks: numbers, a Map from actions, with their scale; best, targets: sets of actions; last, hint: an action or null; glows.
function drawTicTacToe(position, marks) {
  const board = rowsOf(position.cells, 3);
  const lines = winningLines(board, 3);
  const centre = (a) => [82 + 104 * (a % 3), 64 + 104 * Math.floor(a / 3)];
  const targets = [];
  let body = "";
  position.cells.forEach((stone, a) => {
    const [x, y] = centre(a);
    const inLine = anyCell(lines, Math.floor(a / 3), a % 3);
    const number = stone ? undefined : marks.numbers.get(a);
    const fill = number === undefined ? TILE : numberColour(number, marks.scale);
    body += square(x, y, 48, 12, { fill, stroke: EDGE });
    if (inLine) body += square(x, y, 46, 10, hollow(INK, 5));
    else if (a === marks.last && !lines.length) body += square(x, y, 44, 9, hollow(INK, 2));
    if (a === marks.last) body += halo(x, y, 38, marks);
    if (stone) body += piece(stone, x, y, symbol(stone - 1, x, y, 22, 11), "appears");
    else if (number !== undefined) {
      body += text(x, y, numberText(number, marks.scale), 22, { "font-weight": 600 });
      if (marks.best.has(a)) body += square(x, y, 43, 8, BEST);
    }
    const ghost = symbol(position.toPlay, x, y, 22, 11);
    if (a === marks.hint) body += tag("g", { opacity: 0.4 }, ghost) + square(x, y, 43, 8, BEST);
    const spoken = `${"abc"[a % 3]}${3 - Math.floor(a / 3)}, ${STONES[stone]}`;
    targets.push(target(a, spoken, square(x, y, 48, 12, { fill: "transparent" }), ghost, marks));
  });
  for (const line of lines) {
    const [start, end] = [line[0], line[2]].map(([row, column]) => centre(3 * row + column));
    body += strike(start, end);
  }
  body += targets.join("");
  return frame(354, 354, coordinates([82, 186, 290], [64, 168, 272], 19, 336) + body, `Tic-tac-toe: ${describe(position)}`);
}

function drawConnectFour(position, marks) {
  const [xs, ys] = [[...Array(7).keys()].map((k) => 68 + 66 * k), [...Array(6).keys()].map((k) => 48 + 62 * k)];
  const board = rowsOf(position.cells, 7);
  const lines = winningLines(board, 4);
  const disc = (x, y, stone) =>
    circle(x, y, 24, { fill: PLAYER_COLOURS[stone - 1] }) + symbol(stone - 1, x, y, 9, 5, TILE);
  const targets = [];
  let cells = "";
  xs.forEach((x, column) => {
    const stones = board.map((row) => row[column]).filter(Boolean); // from the top
    const top = 6 - stones.length;
    ys.forEach((y, row) => {
      const number = row === top - 1 ? marks.numbers.get(column) : undefined;
      const fill = number === undefined ? TILE : numberColour(number, marks.scale);
      const landed = column === marks.last && row === top;
      cells += circle(x, y, 27, { fill, stroke: EDGE });
      if (landed) cells += halo(x, y, 29, marks);
      const stone = board[row][column];
      if (stone) cells += piece(stone, x, y, disc(x, y, stone), "drops");
      else if (number !== undefined) {
        cells += text(x, y, numberText(number, marks.scale), 15, { "font-weight": 600 });
        if (marks.best.has(column)) cells += circle(x, y, 24.5, BEST);
      }
      if (column === marks.hint && row === top - 1)
        cells += tag("g", { opacity: 0.4 }, disc(x, y, position.toPlay + 1)) + circle(x, y, 24.5, BEST);
      if (anyCell(lines, row, column)) cells += circle(x, y, 27, hollow(INK, 5));
      else if (landed && !lines.length) cells += circle(x, y, 26, hollow(INK, 2.5));
    });
    const named = stones.length ? `from the bottom ${[...stones].reverse().map((stone) => STONES[stone]).join(" ")}` : "empty";
    const name = `column ${"abcdefg"[column]}, ${named}${stones.length === 6 ? ", full" : ""}`;
    const shape = tag("rect", { x: x - 32, y: 17, width: 64, height: 372, rx: 12, fill: "transparent" });
    const ghost = circle(x, ys[Math.max(top - 1, 0)], 24, { fill: PLAYER_COLOURS[position.toPlay] });
    targets.push(target(column, name, shape, ghost, marks));
  });
  for (const line of lines) {
    const [start, end] = [line[0], line[3]].map(([row, column]) => [xs[column], ys[row]]);
    cells += strike(start, end);
  }
  const panel = tag("rect", { x: 33, y: 14, width: 468, height: 378, rx: 14, fill: EDGE, "fill-opacity": 0.55 });
  const body = coordinates(xs, ys, 18, 408) + panel + cells + targets.join("");
  return frame(516, 424, body, `Connect Four: ${describe(position)}`);
}

const LEAST = 0.01; // a share below one per cent is not drawn
const GO_COLOURS = [INK, TILE];

function goStone(player, x, y, pitch) {
  const r = 0.46 * pitch;
  const [size, aside, light] = [[0.3, 0.36, 0.2], [0.84, 0.08, 1]][player];
  return (
    circle(x + 0.05 * r, y + 0.1 * r, r, { fill: INK, opacity: 0.3 }) +
    circle(x, y, r, { fill: [INK, "#E0D8C8"][player], stroke: INK, "stroke-width": 1.5 }) +
    circle(x - aside * r, y - aside * r, size * r, { fill: "#FFFFFF", opacity: light })
  );
}

function goBoard(xs, ys, pitch) {
  const size = xs.length;
  const side = size * pitch;
  let grain = "";
  for (let k = 1; k < 12; k++) {
    const bend = side * (k % 3 ? 0.02 : -0.03);
    grain += `M${(34 + (side * k) / 12).toFixed(1)} 14q${bend.toFixed(1)} ${short(side / 2)} 0 ${short(side)}`;
  }
  const wood = tag("rect", { x: 34, y: 14, width: side, height: side, rx: 6, fill: "#DFBC7F", stroke: EDGE });
  const veins = tag("path", { d: grain, fill: "none", stroke: "#CFA766", "stroke-width": 2, opacity: 0.5 });
  const [left, right, top, bottom] = [xs[0], xs.at(-1), ys[0], ys.at(-1)].map(short);
  const lines = xs.map((x, k) => `M${left} ${short(ys[k])}H${right}M${short(x)} ${top}V${bottom}`).join("");
  const edge = size < 13 ? 2 : 3;
  const middle = size % 2 && size > 7 ? [(size - 1) / 2] : [];
  const stars = size <= 6 ? (size === 5 ? [2] : []) : [...new Set([edge, ...middle, size - 1 - edge])];
  const style = { fill: COORDINATES };
  return [
    wood + veins,
    tag("path", { d: lines, stroke: COORDINATES, "stroke-width": 1, fill: "none", "stroke-linecap": "square" }),
    ...stars.flatMap((row) => stars.map((column) => circle(xs[column], ys[row], 3, style))),
    ...xs.map((x, k) => text(x, bottom + 0.5 * pitch + 15, "ABCDEFGHJKLMNOPQRST"[k], 14, style)),
    ...ys.map((y, row) => text(18, y, size - row, 14, style)),
  ].join("");
}

const isDrawn = (number, marks) => number !== undefined && (marks.scale === "value" || number >= LEAST);

function goNumber(action, x, y, pitch, marks) {
  const number = marks.numbers.get(action);
  if (!isDrawn(number, marks)) return "";
  let tile = circle(x, y, 0.44 * pitch, { fill: numberColour(number, marks.scale), opacity: 0.85 });
  if (marks.best.has(action)) tile += circle(x, y, 0.44 * pitch, BEST);
  const label = numberText(number, marks.scale);
  const size = Math.min(0.3, 0.76 / (0.72 * label.length)) * pitch;
  return pitch < 30 ? tile : tile + text(x, y, label, size, { "font-weight": 600 });
}

// A button, its left end at x, for a move that is no point of the board.
function goButton(action, name, x, y, width, marks) {
  const box = { x, y: y - 14, width, height: 28, rx: 14 };
  const number = marks.numbers.get(action);
  const fill = number === undefined ? TILE : numberColour(number, marks.scale);
  const label = isDrawn(number, marks) ? `${name} ${numberText(number, marks.scale)}` : name;
  const chosen = action === marks.last || marks.picked.has(action);
  let button = tag("rect", { ...box, fill, stroke: chosen ? INK : EDGE, "stroke-width": chosen ? 2.5 : 1 });
  if (marks.best.has(action) || action === marks.hint) button += tag("rect", { ...box, ...BEST });
  button += text(x + width / 2, y, label, 14, { "font-weight": 600 });
  return button + target(action, name, tag("rect", { ...box, fill: "transparent" }), "", marks);
}

function drawGo(position, marks, game) {
  const size = Math.sqrt(game.size);
  const pitch = Math.max(26, Math.min(68, 440 / size));
  const [xs, ys] = [34, 14].map((start) => [...Array(size).keys()].map((k) => start + pitch * (k + 0.5)));
  const ko = game.forbidden(position);
  const scored = position.done && position.last !== game.actions;
  const area = scored ? game.area(position) : [];
  const targets = [];
  let body = goBoard(xs, ys, pitch);
  position.cells.forEach((cell, action) => {
    const [x, y] = [xs[action % size], ys[Math.floor(action / size)]];
    if (cell) {
      if (action === marks.last) body += halo(x, y, 0.46 * pitch + 3, marks);
      body += piece(cell, x, y, goStone(cell - 1, x, y, pitch), "appears");
      if (action === marks.last) body += circle(x, y, 0.25 * pitch, hollow(GO_COLOURS[2 - cell], 2.5));
    } else if (marks.numbers.has(action)) body += goNumber(action, x, y, pitch, marks);
    else if (area[action])
      body += square(x, y, 0.14 * pitch, null, { fill: GO_COLOURS[area[action] - 1], stroke: INK, "stroke-width": 1.5 });
    else if (ko.has(action)) body += square(x, y, 0.14 * pitch, null, hollow(INK, 2));
    const ghost = goStone(position.toPlay, x, y, pitch);
    if (action === marks.hint) body += tag("g", { opacity: 0.5 }, ghost) + circle(x, y, 0.46 * pitch, BEST);
    const forbidden = ko.has(action) ? ", forbidden by superko" : "";
    const spoken = `${game.known.labels[action]}, ${["empty", "black", "white"][cell]}${forbidden}`;
    targets.push(target(action, spoken, square(x, y, pitch / 2, null, { fill: "transparent" }), ghost, marks));
  });
  const side = size * pitch;
  const [right, below, bottom] = [Math.max(34 + side, 376), 14 + side + 46, 14 + side + 70];
  const [black, white] = game.captured(position);
  body += text(34, below, `Taken: ${black} black, ${white} white`, 14, { fill: COORDINATES, "text-anchor": "start" });
  const passing = goButton(game.size, "pass", right - 84, below, 84, marks);
  const resigning = goButton(game.actions, "resign", right - 158, below, 66, marks);
  return frame(right + 20, bottom, body + targets.join("") + passing + resigning, `Go ${size} x ${size}: ${goVerdict(position, game)}`);
}

function goVerdict(position, game) {
  const [mover, other] = position.toPlay ? ["white", "black"] : ["black", "white"];
  if (!position.done) return `${mover} to play`;
  if (position.last === game.actions) return `${mover} has won: ${other} resigned`;
  if (position.points === 0) return "a draw";
  return `${position.points > 0 ? "black" : "white"} has won by ${Math.abs(game.score(position))}`;
}

const DRAWINGS = { "tic-tac-toe": drawTicTacToe, "connect-four": drawConnectFour, go: drawGo };
