// The people at the table: name, looks, points, luck, time, and whose turn it is.

import { Clock, duration } from "./clock.js";
import { $, el, renew, svg } from "./dom.js";
import { luck, signed } from "./luck.js";
import { shapes } from "./shapes.js";
import { t, w } from "./texts.js";
import { winners } from "./words.js";

// A seat's shape in its colour, with its letter; drawn once by `dress`.
export function badge(at) {
  return svg("svg", { class: "badge", "aria-hidden": "true" }, svg("use", { href: `#badge${at}` }));
}

// The seats' colours as classes; a style element of the page's own would break its security policy.
export function dress(data) {
  $("shapes").append(...data.seats.map(({ shape, letter }, at) => {
    const d = shapes.marks[shape];
    return svg("symbol", { id: "badge" + at, viewBox: "-12 -12 24 24" }, svg("path", { d, class: `seat${at}` }), svg("path", { d, class: `weave weave${at}` }),
      svg("text", { class: `ink${at} halo${at}`, y: shape === "triangle" ? 6 : shape === "drop" ? 8 : 5 }, letter));
  }));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(data.seats.map(({ colour, ink }, at) =>
    `.seat${at}{fill:${colour};background-color:${colour};color:${ink}}.ink${at}{fill:${ink}}.halo${at}{stroke:${colour}}.line${at}{stroke:${ink}}.edge${at}{stroke:${colour};stroke-width:7}` +
    `.stroke${at}{stroke:${colour};stroke:light-dark(oklch(from ${colour} min(l,.62) c h),oklch(from ${colour} max(l,.62) c h))}.weave${at}{fill:url(#weave${at})}.owner .weave${at}{fill:url(#wide${at})}`).join(""));
  document.adoptedStyleSheets = [sheet];
}

export function turn(data, n) {
  const pending = data.pending(n), name = (seat) => data.name(seat, n);
  if (pending.winners) return t("over", winners(pending.winners, name), w(pending.reason));
  const owed = pending.chance && t(pending.bag ? "bag_of" : "dice_of", name(pending.chance));
  return [owed, pending.by?.length && t("to_move", pending.by.map(name).join(", "))].filter(Boolean).join(". ");
}

const fact = (name, value) => el("div", {}, el("dt", {}, el("bdi", {}, name)), el("dd", {}, el("bdi", {}, value)));

function captions(data, n, seat) {
  return data.slots.flatMap(([name, owner], key) => {
    const value = owner === seat ? data.captions.at(key, n) : undefined;
    return value === undefined || value === "" ? [] : [fact(w(name), w(String(value)))];
  });
}

// A bar from the middle: to the right for good luck, to the left for bad.
function fortune(value, most) {
  const bar = el("i"), part = (Math.abs(value) / most) * 50;
  bar.style.width = `${part}%`;
  bar.style.left = `${value < 0 ? 50 - part : 50}%`;
  return el("div", { class: "luck", title: t("luck_is") }, el("dt", {}, t("luck")), el("dd", {}, el("span", { class: "meter" }, bar), el("span", {}, signed(value))));
}

export function seats(player) {
  const { data } = player, time = new Clock(data), fortunes = luck(data), contested = data.contests.some(Boolean);
  const most = Math.max(1, ...fortunes.flat().map(Math.abs));
  const cards = data.seats.map((_, at) => {
    const name = el("bdi", { class: "name" }), score = el("b", { class: "score" }), facts = el("dl", { class: "captions" });
    const box = el("li", { class: "card" }, badge(at), name, score, facts);
    $("seats").append(box);
    return { box, name, score, facts };
  });
  $("seats").classList.toggle("many", cards.length > 2);
  player.addEventListener("step", () => {
    const { n } = player, pending = data.pending(n);
    const active = new Set(pending.winners || [pending.chance, ...(pending.by || [])]);
    cards.forEach(({ box, name, score, facts }, at) => {
      const { seat } = data.seats[at];
      name.textContent = data.name(seat, n);
      score.textContent = data.score.at(at, n) ?? "";
      box.classList.toggle("active", active.has(seat));
      box.classList.toggle("winner", Boolean(pending.winners) && active.has(seat));
      renew(facts, ...captions(data, n, at), ...(contested ? [fortune(fortunes[at][n], most)] : []), fact(t("time"), duration(time.used[at][n])));
    });
    renew($("captions"), ...captions(data, n, -1), fact(t("clock"), duration(time.shown[n])));
    $("turn").textContent = turn(data, n);
  });
}
