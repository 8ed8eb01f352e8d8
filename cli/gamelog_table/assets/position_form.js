// A position as a field of a form, filled with the last position. A tap on a cell opens its field.

import { el } from "./dom.js";
import { FIELDS, labelledField, listNames } from "./event_form.js";
import { t, translated } from "./texts.js";

const NUMBER = /^-?\d+(\.\d+)?$/;

const isGroup = (value) => value !== null && typeof value === "object" && (!Array.isArray(value) || value.some((one) => one !== null && typeof one === "object"));

// Returns the typed text as a value of the same type as `before`: a number, text or nothing.
function scalar(text, before) {
  if (before === null && !text) return null;
  return (typeof before === "number" || before === null || before === undefined) && NUMBER.test(text) ? Number(text) : text;
}

// Returns a field for one value, or for a few values in a row.
function scalarField(value, label) {
  if (typeof value === "boolean") {
    const box = el("input", { type: "checkbox", checked: value });
    return { node: el("label", { class: "check" }, box, label), input: box, read: () => box.checked };
  }
  const several = Array.isArray(value), input = el("input", { list: "named", autocomplete: "off", autocapitalize: "none", "data-several": several || null, value: several ? value.join(" ") : value ?? "" });
  const read = () => (several ? input.value.split(/[\s,]+/).filter(Boolean).map((one, at) => scalar(one, value[at])) : scalar(input.value.trim(), value));
  return { node: labelledField(label, input), input, read };
}

// Returns fields for a group of values, by name or in order.
function groupField(value, label, setting, places) {
  const listed = Array.isArray(value), rows = el("div", { class: "inside values" }), made = [];
  const add = (name, one) => {
    const part = valueField(one, listed ? String(made.length + 1) : setting.labelOf(name), setting, places);
    if (!listed && part.input) places.set(name, [...(places.get(name) || []), part.input]);
    made.push([() => name, part.read]);
    rows.append(part.node);
  };
  Object.entries(value).forEach(([name, one]) => add(name, one));
  const more = el("button", { type: "button", "aria-label": `${label}: ${t("one_more")}` }, "+");
  more.addEventListener("click", () => {
    const like = Object.values(value)[0], part = valueField(like === undefined ? null : structuredClone(like), t("value_of"), setting, places);
    if (listed) made.push([() => "", part.read]);
    else {
      const key = scalarField("", t("name_of"));
      made.push([key.read, part.read]);
      rows.append(key.node);
    }
    rows.append(part.node);
  });
  const read = () => (listed ? made.map(([, read]) => read()) : Object.fromEntries(made.map(([name, read]) => [name(), read()]).filter(([name]) => name)));
  return { node: el("details", {}, el("summary", {}, label), rows, more), read };
}

function valueField(value, label, setting, places) {
  return isGroup(value) ? groupField(value, label, setting, places) : scalarField(value, label);
}

// Returns the fields of a position, filled with `value`.
export function positionForm(member, setting, label, value) {
  const { table } = setting, places = new Map(), cells = new Set(table.game.cells.map(({ id }) => id)), seats = new Map(setting.seats);
  const inside = { labelOf: (name) => seats.get(name) ?? translated(name.replaceAll("_", " ")) };
  const parts = Object.entries(value).map(([name, one]) => [name, valueField(one, inside.labelOf(name), inside, places)]), whole = FIELDS.data(member, { loose: true }, t("as_json"));
  const node = el("fieldset", {}, el("legend", {}, label), el("p", { class: "soft" }, t("tap_opens")), parts.map(([, part]) => part.node), el("details", {}, el("summary", {}, t("as_json_how")), whole.node));
  listNames(table); // the fields suggest these names
  const all = [...node.querySelectorAll("input[list]")], named = (input) => input.value.split(/[\s,]+/).filter(Boolean), takesCells = (input) => input?.getAttribute?.("list") === "named" && named(input).every((one) => cells.has(one));
  let last = null;
  node.addEventListener("focusin", ({ target }) => (last = target));
  // A tap puts the cell into the current field, or opens the field about the cell. Before a field is chosen, it fills in the first that names cells.
  table.boardInput.pick((_, cell) => {
    const known = places.get(cell) || all.filter((one) => one !== last && takesCells(one) && named(one).includes(cell)), isCurrent = takesCells(last) && !known.includes(last);
    const input = isCurrent ? last : known[(known.indexOf(last) + 1) % known.length] ?? all.find((one) => named(one).length && takesCells(one)) ?? all.find((one) => !one.value);
    if (!input) return;
    if (isCurrent || !known.length) {
      const rest = named(input).filter((one) => one !== cell), isList = "several" in input.dataset;
      input.value = !isList ? cell : rest.length < named(input).length ? rest.join(" ") : [...rest, cell].join(" ");
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    for (let one = input.closest("details"); one; one = one.parentElement.closest("details")) one.open = true;
    input.focus();
    input.scrollIntoView({ block: "center" });
  });
  return { node, read: () => whole.read() ?? Object.fromEntries(parts.map(([name, part]) => [name, part.read()])) };
}
