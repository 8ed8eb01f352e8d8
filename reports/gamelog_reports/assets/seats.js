// The people at the table: name, looks, points, and whose turn it is.

import { $, el, svg } from "./dom.js";
import { MARKS } from "./shapes.js";
import { t } from "./texts.js";
import { winners } from "./words.js";

export function badge(seat, at) {
  return svg("svg", { viewBox: "-14 -14 28 28", class: "badge", "aria-hidden": "true" }, svg("path", { d: MARKS[seat.shape], class: `seat${at}` }),
    svg("path", { d: MARKS[seat.shape], class: `weave weave${at}` }));
}

// The seats' colours as classes; a style element of the page's own would break its security policy.
export function dress(story) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(story.seats.map(({ colour, ink }, at) =>
    `.seat${at}{fill:${colour};background-color:${colour};color:${ink}}.ink${at}{fill:${ink}}.line${at}{stroke:${ink}}.edge${at}{stroke:${colour};stroke-width:7}` +
    `.stroke${at}{stroke:${colour}}.weave${at}{fill:url(#weave${at})}`).join(""));
  document.adoptedStyleSheets = [sheet];
}

export function turn(story, n) {
  const pending = story.pending(n), name = (seat) => story.name(seat, n);
  if (pending.winners) return t("over", winners(pending.winners, name), pending.reason);
  if (pending.chance) return t("dice_of", name(pending.chance));
  return pending.by.length ? t("to_move", pending.by.map(name).join(", ")) : "";
}

export function seats(player) {
  const { story } = player, root = $("seats");
  const cards = story.seats.map((seat, at) => {
    const name = el("bdi", { class: "name" }), score = el("b", { class: "score" }), captions = el("dl", { class: "captions" });
    const card = el("li", { class: "card" }, badge(seat, at), name, score, captions);
    root.append(card);
    return { card, name, score, captions };
  });
  player.addEventListener("step", () => {
    const { n } = player, pending = story.pending(n);
    const active = new Set(pending.winners || (pending.chance ? [pending.chance] : pending.by));
    cards.forEach(({ card, name, score, captions }, at) => {
      const { seat } = story.seats[at];
      name.textContent = story.name(seat, n);
      score.textContent = story.score.at(at, n) ?? "";
      card.classList.toggle("active", active.has(seat));
      card.classList.toggle("winner", Boolean(pending.winners) && active.has(seat));
      captions.replaceChildren(...captionRows(story, n, at));
    });
    $("captions").replaceChildren(...captionRows(story, n, -1));
    $("turn").textContent = turn(story, n);
  });
}

function captionRows(story, n, seat) {
  return story.slots.flatMap(([name, owner], key) => {
    const value = owner === seat ? story.captions.at(key, n) : "";
    return value ? [el("div", {}, el("dt", {}, name), el("dd", {}, value))] : [];
  });
}
