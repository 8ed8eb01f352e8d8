// Buttons that remove more than one event: they say how many, are red, and ask once.

import { button } from "./dom.js";

const BOUNCE_MS = 280;

// Returns a button that removes `count` events by `act`. If there are several, the first tap only asks `question`. A new button with the same
// key as the shown button has asked if the shown button has.
export function removalButton(label, question, count, act, given = {}, key = null) {
  if (count < 2) return button(label, act, given);
  const ask = (at) => Object.assign(made, { textContent: question }).setAttribute("data-asked", at);
  const made = button(label, ({ timeStamp }) => {
    if (!made.dataset.asked) ask(timeStamp);
    else if (timeStamp - made.dataset.asked > BOUNCE_MS) act();
  }, { ...given, class: "drop", "data-key": key });
  const shown = key && document.querySelector(`[data-key="${key}"][data-asked]`);
  if (shown) ask(shown.dataset.asked);
  return made;
}
