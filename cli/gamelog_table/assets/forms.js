// Forms for events: what the server says that a member may hold becomes something to touch.

import { duration } from "./clock.js";
import { $, el } from "./dom.js";
import { t, w } from "./texts.js";

const LONG = ["text", "reason"], CLOCK = /^(?:(\d{1,4}):(?=\d\d:))?(\d{1,4}):([0-5]\d)$/;

// What a member is called: the page's own words for those of common events, the game's for others.
const called = (setting, member) => (setting.own ? w(member.name.replaceAll("_", " ")) : t("member_" + member.name));

export function labelled(name, input) {
  return el("label", {}, el("span", {}, name), input);
}

export function picked(options, chosen) {
  return el("select", {}, options.map(([value, name]) => el("option", { value, selected: value === chosen }, name)));
}

// Several fields under one name, and what is read of them; nothing where none of them says anything.
function together(name, parts, needed) {
  const read = () => {
    const said = Object.fromEntries(parts.map((part) => [part.name, part.read()]).filter(([, value]) => value !== undefined));
    return (Object.keys(said).length && parts.every((part) => !part.needed || part.name in said)) || needed ? said : undefined;
  };
  const first = parts.filter((part) => part.needed), rest = parts.filter((part) => !part.needed);
  const further = first.length && rest.length ? el("details", {}, el("summary", {}, t("further")), rest.map(({ node }) => node)) : rest.map(({ node }) => node);
  return { node: el("fieldset", {}, name ? el("legend", {}, name) : null, first.map(({ node }) => node), further), read };
}

// A text, or several; on the board a tap says it, too.
function written(member, setting, label, value, several) {
  const of = several ? member.of : member, numbers = of.kind === "number";
  const input = LONG.includes(member.name) ? el("textarea", { maxlength: 2000 }) : el("input", { list: setting.own ? "named" : null, inputmode: numbers && !several ? "numeric" : null, autocomplete: member.name === "name" ? "name" : "off" });
  input.value = value ?? "";
  input.required = Boolean(member.needed && !setting.loose);
  if (numbers) input.pattern = several ? "[-+\\d ,]*" : "[-+]?\\d+";
  const one = (text) => (numbers ? Number(text) : text);
  if (setting.own) input.addEventListener("focus", () => setting.pick((names) => {
    input.value = several && input.value ? `${input.value} ${names[0]}` : names[0];
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }));
  const read = () => {
    const text = input.value.trim();
    if (several) return text || member.needed ? text.split(/[\s,]+/).filter(Boolean).map(one) : undefined;
    return text ? one(text) : undefined;
  };
  return { node: labelled(label, input), read };
}

function counted(member, setting, label, value) {
  const input = el("input", { type: "number", step: 1, min: member.least, max: member.kind === "event" ? setting.last : null });
  input.value = value ?? "";
  input.required = Boolean(member.needed && !setting.loose);
  return { node: labelled(label, input), read: () => (input.value === "" ? undefined : Number(input.value)) };
}

function chosen(member, setting, label, value) {
  const told = (one) => (setting.own ? w(String(one)) : t("kind_" + one));
  const options = member.kind === "seat" ? setting.seats : member.values.map((one) => [String(one), told(one)]);
  const input = picked([...(member.needed ? [] : [["", "–"]]), ...options], value);
  return { node: labelled(label, input), read: () => (input.value === "" ? undefined : (member.values || []).find((one) => String(one) === input.value) ?? input.value) };
}

function seated(member, setting, label, value = []) {
  const boxes = setting.seats.map(([seat, name]) => [seat, el("input", { type: "checkbox", checked: value.includes(seat) }), name]);
  const read = () => boxes.filter(([, box]) => box.checked).map(([seat]) => seat);
  return { node: el("fieldset", {}, el("legend", {}, label), boxes.map(([, box, name]) => el("label", { class: "check" }, box, el("bdi", {}, name)))), read: () => (member.needed || read().length ? read() : undefined) };
}

// Each seat with one of several words, all of them or none.
function sorted(setting, label, words, chosen, read) {
  const inputs = setting.seats.map(([seat, name]) => [seat, picked([["", "–"], ...words.map((one) => [one, one])], chosen(seat)), name]);
  const all = () => {
    const given = inputs.filter(([, input]) => input.value);
    inputs.forEach(([, input]) => input.setCustomValidity(given.length && !input.value ? t("every_seat") : ""));
    return given.length && given.length === inputs.length ? read((word) => given.filter(([, input]) => input.value === word).map(([seat]) => seat)) : undefined;
  };
  const node = el("fieldset", {}, el("legend", {}, label), inputs.map(([, input, name]) => labelled(el("bdi", {}, name), input)));
  node.addEventListener("input", all);
  return { node, read: all };
}

// Who came first, second and so on; the same number is a tie.
function placed(member, setting, label, value = []) {
  const words = setting.seats.map((_, at) => String(at + 1)), before = (at) => value.slice(0, at).flat().length;
  const chosen = (seat) => value.flatMap((tied, at) => (tied.includes(seat) ? [String(before(at) + 1)] : []))[0];
  return sorted(setting, label, words, chosen, (seated) => words.map(seated).filter((tied) => tied.length));
}

// Who played together.
function teamed(member, setting, label, value = {}) {
  const known = Object.keys(value), words = [...known, ...setting.seats.map((_, at) => String.fromCharCode(65 + at)).filter((one) => !known.includes(one))].slice(0, Math.max(known.length, setting.seats.length));
  const chosen = (seat) => known.find((name) => value[name].includes(seat));
  return sorted(setting, label, words, chosen, (seated) => Object.fromEntries(words.map((one) => [one, seated(one)]).filter(([, seats]) => seats.length)));
}

function flagged(member, setting, label, value) {
  const box = el("input", { type: "checkbox", checked: Boolean(value) });
  return { node: el("label", { class: "check" }, box, label), read: () => (member.needed || box.checked ? box.checked : undefined) };
}

// What clocks show: the game's own and each seat's, as 12:30 or 1:02:30.
function clocked(member, setting, label) {
  const { played, used } = setting.table.ticking.clock ?? { played: 0, used: {} };
  const parts = [["table", t("clock"), played], ...setting.seats.map(([seat, name]) => [seat, name, used[seat] ?? 0])].map(([name, called, ms]) => {
    const input = el("input", { pattern: "(\\d{1,4}:)?\\d{1,4}:[0-5]\\d", placeholder: duration(ms), autocomplete: "off", name });
    const read = () => {
      const shown = CLOCK.exec(input.value.trim());
      return shown ? ((Number(shown[1] ?? 0) * 60 + Number(shown[2])) * 60 + Number(shown[3])) * 1000 : undefined;
    };
    return { name, node: labelled(el("bdi", {}, called), input), read };
  });
  return together(label, parts, member.needed);
}

// One of each seat, or of whatever is named.
function paired(member, setting, label) {
  const inside = { ...setting, loose: true, within: member.name };
  if (member.kind === "each_seat") {
    const parts = setting.seats.map(([seat, name]) => ({ ...field({ ...member.of, name: "" }, { ...inside, called: name }), name: seat }));
    return { ...together(label, parts, false) };
  }
  const rows = el("div", {}), made = [];
  const add = () => {
    const key = written({ name: "", kind: "text" }, inside, t("name_of"), ""), value = field({ ...member.of, name: "" }, { ...inside, called: t("value_of") });
    made.push([key, value]);
    rows.append(el("div", { class: "pair" }, key.node, value.node));
  };
  const more = el("button", { type: "button" }, "+");
  more.ariaLabel = t("one_more");
  more.addEventListener("click", add);
  add();
  const read = () => {
    const said = Object.fromEntries(made.map(([key, value]) => [key.read(), value.read()]).filter(([key, value]) => key !== undefined && value !== undefined));
    return member.needed || Object.keys(said).length ? said : undefined;
  };
  return { node: el("fieldset", {}, el("legend", {}, label), rows, more), read };
}

function anything(member, setting, label, value) {
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
  return { node: labelled(label, input), read };
}

// Further kinds are added by those who know them.
export const KINDS = { text: written, number: counted, event: counted, choice: chosen, seat: chosen, seats: seated, flag: flagged, each: paired, each_seat: paired, places: placed, teams: teamed, clocks: clocked, data: anything };

// The field of `member`, with what is `given` for it. `setting`: {seats, last, own, pick}.
export function field(member, setting, given) {
  const label = setting.called ?? called(setting, member), inside = { ...setting, called: undefined };
  const made = { name: member.name, needed: member.needed };
  if (member.kind === "group") return { ...made, ...together(label, member.members.map((one) => field(one, { ...inside, loose: setting.loose || !member.needed }, given?.[one.name])), member.needed) };
  if (member.kind === "texts") return { ...made, ...written(member, inside, label, given?.join(" "), true) };
  return { ...made, ...KINDS[member.kind](member, inside, label, given) };
}

// The fields of an event, read as its members.
export function fields(members, setting, given = {}) {
  const parts = members.map((member) => field(member, setting, given[member.name]));
  return { nodes: parts.map(({ node }) => node), read: () => Object.fromEntries(parts.map((part) => [part.name, part.read()]).filter(([, value]) => value !== undefined)) };
}

// What a text of the game may be: everything that the picture names.
export function names(picture) {
  const pieces = [...picture.held.pieces.values()].flat().map(([, , text]) => text), all = new Set([...picture.seats.map(({ seat }) => seat), ...picture.cells.map(({ id }) => id), ...pieces]);
  $("named")?.remove();
  document.body.append(el("datalist", { id: "named" }, [...all].filter(Boolean).map((value) => el("option", { value }))));
}
