// What is said beside the game, and what the list of legal events does not hold: a button for each, and its form.

import { confirmed } from "./confirm.js";
import { button } from "./desk.js";
import { $, el } from "./dom.js";
import { KINDS, fields } from "./forms.js";
import { author, byMembers, intended } from "./meant.js";
import { ruling } from "./ruling.js";
import { SEALED, save, sealed, secret } from "./secrets.js";
import { positioned } from "./stated.js";
import { t, w } from "./texts.js";
import { winners } from "./words.js";

// Those that are wanted often stand first, the others behind a word.
const FIRST = ["@note", "@claim", "@clock", "@takeback", "@ruling"];

KINDS.play = intended;
KINDS.position = positioned;

const tagged = (tag) => t("do_" + tag.slice(1));

// The form of a common event; `given` is what is known of it already.
function asked(table, form, title, given) {
  const members = form.members.filter(({ name }) => name !== "slip"), made = fields(members, table.setting(), given), who = author(form, table.picture, given.by);
  return confirmed(table, title, [...who.node, ...made.nodes], () => {
    const said = made.read();
    return [{ do: form.do, by: who.read(said), ...said }];
  }, { do: form.do });
}

// The event of the game that somebody means, by its members: whatever it is, it is judged.
function unlisted(table) {
  const made = byMembers(table);
  confirmed(table, t("other_event"), made.nodes, () => [made.read()], { do: "other" });
}

async function handed(table) {
  const shown = (await table.wire.ask(table.at + "/links")).body.links.map((link) => el("figure", {}, el("img", { src: link.qr, alt: "", width: 180 }), el("figcaption", {}, `${t("role_" + link.role, table.picture.name(link.seat))}: `, el("code", {}, link.url))));
  const made = el("div", { class: "form" }, el("h2", {}, t("hand_out")), shown, button(t("cancel"), () => made.remove()));
  $("more").append(made);
}

async function declared(table, form, n) {
  const { body } = await table.wire.ask(`${table.at}?at=${n}`);
  asked(table, form, tagged(form.do), { state: body.state });
}

// What a button for `form` does about event `n`, which is shown.
function open(table, form) {
  const { n, clock, event } = table.picture.now, by = event?.by, title = tagged(form.do);
  if (form.do === "@clock") return table.say({ event: { do: form.do, by: form.by[0], running: !clock.running } });
  if (form.do === "@ruling") return ruling(table, form, n);
  if (form.do === "@gap") return declared(table, form, n);
  if (form.do === SEALED) return sealed(table, form);
  if (form.do === "@reveal") return asked(table, form, title, {}).querySelector(".effect").before(...secret(table, form));
  const given = { "@note": { about: n || undefined }, "@claim": { about: n || undefined, by }, "@takeback": { to: n }, "@agree": { result: { reason: t("reason_agreed") } }, "@result": { outcome: table.picture.now.pending.outcome ?? { reason: t("reason_table") } } };
  return asked(table, form, title, given[form.do] ?? {});
}

function named(table, form) {
  const { running } = table.picture.now.clock;
  return form.do === "@clock" ? t(running ? "pause_clock" : "resume_clock") : tagged(form.do);
}

// The sheet about the event that is shown when the button is pressed.
function sheet(table) {
  const { n } = table.picture.now;
  return save(table, `/sheet?at=${n}`, `sheet-${n}.html`);
}

// The buttons for what this role may say about event `n`, which is shown.
export function remarks(table, n) {
  const { setup, picture } = table, { pending, result, event } = picture.now, over = pending.outcome, first = [], rest = [];
  const fitting = setup.forms.common.filter(({ do: tag }) => !(over && ["@resign", "@agree", "@clock"].includes(tag)) && !(tag === "@resign" && !setup.resigning) && !(tag === "@ruling" && !n));
  for (const form of fitting) (FIRST.includes(form.do) ? first : rest).push(button(named(table, form), () => open(table, form), { "data-do": form.do }));
  if (setup.role === "scorer" && over && !result) first.push(button(t("write_result", `${winners(over.winners, (one) => picture.name(one))} (${w(over.reason)})`), () => table.say({ event: { do: "@result", by: "table", outcome: table.picture.now.pending.outcome } }), { class: "main" }));
  if (setup.role === "scorer" && setup.takebacks === "scorer" && event && picture.now.stands && !event.do.startsWith("@") && !table.fixing) first.push(button(t("correct", n), () => table.correct(table.picture.now.n), { "data-do": "slip" }));
  if (["scorer", "arbiter"].includes(setup.role) && n && !table.fixing) first.push(button(t("sheet_about"), () => sheet(table), { "data-do": "sheet" }));
  if (setup.forms.own.length && !over) rest.push(button(t("other_event"), () => unlisted(table), { "data-do": "other" }));
  if (setup.role === "scorer") first.push(button(t("hand_out"), () => handed(table)));
  rest.push(table.noise.switch());
  offered(first, rest);
}

// Forms that are open stay untouched, and so do buttons that are the same as before: somebody's finger may be on one.
function offered(first, rest) {
  const more = $("more"), active = document.activeElement?.dataset?.do;
  if (!more.firstChild) more.append(el("div", { class: "row" }), el("details", { class: "rest" }, el("summary", {}, t("further")), el("div", { class: "row" })));
  more.hidden = false;
  for (const [row, buttons] of [[more.firstChild, first], [more.querySelector(".rest .row"), rest]]) {
    if ([...row.children].map((one) => one.textContent).join("\n") !== buttons.map((one) => one.textContent).join("\n")) row.replaceChildren(...buttons);
  }
  if (active && document.activeElement === document.body) more.querySelector(`[data-do="${active}"]`)?.focus();
}
