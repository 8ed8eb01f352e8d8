// The links that this device remembers, the last used first.

import { $, button, el } from "./dom.js";
import { keepToken } from "./link_token.js";
import { t } from "./texts.js";

const KEY = "gamelog.links", MAX_KEPT = 8;

function knownLinks() {
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

// Shows the links that this device remembers after the sentence `before`, so that nobody needs the code again.
export function offerKnownLinks(before = "") {
  const links = knownLinks(), open = (change) => () => {
    change();
    location.reload();
  };
  if (!links.length) return;
  const name = ({ role, label }) => [t("role_" + role, label), role === "seat" ? "" : label].filter(Boolean).join(": ");
  const buttons = links.map((link) => button(name(link), open(() => keepToken(link.token))));
  $("hello").textContent = `${before} ${t("known_links")}`.trim();
  $("records").replaceChildren(...[...buttons, button(t("forget_links"), open(() => forgetLinks()))].map((one) => el("li", {}, one)));
}
