// Buttons, the slider with its marks, speed, the field for a number, and the keys.

import { $, svg } from "./dom.js";
import { t } from "./texts.js";

export function controls(player, seek) {
  const { story } = player, acts = {
    first: () => player.go(0),
    previous: () => player.step(-1),
    play: () => player.toggle(),
    next: () => player.step(1),
    last: () => player.go(story.last),
    ...seek,
  };
  for (const button of document.querySelectorAll("[data-act]")) button.addEventListener("click", () => acts[button.dataset.act]());
  const slider = $("slider"), field = $("number");
  slider.max = field.max = story.last;
  $("last").textContent = `/ ${story.last}`;
  slider.addEventListener("input", () => player.go(Number(slider.value)));
  field.addEventListener("change", () => player.go(Number(field.value)));
  $("speed").addEventListener("change", (event) => player.set(event.target.value));
  player.addEventListener("step", () => {
    slider.value = player.n;
    slider.setAttribute("aria-valuetext", t("event_of", player.n, story.last));
    if (document.activeElement !== field || Number(field.value) !== player.n) field.value = player.n;
  });
  player.addEventListener("state", () => {
    const button = document.querySelector("[data-act=play]");
    button.setAttribute("aria-pressed", player.playing);
    button.setAttribute("aria-label", t(player.playing ? "pause" : "play"));
    button.title = button.getAttribute("aria-label");
  });
  return acts;
}

// Ticks above the slider: one path for each kind of event.
export function ticks(story, kinds) {
  const root = $("ticks");
  root.setAttribute("viewBox", `0 0 ${Math.max(story.last, 1)} 10`);
  for (const [name, at] of Object.entries(kinds)) {
    root.append(svg("path", { class: `tick t-${name}`, d: at.map((n) => `M${Math.min(n, story.last)} 0V10`).join("") }));
  }
}

export function keys(acts, help) {
  const bound = {
    ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "last", " ": "play",
    c: "contest", s: "score", m: "comment", f: "finding", ...help,
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const on = event.target, typing = on.matches("input:not([type=range]), select, textarea") || document.querySelector("dialog[open]");
    const pressed = on.matches("button, summary, a") && (event.key === " " || event.key === "Enter");
    const act = bound[event.key];
    if (!act || typing || pressed) return;
    event.preventDefault();
    acts[act]();
  });
}
