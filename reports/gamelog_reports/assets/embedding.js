// Access to a position of the page from outside: permalinks, frames and scripts.

import { $ } from "./dom.js";

// The permalink #n=57 is read when the page opens and when it changes, and follows every step.
// A jump adds an entry to the history, so that the browser's back button returns to the event before the jump.

const QUIET = 250;

const hashParams = () => new URLSearchParams(location.hash.slice(1));

export const isEmbedded = () => new URLSearchParams(location.search).has("embed") || hashParams().has("embed");

export function link(n) {
  return (isEmbedded() && hashParams().has("embed") ? "#embed&n=" : "#n=") + n;
}

export function followAddress(playback) {
  let timer, left = null, known = location.hash;
  const read = () => {
    known = location.hash;
    const wanted = Number.parseInt(hashParams().get("n"), 10);
    if (Number.isInteger(wanted)) playback.go(wanted, "link");
    return Number.isInteger(wanted);
  };
  const write = () => {
    if (location.hash !== known) return; // a link was followed, and its event is on its way
    const jumped = left !== null && left !== playback.n && !isEmbedded(); // entries of a frame would fill the history of its host
    try {
      history.replaceState(null, "", link(jumped ? left : playback.n));
      if (jumped) history.pushState(null, "", link(playback.n));
    } catch {
      // a frame without its own address has no permalink
    }
    left = null;
    known = location.hash;
  };
  playback.addEventListener("step", ({ detail: { by, from } }) => {
    if (isEmbedded()) $("whole").href = location.href.split(/[?#]/)[0] + "#n=" + playback.n;
    clearTimeout(timer);
    if (by === "link") left = null;
    else {
      if (by === "jump" || by === "drag") left ??= from;
      if (by !== "drag") timer = setTimeout(write, QUIET); // the address of a drag is written at its end
    }
  });
  addEventListener("hashchange", read);
  return read();
}

// For other scripts: `gamelog` in the page itself, and messages to and from a page that frames it.

export function answerScripts(playback) {
  const { last } = playback.data, framed = parent !== window;
  const acts = { goto: ({ n }) => playback.go(Number(n)), play: () => playback.play(), pause: () => playback.stop() };
  const notify = (name, detail) => {
    document.dispatchEvent(new CustomEvent("gamelog:" + name, { detail }));
    if (framed) parent.postMessage({ ...detail, gamelog: name }, "*");
  };
  window.gamelog = { goto: (n) => playback.go(n), play: acts.play, pause: acts.pause, get n() { return playback.n; }, get last() { return last; } };
  playback.addEventListener("step", ({ detail }) => notify("step", { ...detail, last }));
  playback.addEventListener("state", () => notify(playback.isPlaying ? "play" : "pause", { n: playback.n, last }));
  addEventListener("message", ({ data, source }) => {
    if (framed && source === parent && data && Object.hasOwn(acts, data.gamelog)) acts[data.gamelog](data);
  });
  notify("ready", { n: playback.n, last });
}
