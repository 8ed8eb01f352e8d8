// The clocks between two events: the server says how they stand, and the time since then is counted here.

import { duration } from "./clock.js";
import { $ } from "./dom.js";
import { t } from "./texts.js";

const DAY_MS = 86400000;

// A clock that nobody has looked at for long says days: hours by the hundred say nothing.
export const span = (ms) => (ms < 2 * DAY_MS ? duration(ms) : t("days", Math.floor(ms / DAY_MS)));

export class Ticking {
  // `rung` is called when the time of the game's own clock is up.
  constructor(rung) {
    this.rung = rung;
    setInterval(() => this.show(), 250);
  }

  know(clock) {
    this.clock = clock;
    this.from = performance.now();
    this.show();
  }

  // The milliseconds since the last event, as the game counts them.
  get since() {
    return this.clock.since + (this.clock.runs ? performance.now() - this.from : 0);
  }

  show() {
    if (!this.clock) return;
    const { played, used, on, runs, alarm } = this.clock, now = played + this.since;
    const said = [span(now), runs ? "" : t("stands"), alarm === null ? "" : t("left", span(Math.max(0, alarm - now)))].filter(Boolean).join(" · ");
    if ($("clock").textContent !== said) $("clock").textContent = said;
    for (const node of $("seats").querySelectorAll("[data-seat]")) {
      const time = span(used[node.dataset.seat] + (node.dataset.seat === on ? this.since : 0));
      if (node.textContent !== time) node.textContent = time;
    }
    if (runs && alarm !== null && now >= alarm && this.rang !== alarm) {
      this.rang = alarm;
      this.rung();
    }
  }
}
