// Time at the table: the game's clock with pauses taken out, and how long each seat took.

export class Clock {
  constructor(story) {
    const { events, last } = story;
    let paused = 0, since = null, before = 0;
    this.shown = [0];
    this.used = story.seats.map(() => [0]);
    for (let n = 1; n <= last; n++) {
      const { t, by } = events[n], now = (since === null ? t : Math.min(t, since)) - paused;
      this.shown.push(now);
      this.used.forEach((line, at) => line.push(line[n - 1] + (story.seats[at].seat === by ? now - before : 0)));
      before = now;
      if (events[n].do !== "@clock") continue;
      if (events[n].running) {
        paused += t - since;
        since = null;
      } else since = t;
    }
  }
}

// Milliseconds as 1:02:03 or 2:03.
export function duration(ms) {
  const seconds = Math.floor(ms / 1000), parts = [Math.floor(seconds / 60) % 60, seconds % 60], hours = Math.floor(seconds / 3600);
  if (hours) parts.unshift(hours);
  return parts.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":");
}
