// The game of a page: its events, their effects, and the position after each of them.

import { lines, tokens } from "./columns.js";
import { capital, fill, plain, text, escapeControls } from "./message.js";
import { setIcons } from "./pieces.js";
import { setting } from "./settings.js";
import { isolate, setWords, t, translated } from "./texts.js";
import { Timeline } from "./timeline.js";
import { turnPlaces } from "./board_side.js";
import { Views } from "./views.js";

// Events that a takeback does not undo. It undoes only play and agreements about play.
const NOT_UNDONE = new Set(["@note", "@claim", "@withdraw", "@ruling", "@sign", "@substitute", "@amend", "@result", "@clock", "@reveal", "@recovered"]);

const UNPLACED = new Set(["do", "effect", "by", "text", "reason"]);

// Returns whether a sentence ends with punctuation. People's own words may have none.
const endsSentence = (pieces) => /[.!?…:]$/.test(text(pieces));

const PLAIN = /^[ -[\]-~]*$/;

function parse(texts) {
  const read = texts.length ? JSON.parse("[" + texts.join() + "]") : [];
  return texts.every((text) => PLAIN.test(text)) ? read : escapeControls(read);
}

function event(line) {
  try {
    const read = JSON.parse("{" + line);
    return PLAIN.test(line) ? read : escapeControls(read);
  } catch {
    return { do: "", by: "", raw: escapeControls(line) };
  }
}

// Text from a raw line, which has one character for each byte.
const utf8 = (line) => new TextDecoder().decode(Uint8Array.from(line, (letter) => letter.charCodeAt(0)));

// The member with the people of an effect. Without people, the effect has the template TAG_none.
const PEOPLE_OF = { over: "winners", rolled: "seat", turn_over: "next" };

const isEmpty = (people) => people === null || people?.length === 0;

// The name of the template of an event or effect.
const phrase = (thing) => thing.phrase || (thing.do || thing.effect) + (isEmpty(thing[PEOPLE_OF[thing.effect]]) ? "_none" : "");

export class Game {
  // `stage` has the data that all records of a game on one board share. It is empty if the game is unknown.
  constructor(stage, data) {
    const known = tokens((stage.tokens || "") + data.tokens);
    const table = (name) => (tables[name] ? lines(tables[name], known) : []), tables = { ...stage.tables, ...data.tables };
    Object.assign(this, { title: data.title, status: data.status, last: data.played, header: escapeControls(data.first ? JSON.parse("{" + data.first) : data.header || {}), seat: data.seat });
    this.record = { first: data.first, head: data.head, lines: data.raw || table("lines"), raw: Boolean(data.raw) };
    setWords(stage.words || {});
    this.foundAt = {}; // the findings by the number of their event
    for (const finding of escapeControls(data.findings)) (this.foundAt[finding.n ?? 0] ??= []).push(finding);
    this.rules = data.rules || {};
    this.events = [null, ...(data.raw ? data.raw.map(utf8) : this.record.lines).map(event)];
    this.hasPositions = Boolean(data.tracks);
    this.turnEnds = new Set();
    if (!this.hasPositions) return;
    this.game = stage.game;
    this.unit = translated(stage.unit);
    this.seats = stage.seats;
    this.remark = stage.remark;
    this.rim = stage.rim;
    this.side = setting("sides")?.[this.game] ?? 0;
    this.legend = stage.legend;
    setIcons(stage.icons ?? []);
    this.colours = stage.colours;
    this.templates = stage.templates;
    for (const [n, tag] of data.messages) this.events[n].phrase = tag;
    this.jumps = new Map(data.jumps);
    this.withdrawnBy = new Map(data.gone);
    this.slips = new Set(data.slips);
    this.clocks = new Map(data.clocks ?? []);
    this.moments = new Map((data.moments ?? []).map(([n, ...moment]) => [n, moment]));
    for (const name of ["penalties", "warnings"]) { // the total points and the number of warnings that rulings have given to each seat
      this[name] = new Timeline();
      for (const [n, totals] of data[name] ?? []) this[name].push(n, totals);
    }
    this.corrected = Object.fromEntries(data.corrected); // by event: the event that replaces it, or 0
    this.cells = parse(table("cells")).map((cell) => ({ w: 1, h: 1, ...cell, x: cell.x / 1000, y: cell.y / 1000, label: translated(cell.label ?? "") }));
    turnPlaces(this, this.side);
    this.links = parse(table("links"));
    this.cellIndex = new Map(this.cells.map((cell, at) => [cell.id, at]));
    this.effects = [[], ...parse(table("effects"))];
    const pieces = parse(table("pieces"));
    for (const { pieces: track } of [data.tracks, ...Object.values(data.views)]) track.table = track.table.map((content) => content.map((at) => pieces[at]));
    this.slots = data.slots;
    this.seatIndex = new Map(this.seats.map((seat, at) => [seat.seat, at]));
    for (const name of ["captions", "score", "turn", "names", "off", "unplayed"]) this[name] = new Timeline(data.tracks[name]);
    const near = [];
    this.views = new Views(this.seats, data, (n) => (near[n] ??= n && !data.raw ? [...new Set([this.events[n], ...this.effects[n]].flatMap((thing) => this.cellsIn(thing)))] : []));
    this.undone = this.undoneAt(this.last);
    this.effects.forEach((found, n) => found.some(({ effect }) => effect === "turn_over") && this.turnEnds.add(n));
    this.contests = this.effects.map((found) => found.find((effect) => effect.effect === "contest"));
  }

  // Returns for each event up to n the takeback that undoes it, for a ruling or claim the event that withdraws it, or 0.
  undoneAt(n) {
    const by = this.events.map(() => 0);
    for (let at = n; at > 0; at--) {
      if (!this.jumps.has(at)) continue;
      const to = this.jumps.get(at);
      for (let cut = at - 1; cut > to; cut--) if (!NOT_UNDONE.has(this.events[cut].do)) by[cut] = at;
      at = to + 1;
    }
    for (const [withdrawn, at] of this.withdrawnBy) if (at <= n) by[withdrawn] = at;
    return by;
  }

  // Returns the status of event n in words, if it does not count.
  disposition(n) {
    const by = this.undone?.[n];
    if (!by) return "";
    const now = this.corrected[n];
    return now ? t("replaced", now) : t(this.withdrawnBy.has(n) ? "withdrawn" : now === 0 ? "corrected" : "undone", by);
  }

  // The pieces on the cells, in the chosen view.
  get pieces() {
    return this.views.timeline("pieces");
  }

  get fills() {
    return this.views.timeline("fills");
  }

  get marks() {
    return this.views.timeline("marks");
  }

  // Returns the phrase and members that describe event n in the chosen view, if the view hides a part of it.
  maskAt(n) {
    return this.hasPositions && n <= this.last && this.views.maskAt(n);
  }

  name(seat, n = this.last) {
    const at = this.seatIndex ? this.seatIndex.get(seat) : undefined;
    if (at === undefined) return { table: t("table"), arbiter: t("arbiter") }[seat] ?? translated(seat);
    const name = this.names.at(at, n);
    return name && name !== seat ? name : translated(seat);
  }

  // Returns the function that names seats in a sentence about event n. A substitution names the person before.
  namesFor(event, n) {
    return (seat) => this.name(seat, event.do === "@substitute" ? n - 1 : n);
  }

  // Returns the sentence about event n, in pieces.
  sentence(n) {
    if (n === 0) return [t("start")];
    const mask = this.maskAt(n);
    return this.describe({ ...this.events[n], ...mask }, (mask?.phrase !== "@unseen" && this.effects?.[n]) || [], n);
  }

  // Returns the sentence about an event at n and its effects, in pieces.
  describe(event, effects, n) {
    const name = this.namesFor(event, n), pieces = [];
    for (const thing of [event, ...effects]) {
      const template = this.templates?.[phrase(thing)];
      if (template) pieces.push(...(pieces.length ? [endsSentence(pieces) ? " " : ". "] : []), ...capital(fill(template, thing, name)));
    }
    if (pieces.length) return pieces;
    return event.do ? this.plainly(event, n) : [{ text: event.raw }];
  }

  // Returns the sentence about an event without effects, which could be played at n. Without a template it lists the members of the event.
  plainly(event, n) {
    const name = this.namesFor(event, n), template = this.templates?.[phrase(event)], { do: tag, by, n: own, t: at, id, v, as_played: isIllegal, phrase: _, ...rest } = event;
    return template ? fill(template, event, name) : [{ text: name(by) }, ": ", { text: `${translated(tag.replaceAll("_", " "))} ${plain(rest, translated)}`.trim() }];
  }

  text(n) {
    return text(this.sentence(n));
  }

  // Returns the sentence that the game is over with `outcome`.
  over(outcome, n) {
    const thing = { effect: "over", ...outcome };
    return text(fill(this.templates[phrase(thing)], thing, (seat) => isolate(this.name(seat, n))));
  }

  // Returns the highlight at event n in words, if there is one.
  moment(n) {
    const moment = this.moments?.get(n);
    return moment && "▼ " + text(fill(...moment, (seat) => isolate(this.name(seat, n))));
  }

  // Returns the findings about event n; with 0, about the whole record.
  findingsAt(n) {
    return this.foundAt[n] ?? [];
  }

  // All findings, in the order of their events.
  get findings() {
    return Object.values(this.foundAt).flat();
  }

  // Returns the cells that an event or effect names.
  cellsIn(thing) {
    const found = [];
    const collect = (value) => {
      if (Array.isArray(value)) value.forEach(collect);
      else if (typeof value === "string" && this.cellIndex.has(value)) found.push(this.cellIndex.get(value));
    };
    for (const [member, value] of Object.entries(thing)) if (!UNPLACED.has(member)) collect(value);
    return found;
  }

  // Returns the cells that event n names, in the order of its members: an origin, a path, a destination.
  // If the event names none (dice, for example), returns those of the effect that names the most.
  places(n) {
    const own = this.cellsIn(this.events[n]);
    if (own.length) return own;
    return this.effects[n].map((effect) => this.cellsIn(effect)).reduce((most, found) => (found.length > most.length ? found : most), []);
  }

  // Returns the paths of pieces in event n, as lists of cells: `src` and `dst` (or `at`), a `path`,
  // or pairs of cells. Other cells that an event names have no order.
  eventPaths(n) {
    const all = [this.events[n], ...this.effects[n]], found = new Map();
    const add = (ids) => {
      const cells = ids.map((id) => this.cellIndex.get(id)), key = cells[0] + "," + cells.at(-1);
      if (cells.length > 1 && !cells.includes(undefined) && cells[0] !== cells.at(-1) && !found.has(key)) found.set(key, cells);
    };
    const pairs = (value) => value && typeof value === "object" && !Array.isArray(value) && Object.entries(value).forEach(add);
    for (const { path, src, dst, at = dst, ...rest } of all) {
      const origin = path && all.find((effect) => effect.src && effect.at === path[path.length - 1])?.src;
      if (path) add(origin && origin !== path[0] ? [origin, ...path] : path);
      else if (src) add([src, dst ?? at]);
      Object.values(rest).forEach(pairs);
    }
    return found.size ? [...found.values()] : this.movedPiecePath(n);
  }

  // Returns the path of the only piece that the player of event n moved, for events that name no path.
  movedPiecePath(n) {
    const { by, do: tag } = this.events[n], owner = this.seatIndex.get(by), open = this.pieces.changed(n).filter((at) => this.cells[at].shape !== "tray" || !this.cells[at].seat);
    const count = (at, when) => (this.pieces.at(at, when) ?? []).filter(([, seat]) => seat === owner).length;
    const [left, came] = [-1, 1].map((way) => open.filter((at) => (count(at, n) - count(at, n - 1)) * way > 0));
    return !tag.startsWith("@") && left.length === 1 && came.length === 1 ? [[left[0], came[0]]] : [];
  }

  // Returns the paths to draw at event n: each path of the event with the paths of its piece before it in the same turn. At an event
  // that ends the turn and has no path, returns all paths of the turn.
  drawnPaths(n) {
    const own = this.eventPaths(n), paths = [];
    if (!this.turnEnds.size) return own;
    let first = n;
    while (first > 1 && !this.turnEnds.has(first - 1)) first--;
    for (let at = first; at <= n; at++) {
      for (const path of this.undone[at] && at < n ? [] : this.eventPaths(at)) {
        const earlier = paths.find((other) => other.at(-1) === path[0]);
        if (earlier) earlier.push(...path.slice(1));
        else paths.push([...path]);
      }
    }
    if (!own.length) return this.turnEnds.has(n) ? paths : [];
    return own.map((path) => paths.findLast((other) => other.at(-1) === path.at(-1)));
  }

  // Returns whether event n took something from another player: a piece left its cell, or a cell changed its owner.
  captures(n) {
    const { by, do: tag } = this.events[n];
    if (n > this.last || !tag || tag.startsWith("@")) return false;
    const others = (at, when) => (this.pieces.at(at, when) || []).filter(([, seat]) => seat >= 0 && this.seats[seat].seat !== by).length;
    const theirs = (at, when) => {
      const seat = this.fills.at(at, when) ?? -1;
      return seat >= 0 && this.seats[seat].seat !== by;
    };
    const open = (at) => this.cells[at].shape !== "tray";
    return this.pieces.changed(n).some((at) => open(at) && others(at, n) < others(at, n - 1)) ||
      this.fills.changed(n).some((at) => open(at) && theirs(at, n - 1) && !theirs(at, n));
  }

  // Returns the findings about event n. After the last event they include those about refused events.
  faults(n) {
    return this.findings.filter((finding) => finding.n === n || (n === this.last && finding.n > n));
  }

  // Returns who is to move after event n: {by: [...]}, {chance: seat} or {winners: [...], reason}.
  pending(n) {
    return this.turn.at(0, n) || { by: [] };
  }
}
