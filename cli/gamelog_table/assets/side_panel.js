// The panel beside or below the board, which scrolls: the choices are at its top, the event list is at its end.

const panel = () => document.querySelector("aside");

// Scrolls the panel, not the page, to the choices.
export function showDesk() {
  panel().scrollTop = 0;
}
