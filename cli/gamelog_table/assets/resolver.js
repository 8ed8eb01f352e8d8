// What taps mean: a pure function of the legal events, each with its tokens, and of the tokens that were tapped.

const alike = (one, other) => one.length === other.length && one.every((token) => other.includes(token));

// Tokens that every event has, which nobody needs to tap.
function shared(choices) {
  return choices.length ? choices[0].tokens.filter((token) => choices.every(({ tokens }) => tokens.includes(token))) : [];
}

// Whether a choice is meant by what was tapped, it being the only one left: where it ends was, and not only where it begins.
function meant({ targets = [] }, tapped, known) {
  const open = targets.filter((token) => !known.includes(token));
  return (open.length ? open : targets).some((token) => tapped.includes(token));
}

// `lit`: tokens that an event still possible has. `complete`: the event that was said. `done`: one that is said if nothing more is
// tapped. `kinds`: events of several types that only their type tells apart. `alone`: events that have nothing to tap. `kept` are tokens
// of who has just moved, or what was just placed: of several events that end where was tapped, theirs is the likeliest.
export function resolve(choices, tapped, kept = []) {
  const known = shared(choices), left = choices.filter(({ tokens }) => tapped.every((token) => tokens.includes(token)));
  const alone = tapped.length ? [] : choices.filter(({ tokens }) => !tokens.length);
  const lit = [...new Set(left.flatMap(({ tokens, targets = [] }) => tokens.filter((token) => !tapped.includes(token) && (!known.includes(token) || targets.includes(token)))))];
  const exact = left.filter(({ tokens }) => alike(tokens.filter((token) => !known.includes(token)), tapped.filter((token) => !known.includes(token))));
  const result = { lit, left, alone, complete: null, done: null, kinds: [] };
  if (choices.length === 1) return { ...result, done: choices[0], complete: tapped.length && meant(choices[0], tapped, []) ? choices[0] : null, alone: [] };
  const done = exact.length === 1 && tapped.length && (exact[0].set || left.length > 1) ? exact[0] : null;
  if (left.length === 1 && tapped.length && meant(left[0], tapped, known)) return { ...result, done, complete: left[0] };
  if (exact.length > 1) return { ...result, kinds: exact };
  const again = left.filter(({ tokens, targets = [] }) => tokens.some((token) => kept.includes(token) && !targets.includes(token)));
  if (again.length === 1 && !done && tapped.length && left.every((choice) => meant(choice, tapped, known))) return { ...result, complete: again[0] };
  return { ...result, done };
}

// What a tap on a cell can mean: the lit or tapped tokens that lie there.
export function there(tokens, lit, tapped, cell) {
  return [...lit, ...tapped].filter((token) => (tokens[token].cells || []).includes(cell));
}

// After the target `token` was tapped, the set that is likeliest: the largest that is left, if all that is left is sets of one kind.
// It is chosen, not said: `done` says it.
export function likeliest(choices, tapped, token) {
  const { left } = resolve(choices, tapped);
  if (left.length < 2 || !left.every(({ set = [], targets, event }) => event.do === left[0].event.do && targets.includes(token) && !set.includes(token))) return tapped;
  if (!left.some(({ set }) => set)) return tapped;
  const most = left.reduce((best, one) => (one.tokens.length > best.tokens.length ? one : best));
  return [...new Set([...tapped, ...most.tokens])];
}

// How far a roll has come: each draw with what it has, and the draw that is next; null when all are full.
export function rolling(draws, given) {
  let at = 0;
  const results = draws.map((draw) => given.slice(at, (at += draw.count)));
  const next = draws.findIndex((draw, index) => results[index].length < draw.count);
  return { results, next: next < 0 ? null : { draw: draws[next], left: draws[next].count - results[next].length, has: results[next] } };
}

// What is left in a bag of which some have been drawn.
export function inBag(draw, has) {
  if (draw.kind === "weighted") return draw.things.filter(([, weight]) => weight > 0);
  return draw.things.map(([kind, count]) => [kind, count - has.filter((one) => one === kind).length]).filter(([, count]) => count > 0);
}
