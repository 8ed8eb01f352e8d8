// Selecting an event by taps: which cells are lit, which event is held before it is sent.

// The meaning of taps: pure functions of the legal events, each with its tokens, and of the tapped tokens.

const alike = (one, other) => one.length === other.length && one.every((token) => other.includes(token));

// Tokens that every event has, which nobody needs to tap.
function shared(choices) {
  return choices.length ? choices[0].tokens.filter((token) => choices.every(({ tokens }) => tokens.includes(token))) : [];
}

// Whether a choice is meant by what was tapped, it being the only one left: where it ends was, and not only where it begins.
function isIntended({ targets = [] }, tapped, known) {
  const open = targets.filter((token) => !known.includes(token));
  return (open.length ? open : targets).some((token) => tapped.includes(token));
}

// `lit`: tokens that an event still possible has. `complete`: the event that was said. `done`: one that is said if nothing more is
// tapped. `kinds`: events of several types that only their type tells apart. `alone`: events that have nothing to tap. `kept` are tokens
// of who has just moved, or what was just placed: of several events that end where was tapped, theirs is the likeliest.
export function resolveTaps(choices, tapped, kept = []) {
  const known = shared(choices), left = choices.filter(({ tokens }) => tapped.every((token) => tokens.includes(token)));
  const alone = tapped.length ? [] : choices.filter(({ tokens }) => !tokens.length);
  const lit = [...new Set(left.flatMap(({ tokens, targets = [] }) => tokens.filter((token) => !tapped.includes(token) && (!known.includes(token) || targets.includes(token)))))];
  const exact = left.filter(({ tokens }) => alike(tokens.filter((token) => !known.includes(token)), tapped.filter((token) => !known.includes(token))));
  const result = { lit, left, alone, complete: null, done: null, kinds: [] };
  if (choices.length === 1) return { ...result, done: choices[0], complete: tapped.length && isIntended(choices[0], tapped, []) ? choices[0] : null, alone: [] };
  const done = exact.length === 1 && tapped.length && (exact[0].set || left.length > 1) ? exact[0] : null;
  if (left.length === 1 && tapped.length && isIntended(left[0], tapped, known)) return { ...result, done, complete: left[0] };
  if (exact.length > 1) return { ...result, kinds: exact };
  const again = left.filter(({ tokens, targets = [] }) => tokens.some((token) => kept.includes(token) && !targets.includes(token)));
  if (again.length === 1 && !done && tapped.length && left.every((choice) => isIntended(choice, tapped, known))) return { ...result, complete: again[0] };
  return { ...result, done };
}

// What a tap on a cell can mean: the lit or tapped tokens that lie there.
export function tokensOn(tokens, lit, tapped, cell) {
  return [...lit, ...tapped].filter((token) => (tokens[token].cells || []).includes(cell));
}

// After the target `token` was tapped, the set that is likeliest: the largest that is left, if all that is left is sets of one kind.
// It is chosen, not said: `done` says it.
export function likeliestSet(choices, tapped, token) {
  const { left } = resolveTaps(choices, tapped);
  if (left.length < 2 || !left.every(({ set = [], targets, event }) => event.do === left[0].event.do && targets.includes(token) && !set.includes(token))) return tapped;
  if (!left.some(({ set }) => set)) return tapped;
  const most = left.reduce((best, one) => (one.tokens.length > best.tokens.length ? one : best));
  return [...new Set([...tapped, ...most.tokens])];
}

// How far a roll has come: each draw with what it has, and the draw that is next; null when all are full.
export function rollProgress(draws, given) {
  let at = 0;
  const results = draws.map((draw) => given.slice(at, (at += draw.count)));
  const next = draws.findIndex((draw, index) => results[index].length < draw.count);
  return { results, next: next < 0 ? null : { draw: draws[next], left: draws[next].count - results[next].length, has: results[next] } };
}

// What is left in a bag of which some have been drawn.
export function bagContents(draw, has) {
  if (draw.kind === "weighted") return draw.things.filter(([, weight]) => weight > 0);
  return draw.things.map(([kind, count]) => [kind, count - has.filter((one) => one === kind).length]).filter(([, count]) => count > 0);
}

// The selection. An event is held for a moment, so a wrong tap leaves no trace.

const HOLD_MS = 2000;

export class Selection extends EventTarget {
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
    return resolveTaps(this.decisions.choices, this.tapped, this.decisions.kept);
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
    const tokens = tokensOn(this.decisions.tokens, this.found.lit, this.tapped, cell);
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
      const { complete } = resolveTaps(choices, this.tapped, kept);
      if (complete) return this.say(complete);
      this.tapped = likeliestSet(choices, this.tapped, token);
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
    const draws = this.decisions.chance.draws, { results, next } = rollProgress(draws, this.given);
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
