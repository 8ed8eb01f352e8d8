// Live clocks: the server's clocks after the last event, counted on from there.

import { duration } from "./clock.js";
import { $ } from "./dom.js";
import { t } from "./texts.js";

const DAY_MS = 86400000;

// A clock that nobody has looked at for long says days: hours by the hundred say nothing.
export const clockText = (ms) => (ms < 2 * DAY_MS ? duration(ms) : t("days", Math.floor(ms / DAY_MS)));

export class LiveClock {
  // `rung` is called when the time of the game's own clock is up, `isShown` tells whether the last position is shown.
  constructor(rung, isShown) {
    Object.assign(this, { rung, isShown });
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
    const { played, runs, alarm } = this.clock, now = played + this.since;
    if (this.isShown()) this.write(now);
    if (runs && alarm !== null && now >= alarm && this.rang !== alarm) {
      this.rang = alarm;
      this.rung();
    }
  }

  // Writes the clocks into the panels, which have those of the last event.
  write(now) {
    const { used, on, runs, alarm } = this.clock, said = [clockText(now), runs ? "" : t("stands"), alarm === null ? "" : t("left", clockText(Math.max(0, alarm - now)))].filter(Boolean).join(" · ");
    if ($("clock").textContent !== said) $("clock").textContent = said;
    for (const node of $("seats").querySelectorAll("[data-seat]")) {
      const time = clockText(used[node.dataset.seat] + (node.dataset.seat === on ? this.since : 0));
      if (node.textContent !== time) node.textContent = time;
    }
  }
}
