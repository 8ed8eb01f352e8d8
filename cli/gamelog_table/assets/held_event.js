// The piece of the held event or of the event that waits to be sent, drawn where it will be after the event, in a colour that no player has.

import { cellShape, cellTransform } from "./board.js";
import { svg } from "./dom.js";
import { content, piece } from "./pieces.js";

const LOOKED_BACK = 300, QUICK_MS = 150; // the next tap of a quick hand comes before the server is asked

// Returns the piece that the event moves: it is on the only cell of another token. A token can name the piece.
function movedPiece(held, tokens, piecesOn, end) {
  for (const id of held.tokens ?? []) {
    const { cells = [], text } = tokens[id] ?? {}, [from] = cells, all = cells.length === 1 && from !== end ? piecesOn(from).filter(([kind]) => kind !== "tile") : [];
    const found = all.find((one) => one[2] === text) ?? all.at(-1);
    if (found) return found;
  }
  return held.path ? piecesOn(held.path[0]).at(-1) : undefined;
}

// Returns the kind of piece that the last event of the same type has placed.
function usualKind(game, tag) {
  for (let n = game.last; n > Math.max(0, game.last - LOOKED_BACK); n--) {
    if (game.events[n]?.do !== tag) continue;
    const at = game.places(n).find((cell) => game.pieces.changed(n).includes(cell)), found = game.pieces.at(at, n)?.at(-1);
    if (found) return found[0];
  }
  return "disc";
}

// Returns the drawing of the piece of `held` as nodes, or none if the event has no single place.
function heldPiece(game, held, { decisions }, piecesOn) {
  const end = held?.end?.[0], cell = game.cells[game.cellIndex.get(end)];
  if (!held?.event || !cell) return [];
  const moved = movedPiece(held, decisions.tokens, piecesOn, end), [kind, , text = ""] = moved ?? [usualKind(game, held.event.do), -1];
  return [svg("g", { class: "ghost", transform: cellTransform(cell) }, piece([kind === "tile" ? "token" : kind, -1, text], "", false))];
}

// The position after the held or waiting event: first a guess, then the answer of the server.
export class HeldEvent {
  constructor(table) {
    Object.assign(this, { table, held: null, next: null });
  }

  // The event that is drawn: the held event, or the sent event until the next step arrives.
  get shown() {
    const { selection, last } = this.table;
    return selection.held ?? (last === selection.decisions.n ? selection.unconfirmed : null);
  }

  // Returns the drawing for the shown event: the pieces on the cells that change, and the places that can come next. A board that grows
  // shows these places after the event.
  nodes() {
    const { table } = this, { game, selection, board } = table, at = (id) => game.cells[game.cellIndex.get(id)];
    this.update(this.shown);
    const { next, held } = this;
    if (!next) return heldPiece(game, held, selection, (cell) => table.piecesOn(cell));
    const coming = next.cells.map(at).filter(Boolean).map((cell) => cellShape(cell, { class: "coming", transform: cellTransform(cell) }));
    const pieces = Object.entries(next.pieces).filter(([id]) => at(id)).map(([id, all]) => [at(id), all.map(([kind, , ...look]) => [kind, -1, ...look])]);
    return [...coming, ...pieces.map(([cell, all]) => svg("g", { class: "ghost", transform: cellTransform(cell) }, cellShape(cell, { class: "left" }), content(all, cell, game.seats, false, board.least)))];
  }

  update(held) {
    if (held === this.held) return;
    clearTimeout(this.timer);
    Object.assign(this, { held, next: null });
    if (held?.events?.length === 1 && !this.table.correction) this.timer = setTimeout(() => this.ask(held), QUICK_MS);
  }

  async ask(held) {
    if (held !== this.table.selection.held) return; // it is sent already
    const { table } = this, { status, body } = await table.connection.ask(table.apiPath + "/would?next=1", held.events[0]).catch(() => ({}));
    if (status !== 200 || held !== this.shown || !body.next) return;
    this.next = body.next;
    table.showChoices();
  }
}
