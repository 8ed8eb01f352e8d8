// Zoom to the places where something is legal, if the cells of the whole board are too small for a finger.

import { $ } from "./dom.js";
import { UNIT } from "./pieces.js";
import { setSetting, setting, isMotionOn } from "./settings.js";
import { t } from "./texts.js";

const SMALL_PX = 28, BEST_PX = 44, AROUND = 0.4, WIDEST = 0.85, GLIDE_MS = 200;

export class AutoZoom {
  // `acts`: whether the user of this device records. Only then the board zooms without being asked.
  constructor(gestures, game, acts) {
    Object.assign(this, { gestures, game, on: setting("zoom") ?? acts, cells: [] });
    $("whole").addEventListener("click", () => this.toggle());
  }

  // Pixels per unit of the picture, if it had this width and height.
  scale({ width, height }) {
    const box = this.gestures.root.getBoundingClientRect();
    return Math.min(box.width / width, box.height / height);
  }

  get isSmall() {
    return this.scale(this.gestures.board.whole) * UNIT < SMALL_PX;
  }

  toggle() {
    const isOut = !this.gestures.isEnlarged;
    setSetting("zoom", (this.on = isOut));
    if (isOut) this.gestures.glide(this.area(), isMotionOn() ? GLIDE_MS : 0);
    else this.gestures.reset();
    this.showButton();
  }

  // Zooms to the places that can be tapped in position `n`, once for each position. The board stays as it is if the places are the same as
  // before, and with `stays`: then a finger may be on its way to one of the places.
  show(n, cells, stays) {
    if (this.n === n) return;
    const isSame = cells.length === this.cells.length && cells.every((id) => this.cells.includes(id));
    Object.assign(this, { n, cells });
    this.showButton();
    if (stays || isSame || !this.on || !this.isSmall || this.fits()) return;
    this.gestures.glide(this.area(), isMotionOn() ? GLIDE_MS : 0);
  }

  // Shows the whole board if one of the `cells`, the places of event `n` of another player, is out of sight, unless a finger is on the board.
  include(n, cells) {
    if (this.n === n) return;
    Object.assign(this, { n, cells: [] });
    this.showButton();
    if (this.gestures.isEnlarged && !this.gestures.down.size && !cells.every((id) => this.sees([id]))) this.gestures.glide(this.area(), isMotionOn() ? GLIDE_MS : 0);
  }

  // Returns whether one of the `cells` is on the screen.
  sees(cells) {
    const { view } = this.gestures;
    return cells.map((id) => this.game.cells[this.game.cellIndex.get(id)]).some((cell) => cell && cell.x * UNIT > view.x && cell.x * UNIT < view.x + view.width && cell.y * UNIT > view.y && cell.y * UNIT < view.y + view.height);
  }

  // Returns the sides of the places in the picture.
  sides() {
    const found = this.cells.map((id) => this.game.cells[this.game.cellIndex.get(id)]).filter(Boolean), at = (centre, size, side) => found.map((cell) => (cell[centre] + side * ((cell[size] ?? 1) / 2 + AROUND)) * UNIT);
    return { left: Math.min(...at("x", "w", -1)), right: Math.max(...at("x", "w", 1)), top: Math.min(...at("y", "h", -1)), bottom: Math.max(...at("y", "h", 1)) };
  }

  // Returns whether all places are on the screen now, and large enough.
  fits() {
    const { view } = this.gestures, { left, right, top, bottom } = this.sides();
    return this.cells.length > 0 && this.scale(view) * UNIT >= SMALL_PX && left >= view.x && right <= view.x + view.width && top >= view.y && bottom <= view.y + view.height;
  }

  // Returns the part of the board with all places, or the whole board.
  area() {
    const { whole } = this.gestures.board, { left, right, top, bottom } = this.sides(), ratio = whole.width / whole.height;
    const width = Math.max(right - left, (bottom - top) * ratio, (this.scale(whole) * UNIT * whole.width) / BEST_PX), height = width / ratio;
    if (!this.cells.length || width > whole.width * WIDEST) return whole;
    return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
  }

  showButton() {
    const { isEnlarged } = this.gestures, name = t(isEnlarged ? "whole_board" : "zoom_in");
    $("whole").hidden = !isEnlarged && !this.isSmall;
    $("whole").title = $("whole").ariaLabel = name;
    $("whole").textContent = isEnlarged ? "−" : "+";
  }
}
