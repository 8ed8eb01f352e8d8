// The panel of dice: the results, their sums, and the odds of each contest.

import { $, el, svg } from "./dom.js";
import { piece } from "./pieces.js";
import { badge } from "./seats.js";
import { decimal, t } from "./texts.js";

// Returns odds as a percentage. Odds have four decimals, so 0 and 1 are shown as bounds.
function percent(chance) {
  if (chance > 0.9999) return "> " + decimal(99.99, 2);
  if (chance < 0.0001) return "< " + decimal(0.01, 2);
  return decimal(chance * 100, chance < 0.001 || chance > 0.999 ? 2 : 1);
}

function die(face, seat) {
  return svg("svg", { viewBox: "-31 -31 62 62", class: "die", "aria-hidden": "true" }, piece(["die", seat, String(face), 0, ""], ""));
}

function side(data, seat, faces, sum) {
  const at = data.seatIndex.get(seat) ?? -1;
  return el("span", { class: "side" }, at < 0 ? null : badge(at), faces.map((face) => die(face, at)), sum === undefined ? null : el("b", {}, String(sum)));
}

function contest(data, n, found) {
  const name = el("bdi", {}, data.name(found.by, n)), verdict = t(found.won ? "won" : "lost"), odds = percent(found.odds);
  return [
    side(data, found.by, found.attack, found.attack_sum),
    el("span", { class: "against" }, t("against")),
    side(data, found.against, found.defence, found.defence_sum),
    el("span", { class: `verdict ${found.won ? "won" : "lost"}`, "data-odds": odds }, found.won ? "✓ " : "✗ ", el("span", { class: "who" }, name, ` ${verdict} `), t("chance_to_win", odds)),
  ];
}

// Whether only the player who rolled has played since the roll `at`. Dice of several players belong to no turn.
function isRollersTurn(data, at, n) {
  const [roller, ...others] = new Set(data.effects[at].filter(({ effect }) => effect === "rolled").map(({ seat }) => seat));
  return !others.length && data.events.slice(at + 1, n + 1).every((event) => !event || event.do.startsWith("@") || !data.seatIndex.has(event.by) || event.by === roller);
}

// Returns the event whose dice are shown at n: n itself, or the last roll of a player who is still in their turn. Undone events are skipped. 0 if there is none.
function rolled(data, n) {
  let at = n;
  while (at > 0 && !data.effects[at].some(({ effect }) => effect === "contest" || effect === "rolled")) {
    at = data.jumps.get(at) ?? (data.turnEnds.has(at) ? 0 : at - 1);
  }
  return at < n && (!at || data.contests[at] || data.turnEnds.has(at) || !isRollersTurn(data, at, n)) ? 0 : at;
}

// Returns the dice of a roll that are not used yet, or all of them if the game has no caption of unused dice.
function unused(data, n, seat, faces) {
  const key = data.slots.findIndex(([, owner, dice]) => dice && data.seats[owner]?.seat === seat);
  if (key < 0) return faces;
  const left = (data.captions.at(key, n) || "").split(" ").map(Number);
  return faces.filter((face) => left.includes(face) && left.splice(left.indexOf(face), 1));
}

// Returns the dice that are shown at event n.
export function diceOf(data, n) {
  const at = rolled(data, n), effects = at ? data.effects[at] : [], contests = effects.filter((effect) => effect.effect === "contest");
  const rolls = contests.length ? [] : effects.filter((effect) => effect.effect === "rolled");
  const left = rolls.map(({ seat, faces }) => [seat, at < n ? unused(data, n, seat, faces) : faces]).filter(([, faces]) => faces.length);
  return [...contests.flatMap((found) => contest(data, n, found)), ...left.map(([seat, faces]) => side(data, seat, faces))];
}

export function showDice(playback) {
  playback.addEventListener("step", () => $("dice").replaceChildren(...diceOf(playback.data, playback.n)));
}
