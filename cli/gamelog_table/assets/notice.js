// The message about something that went wrong. Its place is the sentence about the last event, so it covers no prompt, button or cell.
// It disappears at the next tap, after a while, or when it is no longer true.

import { $ } from "./dom.js";

const NOTICE_MS = 12000;

// Returns the reason of a refusal in words. The whole message can have legal events as JSON.
export const reasonText = ({ error }) => error.short ?? error.message;

export class Notice {
  constructor() {
    addEventListener("pointerdown", ({ target }) => this.stays || $("alert").contains(target) || this.hide(), { capture: true });
  }

  // Shows `nodes` while `isTrue` returns true at each check. A message that `stays` is about a lasting state, so only a check removes it.
  show(nodes, isTrue, stays = false) {
    const box = $("alert");
    clearTimeout(this.timer);
    Object.assign(this, { isTrue, stays });
    box.replaceChildren(...nodes);
    box.removeAttribute("tabindex");
    if (!nodes.length) return;
    if (box.scrollHeight > box.clientHeight) box.tabIndex = 0; // the keyboard can scroll it
    if (!stays) this.timer = setTimeout(() => this.hide(), NOTICE_MS);
  }

  hide() {
    this.show([], null);
  }

  check() {
    if (this.isTrue && !this.isTrue()) this.hide();
  }
}
