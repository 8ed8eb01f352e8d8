// Motion of pieces in single steps: they glide to their new cell, or appear.

import { UNIT } from "./pieces.js";

const LONGEST = 260;

const pieceKey = ([kind, seat, , , id]) => (id ? "#" + id : kind + "," + seat);

// Counts the pieces on a cell by kind and seat, or by id.
function count(data, at, n) {
  const counted = new Map();
  for (const piece of data.pieces.at(at, n) || []) counted.set(pieceKey(piece), (counted.get(pieceKey(piece)) || 0) + 1);
  return counted;
}

// Returns the pieces that left and arrived between two events.
function differences(data, from, to) {
  const gone = new Map(), come = [];
  const cells = new Set();
  for (let n = Math.min(from, to) + 1; n <= Math.max(from, to); n++) for (const at of data.pieces.changed(n)) cells.add(at);
  for (const at of cells) {
    const before = count(data, at, from), after = count(data, at, to);
    for (const [look, many] of before) {
      for (let left = after.get(look) || 0; left < many; left++) gone.set(look, [...(gone.get(look) || []), at]);
    }
    for (const [look, many] of after) for (let had = before.get(look) || 0; had < many; had++) come.push({ at, look });
  }
  return { gone, come };
}

export function move(board, data, from, to, duration = LONGEST) {
  const { gone, come } = differences(data, from, to), paths = to > from && !data.maskAt(to) ? data.eventPaths(to) : [];
  for (const { at, look } of come) {
    const nodes = [...board.pieces(at)].filter((node) => node.dataset.look === look), node = nodes.pop();
    if (!node) continue;
    const origin = gone.get(look)?.shift() ?? paths.find((path) => path.at(-1) === at)?.[0];
    const here = data.cells[at], there = data.cells[origin], scale = Number(node.dataset.scale);
    const start = there
      ? { transform: `translate(${((there.x - here.x) * UNIT) / scale}px, ${((there.y - here.y) * UNIT) / scale}px)` }
      : { transform: "scale(.4)", opacity: 0 };
    node.animate([start, { transform: "none", opacity: 1 }], { duration: Math.min(LONGEST, duration), easing: "ease-out" });
  }
}
