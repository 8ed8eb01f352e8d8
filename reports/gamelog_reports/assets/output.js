// Gives content to the user: as a file, or in the clipboard.

import { el } from "./dom.js";

// Lets the user save `blob` as a file.
export function saveFile(blob, name) {
  const url = URL.createObjectURL(blob);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// Copies `content`, and returns whether the browser did. Pages without TLS have no clipboard, so a selection is copied.
export async function copyText(content) {
  try {
    await navigator.clipboard.writeText(content);
    return true;
  } catch {
    const area = el("textarea", { readonly: true }), place = document.querySelector("dialog[open]") || document.body, active = document.activeElement;
    area.value = content;
    place.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    active?.focus();
    return isCopied;
  }
}
