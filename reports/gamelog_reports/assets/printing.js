// On paper: the board at each round and at what was said or found, then the list of events as it stands.

import { Board } from "./board.js";
import { $, el, svg } from "./dom.js";
import { rounds } from "./groups.js";
import { turn } from "./seats.js";
import { nodes } from "./words.js";

const BOARDS = 40;

// The end, and before it what is to be shown, evenly thinned out where there is too much.
function moments(data, is) {
  const wanted = rounds(data);
  for (let n = 1; n < data.last; n++) if (is.comment(n) || is.finding(n)) wanted.push(data.events[n].about || n);
  const keep = [...new Set(wanted)].filter((n) => n < data.last).sort((a, b) => a - b), step = Math.max(1, keep.length / (BOARDS - 1));
  return [...keep.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step)), data.last];
}

export function printing(player, is) {
  const { data } = player;
  let place;
  addEventListener("beforeprint", () => {
    place = player.n;
    player.go(data.last, "look");
    $("paper").replaceChildren(...moments(data, is).map((n) => {
      const picture = svg("svg", { class: "board" }), board = new Board(picture, data, true);
      board.show(n);
      board.fit();
      return el("figure", {}, picture, el("figcaption", {}, el("b", {}, n + ". "), nodes(data.sentence(n)), " ", turn(data, n)));
    }));
  });
  addEventListener("afterprint", () => {
    $("paper").replaceChildren();
    player.go(place, "look");
  });
}
