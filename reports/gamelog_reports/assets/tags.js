// Tags of groups and badges, where they cover no words and pieces. Counterpart of board_tags.py.

import { svg } from "./dom.js";
import { boxAround, outline, placement, UNIT } from "./pieces.js";

const EDGE = 4; // the part of a word or piece that a tag may cover
const SIDES = [-1, 0, 1];

export const cellBox = ({ x, y, w, h }) => boxAround(x * UNIT, y * UNIT, (w * UNIT) / 2, (h * UNIT) / 2);

const overlap = (one, other) => Math.min(one[2] - other[0], other[2] - one[0], one[3] - other[1], other[3] - one[1]);

// Returns the box for the tag of a group or badge on `cells`, and how far it covers one of the `obstacles`. It is at a corner of the cells with the distance
// `gap`, or in the middle of one of them, which is better for a badge.
export function tagPlace(isBadge, cells, [wide, high], gap, obstacles) {
  const isOn = (x, y) => cells.some((cell) => Math.abs(x / UNIT - cell.x) <= cell.w / 2 && Math.abs(y / UNIT - cell.y) <= cell.h / 2);
  const middles = cells.map(({ x, y }) => boxAround(x * UNIT, y * UNIT, wide, high));
  const corners = cells.flatMap((cell) => outline(cell).flatMap(([x, y]) => SIDES.flatMap((right) => SIDES.map((down) => boxAround(cell.x * UNIT + x + right * (wide + gap), cell.y * UNIT + y + down * (high + gap), wide, high)))))
    .filter(([left, top, right, bottom]) => [left - gap + 1, right + gap - 1].every((x) => [top - gap + 1, bottom + gap - 1].every((y) => isOn(x, y))))
    .sort((one, other) => one[1] - other[1] || other[0] - one[0]);
  const places = (isBadge ? [...middles, ...corners] : [...corners, ...middles]).map((box) => ({ box, covers: Math.max(...obstacles.map((one) => overlap(box, one))) }));
  return places.reduce((best, one) => (best.covers < EDGE || best.covers <= one.covers ? best : one));
}

// Returns a tag with a `text` in the colour of a seat.
export function tag([left, top, right], text, seat, scale) {
  const width = (right - left) / scale;
  return svg("g", { class: "points", transform: placement(left, top, scale) },
    svg("rect", { width, height: 21, rx: 7, class: `seat${seat}` }), svg("text", { x: width / 2, y: 11.5, class: `ink${seat}` }, text));
}
