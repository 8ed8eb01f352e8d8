// Commitments to a choice by a tap. The salt is drawn here and stays on this device until the choice is opened.

import { eventText } from "./choice_panel.js";
import { button, el } from "./dom.js";
import { hex, sha256 } from "./reveal_form.js";
import { store, stored } from "./settings.js";
import { t, w } from "./texts.js";

const MOST_KEPT = 200;

// What this device has committed its seat to: by digest, the event that opens it.
export class OpeningStore {
  constructor(name) {
    this.name = "gamelog.kept." + name;
    this.opening = new Map(stored(this.name));
  }

  // Whether it is kept even if the page is closed.
  keep(digest, event) {
    this.opening.set(digest, event);
    return store(this.name, [...this.opening].slice(-MOST_KEPT));
  }
}

const fillPlace = (event, place, word) => Object.fromEntries(Object.entries(event).map(([name, value]) => [name, value === place ? word : value]));

// Commit to a choice: what opens it is kept before anything is sent.
async function commit(selection, kept, choice) {
  const { n } = selection.decisions, salt = hex(crypto.getRandomValues(new Uint8Array(16)));
  const digest = await sha256(choice.text.replace("{salt}", salt));
  kept.keep(digest, fillPlace(choice.open, "{salt}", salt));
  const event = fillPlace(choice.commit, "{digest}", digest);
  if (selection.decisions.n === n && !selection.held && !selection.sent) selection.hold({ event, events: [event], cells: [] });
}

// The buttons for what can be committed to, or opened, now.
export function commitmentButtons(selection, game, kept) {
  const { choices = [], opens = "" } = selection.decisions.commitments || {}, hint = (key) => el("p", { class: "soft" }, t(key));
  if (choices.length && !crypto.subtle) return [hint("commit_unsafe")];
  if (choices.length) return [hint("commit_how"), ...choices.map((choice) => button(choice.label.split(" ").map(w).join(" "), () => commit(selection, kept, choice), { class: "main" }))];
  if (!opens) return [];
  const event = kept.opening.get(opens);
  return event ? [button(t("open_choice", eventText(game, event)), () => selection.hold({ event, events: [event], cells: [] }), { class: "main" })] : [hint("kept_elsewhere")];
}
