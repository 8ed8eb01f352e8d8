// The game as the page knows it: events, consequences, and everything that follows from them.

import { lines, tokens } from "./columns.js";
import { t } from "./texts.js";
import { Timeline } from "./timeline.js";
import { fill, text } from "./words.js";

const SAID = new Set(["@note", "@claim"]);

const UNPLACED = new Set(["do", "effect", "by", "text", "reason"]);

const parse = (texts) => (texts.length ? JSON.parse("[" + texts.join() + "]") : []);

function event(line) {
  try {
    return JSON.parse("{" + line);
  } catch {
    return { do: "", by: "", raw: line };
  }
}

export class Story {
  constructor(data) {
    const known = tokens(data.tokens), table = (name) => (data.tables[name] ? lines(data.tables[name], known) : []);
    Object.assign(this, { title: data.title, status: data.status, last: data.played, header: data.first ? JSON.parse("{" + data.first) : data.header || {}, seat: data.seat });
    this.anonymous = data.anonymous;
    this.record = { first: data.first, head: data.head, lines: data.raw || table("lines"), raw: Boolean(data.raw) };
    this.findings = data.findings;
    this.rules = data.rules || {};
    this.events = [null, ...this.record.lines.map(event)];
    this.known = Boolean(data.tracks);
    if (!this.known) return;
    this.game = data.game;
    this.seats = data.seats;
    this.remark = data.remark;
    this.templates = data.templates;
    this.jumps = new Map(data.jumps);
    this.cells = parse(table("cells")).map((cell) => ({ ...cell, x: cell.x / 1000, y: cell.y / 1000 }));
    this.links = parse(table("links"));
    this.cellIndex = new Map(this.cells.map((cell, at) => [cell.id, at]));
    this.effects = [[], ...parse(table("effects"))];
    data.tracks.pieces.table = parse(table("contents"));
    this.slots = data.slots;
    this.seatIndex = new Map(this.seats.map((seat, at) => [seat.seat, at]));
    for (const name of ["pieces", "fills", "marks", "captions", "score", "turn", "names"]) this[name] = new Timeline(data.tracks[name]);
    this.undone = this.undoneAt(this.last);
    this.contests = this.effects.map((found) => found.find((effect) => effect.effect === "contest"));
  }

  // Of each event up to n the takeback in force that cut it out, or 0. What was said stays said.
  undoneAt(n) {
    const by = this.events.map(() => 0);
    for (let at = n; at > 0; at--) {
      if (!this.jumps.has(at)) continue;
      const to = this.jumps.get(at);
      for (let cut = at - 1; cut > to; cut--) if (!SAID.has(this.events[cut].do)) by[cut] = at;
      at = to + 1;
    }
    return by;
  }

  name(seat, n) {
    const at = this.seatIndex ? this.seatIndex.get(seat) : undefined;
    if (at === undefined) return seat === "table" || seat === "arbiter" ? t(seat) : seat;
    return this.names.at(at, Math.min(n, this.last)) || seat;
  }

  // What happened in event n, as the pieces of a sentence.
  sentence(n) {
    if (n === 0) return [t("start")];
    const name = (seat) => this.name(seat, n), event = this.events[n];
    const said = [];
    for (const thing of [event, ...(this.effects ? this.effects[n] || [] : [])]) {
      const template = this.templates && this.templates[thing.do || thing.effect];
      if (template) said.push(...(said.length ? [" "] : []), ...fill(template, thing, name));
    }
    if (said.length) return said;
    return event.do ? [{ text: name(event.by) }, ": ", { text: event.do }] : [{ text: event.raw }];
  }

  text(n) {
    return text(this.sentence(n));
  }

  found(n) {
    return this.findings.filter((finding) => finding.n === n);
  }

  // The cells that event n names, in the order of its members: an origin, a path, a destination.
  // Where the event names none (dice, say), those of the consequence that names the most.
  places(n) {
    const named = (thing) => {
      const found = [];
      const collect = (value) => {
        if (Array.isArray(value)) value.forEach(collect);
        else if (typeof value === "string" && this.cellIndex.has(value)) found.push(this.cellIndex.get(value));
      };
      for (const [member, value] of Object.entries(thing)) if (!UNPLACED.has(member)) collect(value);
      return found;
    };
    const own = named(this.events[n]);
    if (own.length) return own;
    return this.effects[n].map(named).reduce((most, found) => (found.length > most.length ? found : most), []);
  }

  // Whose turn it is after event n: {by: [...]}, {chance: seat} or {winners: [...], reason}.
  pending(n) {
    return this.turn.at(0, n) || { by: [] };
  }
}
