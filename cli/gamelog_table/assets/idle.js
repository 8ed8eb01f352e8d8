// Asks, when a record is opened long after its last event, whether that time counts.

import { button } from "./desk.js";
import { $, el } from "./dom.js";
import { span } from "./ticking.js";
import { t } from "./texts.js";

// `idle` is how long nothing was recorded, and the pause from the last event on that is recorded if it does not count.
export function askIdle(table, { ms, pause }) {
  const close = () => made.remove(), expect = table.last;
  const stop = () => {
    close();
    return table.say({ event: pause, expect });
  };
  const made = el("div", { class: "form", role: "alertdialog", "aria-labelledby": "idle", "data-do": "idle" }, el("p", { id: "idle" }, t("idle_since", span(ms))), el("div", { class: "row" }, button(t("idle_paused"), stop, { class: "main" }), button(t("idle_counts"), close)));
  $("alert").after(made);
}
