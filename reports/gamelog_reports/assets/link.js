// The permalink: #n=57 is read when the page opens and when it is changed, and follows every step.
// A jump leaves an entry behind, so that the browser's back button returns to where it went off.

import { $ } from "./dom.js";

const QUIET = 250;

const asked = () => new URLSearchParams(location.hash.slice(1));

export const embedded = () => new URLSearchParams(location.search).has("embed") || asked().has("embed");

export function link(n) {
  return (embedded() && asked().has("embed") ? "#embed&n=" : "#n=") + n;
}

export function follow(player) {
  let timer, left = null;
  const read = () => {
    const wanted = Number.parseInt(asked().get("n"), 10);
    if (Number.isInteger(wanted)) player.go(wanted, "link");
    return Number.isInteger(wanted);
  };
  const write = () => {
    const jumped = left !== null && left !== player.n && !embedded(); // a frame's entries would be its host's
    try {
      history.replaceState(null, "", link(jumped ? left : player.n));
      if (jumped) history.pushState(null, "", link(player.n));
    } catch {
      // a frame without an address of its own has no permalink
    }
    left = null;
  };
  player.addEventListener("step", ({ detail: { by, from } }) => {
    if (embedded()) $("whole").href = location.href.split(/[?#]/)[0] + "#n=" + player.n;
    clearTimeout(timer);
    if (by === "link") left = null;
    else {
      if (by === "jump" || by === "drag") left ??= from;
      if (by !== "drag") timer = setTimeout(write, QUIET); // a drag is written where it ends
    }
  });
  addEventListener("hashchange", read);
  return read();
}
