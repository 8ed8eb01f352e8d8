// The printed page: a board for each turning point, then one for each round, comment and finding, then the event list.

import { Board } from "./board.js";
import { $, el, svg } from "./dom.js";
import { nodes } from "./message.js";
import { rounds } from "./rounds.js";
import { turn } from "./seats.js";

const LARGE = 120; // cells of a board that is printed larger, and half as often

// Returns the events whose boards are printed, the last event included. If there are too many, some are left out evenly.
function moments(data, tests, most) {
  const wanted = rounds(data);
  for (let n = 1; n < data.last; n++) if (tests.comment(n) || tests.finding(n)) wanted.push(data.events[n].about || n);
  const keep = [...new Set(wanted)].filter((n) => n < data.last).sort((a, b) => a - b), step = Math.max(1, keep.length / (most - 1));
  return [...keep.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step)), data.last];
}

export function printBoards(playback, tests) {
  const { data } = playback, paper = $("paper"), [columns, most] = data.cells.length > LARGE ? [2, 20] : [3, 40];
  let place;
  addEventListener("beforeprint", () => {
    place = playback.n;
    playback.go(data.last, "look");
    $("summary")?.toggleAttribute("open", true); // steps close it
    const figure = (n, moment) => {
      const picture = svg("svg", { class: "board" }), board = new Board(picture, data, 680 / columns);
      board.show(n);
      board.fit();
      return el("figure", {}, picture, el("figcaption", {}, moment && el("strong", {}, moment), el("b", {}, n + ". "), nodes(data.sentence(n)), el("span", {}, turn(data, n))));
    };
    const key = [...data.moments.keys()], others = moments(data, tests, most).filter((n) => !data.moments.has(n));
    paper.style.setProperty("--columns", columns);
    paper.replaceChildren(...[[key, "key"], [others]].filter(([all]) => all.length).map(([all, name]) => el("div", { class: name }, all.map((n) => figure(n, data.moment(n))))));
  });
  addEventListener("afterprint", () => {
    paper.replaceChildren();
    playback.go(place, "look");
  });
}
