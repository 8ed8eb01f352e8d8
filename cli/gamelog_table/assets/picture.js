// One position as the board draws it: the board asks for what a whole game has, and gets what is there now.

import { PageData } from "./page_data.js";
import { learn, t, w } from "./texts.js";

export class Picture {
  constructor(setup) {
    learn(setup.words);
    Object.assign(this, { seats: setup.seats, rim: setup.rim, legend: setup.legend, templates: setup.templates, remark: setup.remark });
    this.cells = setup.cells.map((cell) => ({ ...cell, label: w(cell.label ?? "") }));
    this.links = setup.links;
    this.cellIndex = new Map(this.cells.map((cell, at) => [cell.id, at]));
    this.seatIndex = new Map(this.seats.map((seat, at) => [seat.seat, at]));
    this.last = Infinity;
    this.held = { pieces: new Map(), fills: new Map(), marks: new Map() };
    this.touched = { pieces: [], fills: [], marks: [] };
    for (const name of ["pieces", "fills", "marks"]) this[name] = { at: (cell) => this.held[name].get(cell), changed: () => this.touched[name] };
    this.events = [];
    this.effects = [];
  }

  // Take `now` up; what has not changed stays the same object, so that it is not drawn again.
  take(now) {
    for (const name of ["pieces", "fills", "marks"]) {
      const before = this.held[name], next = new Map();
      this.touched[name] = [];
      for (const [cell, value] of Object.entries(now[name])) {
        const at = Number(cell), old = before.get(at), same = JSON.stringify(old) === JSON.stringify(value);
        next.set(at, same ? old : value);
        if (!same) this.touched[name].push(at);
      }
      for (const at of before.keys()) if (!next.has(at)) this.touched[name].push(at);
      this.held[name] = next;
    }
    this.now = now;
    this.events[now.n] = now.event && { ...now.event, phrase: now.phrase };
    this.effects[now.n] = now.effects;
  }

  masked(n) {
    return !this.events[n] || this.events[n].do === "@unseen";
  }

  name(seat) {
    if (!this.seatIndex.has(seat)) return seat === "table" || seat === "arbiter" ? t(seat) : seat;
    const name = this.now?.names[seat];
    return name && name !== seat ? name : w(seat);
  }

  namesFor() {
    return (seat) => this.name(seat);
  }
}

for (const name of ["sentence", "plainly", "text", "named", "places", "ways"]) Picture.prototype[name] = PageData.prototype[name];
