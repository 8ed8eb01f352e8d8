// The dialog with the rules for the next event, and hints that each device shows once.

import { $, button, el } from "./dom.js";
import { ignoreDoubleTaps } from "./gestures.js";
import { store, storedValue } from "./settings.js";
import { t } from "./texts.js";

const ruleText = ({ id, text }) => el("p", {}, el("b", {}, id), " ", text);

// Opens the dialog when the button "?" is pressed.
export function connectRules(table) {
  const dialog = $("rules");
  ignoreDoubleTaps(dialog);
  $("ask-rules").addEventListener("click", async () => {
    const { status, body } = await table.connection.ask(table.apiPath + "/rules").catch(() => ({ body: { error: { message: t("line_lost") } } }));
    const due = body.rules?.filter(({ due: isDue }) => isDue), others = body.rules?.filter(({ due: isDue }) => !isDue);
    $("rules-text").replaceChildren(...(status !== 200 ? [el("p", { class: "bad" }, body.error.message)] : !due.length ? [el("p", {}, t("no_rules"))] : [
      ...due.map(ruleText), others.length ? el("details", {}, el("summary", {}, t("rules_section", due[0].section)), others.map(ruleText)) : "",
    ]));
    if (!dialog.open) dialog.showModal();
  });
}

// The moments that need a hint, each with a test and the name of its text.
const MOMENTS = {
  hold: ({ selection }) => Boolean(selection.held),
  roll: ({ selection: { decisions: { chance, known } } }) => chance?.draws[0].kind === "dice" && !known,
  draw: ({ selection: { decisions: { chance, known } } }) => Boolean(chance) && chance.draws[0].kind !== "dice" && !known,
  dispute: () => !$("dispute").hidden,
};
const SEEN = "gamelog.hints", HINT_MS = 12000;
let hintTimer = null;

function closeHint() {
  clearTimeout(hintTimer);
  $("hint").hidden = true;
}

// Shows the hint of the present moment, if this device has not shown it before. It is under the sentence about the last event, and
// ends with a tap on its button, after a while, or with its moment. An event is held too short a time to read, so its hint does not end with it.
export function showHint(table) {
  const seen = storedValue(SEEN) ?? [], name = Object.keys(MOMENTS).find((one) => !seen.includes(one) && MOMENTS[one](table)), box = $("hint"), now = box.dataset.of;
  if (!box.hidden && (table.connectionState !== "live" || (now !== "hold" && !MOMENTS[now](table)))) closeHint();
  if (!name || table.connectionState !== "live" || table.isLookingBack || table.correction || document.querySelector("dialog[open]")) return; // the state of the connection, a button or a dialog has its place
  store(SEEN, [...seen, name]);
  clearTimeout(hintTimer);
  hintTimer = setTimeout(closeHint, HINT_MS);
  box.dataset.of = name;
  box.replaceChildren(el("span", {}, t("hint_" + name)), button("✕", closeHint, { "aria-label": t("close") }));
  box.hidden = false;
}
