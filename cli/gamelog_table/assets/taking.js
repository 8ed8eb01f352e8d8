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

  // What may be decided now. A tap that came before is made now.
  know(decisions) {
    const early = this.early;
    Object.assign(this, { decisions, tapped: [], given: [], held: null, early: null, ask: [], sent: false });
    this.tell();
    if (early !== null && early !== undefined) this.tapCell(early);
  }

  get found() {
    return resolve(this.decisions.choices, this.tapped);
  }

  // The cells that are lit, each with whether it is chosen already.
  get cells() {
    const cells = new Map(), add = (token, chosen) => (this.decisions.tokens[token].cells || []).forEach((cell) => cells.set(cell, chosen || cells.get(cell) || false));
    if (this.held || this.sent) return cells;
    this.found.lit.forEach((token) => add(token, false));
    this.tapped.forEach((token) => add(token, true));
    return cells;
  }

  tapCell(cell) {
    if (this.held) {
      this.early = cell;
      this.release();
      return;
    }
    if (this.sent) {
      this.early = cell;
      return;
    }
    const tokens = there(this.decisions.tokens, this.found.lit, this.tapped, cell);
    if (tokens.length === 1) this.tap(tokens[0]);
    else if (tokens.length) {
      this.ask = tokens;
      this.tell();
    }
  }

  tap(token) {
    this.ask = [];
    if (this.tapped.includes(token)) this.tapped = this.tapped.filter((one) => one !== token);
    else this.tapped = likeliest(this.decisions.choices, [...this.tapped, token]);
    const { complete } = this.found;
    if (complete) this.hold({ event: complete.event });
    else this.tell();
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
    this.held = null;
    this.sent = true;
    this.commit({ ...said, expect: this.decisions.n }).finally(() => {
      this.sent = false;
    });
    this.tell();
  }

  // Nothing was meant: what is held, chosen or rolled so far is forgotten.
  forget() {
    clearTimeout(this.timer);
    Object.assign(this, { tapped: [], given: [], held: null, ask: [], early: null });
    this.tell();
  }

  tell() {
    this.dispatchEvent(new Event("change"));
  }
}
