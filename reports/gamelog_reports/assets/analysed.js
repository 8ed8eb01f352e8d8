// The replay page of an analysed game: moves the chances under the points, and marks the shown event in their curve.

import { $, svg } from "./dom.js";
import "./replay.js";

const chances = $("chances"), plot = chances.querySelector(".plot"), more = chances.querySelector(".more"), here = svg("line", { class: "here", y1: 18, y2: "100%" });

function showHere({ detail: { n, last } }) {
  for (const side of ["x1", "x2"]) here.setAttribute(side, `${(100 * n) / Math.max(last, 1)}%`);
}

document.querySelector(".chart").after(chances);
more.open = false;
plot.append(here);
plot.addEventListener("click", (event) => {
  if (event.target.closest("a")) return;
  const { left, width } = plot.getBoundingClientRect();
  gamelog.goto(((event.clientX - left) / width) * gamelog.last);
});
for (const name of ["ready", "step"]) document.addEventListener("gamelog:" + name, showHere);
addEventListener("beforeprint", () => (more.open = true));
addEventListener("afterprint", () => (more.open = false));
