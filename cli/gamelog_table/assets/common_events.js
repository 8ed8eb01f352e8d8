// Buttons and forms for common events, rulings and events that no choice lists.

import { openClaims, withdraw } from "./claims.js";
import { $, button, el } from "./dom.js";
import { linkFigure, linkLabel } from "./organiser_tools.js";
import { authorField, eventFields, field, fields, FIELDS, labelledField, selectField } from "./event_form.js";
import { clockText } from "./live_clock.js";
import { people, text } from "./message.js";
import { openNames } from "./name_form.js";
import { positionForm } from "./position_form.js";
import { openPreview } from "./preview.js";
import { save, SEALED, openSealForm, secretField } from "./reveal_form.js";
import { store, storedValue } from "./settings.js";
import { showDesk } from "./side_panel.js";
import { isolate, t } from "./texts.js";

// The arbiter's ruling: one part, or several that are recorded together.

// The member with the details of each kind of ruling, and the kinds that can be added to another ruling.
const DETAIL = { takeback: "to", result: "result", forfeit: "result", penalty: "points", clock: "clock", warning: "warned" }, EXTRA = ["warning", "penalty", "clock"], NO_DECISION = "none";

// The key under which this device keeps the name of the arbiter, which is part of every ruling.
const ARBITER_NAME = "gamelog.arbiter";

// Returns the event that a ruling is most likely about: the shown event, or at the last event the newest open claim or disputed event.
function ruledEvent({ isLookingBack, live, shownNumber }) {
  const open = isLookingBack ? null : live.findings.findLast(({ code }) => code === "play.claim" || code === "play.as_played");
  return open?.n ?? shownNumber;
}

// Returns the decision that an arbiter most likely makes about the shown event `n`, with its reason: an illegal event is taken back, and a claim
// about a legal event is refused. A claim that names the right event is upheld. Other events have no usual decision.
function usualRuling({ live }, n) {
  let about = n;
  while (live.events[about]?.do === "@claim" && live.events[about].about) about = live.events[about].about;
  const illegal = live.findingsAt(about).find(({ code }) => code === "play.as_played"), { do: tag, intended } = live.events[n];
  if (illegal) return { kind: "takeback", reason: illegal.message };
  if (tag !== "@claim") return {};
  if (live.undone[about]) return { kind: "upheld" };
  return intended && about !== n ? { kind: "takeback" } : { kind: "refused", reason: t("nothing_broken") };
}

// Shows event `n`, and opens the form of a ruling about it.
export function openRuling(table, form, n) {
  table.playback.go(n);
  const setting = table.setting(), member = (name) => form.members.find((one) => one.name === name), { event } = table.shownEvent;
  const isClaim = event?.do === "@claim", isRuling = event?.do === "@ruling";
  const kinds = member("kind").values.filter((kind) => !EXTRA.includes(kind) && (kind !== "upheld" || isClaim) && (kind !== "refused" || isClaim || isRuling));
  const before = isClaim || isRuling ? undefined : n - 1; // the server finds the event to return to
  const usual = usualRuling(table, n), order = ["stands", "takeback", ...kinds.filter((one) => one !== "stands" && one !== "takeback"), NO_DECISION];
  const kind = selectField([["", t("kind_choose")], ...order.map((one) => [one, t(one === "refused" && isRuling ? "kind_withdrawn" : "kind_" + one)])], usual.kind ?? "");
  const more = { to: field(member("to"), setting, before), result: field(member("result"), setting, { reason: "ruled" }) };
  const extras = EXTRA.map((one) => [one, field(member(DETAIL[one]), setting)]);
  const why = field(member("reason"), setting, usual.reason), who = field(member("name"), { ...setting, caption: t("arbiter_name") }, storedValue(ARBITER_NAME)), reason = why.node.querySelector("textarea"), given = reason.value;
  reason.rows = 1;
  const extraFields = el("details", {}, el("summary", {}, t("beside")), extras.map(([, part]) => part.node));
  const show = () => {
    Object.entries(more).forEach(([name, { node }]) => (node.hidden = DETAIL[kind.value] !== name));
    extraFields.open ||= kind.value === NO_DECISION;
  };
  const showReason = () => [given, ""].includes(reason.value) && (reason.value = kind.value === usual.kind ? given : ""); // the usual reason is for the usual decision only
  const added = () => extras.map(([one, part]) => [one, part.read()]).filter(([, value]) => value !== undefined);
  const check = () => kind.setCustomValidity(kind.value && (kind.value !== NO_DECISION || added().length || extraFields.querySelector("input:invalid")) ? "" : t("ruling_empty"));
  const read = () => {
    const values = { reason: why.read(), name: who.read() }, parts = added();
    if (kind.value !== NO_DECISION) parts.push([kind.value, more[DETAIL[kind.value]]?.read()]);
    store(ARBITER_NAME, values.name);
    const about = isRuling && kind.value === NO_DECISION ? {} : { about: n }; // a ruling about a ruling would replace it
    return parts.length ? parts.map(([one, value]) => ({ do: form.do, by: form.by[0], ...about, kind: one, ...(value === undefined ? {} : { [DETAIL[one]]: value }), ...values })) : null;
  };
  for (const one of [show, showReason]) kind.addEventListener("change", one);
  for (const one of [kind, extraFields]) one.addEventListener("input", check);
  show();
  check();
  return openPreview(table, t("ruling_about", n), [labelledField(t("decision"), kind), more.to.node, more.result.node, why.node, who.node, extraFields], read, { do: form.do });
}

// The question whether the idle time counts, for a record that is opened long after its last event.

// `ms` is the time since the last event. `pause` is the event to record if this time does not count.
export function askIdle(table, { ms, pause }) {
  const close = () => made.remove(), expect = table.last;
  const stop = () => {
    close();
    return table.sender.record({ event: pause, expect });
  };
  const made = el("div", { class: "form", role: "alertdialog", "aria-labelledby": "idle", "data-do": "idle" }, el("p", { id: "idle" }, t("idle_since", clockText(ms))), el("div", { class: "row" }, button(t("idle_paused"), stop, { class: "main" }), button(t("idle_counts"), close)));
  $("desk").append(made);
}

// Frequent events have a visible button, the others are folded.
const FIRST = ["@note", "@claim", "@clock", "@ruling"];

// Returns the seats of this link that can resign now, as far as the page knows.
const resigning = ({ choices }) => choices?.resigning ?? [];

FIELDS.position = positionForm;

const eventTitle = (tag) => t("do_" + tag.slice(1));

// Opens the form of a common event. `given` has the values that are known, `more` are further fields.
function openForm(table, form, title, given, more = []) {
  const members = form.members.filter(({ name }) => name !== "slip"), made = fields(members, table.setting(), given), who = authorField(form, table.game, given.by);
  return openPreview(table, title, [...who.node, ...made.nodes, ...more], () => {
    const values = made.read();
    return [{ do: form.do, by: who.read(values), ...values }];
  }, { do: form.do });
}

// Opens the form in which a player asks the others to correct the shown event.
function openSlip(table) {
  const { n } = table.shownEvent, event = { do: "@takeback", by: table.setup.seat, to: n - 1, slip: true };
  return openPreview(table, t("correct", n), [el("p", { class: "soft" }, t("correct_asks"))], () => [event], { do: "slip" });
}

// Opens a form for any event of the game by its members, filled with `cells`. The server judges the event.
export function openOtherEvent(table, cells = []) {
  const made = eventFields(table);
  made.fill(cells);
  openPreview(table, t("other_event"), made.nodes, () => [made.read()], { do: "other" });
}

// Opens a dialog with the links that this role can share. It is above hints, and closes with Escape.
async function openLinks(table) {
  const { status, body } = await table.connection.ask(table.apiPath + "/links").catch(() => ({ body: { error: { message: t("line_lost") } } }));
  const shown = status === 200 ? [body.reachable ? "" : el("p", {}, t("only_here")), ...body.links.map((link) => linkFigure(link, linkLabel(link)))] : [el("p", { class: "bad" }, body.error.message)];
  $("codes").replaceChildren(...shown);
  if (!$("sharing").open) $("sharing").showModal();
}

export async function openGap(table, form, n) {
  const { body } = await table.connection.ask(`${table.apiPath}?at=${n}`);
  openForm(table, form, eventTitle(form.do), { state: body.state });
}

// Common events about which players make claims. Other common events are not play.
const DECISIVE = ["@ruling", "@takeback", "@gap", "@resign", "@result"];

// Returns the event and the author that a claim most likely has: the last event of play, and the other player if this event is illegal.
function usualClaim({ live, shownEvent: { n } }) {
  let about = n;
  while (about && live.events[about].do.startsWith("@") && !DECISIVE.includes(live.events[about].do)) about -= 1;
  const { by } = live.events[about] ?? {}, others = live.seats.filter(({ seat }) => seat !== by);
  const isIllegal = live.findingsAt(about).some(({ code }) => code === "play.as_played");
  return { about: about || n || undefined, by: isIllegal && others.length === 1 ? others[0].seat : by };
}

// Opens the form of a common event, or records the event at once if it needs no form.
function openEvent(table, form) {
  const { n } = table.shownEvent, title = eventTitle(form.do);
  if (form.do === "@clock") return table.sender.record({ event: { do: form.do, by: form.by[0], running: !table.running } });
  if (form.do === "@ruling") return openRuling(table, form, ruledEvent(table));
  if (form.do === "@resign") return openForm(table, { ...form, by: resigning(table) }, title, { by: table.shownEvent.by?.[0] }, [el("p", {}, t("resign_means"))]);
  if (form.do === "@amend") return openNames(table, form);
  if (form.do === "@gap") return openGap(table, form, n);
  if (form.do === SEALED) return openSealForm(table, form);
  if (form.do === "@reveal") return openForm(table, form, title, {}, secretField(table, form));
  const given = { "@note": { about: n || undefined }, "@claim": usualClaim(table), "@takeback": { to: table.isLookingBack ? n : Math.max(table.lastDecision - 1, 0) }, "@agree": { result: { reason: "agreed" } }, "@result": { outcome: table.shownEvent.outcome ?? { reason: "as seen at the table" } } };
  const claims = openClaims(table.live);
  const meaning = { "@result": !table.shownEvent.outcome && t("result_only"), "@agree": claims.length && t("claims_open", claims.join(", ")) }[form.do];
  return openForm(table, form, title, given[form.do] ?? {}, meaning ? [el("p", {}, meaning)] : []);
}

function buttonLabel(table, form) {
  return form.do === "@clock" ? t(table.running ? "pause_clock" : "resume_clock") : eventTitle(form.do);
}

// Saves the sheet about the event that is shown when the button is pressed.
function saveSheet(table) {
  const { n } = table.shownEvent;
  return save(table, `/sheet?at=${n}`, ` sheet-${n}.html`);
}

// Shows the buttons for the common events that this role can record about the shown event `n`.
export function showCommonEvents(table, n) {
  const { setup, game } = table, { outcome: over, event, counts } = table.shownEvent, first = [], back = [], rest = [], last = [];
  const fitting = setup.forms.common.filter(({ do: tag }) => !(over && ["@agree", "@clock"].includes(tag)) && !(tag === "@ruling" && !n) && !(tag === "@resign" && !resigning(table).length));
  const openButton = (form) => button(buttonLabel(table, form), () => openEvent(table, form), { "data-do": form.do });
  for (const form of fitting) {
    if (form.do === "@takeback") back.push(withHint(Object.assign(openButton(form), { disabled: !n }), t("takeback_means"))); // at the start, there is nothing to take back
    else (form.do === "@resign" ? last : FIRST.includes(form.do) ? first : rest).push(openButton(form));
  }
  if (setup.role === "scorer" && over && !table.declared) first.push(button(t("write_result", text(people(over, (seat) => isolate(game.name(seat))))), () => table.sender.record({ event: { do: "@result", by: "table", outcome: table.shownEvent.outcome } }), { class: "main" }));
  const correct = { scorer: () => table.correct(table.shownEvent.n), seat: setup.takebacks === "agreed" && (() => openSlip(table)) }[setup.role];
  const canCorrect = correct && event && counts && !event.do.startsWith("@") && !table.correction;
  if (canCorrect) back.push(withHint(button(t("correct", n), correct, { "data-do": "slip" }), t("correct_means")));
  Object.assign($("correct"), { hidden: !canCorrect || !table.isLookingBack, textContent: t("correct", n), onclick: correct }); // beside an event of the list, the other button can be out of sight
  if (setup.role === "scorer" && openClaims(table.live).includes(n)) first.push(button(t("do_withdraw"), () => withdraw(table, n), { "data-do": "@withdraw" }));
  if (["scorer", "arbiter"].includes(setup.role) && n && !table.correction) first.push(button(t("sheet_about"), () => saveSheet(table), { "data-do": "sheet" }));
  if (setup.forms.own.length && !over) rest.push(button(t("other_event"), () => openOtherEvent(table), { "data-do": "other" }));
  if (["scorer", "arbiter"].includes(setup.role)) first.push(button(t("hand_out"), () => openLinks(table)));
  rest.push(table.alertSound.switch(), button("✕", () => {}, { class: "shut", title: t("close"), "aria-label": t("close") })); // every button closes the sheet
  showButtons([...first, ...last], back, rest); // a button that comes and goes is the last, so that it moves no other button
}

// Returns a button with its meaning beside it, because several buttons go back and look alike.
const withHint = (made, hint) => el("div", {}, made, el("p", { class: "soft" }, hint));

// Returns the sheet of further buttons. It closes when one of them is pressed, at a tap outside, which does nothing else, and with Escape.
function furtherEvents() {
  const made = el("details", { class: "rest" }, el("summary", {}, t("further")), el("div", { class: "row" }));
  made.addEventListener("click", ({ target }) => (made.open &&= target !== made && !target.closest("button"))); // outside, the sheet's own backdrop takes the tap
  addEventListener("keydown", ({ key }) => (made.open &&= key !== "Escape"));
  return made;
}

// Open forms and unchanged buttons stay in place, because a finger may be on one.
function showButtons(first, back, rest) {
  const more = $("more"), active = document.activeElement?.dataset?.do;
  const look = (one) => `${one.textContent} ${Boolean(one.querySelector(":disabled"))}`;
  if (!more.firstChild) more.append(el("div", { class: "row" }), el("div", { class: "back" }), furtherEvents(), button("✕", showDesk, { id: "from-more", title: t("close"), "aria-label": t("close") }));
  more.hidden = false;
  for (const [row, buttons] of [[more.firstChild, first], [more.querySelector(".back"), back], [more.querySelector(".rest .row"), rest]]) {
    if ([...row.children].map(look).join("\n") !== buttons.map(look).join("\n")) row.replaceChildren(...buttons);
  }
  if (active && document.activeElement === document.body) more.querySelector(`[data-do="${active}"]`)?.focus({ preventScroll: true });
}
