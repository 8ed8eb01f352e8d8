// Light or dark, moving or still: as the system says, until somebody chooses.

import { choose, chosen } from "./settings.js";

const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)"), calm = matchMedia("(prefers-reduced-motion: reduce)");

const darkNow = () => (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";

export const moving = () => (chosen("motion") ?? !calm.matches) === true;

function toggle(act, state, change) {
  const button = document.querySelector(`[data-act=${act}]`), show = () => button.setAttribute("aria-pressed", state());
  show();
  return () => {
    change(!state());
    show();
  };
}

export function theme() {
  if (chosen("theme")) root.dataset.theme = chosen("theme");
  return {
    theme: toggle("theme", darkNow, (wanted) => choose("theme", (root.dataset.theme = wanted ? "dark" : "light"))),
    motion: toggle("motion", moving, (wanted) => choose("motion", wanted)),
  };
}
