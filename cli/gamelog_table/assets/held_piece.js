// The piece of the held event, drawn where it will be after the event, in a colour that no player has.

import { svg } from "./dom.js";
import { piece, U } from "./pieces.js";

const LOOKED_BACK = 300;

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
export function heldPiece(game, { held, decisions }, piecesOn) {
  const end = held?.end?.[0], cell = game.cells[game.cellIndex.get(end)];
  if (!held?.event || !cell) return [];
  const moved = movedPiece(held, decisions.tokens, piecesOn, end), [kind, , text = ""] = moved ?? [usualKind(game, held.event.do), -1];
  return [svg("g", { class: "ghost", transform: `translate(${cell.x * U} ${cell.y * U})` }, piece([kind === "tile" ? "token" : kind, -1, text], "", false))];
}
