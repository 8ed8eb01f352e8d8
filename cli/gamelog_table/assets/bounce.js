// A finger that bounces, or taps twice out of habit: its second tap says nothing, wherever what it would touch has come from.

const TWICE_MS = 280, NEAR_PX = 12;

let last = { at: -Infinity, x: 0, y: 0, on: "" };

// Taps on `root` once; on a key that is tapped again, as `same` tells it, twice is meant.
export function once(root, same = () => "") {
  root.addEventListener("click", (event) => {
    if (!event.detail) return; // a key of the keyboard
    const now = { at: event.timeStamp, x: event.clientX, y: event.clientY, on: same(event.target) }, before = last;
    last = now;
    if (now.at - before.at > TWICE_MS || Math.hypot(now.x - before.x, now.y - before.y) > NEAR_PX || (now.on && now.on === before.on)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  }, { capture: true });
}
