// The list of events: every line told in words, grouped by turn, each a permalink.

import { $, el } from "./dom.js";
import { link } from "./link.js";
import { t } from "./texts.js";
import { nodes } from "./words.js";

function row(story, n) {
  const event = story.events[n], found = story.found(n);
  const seat = story.seatIndex ? story.seatIndex.get(event.by) ?? -1 : -1;
  const item = el("li", { class: "event", "data-n": n });
  const anchor = el("a", { href: link(n) }, el("span", { class: "n" }, String(n)), el("span", { class: "said" }, nodes(story.sentence(n))));
  if (seat >= 0) anchor.prepend(el("i", { class: `dot seat${seat}` }));
  item.append(anchor);
  if (story.undone && story.undone[n]) {
    item.classList.add("undone");
    anchor.append(el("span", { class: "tag" }, t("undone", story.undone[n])));
  }
  if (n > story.last) item.classList.add("unplayed");
  for (const finding of found) item.append(findingNote(story, finding));
  return item;
}

export function findingNote(story, finding) {
  const rule = finding.rule && story.rules[finding.rule];
  return el("div", { class: `finding ${finding.severity}` },
    el("strong", {}, finding.severity === "warning" ? "⚠ " : "✖ ", t(finding.severity === "warning" ? "warning" : "error"), ": "),
    el("bdi", {}, finding.message),
    finding.rule ? el("p", { class: "rule" }, el("b", {}, finding.rule), " ", rule || "") : null);
}

// Where a new group begins: after an event that ends a turn.
function groups(story) {
  const begins = [];
  let fresh = true;
  for (let n = 1; n < story.events.length; n++) {
    if (fresh) begins.push(n);
    fresh = n <= story.last && (story.effects[n] || []).some((effect) => effect.effect === "turn_over");
  }
  return begins;
}

export function list(player) {
  const { story } = player, root = $("list"), rows = [];
  const begins = story.known ? groups(story) : [1];
  begins.forEach((begin, at) => {
    const end = begins[at + 1] ?? story.events.length, items = el("ol", { class: "turn" });
    for (let n = begin; n < end; n++) items.append((rows[n] = row(story, n)));
    root.append(items);
  });
  root.addEventListener("click", (event) => {
    const item = event.target.closest("li.event");
    if (!item || event.ctrlKey || event.metaKey || event.shiftKey || !event.target.closest("a")) return;
    event.preventDefault();
    player.go(Number(item.dataset.n));
  });
  let current;
  player.addEventListener("step", () => {
    if (current) current.querySelector("a").removeAttribute("aria-current");
    current = rows[player.n];
    if (!current) return root.scrollTo({ top: 0 });
    current.querySelector("a").setAttribute("aria-current", "step");
    const box = root.getBoundingClientRect(), own = current.getBoundingClientRect();
    if (own.top < box.top || own.bottom > box.bottom) root.scrollTop += own.top - box.top - box.height / 3;
    return undefined;
  });
}
