// Live clocks: the server's clocks after the last event, and the time since then on this device.

import { duration } from "./clock.js";
import { $ } from "./dom.js";
import { t } from "./texts.js";

const DAY_MS = 86400000;

// Returns a time in days from two days on, because hundreds of hours are hard to read.
export const clockText = (ms) => (ms < 2 * DAY_MS ? duration(ms) : t("days", Math.floor(ms / DAY_MS)));

export class LiveClock {
  // `onAlarm` is called when a clock of the game runs out. `isShown` returns whether the last position is shown.
  constructor(onAlarm, isShown) {
    Object.assign(this, { onAlarm, isShown });
    setInterval(() => this.show(), 250);
  }

  update(clock) {
    this.clock = clock;
    this.from = performance.now();
    this.show();
  }

  // Milliseconds since the last event.
  get passed() {
    return this.clock.since + (this.clock.runs ? performance.now() - this.from : 0);
  }

  // Whether the time before the first event of play is so long that it does not count: people set up the game.
  get isSetup() {
    const { setupMs } = this.clock;
    return setupMs !== null && this.passed >= setupMs;
  }

  // Milliseconds of play since the last event.
  get since() {
    return this.isSetup ? 0 : this.passed;
  }

  show() {
    if (!this.clock) return;
    const { played, runs, alarm } = this.clock, now = played + this.since;
    if (this.isShown()) this.showTimes(now);
    if (runs && alarm !== null && now >= alarm && this.lastAlarm !== alarm) {
      this.lastAlarm = alarm;
      this.onAlarm();
    }
  }

  // Shows the times in the panels, which have the times of the last event.
  showTimes(now) {
    const { used, on, isStopped, setupMs, until, alarm } = this.clock, text = [clockText(now), until ? t("clock_until", until) : isStopped ? t("stands") : this.isSetup ? t("clock_waits") : setupMs !== null ? t("runs") : "", alarm === null ? "" : t("left", clockText(Math.max(0, alarm - now)))].filter(Boolean).join(" · ");
    if ($("clock").textContent !== text) $("clock").textContent = text;
    for (const node of $("seats").querySelectorAll("[data-seat]")) {
      const time = clockText(used[node.dataset.seat] + (node.dataset.seat === on ? this.since : 0));
      if (node.textContent !== time) node.textContent = time;
    }
  }
}
