// Taking an event from taps: what is lit, what is held for a moment so that a mis-tap leaves no trace, what is sent.

import { likeliest, resolve, there, rolling } from "./resolver.js";

const HOLD_MS = 2000;

export class Taking extends EventTarget {
  // `commit` writes what was said: {event} or {results}.
  constructor(commit) {
    super();
    this.commit = commit;
    this.know({ n: -1, choices: [], tokens: {}, chance: null, offers: [] });
  }

  // What may be decided now. What was done before is done now.
  know(decisions) {
    if (this.sent && decisions.n < this.until) return; // more of what was said is on its way
    if (this.held) this.release(); // somebody else wrote first: the server says so, and nothing is lost without a word
    const early = this.early;
    Object.assign(this, { decisions, tapped: [], given: [], held: null, early: null, ask: [], sent: false, missed: false });
    this.tell();
    if (early) early();
  }

  get found() {
    return resolve(this.decisions.choices, this.tapped, this.decisions.kept);
  }

  // The cells that are lit, each with whether it is chosen already.
  get cells() {
    const cells = new Map(), add = (token, chosen) => (this.decisions.tokens[token].cells || []).forEach((cell) => cells.set(cell, chosen || cells.get(cell) || false));
    if (this.held) return new Map((this.held.cells || []).map((cell) => [cell, true]));
    if (this.sent) return cells;
    this.found.lit.forEach((token) => add(token, false));
    this.tapped.forEach((token) => add(token, true));
    return cells;
  }

  // Whether something can be dragged from a cell: it is where an event begins that ends on another.
  begins(cell) {
    const { choices, tokens } = this.decisions, on = (token) => (tokens[token].cells || []).length > 0;
    return choices.some((choice) => choice.tokens.length > 1 && on(choice.tokens[choice.tokens.length - 1]) && choice.tokens.slice(0, -1).some((token) => (tokens[token].cells || []).includes(cell)));
  }

  // Do `act` when what is held or sent is written; whether it has to wait.
  after(act) {
    if (!this.held && !this.sent) return false;
    this.early = act;
    this.release();
    return true;
  }

  // `again` finds the cell that is meant by the same tap in the next position.
  tapCell(cell, again = () => cell) {
    const later = () => {
      const meant = again();
      if (meant) this.tapCell(meant);
    };
    if (this.after(later)) return;
    const tokens = there(this.decisions.tokens, this.found.lit, this.tapped, cell);
    this.missed = !tokens.length;
    if (tokens.length === 1) this.tap(tokens[0]);
    else {
      this.ask = tokens;
      this.tell();
    }
  }

  tap(token) {
    const { choices, kept } = this.decisions;
    this.ask = [];
    if (this.tapped.includes(token)) this.tapped = this.tapped.filter((one) => one !== token);
    else {
      this.tapped = [...this.tapped, token];
      const { complete } = resolve(choices, this.tapped, kept);
      if (complete) return this.say(complete);
      this.tapped = likeliest(choices, this.tapped, token);
    }
    this.tell();
  }

  // A choice was said: what has to be written before it goes with it.
  say({ event, tokens, first = [], times = 1 }) {
    this.hold({ event, times, events: [...first, event], cells: tokens.flatMap((token) => this.decisions.tokens[token].cells || []) });
  }

  // What is held is said `count` times.
  repeat(count) {
    clearTimeout(this.timer);
    this.hold({ ...this.held, events: Array(count).fill(this.held.event) });
  }

  // Faces or things of the roll that is due; it is full when all draws are.
  give(...things) {
    this.given.push(...things);
    const draws = this.decisions.chance.draws, { results, next } = rolling(draws, this.given);
    if (!next) this.hold({ results });
    else if (next.draw.kind === "bag") {
      const left = next.draw.things.reduce((sum, [, count]) => sum + count, 0), kinds = next.draw.things.filter(([kind, count]) => count > next.has.filter((one) => one === kind).length);
      if (kinds.length === 1 || left === next.left) this.give(...kinds.flatMap(([kind, count]) => Array(Math.min(next.left, count - next.has.filter((one) => one === kind).length)).fill(kind)));
      else this.tell();
    } else this.tell();
  }

  hold(said) {
    this.held = said;
    this.timer = setTimeout(() => this.release(), HOLD_MS);
    this.tell();
  }

  // Write at once what is held.
  release() {
    clearTimeout(this.timer);
    const said = this.held;
    if (!said) return;
    const { n } = this.decisions, all = said.events ? said.events.map((event) => ({ event })) : [{ results: said.results, event: said.event }];
    this.held = null;
    this.sent = true;
    this.until = n + all.length;
    const mine = (this.sending = Promise.allSettled(all.map((one, at) => this.commit({ ...one, expect: n + at }))));
    mine.then(() => {
      if (this.sending !== mine || !this.sent) return;
      this.sent = false;
      this.tell();
    });
    this.tell();
  }

  // Nothing was meant: what is held, chosen or rolled so far is forgotten.
  forget() {
    clearTimeout(this.timer);
    Object.assign(this, { tapped: [], given: [], held: null, ask: [], early: null, missed: false });
    this.tell();
  }

  tell() {
    this.dispatchEvent(new Event("change"));
  }
}
