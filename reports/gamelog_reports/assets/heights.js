// The heights of texts that change with the event. They are reserved for the longest texts of the game, so that board, cards and
// buttons keep their places over the steps.

import { diceOf } from "./dice.js";
import { $ } from "./dom.js";
import { isEmbedded } from "./embedding.js";
import { seatFacts, tableFacts, turn } from "./seats.js";
import { writeSentence } from "./shown_event.js";

const TRIED = 3000, MEASURED = 12, CAP = Math.max(200, innerHeight * 0.3);

// Reserves the height that `box` needs for the events for which `length` is greatest. `fill` writes an event into a copy of the box.
function reserve(data, box, length, fill) {
  const step = Math.ceil(data.last / TRIED), events = [];
  for (let n = data.last; n > 0; n -= step) events.push([length(n), n]);
  events.sort(([a], [b]) => b - a).splice(MEASURED);
  let wide;
  new ResizeObserver(() => {
    if ([wide, 0].includes(box.clientWidth)) return;
    wide = box.clientWidth;
    const copies = events.map(([, n]) => {
      const copy = box.cloneNode(true);
      copy.classList.remove("steady");
      copy.style.cssText = `position:absolute;visibility:hidden;height:auto;min-height:0;width:${box.offsetWidth}px`;
      fill(copy, n);
      return copy;
    });
    box.after(...copies); // all at once, because the browser then computes one layout for them
    const most = Math.max(...copies.map((copy) => copy.getBoundingClientRect().height));
    for (const copy of copies) copy.remove();
    box.classList.toggle("steady", most < CAP);
    box.style.setProperty("--reserved", `${Math.min(most, CAP)}px`);
  }).observe(box);
}

export function reserveHeights(playback, clock) {
  const { data } = playback, write = (copy, id, content) => copy.querySelector(id).replaceChildren(...content);
  if (isEmbedded() || !data.last) return;
  const captions = (owner) => (n) => data.slots.reduce((sum, [name, seat], key) => sum + (seat === owner && data.captions.at(key, n) ? `${name} ${data.captions.at(key, n)}`.length : 0), 0);
  const thrown = (n) => data.effects[n].reduce((sum, { faces = [], attack = [], defence = [] }) => sum + faces.length + 2 * (attack.length + defence.length), 0);
  reserve(data, $("said").closest(".told"), (n) => data.text(n).length + 9 * thrown(n), (copy, n) => {
    write(copy, "#remark", []);
    write(copy, "#fault", []);
    writeSentence(copy.querySelector("#said"), data, n);
    write(copy, "#dice", diceOf(data, n));
  });
  reserve(data, $("dice"), thrown, (copy, n) => copy.replaceChildren(...diceOf(data, n)));
  reserve(data, $("turn"), (n) => turn(data, n).length, (copy, n) => copy.replaceChildren(turn(data, n)));
  reserve(data, $("captions"), captions(-1), (copy, n) => copy.replaceChildren(...tableFacts(data, n, clock)));
  [...$("seats").children].forEach((card, at) => reserve(data, card, captions(at), (copy, n) => {
    copy.querySelector(".name").textContent = data.name(data.seats[at].seat, n);
    write(copy, ".captions", seatFacts(data, n, at, clock));
  }));
}
