// The position in words, for those who do not see the board.

import { $, el } from "./dom.js";
import { t, w } from "./texts.js";

function describe(story, n) {
  const things = new Map(story.seats.map((_, at) => [at, []]).concat([[-1, []]]));
  story.cells.forEach((cell, at) => {
    const pieces = story.pieces.at(at, n) || [], owner = story.fills.at(at, n) ?? -1;
    const here = w(cell.label || cell.id), said = new Map();
    for (const [kind, seat, text, hidden] of pieces) {
      const word = hidden ? t("hidden_piece") : [t("piece_" + kind), w(text)].filter(Boolean).join(" ");
      said.set(seat, [...(said.get(seat) || []), word]);
    }
    if (owner >= 0 && !said.has(owner)) said.set(owner, []);
    for (const [seat, words] of said) things.get(seat).push([here, words.join(", ")].filter(Boolean).join(" "));
  });
  return things;
}

export function position(player) {
  const { story } = player;
  return () => {
    const { n } = player, rows = [];
    for (const [at, words] of describe(story, n)) {
      if (!words.length) continue;
      const name = at < 0 ? t("nobody") : story.name(story.seats[at].seat, n);
      const count = story.score.at(at, n), points = count == null ? "" : ` (${t("points", count)})`;
      rows.push(el("dt", {}, el("bdi", {}, name), points), el("dd", {}, words.join("; ") + "."));
    }
    $("position-of").textContent = t("event_of", n, story.last);
    $("position-text").replaceChildren(el("p", {}, $("turn").textContent), el("dl", {}, rows));
    $("position").showModal();
  };
}
