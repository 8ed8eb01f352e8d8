// Fingers on the board: a swipe or a tap on a side steps on or back.

const FAR = 40, STILL = 10;

export function touch(area, player) {
  let begun = null;
  area.addEventListener("pointerdown", (event) => {
    begun = event.pointerType === "mouse" || !event.isPrimary ? null : { x: event.clientX, y: event.clientY };
  });
  area.addEventListener("pointercancel", () => (begun = null));
  area.addEventListener("pointerup", (event) => {
    if (!begun) return;
    const dx = event.clientX - begun.x, dy = event.clientY - begun.y, box = area.getBoundingClientRect();
    begun = null;
    if (Math.abs(dx) > FAR && Math.abs(dx) > 2 * Math.abs(dy)) player.step(dx < 0 ? 1 : -1);
    else if (Math.hypot(dx, dy) < STILL) player.step(event.clientX - box.left < box.width / 3 ? -1 : 1);
  });
}
