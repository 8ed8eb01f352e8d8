// A form for events that shows their effects before they are recorded.

import { listedText } from "./choice_panel.js";
import { $, button, el } from "./dom.js";
import { nodes } from "./message.js";
import { t } from "./texts.js";

const PAUSE_MS = 300;

// What an event that is not written would be told as.
export function previewText(game, part) {
  return nodes(game.describe({ ...part.event, phrase: part.phrase }, part.effects, game.last));
}

// What events would do, in sentences; `told` is the server's answer.
function effects(table, told) {
  const { game } = table;
  const out = told.parts.map((part) => el("p", {}, previewText(game, part)));
  if (told.undone.length) out.push(el("p", {}, t("would_undo", told.undone.map((one) => `${one.n}. ${listedText(game, one)}`).join(" "))));
  if (told.again.length) out.push(el("p", {}, t("would_stand_again", told.again.map((n) => `${n}. ${listedText(game, { n, text: "" })}`).join(" "))));
  if (told.over && !table.now.outcome) out.push(el("p", {}, t("would_end")));
  for (const n of told.disputed) out.push(el("p", {}, t("still_disputed", n)));
  if (told.goes_on) out.push(el("p", {}, t("would_go_on")));
  return out;
}

// A form in place of the buttons, until it is sent or left. `read` gives the events that it says now, or null; what they
// would do is shown while it is filled in, and nothing is sent that was shown of another position.
export function openPreview(table, title, shown, read, given = {}) {
  const effect = el("div", { class: "effect", role: "status" }), write = el("button", { class: "main" }, t("write"));
  const made = el("form", { class: "form", "data-do": given.do }, el("h2", {}, title), shown, effect, el("div", { class: "row" }, write, button(t("cancel"), () => close())));
  let timer = null, known = null, asked = 0;
  const close = () => {
    clearTimeout(timer);
    table.pick(null);
    made.remove();
    $("more").querySelector(`button[data-do="${given.do}"]`)?.focus();
  };
  const send = (more = {}) => {
    const events = read().map((event) => ({ ...event, ...more })), moves = known?.undone.length || known?.again.length;
    close();
    table.say({ event: events.length > 1 ? { events } : events[0], ...(moves ? { expect: known.n } : {}), ...(given.expect === undefined ? {} : { expect: given.expect }) });
  };
  const preview = async () => {
    const events = made.checkValidity() && read(), mine = ++asked;
    known = null;
    effect.replaceChildren();
    if (!events) return;
    const { status, body } = await table.connection.ask(table.at + "/would", events.length > 1 ? { events } : events[0]).catch(() => ({}));
    if (mine !== asked || !status) return;
    if (status === 200) {
      known = body;
      effect.append(...effects(table, body));
    } else {
      effect.append(el("p", { class: body.error.code === "table.hidden" ? "soft" : "bad" }, body.error.message));
      if (canRecordAnyway(table, body, events)) effect.append(button(t("all_the_same"), () => send({ as_played: true })));
    }
  };
  made.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(preview, PAUSE_MS);
  });
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    if (read()) send();
  });
  $("more").append(made);
  made.querySelector("input, textarea, select, button")?.focus();
  preview();
  return made;
}

// Whether what was refused can be written as played all the same.
export function canRecordAnyway(table, body, events) {
  return table.setup.role === "scorer" && ["play.illegal", "chance.seed", "chance.reveals", "chance.missing"].includes(body.finding?.code) && events.length === 1 && !String(events[0].do).startsWith("@");
}
