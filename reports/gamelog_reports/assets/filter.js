// Searching and filtering the list of events: so much at a time that nobody who types has to wait.

import { $ } from "./dom.js";
import { findable } from "./events.js";
import { t } from "./texts.js";

const SLICE = 8; // ms

export function filter(list, data, is) {
  const box = $("search"), kind = $("kind"), told = $("found"), pause = () => new Promise((done) => setTimeout(done));
  let known = [], run = 0;
  const told_by = (n) => (known[n] ??= findable(data, n));
  const apply = async () => {
    const mine = ++run, wanted = box.value.trim().toLowerCase(), test = is[kind.value] || (() => true), found = [];
    let until = performance.now() + SLICE;
    for (let n = 1; n < data.events.length && (wanted || kind.value); n++) {
      if (test(n) && told_by(n).includes(wanted)) found.push(n);
      if (performance.now() < until) continue;
      await pause();
      if (mine !== run) return;
      until = performance.now() + SLICE;
    }
    list.show(wanted || kind.value ? found : undefined);
    told.textContent = wanted || kind.value ? t("found", list.lines.length) : "";
  };
  // What a search needs of each event is made ready while the page has nothing else to do.
  const prepare = (left) => {
    let n = known.findLastIndex(Boolean) + 1 || 1;
    while (n < data.events.length && left.timeRemaining() > 1) told_by(n++);
    if (n < data.events.length) later();
  };
  const later = () => (window.requestIdleCallback ? requestIdleCallback(prepare) : undefined);
  box.addEventListener("input", apply);
  kind.addEventListener("change", apply);
  list.player.addEventListener("look", () => {
    known = [];
    if (box.value || kind.value) apply();
  });
  later();
}
