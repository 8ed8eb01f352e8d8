// Small pictures of final positions. Their file is loaded when the reader asks for them. Counterpart of board_thumbnail.py.

import { el, svg } from "./dom.js";
import { unpack } from "./embedded_text.js";

// Loads the file at `src`, a script that dispatches the event "boards" with the packed data.
export async function loadBoards(src) {
  const packed = await new Promise((resolve, reject) => {
    const script = el("script", { src });
    document.addEventListener("boards", ({ detail }) => resolve(detail), { once: true });
    script.addEventListener("error", reject);
    document.head.append(script);
  });
  return JSON.parse(await unpack(packed));
}

const point = (path, cap, width, stroke) => svg("path", { d: path, stroke, "stroke-width": width, "stroke-linecap": cap });
const SHAPES = {
  link: (look, width, d) => svg("path", { d, class: "link" }),
  cell: (look, width, d) => svg("path", { d, class: look }),
  owner: (look, width, d) => svg("path", { d, fill: look, "fill-opacity": 0.5 }),
  round: (look, width, d) => [point(d, "round", width + 1.5, "#000"), point(d, "round", width, look)],
  square: (look, width, d) => [point(d, "square", width * 0.75 + 1.5, "#000"), point(d, "square", width * 0.75, look)],
};

// Returns the picture of the game at this place in the list, or null.
export function boardPicture({ boards, games }, at) {
  if (!games[at]) return null;
  const [board, position] = games[at], [area, layers] = boards[board];
  return svg("svg", { viewBox: area.join(" "), "aria-hidden": "true" }, [...layers, ...position].map(([form, ...look]) => SHAPES[form](...look)));
}
