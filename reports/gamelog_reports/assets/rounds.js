// Rounds and turns of a game, as headings of the event list and as moments for paper.

import { t, translated } from "./texts.js";

// Returns the groups of events, with first event, round and title. A group begins after an event that ends a turn or a round.
export function groups(data) {
  const begins = [], slot = data.slots.findIndex(([name, seat]) => seat < 0 && name.toLowerCase() === "round");
  let fresh = true, number = 0, round;
  for (let n = 1; n < data.events.length; n++) {
    const now = data.captions.at(slot, n - 1) ?? ""; // the caption before the event is the round in which it is played
    if (fresh || now !== round) {
      const seat = data.events.slice(n, n + 8).find((event) => data.seatIndex.has(event.by))?.by;
      round = now;
      const what = slot < 0 ? t("turn", ++number) : /^\d/.test(round) ? t("round", round) : translated(round);
      // a turn of one event has no heading, unless it would be below the heading of the turn before
      begins.push({ n, round: slot < 0 ? number : round, title: slot < 0 && (data.turnEnds.has(n) || !data.events[n + 1]) && !begins.at(-1)?.title[0] ? [] : [what, seat && data.name(seat, n)].filter(Boolean) });
    }
    fresh = data.turnEnds.has(n);
  }
  return begins;
}

// Returns the last event of each complete round that was played.
export function rounds(data) {
  const begins = groups(data);
  return begins.filter(({ n, round }, at) => at > 0 && n <= data.last && round !== begins[at - 1].round).map(({ n }) => n - 1);
}
