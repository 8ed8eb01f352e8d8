// The desk beside the board: words to tap, the pad for dice and bags, what is held, undo, offers.

import { $, el } from "./dom.js";
import { inBag, rolling } from "./resolver.js";
import { t, w } from "./texts.js";
import { text } from "./words.js";

const PAIRS = 2;

export function button(label, act, given = {}) {
  const made = el("button", { type: "button", ...given }, label);
  made.addEventListener("click", act);
  return made;
}

// An event that is not written yet, in words.
export function told(picture, event) {
  return text(picture.plainly({ ...event, phrase: event.do }, 0));
}

// What happened at an event that is listed, in the page's language; else as the server has told it.
export function spoken(picture, { n, text: english }) {
  return picture.events[n] ? picture.text(n) : english;
}

export function asking(taking, picture) {
  const { decisions } = taking, { lit, alone, kinds, done, left } = taking.found, out = [];
  const say = (token) => {
    const { text, seat } = decisions.tokens[token], own = w(text), name = token.startsWith("seat:") || seat ? picture.name(seat || text) : own;
    return name === own ? own : `${own} (${name})`; // a colour of a piece may be a seat's, too
  };
  if (taking.ask.length) out.push(el("p", {}, t("which")), ...taking.ask.map((token) => button(say(token), () => taking.tap(token), { "data-token": token })));
  else if (kinds.length) out.push(el("p", {}, t("which")), ...kinds.map((choice) => button(told(picture, choice.event), () => taking.say(choice))));
  else {
    const worded = [...taking.tapped, ...lit].filter((token) => !decisions.tokens[token].cells?.length || decisions.tokens[token].tray);
    out.push(...worded.map((token) => button(say(token), () => taking.tap(token), { "aria-pressed": String(taking.tapped.includes(token)), "data-token": token })));
    const one = done && !(taking.tapped.length === 0 && decisions.choices.length > 1) ? done : null;
    if (one) out.push(button(decisions.choices.length === 1 ? told(picture, one.event) : t("done", told(picture, one.event)), () => taking.say(one), { class: "main" }));
    out.push(...alone.filter((choice) => choice !== one).map((choice) => button(told(picture, choice.event), () => taking.say(choice), { class: "main" })));
  }
  if (taking.missed && left.length && !decisions.complete) out.push(el("p", { class: "soft" }, t("listed_only")));
  return out;
}

function pad(taking, picture) {
  const { chance, known } = taking.decisions;
  if (!chance || taking.held || taking.sent) return [];
  const { results, next } = rolling(chance.draws, taking.given), name = (seat) => picture.name(seat || chance.by);
  const shown = results.flatMap((result, at) => (result.length ? [el("p", { class: "thrown" }, `${name(chance.draws[at].seat)}: ${result.map((one) => w(String(one))).join(" ")}`)] : []));
  if (known) return [button(t("roll_known"), () => taking.hold({ results: "known" }), { class: "main" })];
  const keys = [];
  if (next.draw.kind === "dice") {
    const faces = Array.from({ length: next.draw.sides }, (_, at) => at + 1);
    keys.push(el("div", { class: "keys ones" }, faces.map((face) => button(String(face), () => taking.give(face)))));
    if (next.left >= PAIRS && next.draw.pairs && next.draw.sides <= 6) {
      const pairs = faces.flatMap((one) => faces.filter((other) => other <= one).map((other) => [one, other]));
      keys.push(el("div", { class: "keys pairs" }, pairs.map((pair) => button(pair.join(" "), () => taking.give(...pair)))));
    }
  } else {
    const kinds = inBag(next.draw, next.has), refills = next.draw.kind === "weighted", called = (kind) => (picture.seatIndex.has(kind) && !next.draw.pairs ? picture.name(kind) : w(kind));
    keys.push(el("div", { class: "keys" }, kinds.map(([kind, count]) => button(refills ? called(kind) : t("bag_left", called(kind), count), () => taking.give(kind)))));
    if (next.left >= PAIRS && next.draw.pairs && kinds.length <= 6) {
      const pairs = kinds.flatMap(([one, count], at) => kinds.slice(at).filter(([other]) => other !== one || count > 1 || refills).map(([other]) => [one, other]));
      keys.push(el("div", { class: "keys" }, pairs.map((pair) => button(pair.map(called).join(" "), () => taking.give(...pair)))));
    }
  }
  return [...shown, el("p", {}, t("roll_for", name(next.draw.seat), next.left)), ...keys];
}

// Show what can be said now, and what is `offered` besides; `act` writes an event that needs no second tap.
export function desk(taking, picture, act, offered = []) {
  const { decisions, held } = taking, here = document.activeElement?.textContent;
  $("held").hidden = !held;
  $("desk").dataset.n = decisions.n;
  if (held) {
    const said = held.event ? [...new Set((held.events || [held.event]).map((event) => told(picture, event)))].join(" ") : held.results === "known" ? t("roll_known") : held.results.map((one) => one.join(" ")).join(", ");
    const more = Array.from({ length: (held.times || 1) - 1 }, (_, at) => at + 2).map((count) => button(`×${count}`, () => taking.repeat(count), { "aria-label": t("times", count), "aria-pressed": String(held.events.length === count) }));
    $("held").replaceChildren(el("span", {}, t("hold", said)), ...more, button(t("not_so"), () => taking.forget()));
  }
  const found = held || taking.sent ? [] : [...asking(taking, picture), ...offered];
  $("ask").replaceChildren(...(found.length || !taking.cells.size ? [] : [el("p", { class: "soft" }, t("tap_board"))]), ...found);
  $("pad").replaceChildren(...pad(taking, picture));
  const acts = [];
  if (!held && (taking.tapped.length || taking.given.length)) acts.push(button(t("clear"), () => taking.forget()));
  if (decisions.undo && !held) {
    const { undone, event } = decisions.undo;
    acts.push(button(undone.length > 1 ? t("undo_many", undone.length, spoken(picture, undone[0])) : t("undo", spoken(picture, undone[0])), () => act(event), { id: "undo" }));
  }
  $("acts").replaceChildren(...acts);
  $("offers").replaceChildren(...decisions.offers.flatMap(({ n, answers, ...offer }) => [
    el("p", {}, spoken(picture, { n, ...offer })),
    ...answers.flatMap((seat) => ["accept", "decline"].map((answer) => button(t(answer, picture.name(seat)), () => act({ do: "@" + answer, by: seat, about: n })))),
  ]));
  const again = here && [...$("desk").querySelectorAll("button")].find((one) => one.textContent === here);
  if (again) again.focus();
}
