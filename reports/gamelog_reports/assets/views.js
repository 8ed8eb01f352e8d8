// Views of the board: the whole board, as one seat sees it, or without everything that is hidden from any seat.
// Counterpart of seat_tracks.py.

import { Timeline } from "./timeline.js";

const NAMES = ["pieces", "fills", "marks"];

const isEqual = (a, b) => a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

// A timeline that shows `views` instead of `whole` while they hide something.
class MaskedTimeline {
  constructor(name, whole, views) {
    Object.assign(this, { name, whole, views });
  }

  at(key, n) {
    const all = this.whole.at(key, n);
    for (const view of this.views) {
      if (!view.hidden.at(0, n)) continue;
      const seen = view[this.name].at(key, n);
      if (!isEqual(seen, all)) return seen;
    }
    return all;
  }

  changed(n) {
    return this.whole.changed(n).filter((key) => !isEqual(this.at(key, n - 1), this.at(key, n)));
  }
}

export class Views {
  constructor(seats, data, near) {
    const timelines = (tracks) => Object.fromEntries(Object.entries(tracks).map(([name, track]) => [name, new Timeline(track, NAMES.includes(name) ? near : undefined)]));
    this.seats = seats.map(({ seat }) => seat).filter((seat) => data.views[seat]);
    this.whole = timelines(Object.fromEntries(NAMES.map((name) => [name, data.tracks[name]])));
    this.bySeat = new Map(this.seats.map((seat) => [seat, timelines(data.views[seat])]));
    this.choose(this.seats.length ? "hidden" : "all");
  }

  // Chooses a view: "all", a seat, or "hidden", which hides everything that is hidden from any seat.
  choose(view) {
    const seats = view === "all" ? [] : view === "hidden" ? this.seats : [view], views = seats.map((seat) => this.bySeat.get(seat));
    this.chosenViews = views;
    this.timelines = views.length ? Object.fromEntries(NAMES.map((name) => [name, new MaskedTimeline(name, this.whole[name], views)])) : this.whole;
  }

  // Adds event n to the whole board.
  push(n, changes) {
    for (const name of NAMES) this.whole[name].push(n, changes[name]);
  }

  // Returns the timeline with this name, as the chosen view shows it.
  timeline(name) {
    return this.timelines[name];
  }

  // Returns the phrase and members that describe event n, if the view hides a part of it.
  maskAt(n) {
    const masks = this.chosenViews.map(({ masked }) => masked.at(0, n)).filter(Boolean);
    return masks.every((mask) => isEqual(mask, masks[0])) ? masks[0] : { phrase: "@unseen" };
  }
}
