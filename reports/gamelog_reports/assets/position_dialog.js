// The dialog with the position in words, for people who do not see the board.

import { $, el } from "./dom.js";
import { t, translated } from "./texts.js";

function describe(data, n) {
  const things = new Map(data.seats.map((_, at) => [at, []]).concat([[-1, []]]));
  data.cells.forEach((cell, at) => {
    const pieces = data.pieces.at(at, n) || [], owner = data.fills.at(at, n) ?? -1;
    const here = translated(cell.label || cell.id), phrases = new Map();
    for (const [kind, seat, text, hidden] of pieces) {
      const word = hidden ? t("hidden_piece") : [t("piece_" + kind), translated(text)].filter(Boolean).join(" ");
      phrases.set(seat, [...(phrases.get(seat) || []), word]);
    }
    if (owner >= 0 && !phrases.has(owner)) phrases.set(owner, []);
    for (const [seat, words] of phrases) things.get(seat).push([here, words.join(", ")].filter(Boolean).join(" "));
  });
  return things;
}

export function positionDialog(playback) {
  const { data } = playback;
  return () => {
    const { n } = playback, rows = [];
    for (const [at, words] of describe(data, n)) {
      if (!words.length) continue;
      const name = at < 0 ? t("nobody") : data.name(data.seats[at].seat, n);
      const count = data.score.at(at, n), points = count == null ? "" : ` (${t("points", count)})`;
      rows.push(el("dt", {}, el("bdi", {}, name), points), el("dd", {}, words.join("; ") + "."));
    }
    $("position-of").textContent = t("event_of", n, data.last);
    $("position-text").replaceChildren(el("p", {}, $("turn").textContent), el("dl", {}, rows));
    $("position").showModal();
  };
}
