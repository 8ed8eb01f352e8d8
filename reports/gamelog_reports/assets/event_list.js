// The event list: lines with time and permalink, the findings about them, and the search.

import { clockReading, duration } from "./clock.js";
import { $, el } from "./dom.js";
import { link } from "./embedding.js";
import { nodes } from "./message.js";
import { groups } from "./rounds.js";
import { badge } from "./seats.js";
import { foldAccents, t } from "./texts.js";

const blank = el("li", { class: "event" }, el("a", { tabindex: -1 }, el("i", { class: "letter" }), el("span", { class: "n" }), el("span", { class: "said" }), el("time")));

// Returns the tags of event n: the branch that begins there, its status, and the turning point. Successive events with one status show it once.
function tags(data, n) {
  const parent = data.header.parents?.find((one) => one.n === n - 1), disposition = data.disposition(n);
  return [parent && t("branch_of", parent.id), disposition !== data.disposition(n - 1) && disposition, n > data.last && t("unplayed"), data.moment(n)].filter(Boolean);
}

// Returns the time on the game's clock when event n was recorded, which the panel shows too.
const time = (data, n) => (Number.isInteger(data.events[n].t) ? duration(clockReading(data, n)) : "");

// Returns the line of event n, or of the unseen events from n to `end`.
export function line(data, n, end) {
  const event = data.events[n], seat = data.seatIndex?.get(event.by) ?? -1;
  const item = blank.cloneNode(true), anchor = item.firstChild, [letter, number, sentence, clock] = anchor.children;
  item.dataset.n = n;
  anchor.href = link(n);
  if (seat >= 0 && !(end > n)) letter.append(badge(seat));
  number.textContent = end > n ? `${n}–${end}` : n;
  sentence.append(...(end > n ? [t("unseen_run", end - n + 1)] : [...nodes(data.sentence(n)), ...tags(data, n).flatMap((tag) => [" ", el("span", { class: "tag" }, tag)])]));
  clock.textContent = time(data, n);
  item.classList.toggle("undone", Boolean(data.undone?.[n]));
  item.classList.toggle("aside", Boolean(event.do?.startsWith("@")));
  item.classList.toggle("unplayed", n > data.last);
  item.append(...data.findingsAt(n).map((finding) => findingNote(data, finding)));
  return item;
}

// Returns the text of the line of event n, for the search.
export function searchableText(data, n) {
  const found = data.findingsAt(n).flatMap(({ message, rule }) => [message, rule, data.rules[rule]]);
  return foldAccents([n, data.text(n), ...tags(data, n), time(data, n), ...found].join(" "));
}

const FINDING_KINDS = { "play.as_played": "disputed", "play.ruled": "settled", "play.undone": "undone", "play.claim": "claim", "play.offer": "offer" };

export function findingNote(data, finding) {
  const mild = finding.severity === "warning", isDisputed = finding.code === "play.as_played", rule = data.rules[finding.rule], legal = finding.legal || [];
  const isDeclared = isDisputed && data.events[finding.n]?.do === "@gap", kind = !mild ? "error" : isDeclared ? "declared" : FINDING_KINDS[finding.code] ?? "warning";
  return el("div", { class: `finding ${mild && (!isDisputed || isDeclared) ? "warning" : "error"}` },
    el("strong", {}, mild ? "⚠ " : "✖ ", t("finding_" + kind), ": "),
    el("bdi", {}, finding.message), ".",
    finding.rule ? el("p", { class: "rule" }, el("b", {}, finding.rule), " ", rule || "") : null,
    legal.length ? el("details", {}, el("summary", {}, t("legal_then", legal.length)), el("ul", {}, legal.map((event) => el("li", {}, nodes(data.plainly(event, finding.n)))))) : null);
}

// Returns the findings about the whole record, which are above the list.
export function generalFindings(data) {
  return data.findings.filter(({ n }) => !n || n >= data.events.length).map((finding) => findingNote(data, finding));
}

// The list. Only visible lines have elements, because long games have thousands: blocks of lines are filled and emptied while the list scrolls.
// The Tab key reaches one line, at first the shown one. Arrows, Home, End and the page keys lead from there to the others.

const MIN_LINES = 12, MAX_LINES = 24; // lines of a block, which ends with a turn if it has the least
const MARGIN = "150px 0px"; // lines within this distance are filled in advance

// The expected height of a block that has not been shown yet.
const height = (lines, turns) => `${lines * 1.75 + turns * 2.1}rem`;

export class EventList {
  constructor(playback) {
    Object.assign(this, { playback, data: playback.data, root: $("list"), body: el("div"), filled: new Set(), links: new Map(), lines: [] });
    this.groups = this.data.hasPositions ? groups(this.data) : [{ n: 1, title: [] }];
    this.sight = new IntersectionObserver((entries) => this.onIntersection(entries), { root: this.root, rootMargin: MARGIN });
    this.root.append(...generalFindings(this.data), this.body);
    this.root.addEventListener("click", (event) => this.click(event));
    this.root.addEventListener("keydown", (event) => this.press(event));
    new ResizeObserver(() => this.follow()).observe(this.root); // the list gets its height last
    addEventListener("beforeprint", () => this.blocks.forEach((block) => this.fill(block)));
    addEventListener("afterprint", () => this.tidy());
    playback.addEventListener("step", () => this.follow());
    playback.addEventListener("look", () => this.groupUnseen());
    this.groupUnseen();
  }

  // Groups successive unseen events into one line. `lineOf` has the event whose line shows each event, and `ends` the last event of a line.
  groupUnseen() {
    const { data } = this;
    this.lineOf = [0];
    this.ends = new Map();
    for (let n = 1, first = 0; n < data.events.length; n++) {
      first = data.maskAt(n)?.phrase === "@unseen" ? first || n : 0;
      this.lineOf.push(first || n);
      if (first) this.ends.set(first, n);
    }
    this.show(this.wanted);
  }

  // Shows the events `wanted`, or all events.
  show(wanted) {
    Object.assign(this, { wanted, lines: [], blocks: [], group: -1 });
    this.filled.clear();
    this.links.clear();
    this.sight.disconnect();
    for (const n of wanted ?? this.data.events.map((_, n) => n).slice(1)) if (this.lineOf[n] === n) this.add(n);
    this.body.replaceChildren(...this.blocks.map(({ node, from, to, turns }) => {
      node.style.height = height(to - from, turns.filter(({ title }) => title.length).length);
      this.sight.observe(node);
      return node;
    }));
    this.follow();
    if (this.blocks.length) this.fill(this.blockOf(this.at(this.stop)));
  }

  // Adds the line of event n to the last block, or to a new one.
  add(n) {
    const at = this.lines.push(n) - 1, turn = this.groups[this.group + 1]?.n <= n;
    while (this.groups[this.group + 1]?.n <= n) this.group++;
    let block = this.blocks.at(-1);
    if (!block || block.to - block.from >= (turn ? MIN_LINES : MAX_LINES)) this.blocks.push((block = { from: at, turns: [], node: el("div", { class: "block" }) }));
    if (turn || block.from === at) block.turns.push({ at, title: turn ? this.groups[this.group].title : [] });
    block.to = at + 1;
    return block;
  }

  onIntersection(entries) {
    for (const { target, isIntersecting } of entries) {
      const block = this.blocks.find(({ node }) => node === target);
      if (!block) continue;
      block.near = isIntersecting;
      if (isIntersecting) this.fill(block);
    }
    this.tidy();
  }

  fill(block) {
    if (this.filled.has(block)) return;
    this.filled.add(block);
    const { node, turns, to } = block;
    node.style.height = "";
    node.append(...turns.map(({ at, title }, i) => {
      const lines = this.lines.slice(at, turns[i + 1]?.at ?? to).map((n, index) => {
        const item = line(this.data, n, this.ends.get(n));
        this.links.set(n, item.firstChild);
        item.setAttribute("aria-setsize", this.lines.length);
        item.setAttribute("aria-posinset", at + index + 1);
        return item;
      });
      return el("section", { class: "turn" }, title.length ? el("h3", {}, title.map((part, i) => [i ? " · " : "", el("bdi", {}, part)])) : null, el("ol", {}, lines));
    }));
    this.mark();
  }

  // Empties the blocks that are out of sight, except the ones in use.
  tidy() {
    const stop = this.blockOf(this.at(this.stop)), heights = [...this.filled].map((block) => [block, block.node.offsetHeight]); // one layout for all
    for (const [block, height] of heights) {
      if (block.near || block === stop || block.node.contains(document.activeElement) || block.node.querySelector("[open]")) continue;
      this.filled.delete(block);
      for (const n of this.lines.slice(block.from, block.to)) this.links.delete(n);
      block.node.replaceChildren();
      block.node.style.height = height + "px";
    }
  }

  // Returns the index of the line of event n, or of the next line.
  at(n) {
    const at = this.lines.findIndex((one) => one >= n);
    return at < 0 ? this.lines.length - 1 : at;
  }

  blockOf(at) {
    return this.blocks.find(({ to }) => at < to);
  }

  // Marks the line of the shown event and the line that takes the Tab key.
  mark() {
    const current = this.links.get(this.lineOf[this.playback.n]), stop = this.links.get(this.stop);
    if (this.current !== current) {
      this.current?.removeAttribute("aria-current");
      current?.setAttribute("aria-current", "step");
    }
    if (this.tabbed !== stop) {
      this.tabbed?.setAttribute("tabindex", -1);
      stop?.setAttribute("tabindex", 0);
    }
    Object.assign(this, { current, tabbed: stop });
  }

  // Scrolls to the line of the shown event after the layout, when the list has its height.
  follow() {
    const current = this.lineOf[this.playback.n], scroll = () => (current ? this.scrollToLine(this.at(current)) : (this.root.scrollTop = 0));
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => setTimeout(scroll));
    this.stop = this.lines[this.at(current)];
    this.mark();
  }

  // Gives the Tab key to the line at an index, and scrolls the list, not the page, until the line is in sight. The blocks before its
  // own are filled first, because lines have other heights than expected.
  scrollToLine(at) {
    const index = this.blocks.indexOf(this.blockOf(at));
    if (index < 0) return;
    this.stop = this.lines[at];
    for (const block of this.blocks.slice(Math.max(0, index - 2), index + 1)) this.fill(block);
    this.mark();
    const box = this.root.getBoundingClientRect(), own = this.links.get(this.stop).getBoundingClientRect();
    if (own.top < box.top + 28 || own.bottom > box.bottom) this.root.scrollTop += own.top - box.top - box.height / 3;
  }

  click(event) {
    const item = event.target.closest("li.event");
    if (!item || event.ctrlKey || event.metaKey || event.shiftKey || !event.target.closest("a")) return;
    event.preventDefault();
    this.playback.go(Number(item.dataset.n));
  }

  press(event) {
    const item = event.target.matches(".event > a") && event.target.parentNode;
    if (!item || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const at = this.at(Number(item.dataset.n)), page = Math.max(1, Math.floor(this.root.clientHeight / item.offsetHeight) - 1);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.lines.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.scrollToLine(Math.min(Math.max(to, 0), this.lines.length - 1));
    this.links.get(this.stop).focus({ preventScroll: true });
  }
}

// Search and filter. The work is done in slices, so that typing never waits.

const SLICE = 8; // ms

export function connectSearch(list, data, tests) {
  const box = $("search"), kind = $("kind"), counter = $("found"), pause = () => new Promise((done) => setTimeout(done));
  let known = [], run = 0;
  const searchText = (n) => (known[n] ??= searchableText(data, n));
  const apply = async () => {
    const mine = ++run, wanted = foldAccents(box.value.trim()), isAll = !wanted && !kind.value, test = tests[kind.value] || (() => true), found = [];
    let until = performance.now() + SLICE;
    for (let n = 1; n < data.events.length && !isAll; n++) {
      if (test(n) && searchText(n).includes(wanted)) found.push(n);
      if (performance.now() < until) continue;
      await pause();
      if (mine !== run) return;
      until = performance.now() + SLICE;
    }
    list.show(isAll ? undefined : found);
    counter.textContent = isAll ? "" : t("found", list.lines.length);
  };
  // Computes the searchable texts while the page is idle.
  const prepare = (left) => {
    let n = known.length || 1;
    while (n < data.events.length && left.timeRemaining() > 1) searchText(n++);
    if (n < data.events.length) later();
  };
  const later = () => (window.requestIdleCallback ? requestIdleCallback(prepare) : undefined);
  box.addEventListener("input", apply);
  kind.addEventListener("change", apply);
  list.playback.addEventListener("look", () => {
    known = [];
    if (box.value || kind.value) apply();
  });
  later();
}
