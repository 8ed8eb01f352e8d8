// The message about something that went wrong. It disappears when it is no longer true.

import { $ } from "./dom.js";

export class Notice {
  // Shows `nodes` while `isTrue` returns true at each check.
  show(nodes, isTrue) {
    this.isTrue = isTrue;
    $("alert").replaceChildren(...nodes);
  }

  check() {
    if (this.isTrue && !this.isTrue()) this.show([], null);
  }
}
