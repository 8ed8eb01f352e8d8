// On paper: the board at the moments that matter, then the list of events as it stands.

import { Board } from "./board.js";
import { $, el, svg } from "./dom.js";
import { turn } from "./seats.js";
import { nodes } from "./words.js";

const MOST = 12;

// The end, and before it what was commented or found fault with, evenly thinned out where there is too much.
function moments(story, is) {
  const marked = [];
  for (let n = 1; n < story.last; n++) if (is.comment(n) || is.finding(n)) marked.push(story.events[n].about || n);
  const keep = [...new Set(marked)], step = Math.max(1, keep.length / (MOST - 1));
  const chosen = keep.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  return [...chosen.filter((n) => n < story.last), story.last];
}

export function printing(story, is) {
  addEventListener("beforeprint", () => {
    $("paper").replaceChildren(...moments(story, is).map((n) => {
      const picture = svg("svg", { class: "board" });
      new Board(picture, story).show(n);
      return el("figure", {}, picture, el("figcaption", {}, el("b", {}, n + ". "), nodes(story.sentence(n)), " ", turn(story, n)));
    }));
  });
  addEventListener("afterprint", () => $("paper").replaceChildren());
}
