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

// Shows the rule against the missed tap, if the rules have one.
export async function explainMissedTap({ selection, notice, connection, at }) {
  const { missed, decisions: { n } } = selection, event = missedEvent(selection, missed), isMissed = () => selection.missed === missed && selection.decisions.n === n;
  const { status, body } = event ? await connection.ask(at + "/would", event).catch(() => ({})) : {};
  if (status === 422 && body.finding?.code === "play.illegal" && isMissed()) notice.show([reasonText(body)], isMissed);
}
