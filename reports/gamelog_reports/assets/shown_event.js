// The shown event: the position on the board, the sentence, findings and dice, and the players after it.

import { Board } from "./board.js";
import { showDice } from "./dice.js";
import { $, el } from "./dom.js";
import { findingNote } from "./event_list.js";
import { nodes } from "./message.js";
import { move } from "./motion.js";
import { glyph } from "./pieces.js";
import { defineSeatStyles, showSeats } from "./seats.js";
import { isMotionOn } from "./settings.js";
import { t, translated } from "./texts.js";
import { connectTurning } from "./board_side.js";

// Writes the sentence about event n. Long ones have smaller letters on small screens.
export function writeSentence(said, data, n) {
  said.classList.toggle("wordy", data.text(n).length > 110);
  said.replaceChildren(...nodes(data.sentence(n)), data.undone[n] ? el("span", { class: "tag" }, data.disposition(n)) : "");
}

// Shows each step of `playback`, whose clock is `clock`. Returns the board.
export function showSteps(playback, clock) {
  const { legend, remark } = playback.data;
  defineSeatStyles(playback.data);
  const board = new Board($("board"), playback.data);
  $("remark").textContent = remark ? t("about_board", remark) : "";
  $("legend").hidden = !legend.length;
  $("legend").lastElementChild.append(...legend.map(([letters, meaning]) => el("div", {}, el("dt", {}, glyph(letters), letters), el("dd", {}, translated(meaning)))));
  playback.addEventListener("step", ({ detail: { n, from, by } }) => {
    const { data } = playback;
    board.data = data;
    board.show(n);
    $("remark").hidden = n > 0;
    $("said").setAttribute("aria-live", by === "play" && Number(playback.speed) > 2 ? "off" : "polite");
    writeSentence($("said"), data, n);
    $("fault").replaceChildren(...data.faults(n).map((finding) => findingNote(data, finding)));
    if (!isMotionOn() || n === from || by === "look" || (!["step", "play", "turn"].includes(by) && Math.abs(n - from) > 1)) return;
    const [start, end] = by === "turn" ? [from, n] : n > from ? [n - 1, n] : [from, from - 1];
    move(board, data, start, end, by === "play" ? playback.stepDelay() * 0.6 : undefined);
  });
  showSeats(playback, clock);
  showDice(playback);
  connectTurning(board, () => playback.dispatchEvent(new Event("turned")));
  new ResizeObserver(() => board.fit()).observe(board.root);
  return board;
}
