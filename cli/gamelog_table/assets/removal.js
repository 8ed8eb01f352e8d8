// Buttons that remove more than one event: they say how many, are red, and ask once.

import { button } from "./dom.js";

const BOUNCE_MS = 280;

// Returns a button that removes `count` events by `act`. If there are several, the first tap only asks `question`.
export function removalButton(label, question, count, act, given = {}) {
  if (count < 2) return button(label, act, given);
  let asked = null;
  const made = button(label, (event) => {
    if (asked === null) {
      asked = event.timeStamp;
      made.textContent = question;
    } else if (event.timeStamp - asked > BOUNCE_MS) act();
  }, { ...given, class: "drop" });
  return made;
}
