// The opening of a page: the load event is delayed until the board is shown.

import { $, el } from "./dom.js";

// An open document in a frame delays the page's load event, so that anyone who waits for this event sees the board.

export function delayLoad() {
  if ($("holding")) return;
  const frame = document.body.appendChild(el("iframe", { id: "holding", hidden: true }));
  frame.contentDocument?.open();
}

export function allowLoad() {
  $("holding")?.contentDocument?.close();
  $("holding")?.remove();
}
