// Forms for events: a field for each member, and events that are picked on the board.

import { choiceButtons, eventText, listedText } from "./choice_panel.js";
import { duration } from "./clock.js";
import { $, button, el } from "./dom.js";
import { Selection } from "./selection.js";
import { t, translated } from "./texts.js";

const LONG_TEXTS = ["text", "reason"], CLOCK = /^(?:(\d{1,4}):(?=\d\d:))?(\d{1,4}):([0-5]\d)$/;

// Returns the name of a member: in the page's words for common events, in the game's words for others.
const memberName = (setting, member) => (setting.own ? translated(member.name.replaceAll("_", " ")) : t("member_" + member.name));

export function labelledField(name, input) {
  return el("label", {}, el("span", {}, name), input);
}

export function selectField(options, chosen) {
  return el("select", {}, options.map(([value, name]) => el("option", { value, selected: value === chosen }, name)));
}

// Returns several fields under one name. Without any input, `read` returns nothing.
function fieldGroup(name, parts, needed) {
  const read = () => {
    const values = Object.fromEntries(parts.map((part) => [part.name, part.read()]).filter(([, value]) => value !== undefined));
    return (Object.keys(values).length && parts.every((part) => !part.needed || part.name in values)) || needed ? values : undefined;
  };
  const first = parts.filter((part) => part.needed), rest = parts.filter((part) => !part.needed);
  const further = first.length && rest.length ? el("details", {}, el("summary", {}, t("further")), rest.map(({ node }) => node)) : rest.map(({ node }) => node);
  return { node: el("fieldset", {}, name ? el("legend", {}, name) : null, first.map(({ node }) => node), further), read };
}

// Returns a field for one text or several. In a form for the game's own events, a tap on the board fills it in.
function textField(member, setting, label, value, several) {
  const of = several ? member.of : member, numbers = of.kind === "number";
  const input = LONG_TEXTS.includes(member.name) ? el("textarea", { maxlength: 2000 }) : el("input", { list: setting.own ? "named" : null, inputmode: numbers && !several ? "numeric" : null, autocomplete: member.name === "name" ? "name" : "off" });
  const shown = member.name === "reason" ? translated(value ?? "") : value ?? ""; // a usual reason is recorded in English, so that every page can translate it
  input.value = shown;
  input.required = Boolean(member.needed && !setting.loose);
  if (numbers) input.pattern = several ? "[-+\\d ,]*" : "[-+]?\\d+";
  const one = (text) => (numbers ? Number(text) : text);
  if (setting.own) {
    if (several) input.dataset.several = "";
    const take = (names) => {
      input.value = several && input.value ? `${input.value} ${names[0]}` : names[0];
      input.dispatchEvent(new Event("input", { bubbles: true }));
    };
    input.addEventListener("focus", () => setting.pick(take));
    input.addEventListener("cell", ({ detail }) => take(detail));
  }
  const read = () => {
    const text = input.value.trim();
    if (several) return text || member.needed ? text.split(/[\s,]+/).filter(Boolean).map(one) : undefined;
    return text ? (value && text === shown ? value : one(text)) : undefined;
  };
  return { node: labelledField(label, input), read };
}

// Returns a line with the sentence of the event whose number is in `input`.
function sentenceOf(input, { live }) {
  const line = el("p", { class: "soft" }), show = () => (line.textContent = live.events[input.value] ? listedText(live, { n: Number(input.value), text: "" }) : "");
  input.addEventListener("input", show);
  show();
  return line;
}

function numberField(member, setting, label, value) {
  const input = el("input", { type: "number", step: 1, min: member.least, max: member.kind === "event" ? setting.last : null });
  input.value = value ?? "";
  input.required = Boolean(member.needed && !setting.loose);
  const node = labelledField(label, input), read = () => (input.value === "" ? undefined : Number(input.value));
  return { node: member.kind === "event" ? el("div", {}, node, sentenceOf(input, setting.table)) : node, read };
}

function choiceField(member, setting, label, value) {
  const optionText = (one) => (setting.own ? translated(String(one)) : t("kind_" + one));
  const options = member.kind === "seat" ? setting.seats : member.values.map((one) => [String(one), optionText(one)]);
  const input = selectField([...(member.needed ? [] : [["", "–"]]), ...options], value);
  return { node: labelledField(label, input), read: () => (input.value === "" ? undefined : (member.values || []).find((one) => String(one) === input.value) ?? input.value) };
}

function seatsField(member, setting, label, value = []) {
  const boxes = setting.seats.map(([seat, name]) => [seat, el("input", { type: "checkbox", checked: value.includes(seat) }), name]);
  const read = () => boxes.filter(([, box]) => box.checked).map(([seat]) => seat);
  return { node: el("fieldset", {}, el("legend", {}, label), boxes.map(([, box, name]) => el("label", { class: "check" }, box, el("bdi", {}, name)))), read: () => (member.needed || read().length ? read() : undefined) };
}

// Returns fields that give each seat one of several words. Either all are filled in or none.
function wordBySeat(setting, label, words, chosen, read) {
  const inputs = setting.seats.map(([seat, name]) => [seat, selectField([["", "–"], ...words.map((one) => [one, one])], chosen(seat)), name]);
  const all = () => {
    const given = inputs.filter(([, input]) => input.value);
    inputs.forEach(([, input]) => input.setCustomValidity(given.length && !input.value ? t("every_seat") : ""));
    return given.length && given.length === inputs.length ? read((word) => given.filter(([, input]) => input.value === word).map(([seat]) => seat)) : undefined;
  };
  const node = el("fieldset", {}, el("legend", {}, label), inputs.map(([, input, name]) => labelledField(el("bdi", {}, name), input)));
  node.addEventListener("input", all);
  return { node, read: all };
}

// Returns fields for the place of each seat. Seats with the same number are tied.
function placesField(member, setting, label, value = []) {
  const words = setting.seats.map((_, at) => String(at + 1)), before = (at) => value.slice(0, at).flat().length;
  const chosen = (seat) => value.flatMap((tied, at) => (tied.includes(seat) ? [String(before(at) + 1)] : []))[0];
  return wordBySeat(setting, label, words, chosen, (seated) => words.map(seated).filter((tied) => tied.length));
}

// Returns fields for the team of each seat.
function teamsField(member, setting, label, value = {}) {
  const known = Object.keys(value), words = [...known, ...setting.seats.map((_, at) => String.fromCharCode(65 + at)).filter((one) => !known.includes(one))].slice(0, Math.max(known.length, setting.seats.length));
  const chosen = (seat) => known.find((name) => value[name].includes(seat));
  return wordBySeat(setting, label, words, chosen, (seated) => Object.fromEntries(words.map((one) => [one, seated(one)]).filter(([, seats]) => seats.length)));
}

function flagField(member, setting, label, value) {
  const box = el("input", { type: "checkbox", checked: Boolean(value) });
  return { node: el("label", { class: "check" }, box, label), read: () => (member.needed || box.checked ? box.checked : undefined) };
}

// Returns fields for the times of the game's clock and of each seat, as 12:30 or 1:02:30.
function clocksField(member, setting, label) {
  const { played, used } = setting.table.liveClock.clock ?? { played: 0, used: {} };
  const parts = [["table", t("play_time"), played], ...setting.seats.map(([seat, name]) => [seat, name, used[seat] ?? 0])].map(([name, caption, ms]) => {
    const input = el("input", { placeholder: duration(ms), autocomplete: "off", name });
    input.addEventListener("input", () => input.setCustomValidity(!input.value.trim() || CLOCK.test(input.value.trim()) ? "" : t("clock_form", duration(ms))));
    const read = () => {
      const shown = CLOCK.exec(input.value.trim());
      return shown ? ((Number(shown[1] ?? 0) * 60 + Number(shown[2])) * 60 + Number(shown[3])) * 1000 : undefined;
    };
    return { name, node: labelledField(el("bdi", {}, caption), input), read };
  });
  return fieldGroup(label, parts, member.needed);
}

// Returns a field for each seat, or for each name that is typed.
function pairsField(member, setting, label) {
  const inside = { ...setting, loose: true, within: member.name };
  if (member.kind === "each_seat") {
    const parts = setting.seats.map(([seat, name]) => ({ ...field({ ...member.of, name: "" }, { ...inside, caption: name }), name: seat }));
    return { ...fieldGroup(label, parts, false) };
  }
  const rows = el("div", {}), made = [];
  const add = () => {
    const key = textField({ name: "", kind: "text" }, inside, t("name_of"), ""), value = field({ ...member.of, name: "" }, { ...inside, caption: t("value_of") });
    made.push([key, value]);
    rows.append(el("div", { class: "pair" }, key.node, value.node));
  };
  const more = el("button", { type: "button" }, "+");
  more.ariaLabel = t("one_more");
  more.addEventListener("click", add);
  add();
  const read = () => {
    const values = Object.fromEntries(made.map(([key, value]) => [key.read(), value.read()]).filter(([key, value]) => key !== undefined && value !== undefined));
    return member.needed || Object.keys(values).length ? values : undefined;
  };
  return { node: el("fieldset", {}, el("legend", {}, label), rows, more), read };
}

function dataField(member, setting, label, value) {
  const input = el("textarea", { class: "data", spellcheck: "false" });
  input.value = value === undefined ? "" : JSON.stringify(value);
  input.required = Boolean(member.needed && !setting.loose);
  const read = () => {
    input.setCustomValidity("");
    try {
      return input.value.trim() ? JSON.parse(input.value) : undefined;
    } catch {
      input.setCustomValidity(t("not_json"));
      return undefined;
    }
  };
  input.addEventListener("input", read);
  return { node: labelledField(label, input), read };
}

// The field of each kind of member. Other modules add the kinds that they define.
export const FIELDS = { text: textField, number: numberField, event: numberField, choice: choiceField, seat: choiceField, seats: seatsField, flag: flagField, each: pairsField, each_seat: pairsField, places: placesField, teams: teamsField, clocks: clocksField, data: dataField, play: intendedEvent };

// Returns the field of `member`, filled with `given`. `setting`: {seats, last, own, pick}.
export function field(member, setting, given) {
  const label = setting.caption ?? memberName(setting, member), inside = { ...setting, caption: undefined };
  const made = { name: member.name, needed: member.needed };
  if (member.kind === "group") return { ...made, ...fieldGroup(label, member.members.map((one) => field(one, { ...inside, loose: setting.loose || !member.needed }, given?.[one.name])), member.needed) };
  if (member.kind === "texts") return { ...made, ...textField(member, inside, label, given?.join(" "), true) };
  return { ...made, ...FIELDS[member.kind](member, inside, label, given) };
}

// Returns the fields of an event. `read` returns its members.
export function fields(members, setting, given = {}) {
  const parts = members.map((member) => field(member, setting, given[member.name]));
  return { nodes: parts.map(({ node }) => node), read: () => Object.fromEntries(parts.map((part) => [part.name, part.read()]).filter(([, value]) => value !== undefined)) };
}

// Lists all names that `table` shows, as suggestions for text fields.
export function listNames(table) {
  const { game } = table, pieces = game.cells.flatMap(({ id }) => table.piecesOn(id)).map(([, , text]) => text), all = new Set([...game.seats.map(({ seat }) => seat), ...game.cells.map(({ id }) => id), ...pieces]);
  $("named")?.remove();
  document.body.append(el("datalist", { id: "named" }, [...all].filter(Boolean).map((value) => el("option", { value }))));
}

// An event as a field of a form: picked on the board, or filled in by its members.

// A selection for a form: taps choose an event, and nothing is recorded.
class EventPicker extends Selection {
  hold({ event = null }) {
    Object.assign(this, { event, tapped: [] });
    this.notify();
  }
}

// The label of the author of an event, if a plain word is better than “author”.
const AUTHORS = { "@resign": "resigns", "@claim": "claims" };

// Returns the field for the author of an event, if there is a choice. A seat that the event names is its own author.
export function authorField({ do: tag, by, members }, game, usual) {
  const own = by.length > 1 && members.some(({ kind }) => kind === "seat"), who = by.length > 1 && !own ? selectField(by.map((one) => [one, game.name(one)]), by.includes(usual) ? usual : by[0]) : null;
  return { node: who ? [labelledField(t("who_" + (AUTHORS[tag] ?? "acts")), who)] : [], read: (values) => who?.value ?? (own ? values.seat : by[0]) };
}

// Returns the kind of event that fits the selection and has places, or else any kind that is legal now.
function likeliestKind({ decisions: { choices, tokens }, resolution: { left } }) {
  const hasPlace = (choice) => choice.tokens.some((token) => tokens[token].cells?.length);
  return (left.find(hasPlace) ?? choices.find(hasPlace) ?? choices[0])?.event.do;
}

// Returns the fields of any event of the game, by its members. With `none` the form can stay empty, and rolls are events too. `fill` puts the
// names on cells into the first empty fields.
export function eventFields(table, none) {
  const { rolls } = table.setup.forms, own = none ? [...table.setup.forms.own, ...rolls] : table.setup.forms.own, kinds = own.map((form) => [form.do, translated(form.do.replaceAll("_", " "))]), inside = el("div", { class: "inside" });
  const kind = selectField(none ? [["", "–"], ...kinds] : kinds, none ? "" : likeliestKind(table.selection));
  let made = null, who = null;
  const firstEmpty = () => [...inside.querySelectorAll("input[list]")].find(({ value }) => !value), put = (names) => firstEmpty()?.dispatchEvent(new CustomEvent("cell", { detail: names }));
  const show = () => {
    const form = own.find((one) => one.do === kind.value);
    inside.replaceChildren();
    table.boardInput.pick(null);
    if (!form) return;
    who = authorField({ by: form.by, members: [] }, table.game, table.shownEvent.by?.[0]);
    made = fields(form.members, { ...table.setting(), own: true, loose: none });
    inside.append(...who.node, ...made.nodes, el("p", { class: "soft" }, t("tap_fills")));
    table.boardInput.pick((names) => { // before a field is chosen, taps fill in the empty fields in their order
      const input = firstEmpty();
      put(names);
      if (input && "several" in input.dataset) input.focus({ preventScroll: true });
    });
  };
  const read = () => {
    if (!kind.value) return undefined;
    const values = made.read();
    return { do: kind.value, by: who.read(values), ...values };
  };
  listNames(table);
  kind.addEventListener("change", show);
  show();
  return { nodes: [labelledField(t("member_kind"), kind), inside], read, fill: (cells) => cells.forEach((cell) => put(table.boardInput.namesOn(cell))) };
}

// Returns a field for the event that a claim means: picked on the board if it is legal now, else by its members.
export function intendedEvent(member, { table }, label) {
  const selection = new EventPicker(() => null), picked = el("div", { class: "row" }), other = eventFields(table, true);
  const canPick = table.selection.decisions.choices.length > 0; // none if it is another player's turn
  let taps = false;
  const show = () => {
    const { event } = selection, ask = taps ? choiceButtons(selection, table.game) : [];
    picked.replaceChildren(...(event ? [el("b", {}, eventText(table.game, event)), button(t("not_so"), () => selection.hold({}))] : taps ? [el("p", { class: "soft" }, t("tap_board")), ...ask] : canPick ? [button(t("tap_meant"), begin)] : []));
    if (taps) table.boardInput.pick(event ? null : (_, cell, again) => selection.tapCell(cell, again), () => selection.cells);
    if (event) taps = false;
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const begin = () => {
    taps = true; // from now on taps fill in the form and record nothing
    selection.update({ ...table.selection.decisions, chance: null, undo: null, offers: [] });
    if (table.isLookingBack) table.playback.go(table.last);
  };
  const byMembers = el("details", {}, el("summary", {}, t("other_event")), other.nodes), node = el("fieldset", {}, el("legend", {}, label), picked, byMembers);
  byMembers.open = !canPick;
  selection.addEventListener("change", show);
  show();
  return { node, read: () => selection.event ?? other.read() };
}
