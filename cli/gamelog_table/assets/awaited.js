// The people who must act next: the sentence in the panel if this link has nothing to record, and the seats that can enter a roll.

import { isolate, t } from "./texts.js";

// Returns whether the roll that is due is the table's, and every player can enter it.
export function isRollForAll({ setup, live, pending: { chance } }) {
  return Boolean(chance) && (setup.dice === "seeded" || (setup.rolls === "players" && setup.dice === "table")) && !live.seatIndex.has(chance.by) && !chance.draws.some((draw) => draw.private);
}

// Returns whether this link has nothing to record now: no choice, no roll, and no event that is held or sent.
function hasNothing({ pending, selection: { decisions, held, sent } }) {
  return !pending.outcome && !held && !sent && !decisions.chance && !decisions.choices.length && decisions.n >= 0;
}

// Returns the sentence about who enters the roll or draw that is due.
function rollText({ setup, live, pending: { chance }, selection: { decisions: { rolling } } }) {
  const seats = rolling ?? (live.seatIndex.has(chance.by) && setup.rolls === "players" ? [chance.by] : []);
  return seats.length ? t("player_rolls", seats.map((seat) => isolate(live.name(seat))).join(", ")) : t(setup.rolls === "players" && !live.seatIndex.has(chance.by) ? "any_player_rolls" : "scorer_rolls");
}

// Returns the sentence about the people for whom the game waits. It is empty if this link can record, if the game is over, and while an offer is
// open: the offer says who must answer.
export function awaitedText(table) {
  const { setup, live, pending: { chance, by = [] } } = table;
  if (!hasNothing(table) || table.selection.decisions.offers?.length || live.findings.some(({ code }) => code === "play.cannot_apply")) return "";
  if (chance) return setup.dice === "commit-reveal" ? "" : rollText(table);
  const people = by.filter((seat) => live.seatIndex.has(seat));
  return people.length && !people.includes(setup.seat) ? t("waiting_for", people.map((seat) => isolate(live.name(seat))).join(", ")) : "";
}
