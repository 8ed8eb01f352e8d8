// What stands where the pointer is over the slider or the chart: a small board and the event in words.

import { Board } from "./board.js";
import { $, el, svg } from "./dom.js";
import { nodes } from "./words.js";

export function preview(player, areas) {
  const { data } = player, box = $("preview"), words = el("p");
  let board, shown;
  const show = (area, inset, event) => {
    const { left, top, width } = area.getBoundingClientRect();
    const n = Math.min(data.last, Math.max(0, Math.round(((event.clientX - left - inset) / (width - 2 * inset)) * data.last)));
    if (!board) {
      const picture = svg("svg", { class: "board small" });
      board = new Board(picture, data);
      box.append(picture, words);
    }
    box.hidden = false;
    if (n !== shown) {
      board.show(n);
      words.replaceChildren(el("b", {}, n + ". "), ...nodes(data.sentence(n)));
    }
    shown = n;
    box.style.left = Math.min(Math.max(event.clientX - box.offsetWidth / 2, 8), innerWidth - box.offsetWidth - 8) + "px";
    const above = top - box.offsetHeight - 12;
    box.style.top = (above > 0 ? above : event.clientY + 24) + "px";
  };
  for (const [area, inset] of areas) {
    area.addEventListener("pointermove", (event) => event.pointerType === "mouse" && show(area, inset, event));
    area.addEventListener("pointerleave", () => (box.hidden = true));
  }
}
