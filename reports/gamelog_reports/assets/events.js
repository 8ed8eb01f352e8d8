// The list of events: every line told in words, with its time, grouped by turn, each a permalink.

import { duration } from "./clock.js";
import { $, el } from "./dom.js";
import { general, note } from "./findings.js";
import { groups } from "./groups.js";
import { link } from "./link.js";
import { badge } from "./seats.js";
import { t } from "./texts.js";
import { nodes } from "./words.js";

const blank = el("li", { class: "event" }, el("a", {}, el("i", { class: "letter" }), el("span", { class: "n" }), el("span", { class: "said" }), el("time")));

// What is told of event n, where it branches off, and what became of it.
function tell(said, story, n) {
  const undone = story.undone?.[n], fate = story.fate(n), tag = (text) => [" ", el("span", { class: "tag" }, text)];
  const parent = story.header.parents?.find((one) => one.n === n - 1);
  said.replaceChildren(...nodes(story.sentence(n)), ...(parent ? tag(t("branch_of", parent.id)) : []), ...(undone && fate !== story.fate(n - 1) ? tag(fate) : []),
    ...(n > story.last ? tag(t("unplayed")) : []));
}

function row(story, n) {
  const event = story.events[n], seat = story.seatIndex?.get(event.by) ?? -1;
  const item = blank.cloneNode(true), anchor = item.firstChild, [letter, number, said, time] = anchor.children;
  item.dataset.n = n;
  anchor.href = link(n);
  if (seat >= 0) letter.append(badge(seat));
  number.textContent = n;
  tell(said, story, n);
  if (Number.isInteger(event.t)) time.textContent = duration(event.t);
  item.classList.toggle("undone", Boolean(story.undone?.[n]));
  item.classList.toggle("aside", Boolean(event.do?.startsWith("@")));
  item.classList.toggle("unplayed", n > story.last);
  item.append(...story.found(n).map((finding) => note(story, finding)));
  return item;
}

// Scrolls the list, and nothing else, to `row`. Groups out of sight have guessed heights, so it looks again.
function reveal(list, row, tries) {
  if (!row) return list.scrollTo({ top: 0 });
  const box = list.getBoundingClientRect(), own = row.getBoundingClientRect();
  if (!tries || (own.top >= box.top + 28 && own.bottom <= box.bottom)) return undefined;
  list.scrollTop += own.top - box.top - box.height / 3;
  return requestAnimationFrame(() => reveal(list, row, tries - 1));
}

// Events in a row that cannot be seen stand as one, told by the first. The result gives for each the row that stands for it.
function veil(rows, story) {
  const stands = [];
  for (let n = 1, first = 0; n < rows.length; n++) {
    first = story.masked(n) ? first || n : 0;
    rows[n].classList.toggle("veiled", first > 0 && first < n);
    stands[n] = rows[first || n];
    if (first && first < n) rows[first].querySelector(".said").textContent = t("unseen_run", n - first + 1, first, n);
  }
  return stands;
}

// Builds the list; the rows by event number.
export function list(player) {
  const { story } = player, root = $("list"), rows = [];
  const begins = story.known ? groups(story) : [{ n: 1, title: [] }];
  root.append(...general(story));
  begins.forEach(({ n: begin, title }, at) => {
    const end = begins[at + 1]?.n ?? story.events.length, items = el("ol", { start: begin });
    for (let n = begin; n < end; n++) items.append((rows[n] = row(story, n)));
    const group = el("section", { class: "turn" }, title.length ? el("h3", {}, title.map((part, i) => [i ? " · " : "", el("bdi", {}, part)])) : null, items);
    group.style.containIntrinsicSize = `auto ${(end - begin) * 1.7 + 2}rem`;
    root.append(group);
  });
  root.addEventListener("click", (event) => {
    const item = event.target.closest("li.event");
    if (!item || event.ctrlKey || event.metaKey || event.shiftKey || !event.target.closest("a")) return;
    event.preventDefault();
    player.go(Number(item.dataset.n));
  });
  let stands = veil(rows, story), current, frame;
  player.addEventListener("look", () => {
    rows.forEach((item, n) => tell(item.querySelector(".said"), story, n));
    stands = veil(rows, story);
  });
  player.addEventListener("step", () => {
    current?.firstChild.removeAttribute("aria-current");
    current = stands[player.n];
    current?.firstChild.setAttribute("aria-current", "step");
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => reveal(root, current, 9));
  });
  return rows;
}
