// A choice that is committed to by a tap: the salt is drawn here, and it stays on this device until the choice is opened.

import { button, told } from "./desk.js";
import { el } from "./dom.js";
import { hashed } from "./secrets.js";
import { t, w } from "./texts.js";

const MOST_KEPT = 200;

// What this device has committed its seat to: by digest, the event that opens it.
export class Kept {
  constructor(name) {
    this.name = "gamelog.kept." + name;
    try {
      this.opening = new Map(JSON.parse(localStorage.getItem(this.name)) || []);
    } catch {
      this.opening = new Map();
    }
  }

  // Whether it is kept even if the page is closed.
  keep(digest, event) {
    this.opening.set(digest, event);
    try {
      localStorage.setItem(this.name, JSON.stringify([...this.opening].slice(-MOST_KEPT)));
    } catch {
      return false;
    }
    return true;
  }
}

const filled = (event, place, word) => Object.fromEntries(Object.entries(event).map(([name, value]) => [name, value === place ? word : value]));

// Commit to a choice: what opens it is kept before anything is sent.
async function commit(taking, kept, choice) {
  const { n } = taking.decisions, salt = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const digest = await hashed(choice.text.replace("{salt}", salt));
  kept.keep(digest, filled(choice.open, "{salt}", salt));
  const event = filled(choice.commit, "{digest}", digest);
  if (taking.decisions.n === n && !taking.held && !taking.sent) taking.hold({ event, events: [event], cells: [] });
}

// The buttons for what can be committed to, or opened, now.
export function commitments(taking, picture, kept) {
  const { choices = [], opens = "" } = taking.decisions.commitments || {}, hint = (key) => el("p", { class: "soft" }, t(key));
  if (choices.length && !crypto.subtle) return [hint("commit_unsafe")];
  if (choices.length) return [hint("commit_how"), ...choices.map((choice) => button(choice.label.split(" ").map(w).join(" "), () => commit(taking, kept, choice), { class: "main" }))];
  if (!opens) return [];
  const event = kept.opening.get(opens);
  return event ? [button(t("open_choice", told(picture, event)), () => taking.hold({ event, events: [event], cells: [] }), { class: "main" })] : [hint("kept_elsewhere")];
}
