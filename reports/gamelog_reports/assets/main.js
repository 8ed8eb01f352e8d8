// Puts the page together.

import { Board } from "./board.js";
import { chart } from "./chart.js";
import { dice } from "./contest.js";
import { copying } from "./copying.js";
import { controls, keys, moves, ticks } from "./controls.js";
import { $, el } from "./dom.js";
import { filter } from "./filter.js";
import { note } from "./findings.js";
import { embedded, follow } from "./link.js";
import { List } from "./list.js";
import { move } from "./motion.js";
import { Player } from "./player.js";
import { position } from "./position.js";
import { preview } from "./preview.js";
import { printing } from "./printing.js";
import { about } from "./record.js";
import { script } from "./script.js";
import { dress, seats } from "./seats.js";
import { PageData } from "./page_data.js";
import { speak, t, w } from "./texts.js";
import { moving, theme } from "./theme.js";
import { touch } from "./touch.js";
import { unpack } from "./unpack.js";
import { nodes } from "./words.js";

// What people look for in a game.
function kinds(data) {
  return {
    contest: (n) => Boolean(data.contests?.[n]),
    capture: (n) => n > 0 && data.captures(n),
    score: (n) => n <= data.last && data.score?.changed(n).length > 0,
    comment: (n) => n > 0 && ["@note", "@claim", "@ruling"].includes(data.events[n].do),
    common: (n) => n > 0 && data.events[n].do?.startsWith("@"),
    finding: (n) => data.found(n).length > 0 || (n === data.last && data.faults(n).length > 0),
  };
}

function show(player, is) {
  const { data } = player;
  dress(data);
  const board = new Board($("board"), data);
  $("remark").textContent = data.remark || "";
  player.addEventListener("step", ({ detail: { n, from, by } }) => {
    board.show(n);
    $("remark").hidden = n > 0;
    $("said").setAttribute("aria-live", by === "play" && Number(player.speed) > 2 ? "off" : "polite");
    $("said").replaceChildren(...nodes(data.sentence(n)), data.undone[n] ? el("span", { class: "tag" }, data.disposition(n)) : "");
    $("fault").replaceChildren(...data.faults(n).map((finding) => note(data, finding)));
    if (!moving() || n === from || (!["step", "play"].includes(by) && Math.abs(n - from) > 1)) return;
    move(board, data, n > from ? n - 1 : from, n > from ? n : from - 1, by === "play" ? player.pause() * 0.6 : undefined);
  });
  $("legend").hidden = !data.legend.length;
  $("legend").lastElementChild.append(...data.legend.map(([letters, meaning]) => el("div", {}, el("dt", {}, letters), el("dd", {}, w(meaning)))));
  seats(player);
  dice(player);
  chart(player);
  touch($("board").parentElement, player);
  preview(player, [[$("slider"), 9], [$("plot"), 0]]);
  new ResizeObserver(() => board.fit()).observe($("board"));
  printing(player, is);
  ticks(data, { contest: { wanted: is.contest, from: 5, to: 9 }, comment: { wanted: is.comment, from: 0, to: 9 }, finding: { wanted: is.finding, from: 0, to: 12 } });
}

function screen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}

async function open() {
  speak(JSON.parse($("texts").textContent));
  const stage = await unpack($("stage").textContent), told = await unpack($("page_data").textContent, stage);
  const data = new PageData(JSON.parse(stage), JSON.parse(told)), player = new Player(data), is = kinds(data);
  const root = document.documentElement;
  root.classList.toggle("embed", embedded());
  root.classList.toggle("unknown", !data.known);
  const acts = {
    ...moves(player, is), ...theme(), ...about(data), ...copying(data), screen,
    help: () => $("help").showModal(),
    print: () => print(),
    number: () => $("number").select(),
    search: () => $("search").focus(),
  };
  if (data.known) acts.position = position(player);
  if (data.known) show(player, is);
  else $("board").replaceWith(el("p", { class: "blank" }, t("no_board")));
  controls(player, acts);
  keys(acts);
  for (const button of document.querySelectorAll(".group [data-act]")) {
    const wanted = is[button.dataset.act];
    button.disabled = wanted && !data.events.some((_, n) => n > 0 && n <= data.last && wanted(n));
  }
  filter(new List(player), data, is);
  if (!follow(player)) player.go(0, "link");
  script(player);
  root.classList.add("ready");
}

// A document that is still being written holds up the page's load event: whoever waits for that sees the board.
const holding = document.body.appendChild(el("iframe", { hidden: true }));
holding.contentDocument?.open();

open().catch((error) => {
  document.querySelector("main").replaceChildren(el("p", { class: "blank" }, t("cannot_open", String(error))));
  document.documentElement.classList.add("ready");
}).finally(() => {
  holding.contentDocument?.close();
  holding.remove();
});
