// The board under fingers, mouse and wheel: a swipe, a tap on a side and a notch of the wheel step on or back, dragging runs on.

const SWIPE_PX = 40, STILL = 10, STRIDE = 24, NOTCH = 40;

export function touch(area, player) {
  let begun = null, rolled = 0;
  area.addEventListener("pointerdown", (event) => {
    begun = event.isPrimary && !event.button ? { x: event.clientX, y: event.clientY } : null;
  });
  area.addEventListener("pointercancel", () => (begun = null));
  area.addEventListener("pointermove", (event) => {
    if (!begun || event.pointerType !== "mouse" || !event.buttons) return;
    for (const by of [1, -1]) {
      for (; (event.clientX - begun.x) * by >= STRIDE; begun.x += by * STRIDE) player.step(by);
    }
  });
  area.addEventListener("pointerup", (event) => {
    if (!begun || event.pointerType === "mouse") return;
    const dx = event.clientX - begun.x, dy = event.clientY - begun.y, box = area.getBoundingClientRect();
    begun = null;
    if (Math.abs(dx) > SWIPE_PX && Math.abs(dx) > 2 * Math.abs(dy)) player.step(dx < 0 ? 1 : -1);
    else if (Math.hypot(dx, dy) < STILL) player.step(event.clientX - box.left < box.width / 3 ? -1 : 1);
  });
  area.addEventListener("wheel", (event) => {
    const page = document.scrollingElement;
    if (event.ctrlKey || parent !== window || page.scrollHeight > page.clientHeight) return; // the page itself has to scroll
    event.preventDefault();
    rolled += event.deltaMode ? event.deltaY * NOTCH : event.deltaY;
    if (Math.abs(rolled) < NOTCH) return;
    player.step(Math.sign(rolled));
    rolled = 0;
  }, { passive: false });
}
