// What changes during a game: for every key the events in which it took on a new value.
// Any event can be jumped to: the value at n is the last one taken on at or before n.

import { numbers } from "./columns.js";

export class Timeline {
  constructor(track) {
    this.table = track.table;
    this.keys = new Map();
    this.changes = [];
    const keys = numbers(track.keys), values = numbers(track.values);
    let at = 0;
    numbers(track.counts).forEach((count, n) => {
      const changed = keys.slice(at, at + count);
      for (const key of changed) {
        if (!this.keys.has(key)) this.keys.set(key, { when: [], what: [] });
        const line = this.keys.get(key);
        line.when.push(n);
        line.what.push(values[at++]);
      }
      this.changes.push(changed);
    });
  }

  // The index of the value of `key` after event n, -1 before its first.
  index(key, n) {
    const line = this.keys.get(key);
    if (!line) return -1;
    let low = 0, high = line.when.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (line.when[middle] <= n) low = middle + 1;
      else high = middle;
    }
    return low ? line.what[low - 1] : -1;
  }

  at(key, n) {
    const index = this.index(key, n);
    return index < 0 ? undefined : this.table[index];
  }

  // The keys that took on a new value in event n.
  changed(n) {
    return this.changes[n] || [];
  }
}
