// Puts the page together.

import { Board } from "./board.js";
import { chart } from "./chart.js";
import { dice } from "./contest.js";
import { controls, keys, moves, ticks } from "./controls.js";
import { $, el } from "./dom.js";
import { list } from "./events.js";
import { filter } from "./filter.js";
import { embedded, follow } from "./link.js";
import { move } from "./motion.js";
import { Player } from "./player.js";
import { position } from "./position.js";
import { printing } from "./printing.js";
import { about } from "./record.js";
import { dress, seats } from "./seats.js";
import { Story } from "./story.js";
import { speak, t } from "./texts.js";
import { moving, theme } from "./theme.js";
import { touch } from "./touch.js";
import { unpack } from "./unpack.js";
import { nodes } from "./words.js";

const SMALL = 38; // pixels of a cell's width below which its name cannot be read

// What people look for in a game.
function kinds(story) {
  return {
    contest: (n) => Boolean(story.contests?.[n]),
    score: (n) => n <= story.last && story.score?.changed(n).length > 0,
    comment: (n) => n > 0 && ["@note", "@claim", "@ruling"].includes(story.events[n].do),
    common: (n) => n > 0 && story.events[n].do?.startsWith("@"),
    finding: (n) => story.found(n).length > 0,
  };
}

function show(player, is) {
  const { story } = player;
  dress(story);
  const board = new Board($("board"), story);
  $("remark").textContent = $("remark").title = story.remark || "";
  player.addEventListener("step", ({ detail: { n, from, by } }) => {
    board.show(n);
    $("said").setAttribute("aria-live", by === "play" && Number(player.speed) > 2 ? "off" : "polite");
    $("said").replaceChildren(...nodes(story.sentence(n)));
    if (moving() && Math.abs(n - from) === 1) move(board, story, from, n, by === "play" ? player.pause() * 0.6 : undefined);
  });
  seats(player);
  dice(player);
  chart(player);
  touch($("board").parentElement, player);
  new ResizeObserver(() => $("board").classList.toggle("small", board.pixels() < SMALL)).observe($("board"));
  printing(story, is);
  ticks(story, { contest: { wanted: is.contest, from: 5, to: 9 }, comment: { wanted: is.comment, from: 0, to: 9 }, finding: { wanted: is.finding, from: 0, to: 12 } });
}

function screen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}

async function open() {
  speak(JSON.parse($("texts").textContent));
  const story = new Story(await unpack($("story").textContent)), player = new Player(story), is = kinds(story);
  const root = document.documentElement;
  root.classList.toggle("embed", embedded());
  root.classList.toggle("unknown", !story.known);
  const acts = {
    ...moves(player, is), ...theme(), ...about(story), screen,
    help: () => $("help").showModal(),
    print: () => print(),
    number: () => $("number").select(),
    search: () => $("search").focus(),
  };
  if (story.known) acts.position = position(player);
  if (story.known) show(player, is);
  else $("board").replaceWith(el("p", { class: "blank" }, t("no_board")));
  controls(player, acts);
  keys(acts);
  filter(list(player), is);
  if (!follow(player)) player.go(0, "link");
  window.gamelog = { goto: (n) => player.go(n), play: () => player.play(), pause: () => player.stop(), get n() { return player.n; }, get last() { return story.last; } };
  player.addEventListener("step", ({ detail }) => document.dispatchEvent(new CustomEvent("gamelog:step", { detail })));
  root.classList.add("ready");
}

open().catch((error) => {
  document.querySelector("main").replaceChildren(el("p", { class: "blank" }, t("cannot_open", String(error))));
  document.documentElement.classList.add("ready");
});
