// Controls: buttons, slider with its ticks and preview, speed, event number, keys, swipes, wheel.

import { Board } from "./board.js";
import { $, el, svg } from "./dom.js";
import { nodes } from "./message.js";
import { setSetting, setting } from "./settings.js";
import { t } from "./texts.js";

export function moveActions(playback, tests) {
  const { data } = playback, seek = Object.entries(tests).map(([name, wanted]) => [name, (direction) => playback.seek(wanted, direction)]);
  return {
    first: () => playback.go(0),
    previous: () => playback.step(-1),
    play: () => playback.toggle(),
    next: () => playback.step(1),
    last: () => playback.go(data.last),
    "turn-back": () => playback.turn(-1),
    "turn-on": () => playback.turn(1),
    faster: () => changeSpeed(playback, 1),
    slower: () => changeSpeed(playback, -1),
    ...Object.fromEntries(seek),
  };
}

function changeSpeed(playback, steps) {
  const speed = $("speed");
  speed.selectedIndex = Math.min(Math.max(speed.selectedIndex + steps, 0), speed.length - 1);
  playback.setSpeed(speed.value);
  setSetting("speed", speed.value);
}

// Connects the choice of the view, for games that hide something.
function connectViewChoice(playback) {
  const { data } = playback, choice = $("view"), seats = data.views?.seats ?? [];
  choice.hidden = !seats.length;
  choice.append(...[["hidden", t("view_hidden")], ["all", t("view_all")], ...seats.map((seat) => [seat, t("seen_by", data.name(seat, data.last))])]
    .map(([value, text]) => el("option", { value }, text)));
  choice.addEventListener("change", () => {
    data.views.choose(choice.value);
    playback.dispatchEvent(new Event("look"));
    playback.go(playback.n, "look");
  });
}

export function connectControls(playback, acts) {
  const { data } = playback, slider = $("slider"), field = $("number"), speed = $("speed");
  const close = (inside) => document.querySelectorAll(".menu, #legend, #summary").forEach((one) => {
    if (!one.contains(inside) && getComputedStyle(one).position !== "static") one.removeAttribute("open"); // it covers other parts
  });
  addEventListener("click", ({ target }) => close(target));
  addEventListener("keydown", ({ key }) => key === "Escape" && close(null));
  playback.addEventListener("step", () => close(null));
  for (const button of document.querySelectorAll("[data-act]")) {
    button.title = button.getAttribute("aria-label") || "";
    button.addEventListener("click", () => {
      close(null);
      acts[button.dataset.act]?.(1);
    });
  }
  slider.max = field.max = data.last;
  $("last").textContent = `/ ${data.last}`;
  slider.addEventListener("input", () => playback.go(Number(slider.value), "drag"));
  slider.addEventListener("change", () => playback.go(Number(slider.value)));
  field.addEventListener("change", () => playback.go(Number(field.value)));
  speed.value = setting("speed") ?? "1";
  if (!speed.value) speed.value = "1";
  playback.setSpeed(speed.value);
  speed.addEventListener("change", () => changeSpeed(playback, 0));
  connectViewChoice(playback);
  const line = $("line");
  line.hidden = !data.jumps?.size;
  line.addEventListener("change", () => (playback.skipsUndone = line.value === "final"));
  playback.addEventListener("step", () => {
    slider.value = playback.n;
    slider.setAttribute("aria-valuetext", t("event_of", playback.n, data.last));
    field.value = playback.n;
  });
  playback.addEventListener("state", () => {
    const button = document.querySelector("[data-act=play]"), name = t(playback.isPlaying ? "pause" : "play");
    button.classList.toggle("playing", playback.isPlaying);
    button.setAttribute("aria-label", name);
    button.title = name;
  });
}

// Draws the ticks above the slider: one path for each kind of event. Ticks of findings are longer, not only coloured.
export function drawTicks(data, kinds) {
  const root = $("ticks");
  const room = Math.max(1, Math.ceil(data.last / 1000)); // one tick for this many events
  root.setAttribute("viewBox", `0 0 ${Math.max(data.last, 1)} 12`);
  for (const [name, { wanted, from, to }] of Object.entries(kinds)) {
    const at = new Set(data.events.map((_, n) => n).filter((n) => n > 0 && wanted(n)).map((n) => Math.min(n - (n % room), data.last)));
    root.append(svg("path", { class: `tick t-${name}`, d: [...at].map((n) => `M${n} ${from}V${to}`).join("") }));
  }
}

const KEYS = {
  ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "last", " ": "play", c: "contest", s: "score", m: "comment", f: "finding",
  x: "capture", k: "moment", p: "position", t: "theme", g: "number", "/": "search", "?": "help", w: "screen", "+": "faster", "-": "slower", y: "copy",
};
const SHIFTED = { ArrowRight: "turn-on", ArrowLeft: "turn-back" };

// With the Shift key, a search for an event goes backwards. Fields lose the focus after Enter and Escape, and choices after a
// change that was not made with the arrow keys.
export function connectKeys(acts) {
  let going = false;
  addEventListener("pointerdown", () => (going = false));
  addEventListener("change", ({ target }) => target.matches("select") && !going && target.blur());
  addEventListener("keydown", (event) => {
    going = event.key.startsWith("Arrow");
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const on = event.target, dialog = document.querySelector("dialog[open]"), typing = on.matches?.("input:not([type=range]), select, textarea") || dialog;
    if (typing && !dialog && (event.key === "Enter" || event.key === "Escape")) on.blur();
    const pressed = event.key === " " && on.matches?.("button, summary, a:not(.event a)");
    const act = acts[(event.shiftKey && SHIFTED[event.key]) || KEYS[event.key] || KEYS[event.key.toLowerCase()]];
    if (!act || typing || pressed) return;
    event.preventDefault();
    act(event.shiftKey ? -1 : 1);
  });
}

// On the board a swipe, a tap on a side and a notch of the wheel step forward or back. Dragging the mouse repeats steps.

const SWIPE_PX = 40, STILL = 10, STRIDE = 24, NOTCH = 40;

export function connectTouch(area, playback) {
  let begun = null, rolled = 0;
  area.addEventListener("pointerdown", (event) => {
    begun = event.isPrimary && !event.button ? { x: event.clientX, y: event.clientY } : null;
  });
  area.addEventListener("pointercancel", () => (begun = null));
  area.addEventListener("pointermove", (event) => {
    if (!begun || event.pointerType !== "mouse" || !event.buttons) return;
    for (const direction of [1, -1]) {
      for (; (event.clientX - begun.x) * direction >= STRIDE; begun.x += direction * STRIDE) playback.step(direction);
    }
  });
  area.addEventListener("pointerup", (event) => {
    if (!begun || event.pointerType === "mouse") return;
    const dx = event.clientX - begun.x, dy = event.clientY - begun.y, box = area.getBoundingClientRect();
    begun = null;
    if (Math.abs(dx) > SWIPE_PX && Math.abs(dx) > 2 * Math.abs(dy)) playback.step(dx < 0 ? 1 : -1);
    else if (Math.hypot(dx, dy) < STILL) playback.step(event.clientX - box.left < box.width / 3 ? -1 : 1);
  });
  area.addEventListener("wheel", (event) => {
    const page = document.scrollingElement;
    if (event.ctrlKey || parent !== window || page.scrollHeight > page.clientHeight) return; // the wheel scrolls a page that is longer than the window
    event.preventDefault();
    rolled += event.deltaMode ? event.deltaY * NOTCH : event.deltaY;
    if (Math.abs(rolled) < NOTCH) return;
    playback.step(Math.sign(rolled));
    rolled = 0;
  }, { passive: false });
}

// A small board and a sentence preview the event under the pointer on the slider or the chart.

export function showPreview(playback, areas) {
  const { data } = playback, box = $("preview"), words = el("p");
  let board, shown, side;
  const show = (area, inset, event) => {
    const { left, top, width } = area.getBoundingClientRect();
    const n = Math.min(data.last, Math.max(0, Math.round(((event.clientX - left - inset) / (width - 2 * inset)) * data.last)));
    if (!board || side !== data.side) {
      const picture = svg("svg", { class: "board small" });
      board = new Board(picture, data);
      box.replaceChildren(picture, words);
      [side, shown] = [data.side];
    }
    box.hidden = false;
    if (n !== shown) {
      board.show(n);
      words.replaceChildren(el("b", {}, n + ". "), ...nodes(data.sentence(n)));
    }
    shown = n;
    box.style.left = Math.min(Math.max(event.clientX - box.offsetWidth / 2, 8), innerWidth - box.offsetWidth - 8) + "px";
    const above = top - box.offsetHeight - 12;
    box.style.top = (above > 0 ? above : event.clientY + 24) + "px";
  };
  for (const [area, inset] of areas) {
    area.addEventListener("pointermove", (event) => event.pointerType === "mouse" && show(area, inset, event));
    area.addEventListener("pointerleave", () => (box.hidden = true));
  }
}
