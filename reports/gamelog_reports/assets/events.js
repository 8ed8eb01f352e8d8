// One line of the list of events: told in words, with its time, a permalink; and what a search finds it by.

import { duration } from "./clock.js";
import { el } from "./dom.js";
import { note } from "./findings.js";
import { link } from "./link.js";
import { badge } from "./seats.js";
import { t } from "./texts.js";
import { nodes } from "./words.js";

const blank = el("li", { class: "event" }, el("a", { tabindex: -1 }, el("i", { class: "letter" }), el("span", { class: "n" }), el("span", { class: "said" }), el("time")));

// Where event n branches off, and what became of it: said once for those in a row that share it.
function tags(story, n) {
  const parent = story.header.parents?.find((one) => one.n === n - 1), fate = story.fate(n);
  return [parent && t("branch_of", parent.id), fate !== story.fate(n - 1) && fate, n > story.last && t("unplayed")].filter(Boolean);
}

const time = ({ t: at }) => (Number.isInteger(at) ? duration(at) : "");

// The line of event n, or of all to event `end`, which cannot be seen.
export function line(story, n, end) {
  const event = story.events[n], seat = story.seatIndex?.get(event.by) ?? -1;
  const item = blank.cloneNode(true), anchor = item.firstChild, [letter, number, said, clock] = anchor.children;
  item.dataset.n = n;
  anchor.href = link(n);
  if (seat >= 0) letter.append(badge(seat));
  number.textContent = n;
  said.append(...(end > n ? [t("unseen_run", end - n + 1, n, end)] : [...nodes(story.sentence(n)), ...tags(story, n).flatMap((tag) => [" ", el("span", { class: "tag" }, tag)])]));
  clock.textContent = time(event);
  item.classList.toggle("undone", Boolean(story.undone?.[n]));
  item.classList.toggle("aside", Boolean(event.do?.startsWith("@")));
  item.classList.toggle("unplayed", n > story.last);
  item.append(...story.found(n).map((finding) => note(story, finding)));
  return item;
}

// All that stands in the line of event n.
export function findable(story, n) {
  const found = story.found(n).flatMap(({ message, rule }) => [message, rule, story.rules[rule]]);
  return [n, story.text(n), ...tags(story, n), time(story.events[n]), ...found].join(" ").toLowerCase();
}
