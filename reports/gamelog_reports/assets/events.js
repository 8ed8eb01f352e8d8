// The list of events: every line told in words, grouped by turn, each a permalink.

import { $, el } from "./dom.js";
import { general, note } from "./findings.js";
import { link } from "./link.js";
import { t } from "./texts.js";
import { nodes } from "./words.js";

function row(story, n) {
  const event = story.events[n], seat = story.seatIndex?.get(event.by) ?? -1;
  const anchor = el("a", { href: link(n) },
    seat < 0 ? el("i") : el("i", { class: `letter seat${seat}`, "aria-hidden": "true" }, story.seats[seat].letter),
    el("span", { class: "n" }, String(n)), el("span", { class: "said" }, nodes(story.sentence(n))));
  const item = el("li", { class: "event", "data-n": n }, anchor);
  if (story.undone?.[n]) {
    item.classList.add("undone");
    anchor.append(el("span", { class: "tag" }, t("undone", story.undone[n])));
  }
  if (event.do?.startsWith("@")) item.classList.add("aside");
  if (n > story.last) {
    item.classList.add("unplayed");
    anchor.append(el("span", { class: "tag" }, t("unplayed")));
  }
  item.append(...story.found(n).map((finding) => note(story, finding)));
  return item;
}

// Where a new group begins (after an event that ends a turn) and what it is called.
function groups(story) {
  const begins = [], round = story.slots.findIndex(([name, seat]) => seat < 0 && name.toLowerCase() === "round");
  let fresh = true, number = 0;
  for (let n = 1; n < story.events.length; n++) {
    if (fresh) {
      const seat = story.events.slice(n, n + 8).find((event) => story.seatIndex.has(event.by))?.by;
      const what = round < 0 ? t("turn", ++number) : t("round", story.captions.at(round, n) ?? "");
      begins.push({ n, title: [what, seat && story.name(seat, n)].filter(Boolean) });
    }
    fresh = n <= story.last && (story.effects[n] || []).some((effect) => effect.effect === "turn_over");
  }
  return begins;
}

// Builds the list; the rows by event number.
export function list(player) {
  const { story } = player, root = $("list"), rows = [];
  const begins = story.known ? groups(story) : [{ n: 1, title: [] }];
  root.append(...general(story));
  begins.forEach(({ n: begin, title }, at) => {
    const end = begins[at + 1]?.n ?? story.events.length, items = el("ol", { start: begin });
    for (let n = begin; n < end; n++) items.append((rows[n] = row(story, n)));
    root.append(el("section", { class: "turn" }, title.length ? el("h3", {}, title.map((part, i) => [i ? " · " : "", el("bdi", {}, part)])) : null, items));
  });
  root.addEventListener("click", (event) => {
    const item = event.target.closest("li.event");
    if (!item || event.ctrlKey || event.metaKey || event.shiftKey || !event.target.closest("a")) return;
    event.preventDefault();
    player.go(Number(item.dataset.n));
  });
  let current;
  player.addEventListener("step", () => {
    current?.querySelector("a").removeAttribute("aria-current");
    current = rows[player.n];
    if (!current) return root.scrollTo({ top: 0 });
    current.querySelector("a").setAttribute("aria-current", "step");
    const box = root.getBoundingClientRect(), own = current.getBoundingClientRect();
    if (own.top < box.top + 28 || own.bottom > box.bottom) root.scrollTop += own.top - box.top - box.height / 3;
    return undefined;
  });
  return rows;
}
