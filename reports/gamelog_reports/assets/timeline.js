// Timelines: the values of each key, and the events that changed them, for any event.
// The value at n is the last one at or before n.

import { numbers, unzigzag } from "./columns.js";

const NAMED = 8;
const EMPTY = { keys: "", values: "", counts: "", counting: "", table: [] };

export class Timeline {
  // If keys are cells, `near` returns the first cells that an event names. Keys below NAMED are places in this list.
  constructor({ keys, values, counts, counting, table } = EMPTY, near) {
    this.keys = new Map();
    this.changes = [];
    const key = numbers(keys), value = numbers(values), counters = new Map(numbers(counting).map((one) => [one, 0]));
    const next = (at) => {
      if (!counters.has(key[at])) return table[value[at]];
      counters.set(key[at], counters.get(key[at]) + unzigzag(value[at]));
      return counters.get(key[at]);
    };
    let at = 0;
    numbers(counts).forEach((count, n) => {
      const cells = near && count ? near(n).slice(0, NAMED) : [];
      if (near) for (let i = at; i < at + count; i++) key[i] = key[i] < NAMED ? cells[key[i]] : key[i] - NAMED;
      this.changes.push(key.slice(at, at + count));
      for (const end = at + count; at < end; at++) {
        this.change(key[at], n, next(at));
      }
    });
  }

  change(key, n, value) {
    if (!this.keys.has(key)) this.keys.set(key, { when: [], what: [] });
    const line = this.keys.get(key);
    line.when.push(n);
    line.what.push(value);
  }

  // Adds event n, the last so far. `changes` are pairs of a key and its new value.
  push(n, changes) {
    this.changes[n] = changes.map(([key]) => key);
    for (const [key, value] of changes) this.change(key, n, value);
  }

  // Returns the value of `key` after event n, or undefined before its first value. Equal values are the same object.
  at(key, n) {
    const line = this.keys.get(key);
    if (!line) return undefined;
    let low = 0, high = line.when.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (line.when[middle] <= n) low = middle + 1;
      else high = middle;
    }
    return low ? line.what[low - 1] : undefined;
  }

  // Returns the keys that changed in event n.
  changed(n) {
    return this.changes[n] || [];
  }
}
