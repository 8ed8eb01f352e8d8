// The report of a page that cannot open its game.

import { $, el } from "./dom.js";
import { allowLoad } from "./load_delay.js";
import { setTexts, t } from "./texts.js";

export function fail(error) {
  setTexts(JSON.parse($("texts").textContent));
  document.querySelector("main").replaceChildren(el("p", { class: "blank" }, t("cannot_open", String(error))));
  document.documentElement.classList.add("ready");
  allowLoad();
}
