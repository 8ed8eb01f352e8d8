// The board as one looks at it: all of it, as one seat sees it, or with what anybody hides hidden until it is revealed.
// The counterpart of views.py.

import { Timeline } from "./timeline.js";

const NAMES = ["pieces", "fills", "marks"];

const same = (one, other) => one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

// A timeline that shows `views` in place of `whole` while they hide something.
class Veiled {
  constructor(name, whole, views) {
    Object.assign(this, { name, whole, views });
  }

  at(key, n) {
    const all = this.whole.at(key, n);
    for (const view of this.views) {
      if (!view.hidden.at(0, n)) continue;
      const seen = view[this.name].at(key, n);
      if (!same(seen, all)) return seen;
    }
    return all;
  }

  changed(n) {
    return this.whole.changed(n).filter((key) => !same(this.at(key, n - 1), this.at(key, n)));
  }
}

export class Views {
  constructor(seats, data, near) {
    const timelines = (tracks) => Object.fromEntries(Object.entries(tracks).map(([name, track]) => [name, new Timeline(track, NAMES.includes(name) ? near : undefined)]));
    this.seats = seats.map(({ seat }) => seat).filter((seat) => data.views[seat]);
    this.whole = timelines(Object.fromEntries(NAMES.map((name) => [name, data.tracks[name]])));
    this.of = new Map(this.seats.map((seat) => [seat, timelines(data.views[seat])]));
    this.look(this.seats.length ? "hidden" : "all");
  }

  // Look at "all", as a seat, or with all that is "hidden" from anybody hidden.
  look(way) {
    this.way = way;
    const seats = way === "all" ? [] : way === "hidden" ? this.seats : [way], views = seats.map((seat) => this.of.get(seat));
    this.veils = views;
    this.now = views.length ? Object.fromEntries(NAMES.map((name) => [name, new Veiled(name, this.whole[name], views)])) : this.whole;
  }

  shown(name) {
    return this.now[name];
  }

  // What is told of event n where it cannot be seen whole, by which phrase, with which members; nothing where it can.
  masks(n) {
    const told = this.veils.map(({ masked }) => masked.at(0, n)).filter(Boolean);
    return told.every((one) => same(one, told[0])) ? told[0] : { phrase: "@unseen" };
  }
}
