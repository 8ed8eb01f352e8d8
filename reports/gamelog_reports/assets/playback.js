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
    this.final = false;
  }

  get playing() {
    return this.timer !== null;
  }

  // Shows event n. `by` is the reason: "step", "turn", "jump", "drag", "play", "link".
  go(n, by = "jump") {
    const to = Math.max(0, Math.min(this.data.last, Math.round(n) || 0)), from = this.n;
    if (by !== "play") this.stop();
    this.n = to;
    this.dispatchEvent(new CustomEvent("step", { detail: { n: to, from, by } }));
  }

  // Returns the next event after the shown one, or the previous one if `by` is -1.
  next(by = 1) {
    const { jumps, last, undone } = this.data;
    let n = this.n + by;
    while (this.final && n > 0 && n < last && (undone[n] || jumps.has(n))) n += by;
    return n;
  }

  step(by) {
    this.go(this.next(by), "step");
  }

  // Goes to the end of this turn, or of the previous turn.
  turn(by) {
    const ends = [0, ...this.data.ends, this.data.last];
    this.go(by > 0 ? ends.find((n) => n > this.n) ?? this.n : ends.filter((n) => n < this.n).pop() ?? 0, "turn");
  }

  // Goes to the next event for which `wanted` returns true, or to the previous one if `by` is -1.
  seek(wanted, by = 1) {
    for (let n = this.n + by; n > 0 && n <= this.data.last; n += by) if (wanted(n)) return this.go(n);
    return undefined;
  }

  toggle() {
    if (this.playing) this.stop();
    else this.play();
  }

  play() {
    if (this.playing) return;
    if (this.n >= this.data.last) this.go(0, "jump");
    this.wait();
    this.dispatchEvent(new Event("state"));
  }

  wait() {
    this.timer = setTimeout(() => {
      this.go(this.next(), "play");
      if (this.n >= this.data.last) this.stop();
      else this.wait();
    }, this.pause());
  }

  // Returns the milliseconds until the next event: by the clock of the record, with long pauses shortened, or by the speed.
  pause() {
    if (this.speed !== "real") return Math.max(SHORTEST, 1000 / Number(this.speed));
    const now = this.n ? this.data.events[this.n].t : 0;
    return Math.min(LONGEST_PAUSE, Math.max(SHORTEST, (this.data.events[this.next()]?.t ?? now) - now));
  }

  stop() {
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.dispatchEvent(new Event("state"));
  }

  set(speed) {
    this.speed = speed;
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.wait();
  }
}
