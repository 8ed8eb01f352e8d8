// An alert sound and a vibration, if switched on: after a refusal, and when the player of this device is to move.

import { button } from "./dom.js";
import { setSetting, setting } from "./settings.js";
import { t } from "./texts.js";

const SHAKES = [80, 60, 80];

export class AlertSound {
  constructor() {
    this.on = setting("alert_sound") === true;
  }

  switch() {
    const made = button(t("noise"), () => {
      this.on = !this.on;
      made.setAttribute("aria-pressed", String(this.on));
      setSetting("alert_sound", this.on);
      if (this.on) this.refusal();
    }, { "aria-pressed": String(this.on) });
    return made;
  }

  refusal() {
    this.play(330, 220);
  }

  // The player of this device is to move.
  turn() {
    this.play(440, 660);
  }

  play(from, to) {
    if (!this.on) return;
    navigator.vibrate?.(SHAKES);
    this.context ??= new AudioContext();
    this.context.resume();
    const now = this.context.currentTime, tone = this.context.createOscillator(), loud = this.context.createGain();
    tone.frequency.setValueAtTime(from, now);
    tone.frequency.setValueAtTime(to, now + 0.15);
    loud.gain.setValueAtTime(0.2, now);
    loud.gain.linearRampToValueAtTime(0, now + 0.35);
    tone.connect(loud).connect(this.context.destination);
    tone.start(now);
    tone.stop(now + 0.35);
  }
}
