// Lines along the edges of cells: between zones, and around groups with their tags. Counterpart of board_geometry.py.

import { svg } from "./dom.js";
import { boxesOn, outline, pathThrough, UNIT } from "./pieces.js";
import { cellBox, tag, tagPlace } from "./tags.js";
import { translated } from "./texts.js";

const INSET = 0.06, NESTED = 0.08; // distance of an outline from the edge, and from an outline around it, in halves of a cell

export const between = ([x, y], [u, v], part) => [x + (u - x) * part, y + (v - y) * part];

// Returns the edges of a cell. Cells that touch have the same key for their common edge.
function edgesOf(cell) {
  const corners = outline(cell).map(([x, y]) => [cell.x * UNIT + x, cell.y * UNIT + y]);
  return corners.map((start, at) => {
    const end = corners[(at + 1) % corners.length];
    return { start, end, key: start.map((value, axis) => Math.round((value + end[axis]) / 8)).join() };
  });
}

// Returns the path of the lines between zones, and around a zone at the edge of the board.
export function borders(cells) {
  const edges = new Map();
  for (const cell of cells) {
    for (const { start, end, key } of edgesOf(cell)) edges.set(key, { path: pathThrough([start, end]), zones: [...(edges.get(key)?.zones ?? []), cell.zone || ""] });
  }
  return [...edges.values()].filter(({ zones }) => (zones.length === 1 ? zones[0] : zones[0] !== zones[1])).map(({ path }) => path).join("");
}

// Returns a path inside the edges of a group of cells, `depth` outlines away from the edges.
function outlined(cells, depth) {
  const part = INSET + NESTED * depth, counts = new Map(), sides = cells.map(edgesOf);
  for (const { key } of sides.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const isOuter = ({ key }) => counts.get(key) === 1;
  return sides.flatMap((edges, at) => edges.map((edge, side) => {
    const count = edges.length, along = (part * (count - 2)) / 4, middle = [cells[at].x * UNIT, cells[at].y * UNIT];
    const before = edges[(side + count - 1) % count], after = edges[(side + 1) % count];
    // Four squares meet at a corner, so that the outline may turn in the next cell.
    const end = (corner, other, beside, far) => isOuter(beside) ? between(corner, middle, part) :
      between(corner, far, along).map((value, axis) => value + (count === 4 ? (corner[axis] - other[axis]) * along : 0));
    return isOuter(edge) ? pathThrough([end(edge.start, edge.end, before, before.start), end(edge.end, edge.start, after, after.end)]) : "";
  })).join("");
}

// Returns the outlines and the tags of the groups and badges after event n, as nodes. Letters have at least the size `least`.
export function groupNodes({ cells, marks, pieces, seats, seatIndex }, n, paper, least) {
  const groups = new Map();
  cells.forEach((cell, at) => (marks.at(at, n) ?? []).filter(([kind]) => /group|badge/.test(kind)).forEach(([kind, text, seat], depth) => {
    const key = kind === "group" ? kind + seat + text : groups.size, group = groups.get(key) ?? { kind, text, seat: seatIndex.get(seat) ?? -1, inside: [], depth: 0 };
    groups.set(key, group);
    group.inside.push(cell);
    group.depth = Math.max(group.depth, depth);
  }));
  const all = [...groups.values()], scale = Math.max(1, least / 18);
  const outlines = all.filter(({ kind }) => kind === "group").map(({ text, seat, inside, depth }) => {
    const d = outlined(inside, depth);
    return svg("g", {}, svg("title", {}, translated(text)), svg("path", { class: "group casing", d }), svg("path", { class: `group stroke${seat}`, d }));
  });
  const placed = [], tags = [], content = (cell) => boxesOn(pieces.at(cells.indexOf(cell), n) ?? [], cell, least);
  for (const group of all) {
    const { text, seat, inside: [first], kind } = group, shown = [paper && seats[seat]?.letter, translated(text.split(" ")[0])].filter(Boolean).join(" ");
    if (!shown) continue;
    const isBadge = kind === "badge", inside = isBadge && first.zone ? [first, ...cells.filter(({ zone }) => zone === first.zone)] : group.inside;
    const obstacles = [...inside.flatMap(content), ...placed];
    let { depth } = group;
    for (const other of all.filter((one) => one.inside.some((cell) => inside.includes(cell)))) {
      if (other.inside.length < group.inside.length) obstacles.push(...other.inside.map(cellBox)); // the tag would seem to be of the group inside this group
      else depth = Math.max(depth, other.depth);
    }
    const { box, covers } = tagPlace(isBadge, inside, [(1 + 8 * shown.length) * scale, 10.5 * scale], isBadge ? 2 : 6 + 4 * depth, obstacles);
    if (scale > 1.75 && covers > 8 * scale) continue; // it would cover a piece
    placed.push(box);
    tags.push(tag(box, shown, seat, scale));
  }
  return { outlines, tags };
}
