// Searching and filtering the list of events.

import { $ } from "./dom.js";
import { t } from "./texts.js";

export function filter(rows, is) {
  const box = $("search"), kind = $("kind"), told = $("found");
  const apply = () => {
    const wanted = box.value.trim().toLowerCase(), test = is[kind.value] || (() => true);
    let shown = 0;
    rows.forEach((row, n) => {
      const fits = test(n) && (!wanted || row.textContent.toLowerCase().includes(wanted));
      row.hidden = !fits;
      shown += fits;
    });
    for (const group of document.querySelectorAll("#list .turn")) group.hidden = !group.querySelector("li:not([hidden])");
    told.textContent = wanted || kind.value ? t("found", shown) : "";
  };
  box.addEventListener("input", apply);
  kind.addEventListener("change", apply);
}
