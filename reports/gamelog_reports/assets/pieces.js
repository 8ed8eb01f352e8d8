// Shapes of cells, pieces and seat marks, and pieces as SVG, side by side if several are on one cell.
// The shapes are in shapes.json, which SVG pictures also use, in hundredths of a cell's width.

import { svg } from "./dom.js";
import { translated } from "./texts.js";
import drawings from "./shapes.json";

export const UNIT = 100;

export const shapes = drawings;

export function outline(cell) {
  const w = cell.w * UNIT, h = cell.h * UNIT;
  return (cell.shape === "hex" ? shapes.hex : shapes.square).map(([x, y]) => [x * w, y * h]);
}

// Returns the corners of the triangle of a point, with its base on the outer side of the board.
export function wedge({ w = 1, h = 1, outer }) {
  const corners = [[-1, 1], [1, 1], [0, -0.88]], half = UNIT / 2;
  return w > h ? corners.map(([x, y]) => [y * w * half * outer[0], x * h * half]) : corners.map(([x, y]) => [x * w * half, y * h * half * outer[1]]);
}

export function points(corners, scale = 1) {
  return corners.map(([x, y]) => `${(x * scale).toFixed(1)},${(y * scale).toFixed(1)}`).join(" ");
}

// Returns the transformation that moves a drawing to a point, in a size.
export function placement(x, y, scale = 1) {
  return `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(3)})`;
}

// Returns the data of a path through these corners.
export const pathThrough = (corners) => "M" + points(corners).replaceAll(" ", "L");

// Returns the classes for the colour of a `kind`: one of six tints, and the class of the kind, which has priority.
export function cellColour(kind) {
  let sum = 0;
  for (const letter of kind) sum = (sum * 31 + letter.codePointAt(0)) % 997;
  return kind ? `tint${sum % 6} k-${kind.replace(/[^A-Za-z0-9]/g, "-")}` : "plain";
}

const WIDE = 60; // width of a piece

let icons = new Map();

// Sets the drawings instead of the text of pieces, by the text.
export function setIcons(drawings) {
  icons = new Map(drawings);
}

// Returns the drawing for a text as the path in a square from -24 to 24, or null.
export const icon = (text, given) => icons.has(text) ? svg("path", { ...given, d: icons.get(text) }) : null;

// Draws the letters of `text` so that they take no more than `room`.
export function narrow(text, room) {
  text.setAttribute("textLength", room);
  text.setAttribute("lengthAdjust", "spacingAndGlyphs");
}

// Returns the class for the colour of a piece without a seat, which depends on the first word of its text.
const tone = (text) => " c-" + text.split(" ")[0];

function body(kind, seat, text) {
  const d = shapes.pieces[kind] ?? shapes.pieces.disc, look = seat < 0 ? "nobody" + tone(text) : `seat${seat}`;
  return [svg("path", { d, class: "body " + look }), seat >= 0 && svg("path", { d, class: `weave weave${seat}` })];
}

// Returns a text as large as possible: at most `size`, and no wider than `wide` times the size.
function label(text, size, seat, dy = 0, wide = 2.6) {
  const shown = text.length > 14 ? text.slice(0, 13) + "…" : text;
  const fit = Math.min(size, (size * wide * 1.05) / Math.max(shown.length, 1));
  const word = svg("text", { class: seat < 0 ? "word" : `word ink${seat} halo${seat}`, y: dy }, shown);
  word.style.setProperty("--f", fit.toFixed(1) + "px");
  return word;
}

function pips(count, seat) {
  const marks = [...shapes.pips[count]].map((place) => `M${(place % 3) * 15 - 15} ${Math.floor(place / 3) * 15 - 15}h.01`);
  return svg("path", { class: seat < 0 ? "pips" : `pips line${seat}`, d: marks.join("") });
}

// Returns the drawing for a text as a picture in a line of text, or null.
export const glyph = (text) => icons.has(text) ? svg("svg", { class: "glyph", viewBox: "-24 -24 48 48", "aria-hidden": "true" }, icon(text)) : null;

const LABELS = { die: [30], pawn: [21, 12, 1.7], flag: [22, -13, 1.7], token: [26], diamond: [22, 0, 1.9], disc: [24] }; // size, place and width

// Returns one piece around the origin, about 60 units wide. A piece without a text shows `letter`, the letter of its seat.
// On `paper`, which may have no colours, dice show letter and number.
export function piece([kind, seat, text, hidden], letter, paper) {
  const shown = hidden ? "?" : text, [size, dy = 0, wide] = LABELS[kind] ?? LABELS.disc, count = kind === "die" && /^[1-9]$/.test(shown) ? Number(shown) : 0;
  const drawing = kind !== "die" && icon(shown, { class: seat < 0 ? "icon" : `icon ink${seat}`, transform: placement(0, dy, wide ? 0.6 : 1) });
  return [...body(kind, seat, shown), drawing || (count && !(paper && letter) ? pips(count, seat) : label(count ? letter + shown : shown || letter, size, seat, dy, wide))];
}

// Returns the class of a tile: the colour of its text, or of paper if a seat owns it, and an edge in the colour of its seat.
const tileLook = ([, seat, text, hidden]) => `tile ${hidden ? "face-down" : cellColour(seat < 0 ? text : "")} edge${seat}`;

// Returns a tile of the form `name`. The back of a seat's tile has the colour and the pattern of the seat.
function card(one, name, given) {
  const looks = one[3] && one[1] >= 0 ? [`seat${one[1]}`, `weave weave${one[1]}`] : [];
  return [tileLook(one), ...looks].map((look, at) => svg(name, { ...given, class: look, transform: at ? "scale(0.86)" : "" }));
}

// Returns the word of a tile, at least as large as `least`, and no wider than `room`.
function tileWord([, seat, , hidden], text, size, room, least, place) {
  const look = hidden ? `ink${seat} halo${seat}` : /[\u2665\u2666]/.test(text) ? "suit" : "", word = svg("text", { ...place, class: "tile-word " + look }, text);
  if (size) word.style.setProperty("--f", size.toFixed(1) + "px");
  if (text.length * 0.6 * Math.max(size, least) > room) narrow(word, room);
  return word;
}

// Draws a tile on its whole cell, or a seat's tile, for example a played card, below the name of the cell. The word of a seat's tile is large.
function tile(one, cell, least) {
  const [, seat, text, hidden] = one, shown = hidden ? "?" : translated(text), wide = cell.w * UNIT - 8, high = cell.h * UNIT, played = seat >= 0;
  const drawing = played && !hidden ? icon(text, { class: "icon tile-word" }) : null, part = Math.min(wide, high) / UNIT;
  const top = played && cell.label ? Math.max(20, 1.3 * least) : 0, size = played ? Math.min(drawing ? 20 : 44, 120 / shown.length) : 0;
  drawing?.setAttribute("transform", placement(0, -12 * part, 1.2 * part));
  const nodes = [...card(one, "polygon", { points: points(outline(cell), 0.95) }), drawing, tileWord(one, shown, size, wide, least, { y: drawing ? high * 0.38 : played ? size * 0.36 : high * 0.4 })];
  return top ? svg("g", { transform: placement(0, top / 2, 1 - top / high) }, nodes) : nodes;
}

// Returns the height of the strip for the name of a tray.
export function header(cell) {
  return cell.shape === "tray" && cell.label ? Math.min(Math.max(cell.h * UNIT * 0.15, 24), 44) : 0;
}

// Draws several tiles of one cell side by side, or as a fan, in which each shows its corner. Face-down tiles without room are a pile. The last
// face-down tile shows their number.
function fan(tiles, cell, least) {
  const top = header(cell), wide = cell.w * UNIT * 0.94, high = (cell.h * UNIT - top) * 0.86, size = Math.min(high * 0.7, wide * 0.6), hidden = tiles.filter((one) => one[3]).length;
  const room = (wide - size) / Math.max(tiles.length - 1, 1), apart = room >= size * 1.06, pile = hidden === tiles.length && room < size * 0.2;
  const shown = pile ? tiles.slice(-4) : tiles, step = pile ? size * 0.06 : Math.min(size * 1.06, room), turn = pile || apart ? 0 : Math.min(4, 12 / tiles.length), counted = shown.findLastIndex((one) => one[3]);
  return shown.map((one, at) => {
    const off = at - (shown.length - 1) / 2, text = !one[3] ? translated(one[2]) : at === counted && hidden > 1 ? "×" + hidden : "", middle = apart || (one[3] && at === shown.length - 1);
    const part = middle ? size : step, most = middle ? Math.min(size * 0.5, (size * 1.2) / text.length) : Math.min(size * 0.36, (part * 1.2) / text.length);
    return svg("g", { transform: placement(off * step, top / 2) + ` rotate(${(off * turn).toFixed(1)})` }, card(one, "rect", { x: -size / 2, y: -high / 2, width: size, height: high, rx: size / 9 }),
      text && tileWord(one, text, most, part - 4, least, { x: (part - size) / 2, y: middle ? most * 0.36 : Math.max(most, least) - high * 0.44 }));
  });
}

// Returns the height that the name of a cell needs in addition, because its letters of the size `least` are large.
function extra(cell, least) {
  return cell.label && !/disc|tray/.test(cell.shape) ? Math.max(0, 1.2 * (least - (cell.shape === "hex" ? 17 : 22))) : 0;
}

// Returns places and scale of `count` pieces in a cell, below its name. They are smaller if the cell has a `namedTile`, whose name is below them.
function places(count, cell, namedTile, least) {
  const fill = cell.shape === "hex" ? 0.8 : 0.94, more = namedTile ? 0 : extra(cell, least), top = header(cell) + more;
  const w = cell.w * UNIT * fill, h = (cell.h * UNIT - top) * (namedTile ? 0.7 : top > more || !cell.label ? fill : Math.min(fill, 0.84));
  let best = { size: 0 };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns), size = Math.min(w / columns, h / rows);
    if (size > best.size - 0.01) best = { columns, rows, size };
  }
  const { columns, rows } = best, size = Math.min(best.size, UNIT), down = top > more ? top / 2 : namedTile ? 1 : cell.label && cell.shape !== "disc" ? 6 + more / 2 : 0;
  return Array.from({ length: count }, (_, at) => {
    const row = Math.floor(at / columns), wide = row === rows - 1 ? count - row * columns : columns;
    return { x: ((at % columns) - (wide - 1) / 2) * size, y: (row - (rows - 1) / 2) * size + down, scale: (size / UNIT) * (count > 1 ? 1.3 : cell.label || namedTile ? 1.08 : 1.45) };
  });
}

// Returns the visible pieces of a stack with their number, and their places around the `middle`. The highest piece has the number of a high stack.
function stack(pieces, { x, y, scale }) {
  const seen = pieces.slice(-6), last = seen.length - 1, count = pieces.length > 3 ? pieces.length : 1;
  const size = scale * 0.72, step = Math.min(10, 32 / last) * size;
  return seen.map((one, at) => [one, at < last ? 1 : count, { x, y: y + (last / 2 - at) * step, scale: size }]);
}

// Returns equal pieces of a long tray or point in a row with their places, or undefined. Without a name, the row begins at the end of the tray that is on the
// `outer` side of the board. A row that is too long overlaps: its last piece has their number, and the covered pieces count as 0 and have no word.
function row(pieces, cell) {
  const top = header(cell), w = cell.w * 94, h = cell.h * 94 - top, size = Math.min(w, h, UNIT), last = pieces.length - 1;
  if (!/tray|point/.test(cell.shape) || w + h < 3 * size || new Set(pieces.map((one) => "" + one.slice(0, 4))).size > 1) return undefined;
  const step = Math.min(size, (Math.max(w, h) - size) / last), overlaps = step <= size * 0.6, side = cell.label ? 0 : cell.outer[w > h ? 0 : 1];
  return pieces.map((one, at) => {
    const off = side ? side * ((Math.max(w, h) - size) / 2 - at * step) : (at - last / 2) * step;
    return [one, overlaps ? at < last ? 0 : last + 1 : 1, { x: w > h ? off : 0, y: top / 2 + (w > h ? 0 : off), scale: size * 0.015 }];
  });
}

// Returns one piece and, above its right side, a small flag, or undefined if the `pieces` are others.
function carried([one, other, more], { x, y, scale }) {
  const isFlag = one?.[0] === "flag";
  if (!other || more || isFlag === (other[0] === "flag")) return undefined;
  return [[isFlag ? one : other, 1, { x: x + 22 * scale, y: y - 22 * scale, scale: 0.62 * scale }], [isFlag ? other : one, 1, { x: x - 4 * scale, y: y + 4 * scale, scale: 0.9 * scale }]];
}

// Joins equal pieces of a crowded cell into one piece with a number.
function crowd(pieces) {
  if (pieces.length <= 9) return pieces.map((piece) => [piece, 1]);
  const kinds = new Map();
  for (const piece of pieces) {
    const look = JSON.stringify(piece.slice(0, 4)), known = kinds.get(look);
    if (known) known[1]++;
    else kinds.set(look, [piece, 1]);
  }
  return [...kinds.values()];
}

// Returns the tiles of a cell, and the visible pieces on it with their numbers and places.
function laidOut(pieces, cell, least) {
  const tiles = pieces.filter(([kind]) => kind === "tile"), others = pieces.filter(([kind]) => kind !== "tile"), all = crowd(others);
  const spots = (count) => places(count, cell, tiles.some(([, , text, hidden]) => text || hidden), least);
  const standing = row(others, cell) ?? carried(others, spots(1)[0]) ?? (cell.stacked && others.length > 1 ? stack(others, spots(1)[0]) : spots(all.length).map((spot, at) => [...all[at], spot]));
  return { tiles, standing };
}

// Returns the box around a point: left, top, right, bottom.
export const boxAround = (x, y, halfWidth, halfHeight) => [x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight];

// Returns the boxes of the words and pieces on a cell of the board, without the round corners of pieces.
export function boxesOn(pieces, cell, least) {
  const { tiles, standing } = laidOut(pieces, cell, least), half = cell.h * UNIT / 2, size = Math.max(least, 13) / 2, found = [];
  const add = (x, y, wide, high) => found.push(boxAround(cell.x * UNIT + x, cell.y * UNIT + y, wide, high));
  if (cell.label) add(0, 6 + size - half * 0.93, size * 1.5, size + 3);
  if (tiles[0]) add(0, half * 0.8 - size, cell.w * UNIT * 0.35, size);
  for (const [, , { x, y, scale }] of standing) add(x, y, 22 * scale, 22 * scale);
  return found;
}

// Returns the pieces and tiles of a cell. Letters of the size `least` that would not fit on a piece are drawn narrower.
export function content(pieces, cell, seats, paper, least) {
  const { tiles, standing } = laidOut(pieces, cell, least);
  const group = svg("g", { class: "content" }, tiles[cell.shape === "tray" ? 0 : 1] ? fan(tiles, cell, least) : tiles.map((one) => svg("g", { class: "base" }, tile(one, cell, least))));
  for (const [one, count, { x, y, scale }] of standing) {
    const letter = one[1] < 0 ? "" : seats[one[1]].letter;
    const shift = placement(x, y, scale);
    const mark = count > 1 ? svg("text", { class: "count", x: cell.stacked ? 47 : 30, y: cell.stacked ? -20 : 34 }, "×" + count) : null;
    const look = one[4] ? "#" + one[4] : one[0] + "," + one[1];
    const spot = svg("g", { transform: shift }, svg("g", { class: "piece", "data-look": look, "data-scale": scale }, piece(one, letter, paper), mark));
    spot.style.setProperty("--s", scale);
    const word = spot.querySelector(".word");
    if (!count || (one[0] === "flag" && least / scale > 26)) word?.remove(); // on a small flag, a letter would cover the piece
    else if (word?.textContent.length * 0.9 * least > WIDE * scale) narrow(word, WIDE);
    group.append(spot);
  }
  return group;
}
