// An event that somebody means, as a field of a form: tapped on the board, or said by its members.

import { asking, button, told } from "./desk.js";
import { el } from "./dom.js";
import { fields, labelled, names, picked } from "./forms.js";
import { Taking } from "./taking.js";
import { t, w } from "./texts.js";

// Taps that say what is meant, and write nothing.
class Meant extends Taking {
  hold({ event = null }) {
    Object.assign(this, { event, tapped: [] });
    this.tell();
  }
}

// Who writes it: one alone, or one of several; a seat that is named writes for itself.
export function author({ by, members }, picture, usual) {
  const own = by.length > 1 && members.some(({ kind }) => kind === "seat"), who = by.length > 1 && !own ? picked(by.map((one) => [one, picture.name(one)]), by.includes(usual) ? usual : by[0]) : null;
  return { node: who ? [labelled(t("who"), who)] : [], read: (said) => who?.value ?? (own ? said.seat : by[0]) };
}

// An event of the game by its members, whatever it is; with `none` it may be nothing.
export function byMembers(table, none) {
  const { own } = table.setup.forms, kinds = own.map((form) => [form.do, w(form.do.replaceAll("_", " "))]), inside = el("div", { class: "inside" });
  const kind = picked(none ? [["", "–"], ...kinds] : kinds, none ? "" : table.taking.decisions.choices[0]?.event.do);
  let made = null, who = null;
  const show = () => {
    const form = own.find((one) => one.do === kind.value);
    inside.replaceChildren();
    table.pick(null);
    if (!form) return;
    who = author({ by: form.by, members: [] }, table.picture, table.picture.now.pending.by?.[0]);
    made = fields(form.members, { ...table.setting(), own: true, loose: none });
    inside.append(...who.node, ...made.nodes, el("p", { class: "soft" }, t("tap_fills")));
  };
  const read = () => {
    if (!kind.value) return undefined;
    const said = made.read();
    return { do: kind.value, by: who.read(said), ...said };
  };
  names(table.picture);
  kind.addEventListener("change", show);
  show();
  return { nodes: [labelled(t("member_kind"), kind), inside], read };
}

// What a claim means, on the board as it is now; what is not legal there by its members.
export function intended(member, { table }, label) {
  const taking = new Meant(() => null), said = el("div", { class: "row" }), other = byMembers(table, true);
  let taps = false;
  const show = () => {
    const { event } = taking, ask = taps ? asking(taking, table.picture) : [];
    said.replaceChildren(...(event ? [el("b", {}, told(table.picture, event)), button(t("not_so"), () => taking.hold({}))] : taps ? [el("p", { class: "soft" }, t("tap_board")), ...ask] : [button(t("tap_meant"), begin)]));
    if (taps) table.pick(event ? null : (_, cell, again) => taking.tapCell(cell, again), () => taking.cells);
    if (event) taps = false;
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const begin = () => {
    taps = true; // from now on a tap writes nothing, whatever is on its way
    taking.know({ ...table.taking.decisions, chance: null, undo: null, offers: [] });
    if (table.n !== null) table.go(null);
  };
  const node = el("fieldset", {}, el("legend", {}, label), said, el("details", {}, el("summary", {}, t("other_event")), other.nodes));
  taking.addEventListener("change", show);
  show();
  return { node, read: () => taking.event ?? other.read() };
}
