// What the page says beside the board: whose turn it is, what has happened, who sits where.

import { button } from "./desk.js";
import { $, el } from "./dom.js";
import { badge } from "./seats.js";
import { t, w } from "./texts.js";
import { nodes, winners } from "./words.js";

// The position `now`, which `table` shows.
export function position(table, now) {
  const name = (seat) => table.picture.name(seat), { pending } = now;
  $("turn").textContent = pending.outcome ? t("over", winners(pending.outcome.winners, name), w(pending.outcome.reason)) : [pending.chance && t(pending.chance.draws.every((draw) => draw.type === "dice") ? "dice_of" : "bag_of", name(pending.chance.by)), pending.by?.length && t("to_move", pending.by.map(name).join(", "))].filter(Boolean).join(". ");
  $("said").replaceChildren(...(now.n ? nodes(table.picture.sentence(now.n)) : [t("start")]));
  $("captions").textContent = now.captions.filter(({ seat, value }) => !seat && value !== "").map((one) => `${w(one.name)}: ${w(one.value)}`).join(" · ");
  $("slider").max = now.last;
  $("slider").value = now.n;
  $("number").textContent = t("at_event", now.n, now.last);
  $("live").hidden = table.n === null;
  $("scrub").hidden = Boolean(table.fixing); // what is corrected is one position
  const active = new Set(pending.outcome ? pending.outcome.winners : [pending.chance?.by, ...(pending.by || [])]);
  $("seats").replaceChildren(...table.setup.seats.map(({ seat }, at) => el("li", { class: active.has(seat) ? "card active" : "card" }, badge(at), el("bdi", { class: "name" }, name(seat)), el("span", { class: "time", "data-seat": seat }), el("b", { class: "score" }, String(now.score[seat] ?? "")),
    el("span", { class: "soft" }, now.captions.filter((one) => one.seat === seat && one.value !== "").map((one) => `${w(one.name)}: ${w(one.value)}`).join(" · ")))));
}

// All events that stand or have been taken back, the last first.
export function happenings(table, events) {
  $("list").start = table.last;
  $("list").replaceChildren(...[...events].reverse().map(({ event, effects, phrase, stands }) => {
    table.picture.events[event.n] = { ...event, phrase };
    table.picture.effects[event.n] = effects;
    const go = button(`${event.n}.`, () => table.go(event.n), { class: "plain" });
    return el("li", {}, go, " ", el("span", { class: stands ? "" : "gone" }, ...nodes(table.picture.sentence(event.n))), stands ? null : el("em", {}, ` ${t("taken_back")}`));
  }));
}
