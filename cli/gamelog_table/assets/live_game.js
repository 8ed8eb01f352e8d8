// A live game: the game of a page, to which each step from the server is added.

import { Game } from "./game.js";
import { escapeControls } from "./message.js";
import { Timeline } from "./timeline.js";
import { Views } from "./views.js";

// Returns the pending decision from the server in the form that tracks have.
function turnOf({ outcome, chance, by = [] }) {
  if (outcome) return { winners: outcome.winners, reason: outcome.reason ?? "" };
  if (!chance) return { by };
  return { chance: chance.by, bag: !chance.draws.every(({ type }) => type === "dice"), by };
}

export class LiveGame extends Game {
  constructor(stage, data) {
    super(stage, data);
    this.margin = stage.margin;
  }

  // Returns the findings about event n, without open offers: the sentence of an offer says the same.
  faults(n) {
    return super.faults(n).filter(({ code }) => code !== "play.offer");
  }

  // Returns whether a board that grows must show more cells after a step: something is new on a cell near the edge.
  mustGrow({ board = {} }) {
    const { margin, views: { whole }, cells, cellIndex } = this, parts = ["pieces", "fills", "marks"];
    if (!margin) return false;
    const found = parts.flatMap((part) => Object.keys(board[part] ?? {})).map((id) => cellIndex.get(id));
    const fresh = found.filter((at) => at === undefined || (cells[at].shape !== "tray" && !parts.some((part) => whole[part].keys.has(at))));
    return fresh.some((at) => at === undefined || ["x", "y"].some((axis) => {
      const places = cells.filter(({ shape }) => shape !== "tray").map((cell) => cell[axis]), place = cells[at][axis];
      return place < Math.min(...places) + margin - 0.01 || place > Math.max(...places) - margin + 0.01;
    }));
  }

  // Adds a step from the server: event `step.n`, which is the last so far, and its changes. The board changes as in event `boardFrom`.
  push(given, boardFrom = given.n) {
    const step = escapeControls(given), { n, board = {}, table = {}, line = {} } = step;
    const [[tag, { do: name = tag, ...members }], ...effects] = step.facts;
    const seatAt = (seat) => this.seatIndex.get(seat) ?? -1, cellAt = (id) => this.cellIndex.get(id);
    const pairs = (values, key, value = (one) => one) => Object.entries(values ?? {}).map(([id, one]) => [key(id), value(one)]);
    this.events[n] = { n, t: step.t, do: name, ...members, ...(tag === name ? {} : { phrase: tag }) };
    this.effects[n] = effects.map(([effect, found]) => ({ effect, ...found }));
    this.contests[n] = this.effects[n].find(({ effect }) => effect === "contest");
    if (this.effects[n].some(({ effect }) => effect === "turn_over")) this.turnEnds.add(n);
    this.views.push(boardFrom, {
      pieces: pairs(board.pieces, cellAt, (pieces) => pieces.map(([kind, seat, ...look]) => [kind, seatAt(seat), ...look])),
      fills: pairs(board.fills, cellAt, (seat) => this.seatIndex.get(seat) ?? null),
      marks: pairs(board.marks, cellAt),
    });
    this.captions.push(n, (board.captions ?? []).map((caption) => [this.slot(caption), caption.value]));
    this.score.push(n, pairs(step.score, seatAt));
    this.names.push(n, pairs(table.names, seatAt, (person) => person));
    this.penalties.push(n, pairs(table.penalties, seatAt));
    this.warnings.push(n, pairs(table.warnings, seatAt));
    this.off.push(n, [[0, step.t - step.clock]]);
    this.unplayed.push(n, [[0, step.unplayed ?? 0]]);
    if (step.pending) this.turn.push(n, [[0, turnOf(step.pending)]]);
    if (table.used) this.clocks.set(n, this.seats.map(({ seat }) => table.used[seat] ?? 0));
    Object.assign(this.foundAt, step.findings);
    Object.assign(this.rules, step.rules);
    Object.assign(this.corrected, step.corrected);
    if (line.to !== undefined) this.jumps.set(n, line.to);
    if (line.slip) this.slips.add(n);
    for (const withdrawn of line.withdrawn ?? []) this.withdrawnBy.set(withdrawn, n);
    this.last = n;
    this.undone = step.line ? this.undoneAt(n) : [...this.undone, 0];
  }

  // Returns the number of a caption, by its name and its seat.
  slot({ name, seat, dice }) {
    const owner = this.seatIndex.get(seat) ?? -1, known = this.slots.findIndex(([other, whose]) => other === name && whose === owner);
    return known < 0 ? this.slots.push([name, owner, Number(Boolean(dice))]) - 1 : known;
  }

  // Returns a game that has only the position of `step`, as if a turn began there. The step has the whole position.
  rehearsal(step) {
    const made = Object.create(this), tracks = ["captions", "score", "turn", "names", "penalties", "warnings", "off", "unplayed"].map((name) => [name, new Timeline()]);
    Object.assign(made, Object.fromEntries(tracks), { base: this, events: [], effects: Array.from({ length: step.n }, () => []), contests: [], undone: [], slots: [], turnEnds: new Set([step.n - 1]), jumps: new Map(), withdrawnBy: new Map(), slips: new Set(), clocks: new Map(), corrected: {}, foundAt: {}, views: new Views([], { views: {}, tracks: {} }) });
    made.push(step.facts ? step : { ...step, facts: [["", {}]] }, step.n - 1); // no cell has changed
    return made;
  }
}
