// What somebody chose for all replays on this device, where the browser lets a page remember.

const NAME = "gamelog";

function all() {
  try {
    return JSON.parse(localStorage.getItem(NAME)) || {};
  } catch {
    return {};
  }
}

export function chosen(name) {
  return all()[name];
}

export function choose(name, value) {
  try {
    localStorage.setItem(NAME, JSON.stringify({ ...all(), [name]: value }));
  } catch {
    // not remembered, then
  }
}
