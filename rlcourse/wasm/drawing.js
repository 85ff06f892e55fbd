// The drawing of a live board, as rlcourse.drawing makes it: a test holds both to the same text. Here a board is drawn without
// Python, so this is the one thing that the course has twice, with the sentences of the referee.

const [BLUE, VERMILLION, SKY, GOOD, BAD, GLOW] = ["#0072B2", "#D55E00", "#56B4E9", "#4DAC26", "#B58BD6", "#F0B429"];
const [WOOD, TILE, EDGE, INK, COORDINATES] = ["#EAD9B9", "#FDFAF3", "#CDB68C", "#26221C", "#55493A"];
const PLAYER_COLOURS = [BLUE, VERMILLION];
const FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";
const BEST = { fill: "none", stroke: INK, "stroke-width": 2.5, "stroke-dasharray": "6 5" };
const STONES = ["empty", "X", "O"];

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

const piece = (stone, x, y, shape, motion) =>
  tag("g", { class: `rl-${motion}`, "data-piece": `${STONES[stone]} ${x} ${y}` }, shape);
const halo = (x, y, reach, marks) => (marks.glows ? circle(x, y, reach, { class: "rl-glow", ...hollow(GLOW, 7) }) : "");

function target(action, name, shape, ghost, marks) {
  const enabled = marks.targets.has(action);
  const kind = marks.scale === "value" ? "value" : "share";
  if (marks.numbers.has(action)) name += `, ${kind} ${numberText(marks.numbers.get(action), marks.scale)}`;
  if (action === marks.hint) name += ", suggested";
  const preview = enabled ? tag("g", { class: "rl-ghost", opacity: 0 }, ghost) : "";
  const spoken = { "data-action": action, role: "button", "aria-label": name, "aria-disabled": enabled ? null : "true" };
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

const DRAWINGS = { "tic-tac-toe": drawTicTacToe, "connect-four": drawConnectFour };
