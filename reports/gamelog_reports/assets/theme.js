// Light or dark: as the system says, until somebody chooses.

import { $ } from "./dom.js";

export function theme() {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)");
  $("theme").addEventListener("click", () => {
    const now = root.dataset.theme || (dark.matches ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
    $("theme").setAttribute("aria-pressed", root.dataset.theme === "dark");
  });
}
