// The height of the sentence and of the line above the board. It is reserved for the longest content of the game, so that
// board and buttons keep their places over the steps.

import { diceOf } from "./dice.js";
import { $ } from "./dom.js";
import { embedded } from "./embedding.js";
import { nodes } from "./message.js";
import { tableFacts, turn } from "./seats.js";

const TRIED = 3000, MEASURED = 24;

// Reserves the height that `box` needs for the events for which `length` is greatest. `fill` writes an event into a copy of the box.
function reserve({ data }, box, length, fill) {
  const step = Math.ceil(data.last / TRIED) || 1, found = [];
  for (let n = data.last; n > 0; n -= step) found.push([length(n), n]);
  const events = found.sort(([a], [b]) => b - a).slice(0, MEASURED), width = () => box.clientWidth;
  let wide;
  new ResizeObserver(() => {
    if (wide === width()) return;
    wide = width();
    const copy = box.cloneNode(true);
    copy.style.cssText = `position:absolute;visibility:hidden;min-height:0;width:${wide}px`;
    box.after(copy);
    const heights = events.map(([, n]) => {
      fill((id, ...content) => copy.querySelector("#" + id).replaceChildren(...content), n);
      return copy.offsetHeight;
    });
    copy.remove();
    box.style.setProperty("--reserved", `min(${Math.max(...heights)}px, 30vh)`);
  }).observe(box);
}

export function reserveHeights(playback, clock) {
  const { data } = playback, told = $("said").closest(".told");
  if (embedded()) return;
  reserve(playback, told, (n) => data.text(n).length + (data.contests[n] ? 60 : 9 * data.effects[n].length), (write, n) => {
    write("remark");
    write("fault");
    write("said", ...nodes(data.sentence(n)), " ", data.disposition(n));
    write("dice", ...diceOf(data, n));
  });
  reserve(playback, $("turn").parentElement, (n) => turn(data, n).length + tableFacts(data, n, clock).reduce((sum, { textContent }) => sum + textContent.length, 0), (write, n) => {
    write("turn", turn(data, n));
    write("captions", ...tableFacts(data, n, clock));
  });
}
