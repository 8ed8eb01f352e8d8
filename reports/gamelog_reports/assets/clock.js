// The clocks of a record: the time of play, and the time that each seat has taken.

export class Clock {
  constructor(data) {
    this.data = data;
    this.restart();
  }

  // Counts all events again.
  restart() {
    this.shown = [0];
    this.used = this.data.seats.map(() => [0]);
    this.advance();
  }

  // Counts the new events.
  advance() {
    const { events, last, slips, jumps, clocks, seats, off } = this.data;
    for (let n = this.shown.length; n <= last; n++) {
      const { t, by } = events[n], now = t - off.at(0, n);
      this.shown.push(now);
      const spent = (line, at) => line[n - 1] + (seats[at].seat === by ? now - this.shown[n - 1] : 0);
      const ruled = clocks.get(n); // times that the arbiter has added or subtracted
      this.used.forEach((line, at) => line.push((slips.has(n) ? line[jumps.get(n)] : spent(line, at)) + (ruled?.[at] ?? 0))); // after a slip the time goes back, because the events were never played
    }
  }
}

// Returns the time on the game's clock when event n was recorded, in ms. The clock runs on without play, and it goes back to the last event of
// play if the game then ends without play.
export const clockReading = ({ events, off, unplayed }, n) => events[n].t - (off?.at(0, n) ?? 0) + (unplayed?.at(0, n) ?? 0);

// Returns milliseconds as 1:02:03 or 2:03.
export function duration(ms) {
  const seconds = Math.floor(ms / 1000), parts = [Math.floor(seconds / 60) % 60, seconds % 60], hours = Math.floor(seconds / 3600);
  if (hours) parts.unshift(hours);
  return parts.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":");
}
