// The permalink: #n=57 is read when the page opens and when it is changed, and follows every step.

const QUIET = 250;

const asked = () => new URLSearchParams(location.hash.slice(1));

export const embedded = () => new URLSearchParams(location.search).has("embed") || asked().has("embed");

export function link(n) {
  return (embedded() && asked().has("embed") ? "#embed&n=" : "#n=") + n;
}

export function follow(player) {
  let timer;
  const read = () => {
    const wanted = Number.parseInt(asked().get("n"), 10);
    if (Number.isInteger(wanted)) player.go(wanted, "link");
    return Number.isInteger(wanted);
  };
  player.addEventListener("step", ({ detail }) => {
    clearTimeout(timer);
    if (detail.by === "link") return;
    timer = setTimeout(() => {
      try {
        history.replaceState(null, "", link(player.n));
      } catch {
        // a frame without an address of its own has no permalink
      }
    }, QUIET);
  });
  addEventListener("hashchange", read);
  return read();
}
