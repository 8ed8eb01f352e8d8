// The people at the table: name, looks, points, luck, time, and whose turn it is.

import { Clock, duration } from "./clock.js";
import { $, el, svg } from "./dom.js";
import { luck, signed } from "./luck.js";
import { shapes } from "./shapes.js";
import { t, w } from "./texts.js";
import { winners } from "./words.js";

// A seat's shape in its colour, with its letter; drawn once by `dress`.
export function badge(at) {
  return svg("svg", { class: "badge", "aria-hidden": "true" }, svg("use", { href: `#badge${at}` }));
}

// The seats' colours as classes; a style element of the page's own would break its security policy.
export function dress(story) {
  $("shapes").append(...story.seats.map(({ shape, letter }, at) => {
    const d = shapes.marks[shape];
    return svg("symbol", { id: "badge" + at, viewBox: "-12 -12 24 24" }, svg("path", { d, class: `seat${at}` }), svg("path", { d, class: `weave weave${at}` }),
      svg("text", { class: `ink${at} halo${at}`, y: shape === "triangle" ? 6 : shape === "drop" ? 8 : 5 }, letter));
  }));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(story.seats.map(({ colour, ink }, at) =>
    `.seat${at}{fill:${colour};background-color:${colour};color:${ink}}.ink${at}{fill:${ink}}.halo${at}{stroke:${colour}}.line${at}{stroke:${ink}}.edge${at}{stroke:${colour};stroke-width:7}` +
    `.stroke${at}{stroke:${colour};stroke:light-dark(oklch(from ${colour} min(l,.62) c h),oklch(from ${colour} max(l,.62) c h))}.weave${at}{fill:url(#weave${at})}.owner .weave${at}{fill:url(#wide${at})}`).join(""));
  document.adoptedStyleSheets = [sheet];
}

export function turn(story, n) {
  const pending = story.pending(n), name = (seat) => story.name(seat, n);
  if (pending.winners) return t("over", winners(pending.winners, name), w(pending.reason));
  const owed = pending.chance && t(pending.bag ? "bag_of" : "dice_of", name(pending.chance));
  return [owed, pending.by?.length && t("to_move", pending.by.map(name).join(", "))].filter(Boolean).join(". ");
}

const fact = (name, value) => el("div", {}, el("dt", {}, el("bdi", {}, name)), el("dd", {}, el("bdi", {}, value)));

function captions(story, n, seat) {
  return story.slots.flatMap(([name, owner], key) => {
    const value = owner === seat ? story.captions.at(key, n) : undefined;
    return value === undefined || value === "" ? [] : [fact(w(name), w(String(value)))];
  });
}

// A bar from the middle: to the right for good luck, to the left for bad.
function meter(most) {
  const bar = el("i"), shown = el("span");
  const row = el("div", { class: "luck", title: t("luck_is") }, el("dt", {}, t("luck")), el("dd", {}, el("span", { class: "meter" }, bar), shown));
  return {
    row,
    show(value) {
      bar.style.width = `${(Math.abs(value) / most) * 50}%`;
      bar.style.left = value < 0 ? `${50 - (Math.abs(value) / most) * 50}%` : "50%";
      shown.textContent = signed(value);
    },
  };
}

function card(story, seat, at, most) {
  const name = el("bdi", { class: "name" }), score = el("b", { class: "score" }), facts = el("dl", { class: "captions" }), fortune = meter(most);
  const box = el("li", { class: "card" }, badge(at), name, score, facts);
  return { box, name, score, facts, fortune };
}

export function seats(player) {
  const { story } = player, time = new Clock(story), fortunes = luck(story), contested = story.contests.some(Boolean);
  const most = Math.max(1, ...fortunes.flat().map(Math.abs));
  const cards = story.seats.map((seat, at) => card(story, seat, at, most));
  $("seats").classList.toggle("many", cards.length > 2);
  $("seats").append(...cards.map(({ box }) => box));
  player.addEventListener("step", () => {
    const { n } = player, pending = story.pending(n);
    const active = new Set(pending.winners || [pending.chance, ...(pending.by || [])]);
    cards.forEach(({ box, name, score, facts, fortune }, at) => {
      const { seat } = story.seats[at];
      name.textContent = story.name(seat, n);
      score.textContent = story.score.at(at, n) ?? "";
      box.classList.toggle("active", active.has(seat));
      box.classList.toggle("winner", Boolean(pending.winners) && active.has(seat));
      fortune.show(fortunes[at][n]);
      facts.replaceChildren(...captions(story, n, at), ...(contested ? [fortune.row] : []), fact(t("time"), duration(time.used[at][n])));
    });
    $("captions").replaceChildren(...captions(story, n, -1), fact(t("clock"), duration(time.shown[n])));
    $("turn").textContent = turn(story, n);
  });
}
