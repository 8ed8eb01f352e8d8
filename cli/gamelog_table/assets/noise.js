// A sound and a shake of the device at a refusal, for those who want them.

import { button } from "./desk.js";
import { t } from "./texts.js";

const KEPT = "gamelog.table.noise", SHAKES = [80, 60, 80];

export class Noise {
  constructor() {
    try {
      this.on = localStorage.getItem(KEPT) === "on";
    } catch {
      this.on = false;
    }
  }

  switch() {
    const made = button(t("noise"), () => {
      this.on = !this.on;
      made.setAttribute("aria-pressed", String(this.on));
      try {
        localStorage.setItem(KEPT, this.on ? "on" : "off");
      } catch {
        // the device keeps nothing; it holds for this page
      }
      if (this.on) this.refusal();
    }, { "aria-pressed": String(this.on) });
    return made;
  }

  refusal() {
    if (!this.on) return;
    navigator.vibrate?.(SHAKES);
    this.context ??= new AudioContext();
    this.context.resume();
    const now = this.context.currentTime, tone = this.context.createOscillator(), loud = this.context.createGain();
    tone.frequency.setValueAtTime(330, now);
    tone.frequency.setValueAtTime(220, now + 0.15);
    loud.gain.setValueAtTime(0.2, now);
    loud.gain.linearRampToValueAtTime(0, now + 0.35);
    tone.connect(loud).connect(this.context.destination);
    tone.start(now);
    tone.stop(now + 0.35);
  }
}
