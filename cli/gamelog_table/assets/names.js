// Correction of a player's name: the scorer and the arbiter tap the name.

import { $, el } from "./dom.js";
import { labelledField } from "./event_form.js";
import { openPreview } from "./preview.js";
import { t } from "./texts.js";

// Makes the names at `table` buttons, if this role can correct names.
export function connectNames(table) {
  for (const captions of $("seats").querySelectorAll(".captions")) captions.tabIndex = 0; // a small card scrolls
  const form = table.setup.forms.common.find((one) => one.do === "@amend");
  if (!form) return;
  [...$("seats").querySelectorAll(".name")].forEach((name, at) => {
    const { seat } = table.live.seats[at], open = () => openName(table, form, seat);
    for (const [key, value] of Object.entries({ role: "button", tabindex: 0, title: t("correct_name") })) name.setAttribute(key, value);
    name.addEventListener("click", open);
    name.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      open();
    });
  });
}

function openName(table, { do: tag, by: [by] }, seat) {
  const input = el("input", { required: true, maxlength: 100, autocomplete: "off", dir: "auto" }), now = table.live.name(seat);
  input.value = now;
  const read = () => (input.value.trim() && input.value.trim() !== now ? [{ do: tag, by, seats: { [seat]: { name: input.value.trim() } } }] : null);
  openPreview(table, t("correct_name"), [labelledField(t("member_name"), input)], read, { do: tag });
}
