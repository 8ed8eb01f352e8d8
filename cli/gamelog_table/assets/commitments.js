// Commitments to a choice by a tap. The salt is made here and stays on this device until the choice is opened.

import { eventText } from "./choice_panel.js";
import { button, el } from "./dom.js";
import { hex, sha256 } from "./reveal_form.js";
import { store, storedValue } from "./settings.js";
import { t, translated } from "./texts.js";

const MAX_OPENINGS = 200;

// The events that open the commitments made on this device, by digest.
export class OpeningStore {
  constructor(name) {
    this.name = "gamelog.kept." + name;
    this.openings = new Map(storedValue(this.name));
  }

  // Returns whether the device keeps the event even if the page is closed.
  keep(digest, event) {
    this.openings.set(digest, event);
    return store(this.name, [...this.openings].slice(-MAX_OPENINGS));
  }
}

const fillPlace = (event, place, word) => Object.fromEntries(Object.entries(event).map(([name, value]) => [name, value === place ? word : value]));

// Commits to a choice. The opening event is stored first, because a lost salt could not be recovered.
async function commit(selection, openingStore, choice) {
  const { n } = selection.decisions, salt = hex(crypto.getRandomValues(new Uint8Array(16)));
  const digest = await sha256(choice.text.replace("{salt}", salt));
  openingStore.keep(digest, fillPlace(choice.open, "{salt}", salt));
  const event = fillPlace(choice.commit, "{digest}", digest);
  if (selection.decisions.n === n && !selection.held && !selection.sent) selection.hold({ event, events: [event], cells: [] });
}

// Returns the buttons for the commitments that can be made or opened now.
export function commitmentButtons(selection, game, openingStore) {
  const { choices = [], opens = "" } = selection.decisions.commitments || {}, hint = (text) => el("p", { class: "soft" }, text);
  if (choices.length && !crypto.subtle) return [hint(t("commit_unsafe"))];
  if (choices.length) return [hint(t("commit_how")), ...choices.map((choice) => button(choice.label.split(" ").map(translated).join(" "), () => commit(selection, openingStore, choice), { class: "main" }))];
  if (!opens) return [];
  const event = openingStore.openings.get(opens);
  return event ? [button(t("open_choice", eventText(game, event)), () => selection.hold({ event, events: [event], cells: [] }), { class: "main" })] : [hint(t("kept_elsewhere"))];
}
