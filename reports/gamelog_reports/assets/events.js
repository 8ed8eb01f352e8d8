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
function tags(data, n) {
  const parent = data.header.parents?.find((one) => one.n === n - 1), disposition = data.disposition(n);
  return [parent && t("branch_of", parent.id), disposition !== data.disposition(n - 1) && disposition, n > data.last && t("unplayed")].filter(Boolean);
}

const time = ({ t: at }) => (Number.isInteger(at) ? duration(at) : "");

// The line of event n, or of all to event `end`, which cannot be seen.
export function line(data, n, end) {
  const event = data.events[n], seat = data.seatIndex?.get(event.by) ?? -1;
  const item = blank.cloneNode(true), anchor = item.firstChild, [letter, number, said, clock] = anchor.children;
  item.dataset.n = n;
  anchor.href = link(n);
  if (seat >= 0) letter.append(badge(seat));
  number.textContent = n;
  said.append(...(end > n ? [t("unseen_run", end - n + 1, n, end)] : [...nodes(data.sentence(n)), ...tags(data, n).flatMap((tag) => [" ", el("span", { class: "tag" }, tag)])]));
  clock.textContent = time(event);
  item.classList.toggle("undone", Boolean(data.undone?.[n]));
  item.classList.toggle("aside", Boolean(event.do?.startsWith("@")));
  item.classList.toggle("unplayed", n > data.last);
  item.append(...data.found(n).map((finding) => note(data, finding)));
  return item;
}

// All that stands in the line of event n.
export function findable(data, n) {
  const found = data.found(n).flatMap(({ message, rule }) => [message, rule, data.rules[rule]]);
  return [n, data.text(n), ...tags(data, n), time(data.events[n]), ...found].join(" ").toLowerCase();
}
