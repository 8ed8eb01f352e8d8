// The form that corrects names of players. The scorer and the arbiter tap a name, or open the form from the list of events.

import { $, el } from "./dom.js";
import { field, labelledField } from "./event_form.js";
import { openPreview } from "./preview.js";
import { t, translated } from "./texts.js";

// Makes the names at `table` buttons, if this role can correct names.
export function connectNames(table) {
  for (const captions of $("seats").querySelectorAll(".captions")) captions.tabIndex = 0; // a small card scrolls
  const form = table.setup.forms.common.find((one) => one.do === "@amend");
  if (!form) return;
  [...$("seats").querySelectorAll(".name")].forEach((name, at) => {
    const { seat } = table.live.seats[at], open = () => openNames(table, form, seat);
    for (const [key, value] of Object.entries({ role: "button", tabindex: 0, title: t("correct_name") })) name.setAttribute(key, value);
    name.addEventListener("click", open);
    name.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      open();
    });
  });
}

// Opens the form with the present names, at the name of `seat`. Ids and tags are folded.
export function openNames(table, { do: tag, by: [by], members }, seat = table.live.seats[0].seat) {
  const inputs = table.live.seats.map((one) => {
    const now = table.live.name(one.seat), input = el("input", { required: true, maxlength: 100, autocomplete: "off", dir: "auto" }), id = el("input", { maxlength: 100, autocomplete: "off" });
    input.value = now;
    return { seat: one.seat, now, input, id };
  });
  const tags = field(members.find(({ name }) => name === "tags"), table.setting());
  const folded = el("details", {}, el("summary", {}, t("further")), inputs.map((one) => labelledField(`${t("member_id")}: ${translated(one.seat)}`, one.id)), tags.node);
  const read = () => {
    const seats = {}, given = tags.read();
    for (const { seat: at, now, input, id } of inputs) {
      const name = input.value.trim(), newId = id.value.trim(), changed = { ...(name && name !== now ? { name } : {}), ...(newId ? { id: newId } : {}) };
      if (Object.keys(changed).length) seats[at] = changed;
    }
    const found = { ...(Object.keys(seats).length ? { seats } : {}), ...(given ? { tags: given } : {}) };
    return Object.keys(found).length ? [{ do: tag, by, ...found }] : null;
  };
  openPreview(table, t("do_amend"), [...inputs.map((one) => labelledField(translated(one.seat), one.input)), folded], read, { do: tag });
  inputs.find((one) => one.seat === seat).input.focus();
}
