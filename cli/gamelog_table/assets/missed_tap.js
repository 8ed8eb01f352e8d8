// A tap on a place where no event is possible, and the rule against it.

import { reasonText } from "./notice.js";

// Returns the event that a tap on `cell` means: the events that are still possible, with this cell as their only place. Returns null if they
// would differ.
export function missedEvent({ decisions: { tokens }, tapped, resolution: { left } }, cell) {
  const found = new Set();
  for (const { event, tokens: all } of left) {
    const open = all.filter((token) => !tapped.includes(token) && tokens[token].cells?.length);
    if (!open.length) continue;
    const [place, ...more] = tokens[open[0]].cells, name = Object.keys(event).find((member) => event[member] === place);
    if (open.length > 1 || more.length || !name) return null;
    found.add(JSON.stringify({ ...event, [name]: cell }));
  }
  return found.size === 1 ? JSON.parse([...found][0]) : null;
}

// Returns the reason against an event in words, if the rules forbid it. The server answers the question also then.
async function reasonAgainst({ connection, apiPath }, event) {
  const { body } = await connection.ask(apiPath + "/would", event).catch(() => ({}));
  return body?.finding?.code === "play.illegal" ? reasonText(body) : "";
}

// Shows the rule against a confirmed event while its places stay selected, and returns whether there is one.
export async function showReasonAgainst(table, event) {
  const { selection, notice } = table, { tapped } = selection, reason = await reasonAgainst(table, event);
  if (reason) notice.show([reason], () => selection.tapped === tapped);
  return Boolean(reason);
}

// Shows the rule against the missed tap, if the rules have one.
export async function explainMissedTap(table) {
  const { selection, notice } = table, { missed, decisions: { n } } = selection, event = missedEvent(selection, missed), isMissed = () => selection.missed === missed && selection.decisions.n === n;
  const reason = event ? await reasonAgainst(table, event) : "";
  if (reason && isMissed()) notice.show([reason], isMissed);
}
