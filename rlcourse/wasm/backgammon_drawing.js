// The drawing of backgammon, as rlcourse.drawing.backgammon makes it: always seen by X, who bears off at the bottom right.

const [BARS, TRAYS, DICE] = [[25, 26], [27, 28], 29]; // by player
const PLACES = [...Array(29).keys()].map((k) => k + 1);
const [FIELD_WIDTH, FIELD_HEIGHT] = [656, 566];
const [X0, Y0, Y1, MIDDLE] = [36, 60, 504, 282];
const [COLUMN, BAR_WIDTH, TRAY_X, TRAY_WIDTH] = [42, 48, 600, 46];
const [RADIUS, STACK_STEP, POINT_LENGTH, MOST_DRAWN] = [18, 37, 196, 5];
const SIZES = ["a single game", "a gammon", "a backgammon"];
const DOTS = ["5", "19", "159", "1379", "13579", "134679"]; // of the dice 1 to 6: dots numbered 1 to 9 row by row
const XO = ["X", "O"];

const placeOf = (player, point) => (point === 0 ? TRAYS[player] : point === 25 ? BARS[player] : player === 0 ? point : 25 - point);

// The player's own point at a place: 25 is the bar, 0 is off; null if there is none.
function pointOf(player, place) {
  if (place >= 25) return place === BARS[player] ? 25 : place === TRAYS[player] ? 0 : null;
  return player === 0 ? place : 25 - place;
}

function wonText(points) {
  const size = Math.abs(points);
  return `${SIZES[size - 1]}, ${size} point${size === 1 ? "" : "s"}`;
}

function describeBackgammon({ done, points, toPlay, dice: [high, low] }) {
  if (done) return `${points > 0 ? "X" : "O"} has won ${wonText(points)}`;
  return `${XO[toPlay]} to ${high ? `play ${high}-${low}` : "throw"}`;
}

const ownOf = (checkers, player) => checkers.subarray(26 * player, 26 * player + 26);

function columnX(place) {
  if (BARS.includes(place)) return X0 + 6 * COLUMN + BAR_WIDTH / 2;
  if (TRAYS.includes(place)) return TRAY_X + TRAY_WIDTH / 2;
  const fromLeft = place <= 12 ? 12 - place : place - 13;
  return X0 + COLUMN * (fromLeft + 0.5) + (fromLeft >= 6 ? BAR_WIDTH : 0);
}

// [x, y] of checker k at a place; further ones share the spot of the last drawn.
function spotOf(place, count) {
  const x = columnX(place);
  const k = Math.min(count, MOST_DRAWN - 1);
  if (BARS.includes(place)) {
    const depth = 44 + STACK_STEP * Math.min(k, 3);
    return [x, place === BARS[0] ? MIDDLE - depth : MIDDLE + depth];
  }
  if (TRAYS.includes(place)) return [x, place === TRAYS[0] ? Y1 - 40 : Y0 + 40];
  const depth = RADIUS + 3 + STACK_STEP * k;
  return [x, place >= 13 ? Y0 + depth : Y1 - depth];
}

function boxOf(place) {
  const onPoint = place <= 24;
  const top = onPoint ? place >= 13 : place === BARS[0] || place === TRAYS[1];
  const width = onPoint ? COLUMN : BARS.includes(place) ? BAR_WIDTH : TRAY_WIDTH;
  const height = onPoint ? POINT_LENGTH : MIDDLE - Y0 - 4;
  return { x: columnX(place) - width / 2, y: top ? Y0 : Y1 - height, width, height };
}

function drawField(nextPlayer) {
  let field = "";
  for (const x of [X0, X0 + 6 * COLUMN + BAR_WIDTH])
    field += tag("rect", { x, y: Y0, width: 6 * COLUMN, height: Y1 - Y0, fill: TILE, stroke: EDGE });
  for (const tray of TRAYS) field += tag("rect", { ...boxOf(tray), rx: 6, fill: TILE, "fill-opacity": 0.6, stroke: EDGE });
  for (let place = 1; place < 25; place++) {
    const x = columnX(place);
    const [base, tip, labelY] = place >= 13 ? [Y0, Y0 + POINT_LENGTH, Y0 - 12] : [Y1, Y1 - POINT_LENGTH, Y1 + 12];
    const corners = `M${short(x - COLUMN / 2 + 1)} ${base}L${short(x)} ${tip}L${short(x + COLUMN / 2 - 1)} ${base}Z`;
    field += tag("path", { d: corners, fill: [EDGE, WOOD][place % 2] });
    field += text(x, labelY, String(pointOf(nextPlayer, place)), 18, { fill: COORDINATES });
  }
  return field;
}

function drawChecker(x, y, player, label) {
  const disc = circle(x, y, RADIUS, { fill: PLAYER_COLOURS[player], stroke: TILE, "stroke-width": 1.5 });
  if (label) return disc + text(x, y, label, 17, { fill: "#FFFFFF", "font-weight": 700 });
  return disc + symbol(player, x, y, 6.5, 3.5, TILE);
}

const pipsOf = (own) => own.subarray(0, 25).reduce((total, count, i) => total + count * (i + 1), 0);

function drawPlate({ done, points, toPlay, dice: [high, low] }, checkers, player, win) {
  const y = player === 0 ? FIELD_HEIGHT - 20 : 20;
  let line = `pip count ${pipsOf(ownOf(checkers, player))}`;
  const moves = !done && player === toPlay;
  if (done && points > 0 === (player === 0)) line += `, wins ${wonText(points)}`;
  if (moves) line += high ? `, to play ${high}-${low}` : ", to throw";
  let plate = circle(X0 + 10, y, 11, { fill: PLAYER_COLOURS[player] });
  plate += symbol(player, X0 + 10, y, 4.2, 2.6, TILE);
  plate += text(X0 + 28, y, line, 18, { "text-anchor": "start", "font-weight": moves ? 700 : 400 });
  if (win === null) return plate;
  const share = numberText(player === 0 ? win : 1 - win, "share");
  return plate + text(X0 + 12 * COLUMN + BAR_WIDTH, y, `wins ${share}`, 18, { "text-anchor": "end", "font-weight": 600 });
}

// X's probability of winning from the bottom, O's from the top.
function drawWinBar(win) {
  const split = Y1 - (Y1 - Y0) * Math.min(1, Math.max(0, win));
  return (
    tag("rect", { x: 11, y: Y0, width: 14, height: split - Y0, fill: PLAYER_COLOURS[1] }) +
    tag("rect", { x: 11, y: split, width: 14, height: Y1 - split, fill: PLAYER_COLOURS[0] }) +
    tag("path", { d: `M7 ${fixed(split, 1)}H29`, stroke: INK, "stroke-width": 3 }) +
    tag("path", { d: `M11 ${MIDDLE}H25`, stroke: TILE, "stroke-width": 1.5 })
  );
}

const ringAt = ([x, y], colour, width, dash) => circle(x, y, RADIUS - 3, { ...hollow(colour, width), "stroke-dasharray": dash });

// [owner, number] of the checkers at a place.
function stackAt(checkers, place) {
  for (const player of [0, 1]) {
    const point = pointOf(player, place);
    const count = point === null ? 0 : ownOf(checkers, player).at(point - 1); // off, 0, is the last column
    if (count) return [player, count];
  }
  return [0, 0];
}

function drawStack(checkers, place, reached) {
  const [player, count] = stackAt(checkers, place);
  let stack = reached ? tag("rect", { ...boxOf(place), rx: 6, fill: GOOD, "fill-opacity": 0.4 }) : "";
  if (TRAYS.includes(place)) return stack + drawTray(place, player, count);
  const drawn = Math.min(count, BARS.includes(place) ? 4 : MOST_DRAWN);
  for (let k = 0; k < drawn; k++) {
    const [x, y] = spotOf(place, k);
    const label = k === drawn - 1 && count > drawn ? String(count) : "";
    stack += pieceOf(XO[player], x, y, drawChecker(x, y, player, label), "slides");
  }
  return reached ? stack + ringAt(spotOf(place, count), INK, 2.5, "5 4") : stack;
}

function drawTray(place, player, count) {
  const [x, width] = [TRAY_X + 4, TRAY_WIDTH - 8];
  let tray = "";
  for (let k = 0; k < count; k++) {
    const y = place === TRAYS[0] ? Y1 - 14 - 11 * k : Y0 + 4 + 11 * k;
    const slab = tag("rect", { x, y, width, height: 10, rx: 3, fill: PLAYER_COLOURS[player] });
    tray += pieceOf(XO[player], x + width / 2, y + 5, slab, "slides");
  }
  const labelY = place === TRAYS[0] ? MIDDLE + 20 : MIDDLE - 20;
  return tray + text(columnX(place), labelY, `${count} off`, 15, { fill: COORDINATES });
}

function drawDice({ toPlay, dice: [high, low] }, left) {
  const thrown = high === low ? [high, high, high, high] : [high, low];
  const unplayed = [...(left ?? thrown)];
  const centre = X0 + (toPlay === 0 ? 9 * COLUMN + BAR_WIDTH : 3 * COLUMN);
  return thrown
    .map((die, k) => {
      const x = centre + 46 * (k - (thrown.length - 1) / 2);
      let body = square(x, MIDDLE, 18, 8, { fill: PLAYER_COLOURS[toPlay] });
      for (const dot of DOTS[die - 1]) {
        const [column, row] = [((dot - 1) % 3) - 1, Math.floor((dot - 1) / 3) - 1];
        body += circle(x + 10 * column, MIDDLE + 10 * row, 3.6, { fill: TILE });
      }
      const at = unplayed.indexOf(die);
      if (at >= 0) unplayed.splice(at, 1);
      return pieceOf(String(die), x, MIDDLE, tag("g", { opacity: at >= 0 ? null : 0.25 }, body), "rolls");
    })
    .join("");
}

// An arrow for each step; arrived: the steps have been played, and the arrows lead from rings to the moved checkers.
function drawArrows(checkers, [player, steps], arrived) {
  const own = ownOf(checkers, player);
  const [colour, dash] = arrived ? [PLAYER_COLOURS[player], null] : [INK, "9 5"];
  const times = new Map();
  for (const step of steps) times.set(step.join(), (times.get(step.join()) ?? 0) + 1);
  let parts = "";
  for (const [key, count] of times) {
    const [start, end] = key.split(",").map(Number);
    const [atStart, atEnd] = [own.at(start - 1), own.at(end - 1)];
    const begin = spotOf(placeOf(player, start), arrived ? atStart : Math.max(0, atStart - 1));
    const finish = spotOf(placeOf(player, end), arrived ? Math.max(0, atEnd - 1) : atEnd);
    if (arrived) parts += ringAt(begin, colour, 2, "4 3");
    parts += drawArrow(begin, finish, arrived ? RADIUS : 0, colour, dash);
    if (count > 1 && Math.hypot(finish[0] - begin[0], finish[1] - begin[1]) > 70) {
      const [x, y] = [(begin[0] + finish[0]) / 2, (begin[1] + finish[1]) / 2];
      parts += circle(x, y, 12, { fill: TILE, stroke: colour }) + text(x, y, `${count}\u00d7`, 13);
    }
  }
  return parts;
}

// Where the moved checkers lie, the last of their stacks.
function arrivals(checkers, [player, steps]) {
  const own = ownOf(checkers, player);
  const ends = [...new Set(steps.map(([, end]) => end))].filter((end) => end && own[end - 1]);
  return ends.map((end) => spotOf(placeOf(player, end), own[end - 1] - 1)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

function drawArrow([fromX, fromY], [toX, toY], shorter, colour, dash) {
  const length = Math.max(1, Math.hypot(toX - fromX, toY - fromY));
  const [ux, uy] = [(toX - fromX) / length, (toY - fromY) / length];
  const [x0, y0, x1, y1] = [fromX + shorter * ux, fromY + shorter * uy, toX - shorter * ux, toY - shorter * uy];
  const [neckX, neckY] = [x1 - 14 * ux, y1 - 14 * uy];
  const place = (x, y) => `${fixed(x, 1)} ${fixed(y, 1)}`;
  const line = `M${place(x0, y0)}L${place(neckX, neckY)}`;
  const head = `M${place(x1, y1)}L${place(neckX - 8 * uy, neckY + 8 * ux)}L${place(neckX + 8 * uy, neckY - 8 * ux)}Z`;
  const edge = { stroke: TILE, "stroke-width": 4, "stroke-linejoin": "round" };
  return (
    tag("path", { d: line, stroke: TILE, "stroke-width": 7.5, "stroke-linecap": "round" }) +
    tag("path", { d: head, fill: colour, ...edge, "paint-order": "stroke" }) +
    tag("path", { d: line, stroke: colour, "stroke-width": 3.5, "stroke-dasharray": dash })
  );
}

function spokenPlace(place, mover, player, count) {
  if (BARS.includes(place)) return `bar of ${XO[BARS.indexOf(place)]}, ${count}`;
  if (TRAYS.includes(place)) return `off of ${XO[TRAYS.indexOf(place)]}, ${count}`;
  return `${pointOf(mover, place)}-point, ${count ? `${count} ${XO[player]}` : "empty"}`;
}

function drawTargets(state, checkers, marks, reached) {
  const mover = state.toPlay;
  let parts = "";
  for (const place of PLACES.slice(0, -1)) {
    const [player, count] = stackAt(checkers, place);
    let name = spokenPlace(place, mover, player, count);
    const shape = tag("rect", { ...boxOf(place), rx: 6, fill: "transparent" });
    let ghost;
    if (reached.has(place)) {
      name += ", can be reached";
      ghost = circle(...spotOf(place, count), RADIUS, { fill: PLAYER_COLOURS[mover] });
    } else {
      const [x, y] = spotOf(place, Math.max(0, count - 1));
      ghost = circle(x, y, RADIUS, hollow(INK, 8));
      if (marks.targets.has(place)) parts += circle(x, y, RADIUS - 0.5, hollow(INK, 2));
    }
    parts += target(place, name, shape, ghost, marks);
  }
  const [high, low] = state.dice;
  return high && !state.done ? parts + diceTarget(mover, `dice ${high} and ${low}`, marks) : parts;
}

// The dice, or for a turn without a legal move the button to pass in the other half.
function diceTarget(mover, said, marks) {
  const passes = marks.targets.has(DICE);
  const width = 192;
  const x = X0 + ((mover === 0) !== passes ? 9 * COLUMN + BAR_WIDTH : 3 * COLUMN) - width / 2;
  const box = { x, y: MIDDLE - 21, width, height: 42, rx: 8 };
  const shape = tag("rect", { ...box, fill: "transparent" });
  if (!passes) return target(DICE, said, shape, "", marks);
  const button = tag("rect", { ...box, fill: WOOD, stroke: INK, "stroke-width": 2 });
  const label = text(x + width / 2, MIDDLE, "No move: pass", 17, { "font-weight": 600 });
  return target(DICE, `${said}, nothing can be moved: pass`, button + label + shape, "", marks);
}

// marks besides those of drawing.js: clicks, best and last and hint as [player, steps], win.
function drawBackgammon(state, given, game) {
  const inTurn = given.clicks.length > 0 && state.dice[0] > 0;
  const turn = inTurn ? turnAt(game, state, given.clicks) : null;
  const held = inTurn ? heldAt(state, given.clicks) : null;
  const reached = held === null ? new Set() : reachedFrom(turn, held);
  const marks = { ...given, picked: new Set(inTurn && given.clicks.length % 2 ? given.clicks.slice(-1) : []) };
  const checkers = inTurn ? turn.checkers : state.checkers;
  const { last, hint, win } = marks;
  let body = drawField(state.done ? 0 : state.toPlay);
  body += [0, 1].map((player) => drawPlate(state, checkers, player, win)).join("");
  if (win !== null) body += drawWinBar(win);
  body += PLACES.slice(0, -1).map((place) => drawStack(checkers, place, reached.has(place))).join("");
  if (!state.done && state.dice[0]) body += drawDice(state, turn && turn.left);
  if (!inTurn) {
    if (last) body += drawArrows(checkers, last, true) + arrivals(checkers, last).map(([x, y]) => halo(x, y, RADIUS + 1, marks)).join("");
    const shown = new Map([...marks.best, ...(hint ? [hint] : [])].map((move) => [JSON.stringify(move), move]));
    const inOrder = [...shown.values()].sort(([, a], [, b]) => compareLists(a.flat(), b.flat()));
    body += inOrder.map((move) => drawArrows(checkers, move, false)).join("");
  }
  body += drawTargets(state, checkers, marks, reached);
  return frame(FIELD_WIDTH, FIELD_HEIGHT, body, `Backgammon: ${describeBackgammon(state)}`);
}

function compareLists(a, b) {
  const k = a.findIndex((number, index) => number !== b[index]);
  if (k < 0) return a.length - b.length;
  return a[k] - (b[k] ?? -Infinity);
}

DRAWINGS.backgammon = drawBackgammon;
