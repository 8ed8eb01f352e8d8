// The panel of players: name, colours, points, luck, time, and who is to move.

import { clockReading, duration } from "./clock.js";
import { $, addStyle, el, renew, svg } from "./dom.js";
import { shapes } from "./pieces.js";
import { decimal, isolate, t, translated } from "./texts.js";
import boardStyle from "./board.css";
import kindStyle from "./kinds.css";

// Luck with dice: the sum of results minus odds over all contests. A won contest counts 1 and a lost contest 0.
// One seat of a contest gains the luck that the other loses.

export function luck(data) {
  const sums = data.seats.map(() => [0]);
  for (let n = 1; n <= data.last; n++) {
    const contest = data.contests[n], surplus = contest && !data.undone[n] ? Number(contest.won) - contest.odds : 0;
    data.seats.forEach(({ seat }, at) => {
      const part = !contest ? 0 : contest.by === seat ? surplus : contest.against === seat ? -surplus : 0;
      sums[at].push(sums[at][n - 1] + part);
    });
  }
  return sums;
}

export function signed(value) {
  return (value < -0.005 ? "−" : value > 0.005 ? "+" : "±") + decimal(Math.abs(value), 2);
}

// Returns a seat's shape in its colour, with its letter. `defineSeatStyles` draws each shape once.
export function badge(at) {
  return svg("svg", { class: "badge", "aria-hidden": "true" }, svg("use", { href: `#badge${at}` }));
}

// Adds the style of the board, the seats' shapes, and their colours as classes.
export function defineSeatStyles(data) {
  const tones = data.colours.map(([word, colour, ink]) => `.body.c-${word}{fill:${colour}}.c-${word}~.word{fill:${ink};stroke:${colour}}`);
  $("shapes").append(...data.seats.map(({ shape, letter }, at) => {
    const d = shapes.marks[shape];
    return svg("symbol", { id: "badge" + at, viewBox: "-12 -12 24 24" }, svg("path", { d, class: `seat${at}` }), svg("path", { d, class: `weave weave${at}` }),
      svg("text", { class: `ink${at} halo${at}`, y: shape === "triangle" ? 6 : shape === "drop" ? 8 : 5 }, letter));
  }));
  addStyle(kindStyle + boardStyle + data.seats.map(({ colour, ink }, at) =>
    `.seat${at}{fill:${colour}}.ink${at}{fill:${ink}}.halo${at}{stroke:${colour}}.line${at}{stroke:${ink}}.edge${at}{stroke-width:min(5px,5*var(--pixel,1px))}.turn${at}{border-color:${colour}}` +
    `.stroke${at},.edge${at}{stroke:${colour};stroke:light-dark(oklch(from ${colour} min(l,.62) c h),oklch(from ${colour} max(l,.62) c h))}.weave${at}{fill:url(#weave${at})}`).concat(tones).join(""));
}

export function turn(data, n) {
  const pending = data.pending(n), name = (seat) => isolate(data.name(seat, n));
  if (pending.winners) return data.over(pending, n);
  const chance = pending.chance && t(pending.bag ? "bag_of" : "dice_of", name(pending.chance));
  return [chance, pending.by?.length && t("to_move", pending.by.map(name).join(", "))].filter(Boolean).join(". ");
}

const fact = (name, value, given = {}) => el("div", {}, el("dt", {}, el("bdi", {}, name)), el("dd", {}, el("bdi", given, value)));

function captions(data, n, seat) {
  return data.slots.flatMap(([name, owner], key) => {
    const value = owner === seat ? data.captions.at(key, n) : undefined;
    return value === undefined || value === "" ? [] : [fact(translated(name), translated(String(value)))];
  });
}

// Returns the captions of the whole table, and its clock.
export function tableFacts(data, n, clock) {
  const at = Math.min(n, clock.data.last), time = at && !clock.data.pending(at).winners ? clockReading(clock.data, at) : clock.shown[at]; // time after the end does not count
  return [...captions(data, n, -1), fact(t("clock"), duration(time), { id: "clock", role: "timer" })];
}

// Returns the points and the warnings that rulings have given to a seat, if there are any.
function ruledFacts(data, n, at) {
  const points = data.penalties.at(at, n), warnings = data.warnings.at(at, n);
  return [points && fact(t("ruled_points"), (points < 0 ? "−" : "+") + Math.abs(points)), warnings && fact(t("ruled_warnings"), warnings)].filter(Boolean);
}

// Returns a bar from the middle: to the right for good luck, to the left for bad luck.
function luckBar(value, most) {
  const bar = el("i"), part = (Math.abs(value) / most) * 50;
  bar.style.width = `${part}%`;
  bar.style.left = `${value < 0 ? 50 - part : 50}%`;
  return el("div", { class: "luck", title: t("luck_is") }, el("dt", {}, t("luck")), el("dd", {}, el("span", { class: "meter" }, bar), el("span", {}, signed(value))));
}

// The luck of all seats, computed again when there are new events.
class Luck {
  update(data) {
    if (this.data === data && this.last === data.last) return;
    Object.assign(this, { data, last: data.last, contested: data.contests.some(Boolean), sums: luck(data) });
    this.most = Math.max(1, ...this.sums.flat().map(Math.abs));
  }

  facts(at, n) {
    return this.contested ? [luckBar(this.sums[at][n], this.most)] : [];
  }
}

const seatLuck = new Luck();

// Returns the captions, points and warnings by rulings, luck and time of a seat.
export function seatFacts(data, n, at, clock) {
  const { seat } = data.seats[at], time = clock.used[at][Math.min(n, clock.data.last)];
  seatLuck.update(data);
  return [...captions(data, n, at), ...ruledFacts(data, n, at), ...seatLuck.facts(at, n), fact(t("time"), duration(time), { "data-seat": seat })];
}

export function showSeats(playback, clock) {
  const cards = playback.data.seats.map((_, at) => {
    const name = el("bdi", { class: "name" }), score = el("b", { class: "score" }), facts = el("dl", { class: "captions" });
    const box = el("li", { class: "card" }, badge(at), name, score, facts);
    $("seats").append(box);
    return { box, name, score, facts };
  });
  $("seats").classList.toggle("many", cards.length > 2);
  playback.addEventListener("step", () => {
    const { data, n } = playback, pending = data.pending(n);
    const active = new Set(pending.winners || [pending.chance, ...(pending.by || [])]);
    cards.forEach(({ box, name, score, facts }, at) => {
      const { seat } = data.seats[at];
      name.textContent = data.name(seat, n);
      score.textContent = data.score.at(at, n) ?? "";
      box.classList.toggle("active", active.has(seat));
      box.classList.toggle("winner", Boolean(pending.winners) && active.has(seat));
      renew(facts, ...seatFacts(data, n, at, clock));
    });
    renew($("captions"), ...tableFacts(data, n, clock));
    $("turn").textContent = turn(data, n);
  });
}
