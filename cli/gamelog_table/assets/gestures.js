// Gestures on the board: one finger drags a piece from cell to cell, two fingers zoom and move the board.
// One finger beside a piece moves an enlarged board, or else the page.

import { onBoard } from "./board_point.js";
import { svg } from "./dom.js";
import { UNIT } from "./pieces.js";

const STILL_PX = 12, MOST = 8, SAMPLE_PX = 3, CORE = 0.36;

export class Gestures {
  // `dragStart(x, y)` returns the cell from which a piece can be dragged there, `drag(cells)` handles a drag, `fit()` is called after zooming,
  // and `early(x, y)` is called for a tap on a board that was gliding when the finger came down.
  constructor(board, game, { dragStart, drag, fit, early }) {
    const { root } = board;
    Object.assign(this, { board, root, game, dragStart, drag, fit, early, down: new Map(), track: null, moved: false, isGliding: false, wasGliding: false, view: board.whole });
    this.line = svg("polyline", { class: "drag", points: "" });
    root.append(this.line);
    root.addEventListener("pointerdown", (event) => this.press(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, (event) => this.lift(event));
    root.addEventListener("click", (event) => this.moved && event.stopImmediatePropagation(), { capture: true });
    root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  get isEnlarged() {
    return this.view.width < this.board.whole.width * 0.999;
  }

  press(event) {
    if (event.button) return;
    if (!this.down.size) this.moved = this.wasGliding = this.isGliding;
    this.down.set(event.pointerId, { x: event.clientX, y: event.clientY, from: { x: event.clientX, y: event.clientY } });
    this.root.setPointerCapture?.(event.pointerId);
    this.start = this.down.size === 1 && !this.isGliding ? this.dragStart(event.clientX, event.clientY) : null;
    this.track = this.start ? [[event.clientX, event.clientY]] : null;
  }

  move(event) {
    const finger = this.down.get(event.pointerId);
    if (!finger) return;
    const dx = event.clientX - finger.x, dy = event.clientY - finger.y, others = [...this.down.values()].filter((one) => one !== finger);
    if (Math.hypot(event.clientX - finger.from.x, event.clientY - finger.from.y) > STILL_PX) this.moved = true;
    if (others.length === 1) {
      const [other] = others, before = Math.hypot(finger.x - other.x, finger.y - other.y), now = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      this.moved = true;
      if (before > 1) this.zoom(now / before, (event.clientX + other.x) / 2, (event.clientY + other.y) / 2);
      this.shift(dx / 2, dy / 2);
    } else if (!others.length && this.track) {
      if (this.moved) this.line.setAttribute("points", [...this.track, [event.clientX, event.clientY]].map((at) => onBoard(this.root, ...at)).map(({ x, y }) => `${x},${y}`).join(" "));
      this.track.push([event.clientX, event.clientY]);
    } else if (!others.length && this.moved && !this.isGliding) {
      if (this.isEnlarged) this.shift(dx, dy);
      else if (event.pointerType !== "mouse") scrollBy(0, -dy);
    }
    Object.assign(finger, { x: event.clientX, y: event.clientY });
  }

  lift(event) {
    if (!this.down.delete(event.pointerId)) return;
    const track = this.track;
    this.track = null;
    this.line.setAttribute("points", "");
    if (this.down.size) return;
    if (track && this.moved && event.type === "pointerup") this.drag(this.cells([...track, [event.clientX, event.clientY]]));
    if (this.wasGliding && event.type === "pointerup") this.early(event.clientX, event.clientY);
    this.wasGliding = false;
    if (this.resized) this.fit();
    this.resized = false;
  }

  wheel(event) {
    if (!event.ctrlKey) return; // a pinch on a touchpad; a wheel alone scrolls the page
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
    this.fit();
  }

  // Returns the cells that a track crosses, in order. Only the core of a cell counts, because a finger touches edges by accident.
  cells(track) {
    const found = [this.start];
    for (let at = 1; at < track.length; at++) {
      const [[x, y], [u, v]] = [track[at - 1], track[at]], parts = Math.max(1, Math.ceil(Math.hypot(u - x, v - y) / SAMPLE_PX));
      for (let part = 0; part <= parts; part++) {
        const point = onBoard(this.root, x + ((u - x) * part) / parts, y + ((v - y) * part) / parts);
        const cell = this.game.cells.find((one) => one.shape !== "tray" && Math.hypot(point.x / UNIT - one.x, point.y / UNIT - one.y) < CORE);
        if (cell && cell.id !== found[found.length - 1]) found.push(cell.id);
      }
    }
    return found;
  }

  // Makes the board `by` times as large. The point (x, y) of the screen stays in place.
  zoom(by, x, y) {
    const { view, board: { whole } } = this, at = onBoard(this.root, x, y), width = Math.min(whole.width, Math.max(whole.width / MOST, view.width / by)), part = width / view.width;
    this.show({ x: at.x - (at.x - view.x) * part, y: at.y - (at.y - view.y) * part, width, height: whole.height * (width / whole.width) });
    this.resized = true;
  }

  shift(dx, dy) {
    const scale = this.root.getScreenCTM().a;
    this.show({ ...this.view, x: this.view.x - dx / scale, y: this.view.y - dy / scale });
  }

  show(view) {
    const { whole } = this.board, within = (at, size) => Math.min(Math.max(view[at], whole[at]), whole[at] + whole[size] - view[size]);
    this.view = { ...view, x: within("x", "width"), y: within("y", "height") };
    this.board.view(this.view);
  }

  // Shows another part of the board, in `duration` milliseconds. Until the board is at rest, no place is lit and taps mean nothing, also the
  // tap of a finger that is on the board already: its place was chosen on another picture. Two fingers stop the motion.
  glide(view, duration) {
    const from = this.view, begin = performance.now();
    cancelAnimationFrame(this.frame);
    if (this.down.size) this.moved = this.wasGliding = true;
    const step = (now) => {
      const part = duration ? Math.min(1, Math.max(0, now - begin) / duration) : 1, mixed = Object.keys(from).map((name) => [name, from[name] + (view[name] - from[name]) * part]);
      this.show(Object.fromEntries(mixed));
      this.rest(part === 1 || this.down.size > 1);
      if (this.isGliding) this.frame = requestAnimationFrame(step);
      else this.fit();
    };
    step(duration ? begin : 0);
  }

  // Notes whether the board is at rest.
  rest(isStill) {
    this.isGliding = !isStill;
    this.root.setAttribute("aria-busy", String(this.isGliding));
  }

  // Shows the whole board again.
  reset() {
    cancelAnimationFrame(this.frame);
    this.rest(true);
    this.show(this.board.whole);
    this.fit();
  }
}

const TWICE_MS = 280, NEAR_PX = 12;

let last = { at: -Infinity, x: 0, y: 0, on: "" };

// Ignores the second of two quick taps at one place, because a finger may bounce and the board may have changed meanwhile. Taps on the
// same key, as named by `same`, both count.
export function ignoreDoubleTaps(root, same = () => "") {
  root.addEventListener("click", (event) => {
    if (!event.detail) return; // from the keyboard
    const now = { at: event.timeStamp, x: event.clientX, y: event.clientY, on: same(event.target) }, before = last;
    last = now;
    if (now.at - before.at > TWICE_MS || Math.hypot(now.x - before.x, now.y - before.y) > NEAR_PX || (now.on && now.on === before.on)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  }, { capture: true });
}
