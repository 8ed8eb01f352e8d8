// Playback: the shown event, and automatic play. All parts of the page listen to it.
// On the final line, steps and play skip events that were taken back.

const LONGEST_PAUSE = 3000, SHORTEST = 60;

export class Playback extends EventTarget {
  constructor(data) {
    super();
    this.data = data;
    this.n = 0;
    this.speed = "1";
    this.timer = null;
    this.skipsUndone = false;
  }

  get isPlaying() {
    return this.timer !== null;
  }

  // Shows event n. The `reason` is "step", "turn", "jump", "drag", "play", "link" or "look".
  go(n, reason = "jump") {
    const to = Math.max(0, Math.min(this.data.last, Math.round(n) || 0)), from = this.n;
    if (reason !== "play") this.stop();
    this.n = to;
    this.dispatchEvent(new CustomEvent("step", { detail: { n: to, from, by: reason } }));
  }

  // Returns the number of the next event after the shown one, or of the previous one if `direction` is -1.
  nextNumber(direction = 1) {
    const { jumps, last, undone } = this.data;
    let n = this.n + direction;
    while (this.skipsUndone && n > 0 && n < last && (undone[n] || jumps.has(n))) n += direction;
    return n;
  }

  step(direction) {
    this.go(this.nextNumber(direction), "step");
  }

  // Goes to the end of this turn, or of the previous turn.
  turn(direction) {
    const ends = [0, ...this.data.turnEnds, this.data.last];
    this.go(direction > 0 ? ends.find((n) => n > this.n) ?? this.n : ends.filter((n) => n < this.n).pop() ?? 0, "turn");
  }

  // Goes to the next event for which `wanted` returns true, or to the previous one if `direction` is -1.
  seek(wanted, direction = 1) {
    for (let n = this.n + direction; n > 0 && n <= this.data.last; n += direction) if (wanted(n)) return this.go(n);
    return undefined;
  }

  toggle() {
    if (this.isPlaying) this.stop();
    else this.play();
  }

  play() {
    if (this.isPlaying) return;
    if (this.n >= this.data.last) this.go(0, "jump");
    this.scheduleStep();
    this.dispatchEvent(new Event("state"));
  }

  scheduleStep() {
    this.timer = setTimeout(() => {
      this.go(this.nextNumber(), "play");
      if (this.n >= this.data.last) this.stop();
      else this.scheduleStep();
    }, this.stepDelay());
  }

  // Returns the milliseconds until the next event: by the clock of the record, with long pauses shortened, or by the speed.
  stepDelay() {
    if (this.speed !== "real") return Math.max(SHORTEST, 1000 / Number(this.speed));
    const now = this.n ? this.data.events[this.n].t : 0;
    return Math.min(LONGEST_PAUSE, Math.max(SHORTEST, (this.data.events[this.nextNumber()]?.t ?? now) - now));
  }

  stop() {
    if (!this.isPlaying) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.dispatchEvent(new Event("state"));
  }

  setSpeed(speed) {
    this.speed = speed;
    if (!this.isPlaying) return;
    clearTimeout(this.timer);
    this.scheduleStep();
  }
}
