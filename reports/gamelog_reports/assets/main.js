// Puts the page together.

import { Board } from "./board.js";
import { controls, keys, ticks } from "./controls.js";
import { $ } from "./dom.js";
import { list } from "./events.js";
import { embedded, follow } from "./link.js";
import { Player } from "./player.js";
import { dress, seats } from "./seats.js";
import { Story } from "./story.js";
import { speak } from "./texts.js";
import { theme } from "./theme.js";
import { unpack } from "./unpack.js";
import { nodes } from "./words.js";

function numbersWhere(story, wanted) {
  return story.events.map((_, n) => n).filter((n) => n > 0 && wanted(n));
}

async function open() {
  const data = await unpack($("story").textContent);
  speak(data.texts);
  const story = new Story(data), player = new Player(story);
  document.documentElement.classList.toggle("embed", embedded());
  theme();
  const is = {
    contest: (n) => Boolean(story.contests[n]),
    score: (n) => story.score.changed(n).length > 0,
    comment: (n) => story.events[n].do === "@note" || story.events[n].do === "@claim",
    finding: (n) => story.found(n).length > 0,
  };
  const seek = Object.fromEntries(Object.entries(is).map(([name, wanted]) => [name, () => player.seek(wanted)]));
  if (story.known) {
    dress(story);
    const board = new Board($("board"), story);
    $("remark").textContent = story.remark || "";
    player.addEventListener("step", () => {
      board.show(player.n);
      $("said").replaceChildren(...nodes(story.sentence(player.n)));
    });
    seats(player);
    ticks(story, { contest: numbersWhere(story, (n) => n <= story.last && is.contest(n)), comment: numbersWhere(story, is.comment), finding: numbersWhere(story, is.finding) });
  }
  const acts = controls(player, seek);
  acts.help = () => $("help").showModal();
  keys(acts, { "?": "help" });
  list(player);
  if (!follow(player)) player.go(0, "link");
  document.documentElement.classList.add("ready");
  window.gamelog = { goto: (n) => player.go(n), get n() { return player.n; }, get last() { return story.last; } };
  player.addEventListener("step", ({ detail }) => document.dispatchEvent(new CustomEvent("gamelog:step", { detail })));
}

open();
