// Time at the table: how long play has lasted, which the page is told, and how long each seat took.

export class Clock {
  constructor(data) {
    const { events, last, slips, jumps, clocks } = data;
    this.shown = [0];
    this.used = data.seats.map(() => [0]);
    for (let n = 1; n <= last; n++) {
      const { t, by } = events[n], now = t - data.off.at(0, n);
      this.shown.push(now);
      const spent = (line, at) => line[n - 1] + (data.seats[at].seat === by ? now - this.shown[n - 1] : 0);
      const ruled = clocks.get(n); // what the arbiter has added, or taken
      this.used.forEach((line, at) => line.push((slips.has(n) ? line[jumps.get(n)] : spent(line, at)) + (ruled?.[at] ?? 0))); // what was corrected was never played
    }
  }
}

// Milliseconds as 1:02:03 or 2:03.
export function duration(ms) {
  const seconds = Math.floor(ms / 1000), parts = [Math.floor(seconds / 60) % 60, seconds % 60], hours = Math.floor(seconds / 3600);
  if (hours) parts.unshift(hours);
  return parts.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":");
}
