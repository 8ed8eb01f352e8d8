// Texts that can be longer than their place, which never grows, because nothing moves under the finger.
// A long text is smaller. If it is still cut, a tap shows the whole text, and the next tap closes it.

import { $ } from "./dom.js";

const PARTS = "#title, #role, #line, #turn, #captions, #said, #remark, #fault, #offers p, #acts span";

// The length in letters from which a text is smaller.
const LONG_FROM = { turn: 30, said: 80, line: 36 }, ROLE_ROW = 17;

const isCut = (node) => [node, ...node.children].some((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1);

// Makes long texts smaller. A long role has two rows, if the state of the connection needs only one.
export function fitTexts() {
  for (const [id, letters] of Object.entries(LONG_FROM)) $(id).classList.toggle("long", $(id).textContent.length > letters);
  $("role").classList.toggle("long", $("role").textContent.length > ROLE_ROW && $("line").textContent.length <= ROLE_ROW);
}

export function connectCutTexts() {
  const box = $("whole-text");
  document.addEventListener("click", ({ target }) => {
    const part = target.closest(PARTS), shown = box.matches(":popover-open") && box.dataset.of;
    if (shown) box.hidePopover();
    if (!part || part.id === shown || !isCut(part)) return;
    const whole = part.cloneNode(true);
    for (const one of [whole, ...whole.querySelectorAll("[id]")]) one.removeAttribute("id");
    box.replaceChildren(whole);
    box.dataset.of = part.id;
    box.showPopover();
  });
}
