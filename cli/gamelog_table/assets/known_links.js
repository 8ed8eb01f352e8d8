// The links that this device remembers, the last used first.

const KEY = "gamelog.links", MAX_KEPT = 8;

export function knownLinks() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

export function rememberLink(link) {
  localStorage.setItem(KEY, JSON.stringify([link, ...knownLinks().filter(({ token }) => token !== link.token)].slice(0, MAX_KEPT)));
}

// Forgets the link with this token, or all links.
export function forgetLinks(token = null) {
  localStorage.setItem(KEY, JSON.stringify(token === null ? [] : knownLinks().filter((one) => one.token !== token)));
}
