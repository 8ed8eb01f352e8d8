// Buttons, the slider with its marks, speed, the field for a number, and the keys.

import { $, el, svg } from "./dom.js";
import { choose, chosen } from "./settings.js";
import { t } from "./texts.js";

export function moves(player, is) {
  const { data } = player, seek = Object.entries(is).map(([name, wanted]) => [name, (by) => player.seek(wanted, by)]);
  return {
    first: () => player.go(0),
    previous: () => player.step(-1),
    play: () => player.toggle(),
    next: () => player.step(1),
    last: () => player.go(data.last),
    "turn-back": () => player.turn(-1),
    "turn-on": () => player.turn(1),
    faster: () => pace(player, 1),
    slower: () => pace(player, -1),
    ...Object.fromEntries(seek),
  };
}

function pace(player, by) {
  const speed = $("speed");
  speed.selectedIndex = Math.min(Math.max(speed.selectedIndex + by, 0), speed.length - 1);
  player.set(speed.value);
  choose("speed", speed.value);
}

// Where something was hidden during the game: with whose eyes to look.
function view(player) {
  const { data } = player, choice = $("view"), seats = data.views?.seats ?? [];
  choice.hidden = !seats.length;
  choice.append(...[["hidden", t("view_hidden")], ["all", t("view_all")], ...seats.map((seat) => [seat, t("seen_by", data.name(seat, data.last))])]
    .map(([value, text]) => el("option", { value }, text)));
  choice.addEventListener("change", () => {
    data.views.look(choice.value);
    player.dispatchEvent(new Event("look"));
    player.go(player.n, "look");
  });
}

export function controls(player, acts) {
  const { data } = player, slider = $("slider"), field = $("number"), speed = $("speed");
  const menu = document.querySelector("header .menu"), close = () => menu.removeAttribute("open");
  addEventListener("click", (event) => menu.contains(event.target) || close());
  menu.addEventListener("keydown", (event) => event.key === "Escape" && close());
  for (const button of document.querySelectorAll("[data-act]")) {
    button.title = button.getAttribute("aria-label") || "";
    button.addEventListener("click", () => {
      if (menu.contains(button)) close();
      acts[button.dataset.act]?.(1);
    });
  }
  slider.max = field.max = data.last;
  $("last").textContent = `/ ${data.last}`;
  slider.addEventListener("input", () => player.go(Number(slider.value), "drag"));
  slider.addEventListener("change", () => player.go(Number(slider.value)));
  field.addEventListener("change", () => player.go(Number(field.value)));
  speed.value = chosen("speed") ?? "1";
  if (!speed.value) speed.value = "1";
  player.set(speed.value);
  speed.addEventListener("change", () => pace(player, 0));
  view(player);
  const line = $("line");
  line.hidden = !data.jumps?.size;
  line.addEventListener("change", () => (player.final = line.value === "final"));
  player.addEventListener("step", () => {
    slider.value = player.n;
    slider.setAttribute("aria-valuetext", t("event_of", player.n, data.last));
    field.value = player.n;
  });
  player.addEventListener("state", () => {
    const button = document.querySelector("[data-act=play]"), name = t(player.playing ? "pause" : "play");
    button.classList.toggle("playing", player.playing);
    button.setAttribute("aria-label", name);
    button.title = name;
  });
}

// Ticks above the slider: one path for each kind of event; findings hang lower, so that colour is not all.
export function ticks(data, kinds) {
  const root = $("ticks");
  const room = Math.max(1, Math.ceil(data.last / 1000)); // of so many events one tick stands for all
  root.setAttribute("viewBox", `0 0 ${Math.max(data.last, 1)} 12`);
  for (const [name, { wanted, from, to }] of Object.entries(kinds)) {
    const at = new Set(data.events.map((_, n) => n).filter((n) => n > 0 && wanted(n)).map((n) => Math.min(n - (n % room), data.last)));
    root.append(svg("path", { class: `tick t-${name}`, d: [...at].map((n) => `M${n} ${from}V${to}`).join("") }));
  }
}

const KEYS = {
  ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "last", " ": "play", c: "contest", s: "score", m: "comment", f: "finding",
  x: "capture", p: "position", t: "theme", g: "number", "/": "search", "?": "help", w: "screen", "+": "faster", "-": "slower", y: "copy",
};
const SHIFTED = { ArrowRight: "turn-on", ArrowLeft: "turn-back" };

// With the shift key, what looks on for something looks back. Fields give the keys back when they are done with: after Enter
// and Escape, and choices once something is chosen, but not while somebody goes through them with the arrow keys.
export function keys(acts) {
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
