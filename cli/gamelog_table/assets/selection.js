// Selecting an event by taps: which cells are lit, which event is held before it is sent.

// The meaning of taps: pure functions of the legal events, each with its tokens, and of the tapped tokens.

const sameTokens = (one, other) => one.length === other.length && one.every((token) => other.includes(token));

// Returns the tokens that all events have. They need no tap.
function commonTokens(choices) {
  return choices.length ? choices[0].tokens.filter((token) => choices.every(({ tokens }) => tokens.includes(token))) : [];
}

// Returns whether the taps mean a choice that is the only one left: its target was tapped, not only its origin.
function isIntended({ targets = [] }, tapped, known) {
  const open = targets.filter((token) => !known.includes(token));
  return (open.length ? open : targets).some((token) => tapped.includes(token));
}

// Returns what the taps mean if a player chooses `count` of many places: each tap adds or removes a place, and a confirmation chooses a complete set.
function resolvePlaces(choices, tapped) {
  const [{ event, member, count, tokens, ...choice }] = choices, isFull = tapped.length === count;
  const done = isFull ? { ...choice, count, event: { ...event, [member]: tapped.map((token) => token.slice("cell:".length)) }, tokens: tapped } : null;
  return { lit: isFull ? [] : tokens.filter((token) => !tapped.includes(token)), left: choices, alone: [], complete: null, done, kinds: [] };
}

// Returns what the taps mean. `lit`: tokens of the events that are still possible. `complete`: the chosen event. `done`: the event that
// a confirmation chooses. `kinds`: events that differ only in their type. `alone`: events without tokens. `lastTokens` are the tokens of the
// player's last decision: of several events with the tapped target, the one with such a token is the likeliest.
export function resolveTaps(choices, tapped, lastTokens = []) {
  if (choices[0]?.count) return resolvePlaces(choices, tapped);
  const known = commonTokens(choices), left = choices.filter(({ tokens }) => tapped.every((token) => tokens.includes(token)));
  const alone = tapped.length ? [] : choices.filter(({ tokens }) => !tokens.length);
  const lit = [...new Set(left.flatMap(({ tokens, targets = [] }) => tokens.filter((token) => !tapped.includes(token) && (!known.includes(token) || targets.includes(token)))))];
  const exact = left.filter(({ tokens }) => sameTokens(tokens.filter((token) => !known.includes(token)), tapped.filter((token) => !known.includes(token))));
  const result = { lit, left, alone, complete: null, done: null, kinds: [] };
  if (choices.length === 1) return { ...result, done: choices[0], complete: tapped.length && isIntended(choices[0], tapped, []) ? choices[0] : null, alone: [] };
  const done = exact.length === 1 && tapped.length && (exact[0].set || left.length > 1) ? exact[0] : null;
  if (left.length === 1 && tapped.length && isIntended(left[0], tapped, known)) return { ...result, done, complete: left[0] };
  if (exact.length > 1) return { ...result, kinds: exact };
  const again = left.filter(({ tokens, targets = [] }) => tokens.some((token) => lastTokens.includes(token) && !targets.includes(token)));
  if (again.length === 1 && !done && tapped.length && left.every((choice) => isIntended(choice, tapped, known))) return { ...result, complete: again[0] };
  return { ...result, done };
}

// Returns the lit or tapped tokens on a cell, which a tap there can mean.
export function tokensOn(tokens, lit, tapped, cell) {
  return [...lit, ...tapped].filter((token) => (tokens[token].cells || []).includes(cell));
}

// Returns the taps with the likeliest set for the target `token`: the largest set, if only sets of one kind are left.
// The set is selected, not chosen: a confirmation by `done` chooses it.
export function likeliestSet(choices, tapped, token) {
  const { left } = resolveTaps(choices, tapped);
  if (left.length < 2 || !left.every(({ set = [], targets, event }) => event.do === left[0].event.do && targets.includes(token) && !set.includes(token))) return tapped;
  if (!left.some(({ set }) => set)) return tapped;
  const most = left.reduce((best, one) => (one.tokens.length > best.tokens.length ? one : best));
  return [...new Set([...tapped, ...most.tokens])];
}

// Returns the results of each draw so far, and the next draw, or null if all are complete.
export function rollProgress(draws, given) {
  let at = 0;
  const results = draws.map((draw) => given.slice(at, (at += draw.count)));
  const next = draws.findIndex((draw, index) => results[index].length < draw.count);
  return { results, next: next < 0 ? null : { draw: draws[next], left: draws[next].count - results[next].length, has: results[next] } };
}

// Returns a roll that any of several players can enter, with the dice of `seat` first. `order` has the places of the draws in the roll.
export function ownDiceFirst(chance, rolling, seat) {
  if (!chance || rolling.length < 2) return chance;
  const isOwn = (at) => Number(chance.draws[at].seat === seat), order = [...chance.draws.keys()].sort((one, other) => isOwn(other) - isOwn(one) || one - other);
  return { ...chance, order, draws: order.map((at) => chance.draws[at]) };
}

// Returns the things that are left in a bag, with their counts.
export function bagContents(draw, has) {
  if (draw.kind === "weighted") return draw.things.filter(([, weight]) => weight > 0);
  return draw.things.map(([kind, count]) => [kind, count - has.filter((one) => one === kind).length]).filter(([, count]) => count > 0);
}

// The selection. An event is held for a moment, so a wrong tap leaves no trace.

const HOLD_MS = 2000, LATE_TAP_MS = 500; // a second tap on the held place may come a moment after the event was sent

export class Selection extends EventTarget {
  // `commit` records the chosen {event} or {results}.
  // `isForbidden` returns whether the rules forbid an event, and shows the rule.
  constructor(commit, isForbidden = async () => false) {
    super();
    Object.assign(this, { commit, isForbidden });
    this.deferred = [];
    this.update({ n: -1, choices: [], tokens: {}, chance: null, offers: [] });
  }

  // Takes the decisions that are possible now, and runs the deferred actions in their order, up to the next event. After a tap that means
  // nothing now, the later ones are dropped, because they were made for another position. With `isSameTurn`, nothing was played since the
  // last decisions, so the roll stays if it is still due. `since` are the events since then, each with whether it `moved` the game back.
  update(decisions, isSameTurn = false, since = []) {
    if (this.sent && decisions.n < this.until) return; // more of the sent events have not arrived yet
    const staysDue = isSameTurn && Boolean(decisions.chance) && JSON.stringify(decisions.chance) === JSON.stringify(this.decisions.chance);
    const kept = this.held && (this.held.results ? staysDue : this.isStillLegal(decisions, since)) ? this.held : null;
    if (this.held && !kept) this.release(); // someone else recorded first: the server refuses the held event and gives the reason
    const isRollLost = this.given?.length > 0 && !staysDue; // another device recorded this roll, or the game went back
    const deferred = this.deferred, stays = !this.held && !this.sent && this.tapped?.length && this.staysPossible(decisions);
    Object.assign(this, { decisions, tapped: stays ? this.tapped : [], given: staysDue ? this.given : [], held: kept, unconfirmed: null, deferred: [], ask: [], sent: false, missed: false });
    this.notify();
    if (isRollLost) this.dispatchEvent(new Event("lost"));
    while (deferred.length && !this.held && !this.missed) deferred.shift()();
    if (!this.held) return;
    this.deferred = deferred;
    if (deferred.length) this.release();
  }

  // Returns whether the held event is still legal after the events `since`. An event of the same player may be the held event, recorded on
  // another device, and after a return the held event was chosen for another position.
  isStillLegal({ choices }, since) {
    const { events = [], event } = this.held, own = JSON.stringify(event);
    if (events.some(({ do: tag }) => tag === "@takeback") || since.some(({ do: tag, by, moved }) => moved || (!tag.startsWith("@") && by === event.by))) return false;
    if (JSON.stringify(choices) === JSON.stringify(this.decisions.choices)) return true;
    return events.length === 1 && choices.some((choice) => !choice.first?.length && JSON.stringify(choice.event) === own);
  }

  // Returns whether the selection is still possible with new `decisions`, for the same player.
  staysPossible({ choices }) {
    const { left } = this.resolution, authors = new Set(left.map(({ event }) => event.by));
    return choices.some(({ event, tokens }) => authors.has(event.by) && this.tapped.every((token) => tokens.includes(token)));
  }

  get resolution() {
    return resolveTaps(this.decisions.choices, this.tapped, this.decisions.kept);
  }

  // The lit cells, each with whether it is selected.
  get cells() {
    const cells = new Map(), add = (token, chosen) => (this.decisions.tokens[token].cells || []).forEach((cell) => cells.set(cell, chosen || cells.get(cell) || false));
    if (this.held) return new Map((this.held.cells || []).map((cell) => [cell, true]));
    if (this.sent) return cells;
    this.resolution.lit.forEach((token) => add(token, false));
    this.tapped.forEach((token) => add(token, true));
    return cells;
  }

  // Returns whether a piece can be dragged from a cell: an event begins there and ends on another cell.
  canDragFrom(cell) {
    const { choices, tokens } = this.decisions, on = (token) => (tokens[token].cells || []).length > 0;
    return choices.some((choice) => !choice.count && choice.tokens.length > 1 && on(choice.tokens[choice.tokens.length - 1]) && choice.tokens.slice(0, -1).some((token) => (tokens[token].cells || []).includes(cell)));
  }

  // Returns whether an event is held or sent. If so, `act` runs after this event is recorded.
  defer(act) {
    if (!this.held && !this.sent) return false;
    this.deferred.push(act);
    this.release();
    return true;
  }

  // Handles a tap on a cell. `again` returns the cell that the same tap means in the next position. A second tap on the place of the held
  // event sends this event, and means nothing else.
  tapCell(cell, again = () => cell) {
    if (this.justSent?.end.includes(cell) && performance.now() < this.justSent.until) return;
    if (this.held?.end?.includes(cell)) return this.release();
    this.cell = cell;
    this.selectCell(cell, again);
    this.cell = null;
  }

  selectCell(cell, again) {
    const later = () => {
      const next = again();
      if (next) this.tapCell(next);
    };
    if (this.defer(later)) return;
    const tokens = tokensOn(this.decisions.tokens, this.resolution.lit, this.tapped, cell);
    this.missed = !tokens.length && cell;
    if (this.missed) this.dispatchEvent(new Event("missed"));
    if (tokens.length === 1) this.tap(tokens[0]);
    else {
      this.ask = tokens;
      this.notify();
    }
  }

  tap(token) {
    const { choices, kept } = this.decisions;
    this.ask = [];
    if (this.tapped.includes(token)) this.tapped = this.tapped.filter((one) => one !== token);
    else {
      this.tapped = [...this.tapped, token];
      const { complete } = resolveTaps(choices, this.tapped, kept);
      if (complete) return this.choose(complete);
      this.tapped = likeliestSet(choices, this.tapped, token);
    }
    this.notify();
  }

  // The cells of the tapped pieces and the cell of a tap that means nothing now: the places of an event that is not offered.
  get missedCells() {
    return [...this.tapped.map((token) => this.decisions.tokens[token].cells ?? []).filter(({ length }) => length === 1).flat(), this.missed];
  }

  // Chooses a choice that was confirmed. A set of places that the rules forbid stays selected.
  async confirm(choice) {
    const { tapped } = this;
    if (choice.count && ((await this.isForbidden(choice.event)) || tapped !== this.tapped)) return;
    this.choose(choice);
  }

  // Holds the event of a choice, with the events that must be recorded before it.
  choose({ event, tokens, targets = [], first = [], times = 1 }) {
    const cells = (all) => all.map((token) => this.decisions.tokens[token].cells || []);
    const end = [...cells(targets).filter((found) => found.length === 1).flat(), this.cell].filter(Boolean);
    this.hold({ event, times, tokens, events: [...first, event], cells: cells(tokens).flat(), end });
  }

  // Holds the held event `count` times.
  repeat(count) {
    clearTimeout(this.timer);
    this.hold({ ...this.held, events: Array(count).fill(this.held.event) });
  }

  // Adds faces or things to the roll that is due. When all draws are complete, the roll is held.
  give(...things) {
    this.given.push(...things);
    const { draws, order } = this.decisions.chance, { results, next } = rollProgress(draws, this.given);
    if (!next) this.hold({ results: order ? results.map((_, at) => results[order.indexOf(at)]) : results, entered: results });
    else if (next.draw.kind === "bag") {
      const left = next.draw.things.reduce((sum, [, count]) => sum + count, 0), kinds = next.draw.things.filter(([kind, count]) => count > next.has.filter((one) => one === kind).length);
      if (kinds.length === 1 || left === next.left) this.give(...kinds.flatMap(([kind, count]) => Array(Math.min(next.left, count - next.has.filter((one) => one === kind).length)).fill(kind)));
      else this.notify();
    } else this.notify();
  }

  // Removes the last result of the roll that is due.
  removeLast() {
    this.given.pop();
    this.notify();
  }

  hold(input) {
    this.held = input;
    this.timer = setTimeout(() => {
      this.justSent = { end: input.end ?? [], until: performance.now() + LATE_TAP_MS };
      this.release(true);
    }, HOLD_MS);
    this.notify();
  }

  // Holds an event of a form, after the held or sent event.
  holdSoon(input) {
    if (!this.defer(() => this.hold(input))) this.hold(input);
  }

  // Sends the held events at once. `isTimed`: not because of a tap, but because the time of the hold is over.
  release(isTimed = false) {
    clearTimeout(this.timer);
    const held = this.held;
    if (!held) return;
    if (held.results) this.given = [];
    const { n } = this.decisions, all = held.events ? held.events.map((event) => ({ event })) : [{ results: held.results, event: held.event }];
    Object.assign(this, { held: null, unconfirmed: held, sent: true, isTimed });
    this.until = n + all.length;
    const request = (this.sending = Promise.allSettled(all.map((one, at) => this.commit({ ...one, expect: n + at }))));
    request.then(() => {
      if (this.sending !== request || !this.sent) return;
      Object.assign(this, { sent: false, unconfirmed: null, tapped: [] });
      this.notify();
    });
    this.notify();
  }

  // Drops the held event, the selection and the roll so far. The roll stays if another event was held.
  forget() {
    clearTimeout(this.timer);
    Object.assign(this, { tapped: [], given: this.held?.event ? this.given : [], held: null, unconfirmed: null, ask: [], deferred: [], missed: false });
    this.notify();
  }

  notify() {
    this.dispatchEvent(new Event("change"));
  }
}
