// The opening of a page: the load event is delayed until the board is shown.

// An open document in a frame delays the page's load event, so that anyone who waits for this event sees the board.

export function delayLoad() {
  if (document.getElementById("holding")) return;
  const frame = document.body.appendChild(document.createElement("iframe"));
  frame.id = "holding";
  frame.hidden = true;
  frame.contentDocument?.open();
}

export function allowLoad() {
  const frame = document.getElementById("holding");
  frame?.contentDocument?.close();
  frame?.remove();
}
