// For other scripts: `gamelog` in the page itself, and messages to and from a page that frames it.

export function script(player) {
  const { last } = player.data, framed = parent !== window;
  const acts = { goto: ({ n }) => player.go(Number(n)), play: () => player.play(), pause: () => player.stop() };
  const tell = (what, detail) => {
    document.dispatchEvent(new CustomEvent("gamelog:" + what, { detail }));
    if (framed) parent.postMessage({ ...detail, gamelog: what }, "*");
  };
  window.gamelog = { goto: (n) => player.go(n), play: acts.play, pause: acts.pause, get n() { return player.n; }, get last() { return last; } };
  player.addEventListener("step", ({ detail }) => tell("step", { ...detail, last }));
  player.addEventListener("state", () => tell(player.playing ? "play" : "pause", { n: player.n, last }));
  addEventListener("message", ({ data, source }) => {
    if (framed && source === parent && data && Object.hasOwn(acts, data.gamelog)) acts[data.gamelog](data);
  });
  tell("ready", { n: player.n, last });
}
