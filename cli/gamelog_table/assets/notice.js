// Messages that disappear at the next tap, after a while, or when they are no longer true. The message about something that went wrong is in
// the place of the sentence about the last event, so it covers no prompt, button or cell. The message about a tap without effect is at the tap.

const NOTICE_MS = 12000, ABOVE_PX = 24, MARGIN_PX = 8; // how far a message is from the finger and from the edge of the screen

// Returns the reason of a refusal in words. The whole message can have legal events as JSON.
export const reasonText = ({ error }) => error.short ?? error.message;

export class Notice {
  // `box` is the element for the message.
  constructor(box) {
    this.box = box;
    addEventListener("pointerdown", ({ target }) => this.stays || box.contains(target) || this.hide(), { capture: true });
  }

  // Shows `nodes` while `isTrue` returns true at each check. A message that `stays` is about a lasting state, so only a check removes it.
  show(nodes, isTrue, stays = false) {
    const { box } = this;
    clearTimeout(this.timer);
    Object.assign(this, { isTrue, stays });
    box.replaceChildren(...nodes);
    box.removeAttribute("tabindex");
    if (!nodes.length) return;
    if (box.scrollHeight > box.clientHeight) box.tabIndex = 0; // the keyboard can scroll it
    if (!stays) this.timer = setTimeout(() => this.hide(), NOTICE_MS);
  }

  // Shows `text` above the point (x, y), or below it if there is no room above. The message takes no taps.
  showAt({ x, y }, text, isTrue) {
    this.show([text], isTrue);
    const { offsetWidth: width, offsetHeight: height } = this.box, above = y - height - ABOVE_PX;
    Object.assign(this.box.style, { left: `${Math.max(MARGIN_PX, Math.min(x - width / 2, innerWidth - width - MARGIN_PX))}px`, top: `${above < MARGIN_PX ? y + ABOVE_PX : above}px` });
  }

  hide() {
    this.show([], null);
  }

  check() {
    if (this.isTrue && !this.isTrue()) this.hide();
  }
}
