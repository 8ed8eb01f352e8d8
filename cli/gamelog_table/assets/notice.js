// The message about something that went wrong, beside the last tap. It disappears at the next tap, or when it is no longer true.

import { $ } from "./dom.js";

const GAP_PX = 24, EDGE_PX = 8;

// Returns the reason of a refusal in words. The whole message can have legal events as JSON.
export const reasonText = ({ error }) => error.short ?? error.message;

export class Notice {
  constructor() {
    addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    addEventListener("keydown", () => (this.at = null), { capture: true });
  }

  press({ clientX, clientY, target }) {
    if ($("alert").contains(target)) return;
    this.at = { x: clientX, y: clientY };
    if (!this.stays) this.show([], null);
  }

  // Shows `nodes` while `isTrue` returns true at each check. If the message `stays`, the next tap does not remove it.
  show(nodes, isTrue, stays = false) {
    Object.assign(this, { isTrue, stays });
    $("alert").replaceChildren(...nodes);
    if (nodes.length) this.place();
  }

  // Moves the message above the last tap or the focus, or below it if there is no room.
  place() {
    const box = $("alert"), { x, y } = this.at ?? this.focus();
    const left = Math.min(Math.max(x - box.offsetWidth / 2, EDGE_PX), innerWidth - box.offsetWidth - EDGE_PX), above = y - box.offsetHeight - GAP_PX;
    box.style.left = `${left}px`;
    box.style.top = `${above >= EDGE_PX ? above : Math.min(y + GAP_PX, innerHeight - box.offsetHeight - EDGE_PX)}px`;
  }

  focus() {
    const own = document.activeElement === document.body ? $("board") : document.activeElement, { left, width, top, height } = own.getBoundingClientRect();
    return { x: left + width / 2, y: own === $("board") ? top + height / 2 : top };
  }

  check() {
    if (this.isTrue && !this.isTrue()) this.show([], null);
  }
}
