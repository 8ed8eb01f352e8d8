// Highlights on the board: cells that can be tapped, with a finger (the nearest one counts) or the keyboard.

import { cellShape, cellTransform } from "./board.js";
import { onBoard } from "./board_point.js";
import { svg } from "./dom.js";
import { UNIT } from "./pieces.js";
import { isolate, t, translated } from "./texts.js";

const SNAP_PX = 34, SAME_PX = 16, FINGER_PX = 28, INSIDE = 0.74; // the reach of a finger, how far two taps at one place are apart, the least size of a place for a finger, and the size of a mark inside an outline


export class Highlights {
  constructor(board, game, piecesOn, tap) {
    const { root } = board;
    Object.assign(this, { board, root, game, piecesOn, tap, lit: [] });
    this.layer = svg("g", { class: "lights" });
    this.raised = svg("g", { class: "raised" }); // what the outlines would hide: the names of their cells, and the marks of the last event
    this.ghosts = svg("g", { class: "ghosts" });
    root.append(this.layer, this.raised, this.ghosts);
    root.addEventListener("click", (event) => this.click(event));
    this.layer.addEventListener("keydown", (event) => this.key(event));
  }

  // `cells` maps each lit cell to whether it is chosen. `ghosts` shows the held piece.
  show(cells, ghosts = []) {
    this.ghosts.replaceChildren(...ghosts);
    const here = document.activeElement?.dataset?.cell;
    this.lit = [...cells].map(([id, chosen]) => ({ id, chosen, cell: this.game.cells[this.game.cellIndex.get(id)] })).filter(({ cell }) => cell);
    this.layer.replaceChildren(...this.lit.map(({ id, chosen, cell }, at) => {
      const label = [cell.label && cell.label !== id ? `${cell.label} ${id}` : id, ...this.pieceNames(cell)].join(", ");
      return svg("g", { transform: cellTransform(cell), role: "button", tabindex: at ? -1 : 0, "aria-pressed": String(chosen), "aria-label": label, "data-cell": id }, cellShape(cell, { class: "casing" }), cellShape(cell, { class: chosen ? "light chosen" : "light" }));
    }));
    this.raise();
    if (here && this.lit.length) (this.node(here) || this.layer.firstElementChild).focus({ preventScroll: true });
  }

  // Copies the names of the lit cells and the marks of the last event above the outlines. A mark of a lit cell is inside its outline.
  raise() {
    const lit = new Set(this.lit.map(({ cell }) => cellTransform(cell)));
    const marks = this.lit.length ? [...this.root.querySelectorAll(".over > .mark")].map((mark) => {
      const copy = mark.cloneNode(true), place = copy.getAttribute("transform");
      if (lit.has(place)) copy.setAttribute("transform", `${place} scale(${INSIDE})`);
      return copy;
    }) : [], casings = marks.map((mark) => mark.cloneNode(true));
    for (const casing of casings) casing.setAttribute("class", "casing");
    this.raised.replaceChildren(...casings, ...marks, ...this.lit.map(({ cell }) => this.copyOfName(cell)).filter(Boolean));
  }

  // Returns a copy of the name of a cell at its place, or null if it is not visible.
  copyOfName(cell) {
    const { name } = this.board.bases[this.game.cellIndex.get(cell.id)];
    return name && !name.hasAttribute("hidden") && !name.classList.contains("covered") ? svg("g", { transform: cellTransform(cell) }, name.cloneNode(true)) : null;
  }

  // Returns the names of the pieces on a cell, for screen readers.
  pieceNames(cell) {
    return this.piecesOn(cell.id).slice(0, 4).map(([kind, seat, text, hidden]) => [seat >= 0 ? isolate(this.game.name(this.game.seats[seat].seat)) : "", hidden ? "?" : translated(text) || t("piece_" + kind)].filter(Boolean).join(" "));
  }

  node(id) {
    return [...this.layer.children].find((node) => node.dataset.cell === id);
  }

  // Returns the lit cell at a point, of those that are `allowed`: the touched one, or the nearest within a finger's width.
  near(x, y, allowed = () => true) {
    const scale = this.root.getScreenCTM().a;
    let best = null;
    for (const one of this.lit.filter(({ id }) => allowed(id))) {
      const box = this.node(one.id).getBoundingClientRect();
      const dx = Math.max(box.left - x, 0, x - box.right), dy = Math.max(box.top - y, 0, y - box.bottom), off = Math.hypot(dx, dy);
      const middle = Math.hypot((box.left + box.right) / 2 - x, (box.top + box.bottom) / 2 - y) / Math.max(scale * UNIT, 1);
      if (off <= SNAP_PX && (!best || off < best.off || (off === best.off && middle < best.middle))) best = { ...one, off, middle };
    }
    return best;
  }

  click({ clientX, clientY }) {
    const at = onBoard(this.root, clientX, clientY), again = () => {
      const { x, y } = new DOMPoint(at.x, at.y).matrixTransform(this.root.getScreenCTM());
      return this.targetCell(x, y)?.id;
    };
    this.tap(this.targetCell(clientX, clientY)?.id ?? null, again);
    this.last = { x: clientX, y: clientY };
  }

  // Returns the cell that a tap means. Inside a cell that is large enough for a finger it is this cell. Beside a selected cell it is the
  // cell under the finger, unless the last tap was at the same place.
  targetCell(x, y) {
    const near = this.near(x, y), under = this.under(x, y), isSame = this.last && Math.hypot(x - this.last.x, y - this.last.y) <= SAME_PX;
    if (!near?.off || !under) return near ?? under;
    return this.root.getScreenCTM().a * UNIT >= FINGER_PX || (near.chosen && !isSame) ? under : near;
  }

  // Returns the cell under a finger, lit or not.
  under(x, y) {
    const at = onBoard(this.root, x, y);
    return this.game.cells.find((cell) => Math.abs(at.x / UNIT - cell.x) < cell.w * 0.45 && Math.abs(at.y / UNIT - cell.y) < cell.h * 0.4);
  }

  key(event) {
    const here = event.target.dataset?.cell, step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (here === undefined) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (!event.repeat) this.tap(here); // a key that is held down acts once
    } else if (step) {
      event.preventDefault();
      const from = this.lit.find(({ id }) => id === here).cell;
      const ahead = this.lit.filter(({ cell }) => (cell.x - from.x) * step[0] + (cell.y - from.y) * step[1] > 0.2);
      const far = ({ cell }) => Math.abs((cell.x - from.x) * step[0] + (cell.y - from.y) * step[1]) + 2 * Math.abs((cell.x - from.x) * step[1] + (cell.y - from.y) * step[0]);
      const next = ahead.sort((one, other) => far(one) - far(other))[0];
      if (next) this.node(next.id).focus({ preventScroll: true });
    }
  }
}
