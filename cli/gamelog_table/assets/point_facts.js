// The points of the seats among the facts above the board.

import { el } from "./dom.js";
import { badge } from "./seats.js";

// Returns the points of all seats after event n as facts, each with the seat's shape for its name; none for a game without points.
export function pointFacts(data, n) {
  return data.seats.flatMap(({ seat }, at) => {
    const points = data.score.at(at, n), label = data.name(seat, n);
    return points === undefined ? [] : [el("div", { class: "seat-points", title: label }, el("dt", { "aria-label": label }, badge(at)), el("dd", {}, points))];
  });
}
