// The choice panel beside the board: choices in words, keys for dice and bags, the held event, undo, offers.

import { openClaims } from "./claims.js";
import { $, button, el } from "./dom.js";
import { capital, nodes, text } from "./message.js";
import { removalButton } from "./removal.js";
import { bagContents, rollProgress } from "./selection.js";
import { isolate, t, translated } from "./texts.js";

const PAIRS = 2, ONE_LINE = 6, SHORT_ANSWERS = 40;

// Returns the pieces of a sentence as text in which each name keeps its direction.
export const isolatedText = (pieces) => pieces.map((piece) => (typeof piece === "string" ? piece : isolate(piece.text))).join("");

// Returns the sentence about an event that is not recorded yet.
export function eventText(game, event) {
  return isolatedText(game.plainly({ ...event, phrase: event.do }, game.last));
}

// Returns this sentence as nodes, in which each name keeps its direction.
const eventNodes = (game, event) => nodes(game.plainly({ ...event, phrase: event.do }, game.last));

// Returns the results of a roll in words. If they follow from the record, `draws` says whether they are dice.
export const resultsText = (results, draws = []) => (results === "known" ? t(draws.every(({ kind }) => kind === "dice") ? "roll_known" : "draw_known") : results.map((one) => one.join(" ")).join(", "));

// Returns the seat for which the result `at` of a draw is.
const receiver = ({ receivers, seat }, at, chance) => receivers[at] ?? seat ?? chance.by;

// Returns the results of each draw in words, with the name of the player for whom they are.
function namedResults(game, results, chance) {
  return results.flatMap((result, index) => {
    const whose = result.map((_, at) => receiver(chance.draws[index], at, chance));
    return [...new Set(whose)].map((seat) => `${isolate(game.name(seat))}: ${result.filter((_, at) => whose[at] === seat).map((one) => translated(String(one))).join(" ")}`);
  });
}

// Returns `text` with nodes in its place.
function fillPlaceholder(text, inside) {
  const [before, after] = text.split("\0");
  return [before, ...inside, after];
}

// Returns the sentence about a listed event. Without the event in this page, it is the server's English sentence.
export function listedText(game, { n, text: english }) {
  return game.events[n] ? isolatedText(game.sentence(n)) : english;
}

export function choiceButtons(selection, game) {
  const { decisions } = selection, { lit, alone, kinds, done, left } = selection.resolution, out = [];
  const authors = (all) => [...new Set(all.map(({ event }) => event.by))], isShared = authors(decisions.choices).length > 1;
  const tokenLabel = (token) => {
    const { text, seat } = decisions.tokens[token], own = translated(text), whose = isShared ? authors(decisions.choices.filter(({ tokens }) => tokens.includes(token))) : [];
    const [first, ...rest] = text.split(" "); // a value for a seat, such as a card
    if (token.startsWith("word:") && rest.length && game.seatIndex.has(first)) return `${isolate(game.name(first))}: ${translated(rest.join(" "))}`;
    const tags = new Set(decisions.choices.filter(({ tokens }) => tokens[0] === token).map(({ event }) => event.do));
    if (token.startsWith("seat:") && tags.size === 1 && decisions.choices.some(({ event }) => !tags.has(event.do))) return `${translated([...tags][0].replaceAll("_", " "))}: ${isolate(game.name(text))}`;
    const name = token.startsWith("seat:") || seat ? game.name(seat || text) : whose.length === 1 ? game.name(whose[0]) : own;
    return name === own ? own : `${own} (${isolate(name)})`; // a colour can name a piece and a seat
  };
  if (selection.ask.length) out.push(el("p", {}, t("which")), ...selection.ask.map((token) => button(tokenLabel(token), () => selection.tap(token), { "data-token": token })));
  else if (kinds.length) out.push(el("p", {}, t("which")), ...kinds.map((choice) => button(eventNodes(game, choice.event), () => selection.choose(choice))));
  else {
    const isWorded = (token) => !decisions.tokens[token].cells?.length || decisions.tokens[token].tray, isNext = (token) => left.some(({ tokens, set = [] }) => (set.length ? tokens.includes(token) : tokens.find((one) => isWorded(one) && !selection.tapped.includes(one)) === token));
    const worded = [...selection.tapped, ...lit.filter(isNext)].filter(isWorded); // the words of an event one after the other
    out.push(...worded.map((token) => button(tokenLabel(token), () => selection.tap(token), { "aria-pressed": String(selection.tapped.includes(token)), "data-token": token })));
    const one = done && !(selection.tapped.length === 0 && decisions.choices.length > 1) ? done : null;
    if (one) out.push(button(decisions.choices.length === 1 && !one.count ? eventNodes(game, one.event) : fillPlaceholder(t("done", "\0"), eventNodes(game, one.event)), () => selection.confirm(one), { class: "main" }));
    out.push(...alone.filter((choice) => choice !== one).map((choice) => button(eventNodes(game, choice.event), () => selection.choose(choice), { class: "main" })));
  }
  if (selection.missed && left.length && !left[0].count) out.push(...(decisions.complete ? [el("p", { class: "soft" }, t("nothing_there")), el("p", {}, t("possible_now", eventText(game, left[0].event)))] : [el("p", { class: "soft" }, t("listed_only"))]));
  return out;
}

// Returns the prompt for the next results of `name`, who has `own` of them. A player is first asked to roll or draw. If the dice are of several players, one
// device enters all the throws, and the prompt asks for each of them by name. `at` is the number of the throw, and `count` the number of throws.
function resultPrompt({ role }, { kind }, name, left, own, has, { at, count }) {
  const isDice = kind === "dice";
  if (role === "seat" && isDice && count > 1) return `${t(left === 1 ? "throw_one" : "throw_many", name, left)} ${t("throw_of", at, count)}`;
  if (role !== "seat" || has) return isDice ? t(left === 1 ? "roll_for_one" : "roll_for", name, left) : t("draw_for", name, own + 1, own + left);
  return isDice ? t(left === 1 ? "roll_die" : "roll_dice", name, left) : t(left === 1 ? "draw_one" : "draw_many", name, left);
}

function rollKeys(selection, game) {
  const { chance, known } = selection.decisions;
  if (!chance || selection.held || selection.sent) return [];
  const { results, next } = rollProgress(chance.draws, selection.given), shown = namedResults(game, results, chance).map((one) => el("span", { class: "thrown" }, one));
  if (known) return [button(resultsText("known", chance.draws), () => selection.hold({ results: "known" }), { class: "main" })];
  const keys = [];
  if (next.draw.kind === "dice") {
    const faces = Array.from({ length: next.draw.sides }, (_, at) => at + 1);
    keys.push(el("div", { class: "keys ones" }, faces.map((face) => button(String(face), () => selection.give(face)))));
    if (next.left >= PAIRS && next.draw.pairs && next.draw.sides <= 6) {
      const pairs = faces.flatMap((one) => faces.filter((other) => other <= one).map((other) => [one, other]));
      keys.push(el("div", { class: "keys pairs" }, pairs.map((pair) => button(pair.join(" "), () => selection.give(...pair)))));
    }
  } else {
    const kinds = bagContents(next.draw, next.has), refills = next.draw.kind === "weighted", label = (kind) => (game.seatIndex.has(kind) && !next.draw.pairs ? game.name(kind) : translated(kind));
    keys.push(el("div", { class: "keys" }, kinds.map(([kind, count]) => button(refills ? label(kind) : t("bag_left", label(kind), count), () => selection.give(kind)))));
    if (next.left >= PAIRS && next.draw.pairs && kinds.length <= 6) {
      const pairs = kinds.flatMap(([one, count], at) => kinds.slice(at).filter(([other]) => other !== one || count > 1 || refills).map(([other]) => [one, other]));
      keys.push(el("div", { class: "keys" }, pairs.map((pair) => button(pair.map(label).join(" "), () => selection.give(...pair)))));
    }
  }
  const has = next.has.length, seat = receiver(next.draw, has, chance);
  const countOwn = (first, count) => Array.from({ length: count }, (_, at) => receiver(next.draw, first + at, chance)).filter((one) => one === seat).length, own = countOwn(0, has), left = countOwn(has, next.left);
  const throws = { at: chance.draws.indexOf(next.draw) + 1, count: new Set(chance.draws.map((draw) => draw.seat ?? chance.by)).size > 1 ? chance.draws.length : 1 };
  const isLong = throws.count > 1 && chance.draws.reduce((sum, { count }) => sum + count, 0) > ONE_LINE; // the keys stay in place while the dice are entered
  return [el("div", { class: isLong ? "given long" : "given" }, el("p", {}, resultPrompt(selection.decisions, next.draw, game.name(seat), left, own, has, throws)), shown), ...keys];
}

// Returns the prompt: who does what, and where if only the board shows it.
function promptLines({ decisions: { choices, left, chance, tokens }, tapped, resolution: { lit, done }, cells }, game, hasButtons) {
  if (chance && !choices.length) return [];
  const people = [...new Set(choices.map(({ event }) => event.by))].map((seat) => isolate(game.name(seat))), isWords = tapped.length && lit.length && !done && !lit.some((token) => tokens[token].cells?.length && !tokens[token].tray);
  const hint = isWords ? t("which_word") : !cells.size ? "" : hasButtons ? t("tap_or_choose") : t("tap_board");
  const [{ count } = {}] = choices, due = (count ? t("chosen_of", tapped.length, count) : left) || hint || (choices.length > 1 ? t("choose_below") : "");
  return people.length && due ? [el("p", { class: "due" }, `${people.join(", ")}: ${due}`), due !== hint && hint ? el("p", { class: "soft" }, hint) : ""] : [];
}

// Returns an offer in words: who asks, and what would be undone, the last event first, because its place shows only the first words. A link that
// cannot answer reads for whom the offer waits.
function offerText(game, { n, by, answers, events, ...offer }, claims) {
  const { do: tag, slip, reason } = game.events[n] ?? {};
  if (tag !== "@takeback" || !events.length) return [listedText(game, { n, ...offer }), tag === "@agree" && claims ? t("claims_open", claims) : ""].join(" ");
  const undone = [...events].reverse().map((one) => `${one.n}. ${listedText(game, one)}`).join(" "), author = isolatedText(capital([{ text: game.name(by) }]));
  const waiting = answers.length ? "" : isolatedText(game.effects[n].filter(({ effect }) => effect.startsWith("awaited")).flatMap((one) => game.plainly(one, n)));
  return [t(slip ? "asks_correction" : "asks_undo", author, undone), reason && t("asks_reason", isolate(reason)), waiting].filter(Boolean).join(" ");
}

// Gives offers with long names on their buttons more room.
function fitOffers() {
  for (const row of $("offers").querySelectorAll(".row")) row.classList.toggle("long", row.textContent.length > SHORT_ANSWERS);
}

// Makes new offers visible: nothing covers them.
function showNewOffers(offers) {
  if (offers && offers !== $("offers").dataset.n) {
    for (const sheet of document.querySelectorAll("#more .rest[open]")) sheet.open = false;
  }
  $("offers").dataset.n = offers;
}

// Shows the choices, and the buttons in `offered`. `act` records an event that needs no second tap.
export function choicePanel(selection, game, act, offered = []) {
  const { decisions, held } = selection, here = document.activeElement?.textContent;
  $("held").hidden = !held;
  $("desk").dataset.n = decisions.n;
  if (held) {
    const events = new Map((held.event ? held.events || [held.event] : []).map((event) => [eventText(game, event), event]));
    const heldNodes = held.event ? [...events].flatMap(([text, event]) => [...eventNodes(game, event), /[.!?…]$/.test(text) ? " " : ". "]) : [held.results === "known" || !decisions.chance ? resultsText(held.results, decisions.chance?.draws) : `${namedResults(game, held.entered ?? held.results, decisions.chance).join(", ")}.`];
    const more = Array.from({ length: (held.times || 1) - 1 }, (_, at) => at + 2).map((count) => button(`×${count}`, () => selection.repeat(count), { "aria-label": t("times", count), "aria-pressed": String(held.events.length === count) }));
    $("held").replaceChildren(el("span", {}, fillPlaceholder(t(decisions.isCorrection ? "hold_correct" : "hold", "\0"), heldNodes)), ...more, button(t("not_so"), () => selection.forget()));
  }
  const found = held || selection.sent ? [] : [...choiceButtons(selection, game), ...offered];
  $("ask").replaceChildren(...(selection.sent || held ? [] : promptLines(selection, game, found.some(({ tagName }) => tagName === "BUTTON"))), ...found);
  $("pad").replaceChildren(...rollKeys(selection, game));
  const acts = [];
  if (!held && !selection.sent && (selection.tapped.length || selection.given.length)) acts.push(button(t("clear"), () => selection.forget()));
  if (!held && !selection.sent && selection.given.length > 1) acts.push(button(t("remove_last"), () => selection.removeLast()));
  if (decisions.undo && !held && !selection.isStuck && selection.given.length < 2) {
    const { undone, event } = decisions.undo;
    acts.push(removalButton(undone.length > 1 ? t("undo_many", undone.length) : t("undo", undone[0].n), t("undo_confirm", undone.length), undone.length, () => act(event), { id: "undo" }, `undo ${undone.map(({ n }) => n)}`));
    acts.push(el("span", { class: "soft" }, `${undone[0].n}. `, listedText(game, undone[0])));
  }
  $("acts").replaceChildren(...acts);
  const claims = openClaims(game).join(", ");
  $("offers").replaceChildren(...decisions.offers.map(({ n, answers, can_withdraw: canWithdraw, undone, events, ...offer }) => el("div", {},
    el("p", {}, offerText(game, { n, answers, events, ...offer }, claims)),
    el("div", { class: "row" }, answers.flatMap((seat) => {
      const reply = (answer) => () => act({ do: "@" + answer, by: seat, about: n }), label = (text) => fillPlaceholder(text, [el("bdi", {}, game.name(seat))]);
      return [removalButton(label(t(undone > 1 ? "accept_undo" : "accept", "\0", undone)), t("undo_confirm", undone), undone, reply("accept"), {}, `offer ${n} ${seat} ${undone}`), button(label(t("decline", "\0")), reply("decline"))];
    }), canWithdraw ? button(t("withdraw_offer"), () => act({ do: "@withdraw", by: offer.by, about: n })) : ""),
  )));
  fitOffers();
  showNewOffers(decisions.offers.map(({ n }) => n).join(" "));
  const again = here && [...document.querySelectorAll("#desk button, #offers button")].find((one) => one.textContent === here);
  if (again) again.focus({ preventScroll: true });
}
