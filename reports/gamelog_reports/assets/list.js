// The list of events, of which only what is in sight is there: blocks of lines are filled as they come near and emptied as they go.
// One line can be tabbed to, the one that is shown at first; from it arrows, Home, End and the page keys lead to all others.

import { $, el } from "./dom.js";
import { line } from "./events.js";
import { general } from "./findings.js";
import { groups } from "./groups.js";

const MIN_LINES = 12, MAX_LINES = 24; // lines of a block; beyond the least it ends with its turn
const MARGIN = "150px 0px"; // so far out of sight lines are there already

// A block's guessed height, until it has been seen.
const height = (lines, turns) => `${lines * 1.75 + turns * 2.1}rem`;

export class List {
  constructor(player) {
    Object.assign(this, { player, data: player.data, root: $("list"), body: el("div"), filled: new Set(), links: new Map(), lines: [] });
    this.groups = this.data.known ? groups(this.data) : [{ n: 1, title: [] }];
    this.sight = new IntersectionObserver((seen) => this.see(seen), { root: this.root, rootMargin: MARGIN });
    this.root.append(...general(this.data), this.body);
    this.root.addEventListener("click", (event) => this.click(event));
    this.root.addEventListener("keydown", (event) => this.press(event));
    addEventListener("beforeprint", () => this.blocks.forEach((block) => this.fill(block)));
    addEventListener("afterprint", () => this.tidy());
    player.addEventListener("step", () => this.follow());
    player.addEventListener("look", () => this.veil());
    this.veil();
  }

  // Events in a row that cannot be seen stand as one: by number the event whose line stands for it, and by that the last of them.
  veil() {
    const { data } = this;
    this.stands = [0];
    this.ends = new Map();
    for (let n = 1, first = 0; n < data.events.length; n++) {
      first = data.masked(n)?.phrase === "@unseen" ? first || n : 0;
      this.stands.push(first || n);
      if (first) this.ends.set(first, n);
    }
    this.show(this.wanted);
  }

  // Shows the events `wanted`, in their order; all where none are given.
  show(wanted) {
    this.wanted = wanted;
    this.lines = (wanted ?? this.data.events.map((_, n) => n).slice(1)).filter((n) => this.stands[n] === n);
    this.blocks = [];
    this.filled.clear();
    this.links.clear();
    this.sight.disconnect();
    let group = -1, block;
    this.lines.forEach((n, at) => {
      const turn = this.groups[group + 1]?.n <= n;
      while (this.groups[group + 1]?.n <= n) group++;
      if (!block || block.to - block.from >= (turn ? MIN_LINES : MAX_LINES)) this.blocks.push((block = { from: at, turns: [], node: el("div", { class: "block" }) }));
      if (turn || block.from === at) block.turns.push({ at, title: turn ? this.groups[group].title : [] });
      block.to = at + 1;
    });
    for (const { node, from, to, turns } of this.blocks) node.style.height = height(to - from, turns.length);
    this.body.replaceChildren(...this.blocks.map(({ node }) => node));
    for (const { node } of this.blocks) this.sight.observe(node);
    this.follow();
    if (this.blocks.length) this.fill(this.holding(this.at(this.stop)));
  }

  see(seen) {
    for (const { target, isIntersecting, boundingClientRect } of seen) {
      const block = this.blocks.find(({ node }) => node === target);
      if (!block) continue;
      block.near = isIntersecting;
      if (this.filled.has(block)) block.height = boundingClientRect.height;
      else if (isIntersecting) this.fill(block);
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

  // Empties what is out of sight, but for what somebody is at.
  tidy() {
    const stop = this.holding(this.at(this.stop));
    for (const block of this.filled) {
      if (block.near || block === stop || block.node.contains(document.activeElement) || block.node.querySelector("[open]")) continue;
      this.filled.delete(block);
      for (const n of this.lines.slice(block.from, block.to)) this.links.delete(n);
      block.node.replaceChildren();
      block.node.style.height = block.height ? block.height + "px" : height(block.to - block.from, block.turns.length);
    }
  }

  // The place of event n's line, or of the first after it.
  at(n) {
    const at = this.lines.findIndex((one) => one >= n);
    return at < 0 ? this.lines.length - 1 : at;
  }

  holding(at) {
    return this.blocks.find(({ to }) => at < to);
  }

  // Which line is shown, and which can be tabbed to.
  mark() {
    const current = this.links.get(this.stands[this.player.n]), stop = this.links.get(this.stop);
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

  follow() {
    const current = this.stands[this.player.n];
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      if (current) this.reach(this.at(current));
      else this.root.scrollTo({ top: 0 });
    });
    this.stop = this.lines[this.at(current)];
    this.mark();
  }

  // Makes the line at a place the one to tab to, and scrolls the list, and nothing else, so that it is in sight.
  reach(at) {
    const block = this.holding(at);
    if (!block) return;
    this.stop = this.lines[at];
    this.fill(block);
    this.mark();
    const box = this.root.getBoundingClientRect(), own = this.links.get(this.stop).getBoundingClientRect();
    if (own.top < box.top + 28 || own.bottom > box.bottom) this.root.scrollTop += own.top - box.top - box.height / 3;
  }

  click(event) {
    const item = event.target.closest("li.event");
    if (!item || event.ctrlKey || event.metaKey || event.shiftKey || !event.target.closest("a")) return;
    event.preventDefault();
    this.player.go(Number(item.dataset.n));
  }

  press(event) {
    const item = event.target.matches(".event > a") && event.target.parentNode;
    if (!item || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const at = this.at(Number(item.dataset.n)), page = Math.max(1, Math.floor(this.root.clientHeight / item.offsetHeight) - 1);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.lines.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.reach(Math.min(Math.max(to, 0), this.lines.length - 1));
    this.links.get(this.stop).focus({ preventScroll: true });
  }
}
