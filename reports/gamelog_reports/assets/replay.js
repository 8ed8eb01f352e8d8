// The replay page of a file: connects all parts and opens the page.

import { connectChart, drawChart } from "./chart.js";
import { copyActions } from "./clipboard.js";
import { Clock } from "./clock.js";
import { connectControls, connectKeys, connectTouch, drawTicks, moveActions, showPreview } from "./controls.js";
import { $, el } from "./dom.js";
import { unpack } from "./embedded_text.js";
import { answerScripts, isEmbedded, followAddress } from "./embedding.js";
import { connectSearch, EventList } from "./event_list.js";
import { fail } from "./failure.js";
import { Game } from "./game.js";
import { reserveHeights } from "./heights.js";
import { allowLoad, delayLoad } from "./load_delay.js";
import { Playback } from "./playback.js";
import { positionDialog } from "./position_dialog.js";
import { printBoards } from "./print.js";
import { recordDialog } from "./record_dialog.js";
import { settingActions } from "./settings.js";
import { showSteps } from "./shown_event.js";
import { setTexts, t } from "./texts.js";

// Returns the tests for the kinds of events that people look for.
function eventTests(data) {
  return {
    contest: (n) => Boolean(data.contests?.[n]),
    capture: (n) => n > 0 && data.captures(n),
    score: (n) => n <= data.last && data.score?.changed(n).length > 0,
    comment: (n) => n > 0 && ["@note", "@claim", "@ruling"].includes(data.events[n].do),
    common: (n) => n > 0 && data.events[n].do?.startsWith("@"),
    moment: (n) => data.moments.has(n),
    finding: (n) => data.findingsAt(n).length > 0 || (n === data.last && data.faults(n).length > 0),
  };
}

function show(playback, tests) {
  const { data } = playback, clock = new Clock(data);
  showSteps(playback, clock);
  reserveHeights(playback, clock);
  drawChart(data);
  connectChart(playback);
  connectTouch($("board").parentElement, playback);
  showPreview(playback, [[$("slider"), 9], [$("plot"), 0]]);
  printBoards(playback, tests);
  drawTicks(data, { contest: { wanted: tests.contest, from: 5, to: 9 }, comment: { wanted: tests.comment, from: 0, to: 9 }, finding: { wanted: tests.finding, from: 0, to: 12 } });
}

function screen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}

async function open() {
  setTexts(JSON.parse($("texts").textContent));
  const stage = await unpack($("stage").textContent), pageData = await unpack($("page_data").textContent, stage);
  const data = new Game(JSON.parse(stage), JSON.parse(pageData)), playback = new Playback(data), tests = eventTests(data);
  const root = document.documentElement;
  $("summary")?.toggleAttribute("open", innerWidth > 991 && innerHeight > 879); // folded where it would push the board down
  root.classList.toggle("embed", isEmbedded());
  root.classList.toggle("unknown", !data.hasPositions);
  const acts = {
    ...moveActions(playback, tests), ...settingActions(), ...recordDialog(data), ...copyActions(data), screen,
    help: () => $("help").showModal(),
    print: () => print(),
    number: () => $("number").select(),
    search: () => $("search").focus(),
  };
  if (data.hasPositions) acts.position = positionDialog(playback);
  if (data.hasPositions) show(playback, tests);
  else $("board").replaceWith(el("p", { class: "blank" }, t("no_board")));
  connectControls(playback, acts);
  connectKeys(acts);
  for (const button of document.querySelectorAll(".group [data-act]")) {
    const wanted = tests[button.dataset.act];
    button.disabled = wanted && !data.events.some((_, n) => n > 0 && n <= data.last && wanted(n));
  }
  connectSearch(new EventList(playback), data, tests);
  if (!followAddress(playback)) playback.go(0, "link");
  answerScripts(playback);
  root.classList.add("ready");
}

delayLoad(); // in a page of a site no loader has done this
open().then(allowLoad, fail);
