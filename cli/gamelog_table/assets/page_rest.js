// Whether someone touches the page.

// Returns a function that returns whether the page is at rest: no finger is down, and nothing was touched, scrolled or typed for `ms`.
export function watchRest(ms) {
  let isDown = false, touched = -Infinity;
  for (const name of ["pointerdown", "pointerup", "pointercancel", "pointermove", "touchmove", "scroll", "wheel", "keydown"]) {
    addEventListener(name, () => {
      touched = performance.now();
      if (name === "pointerdown") isDown = true;
      else if (["pointerup", "pointercancel"].includes(name)) isDown = false;
    }, { capture: true, passive: true });
  }
  return () => !isDown && performance.now() - touched >= ms;
}
