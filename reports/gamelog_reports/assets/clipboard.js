// Copies the game or the position as text.

import { $, el } from "./dom.js";
import { text } from "./message.js";
import { groups } from "./rounds.js";
import { t } from "./texts.js";

async function copy(content) {
  try {
    await navigator.clipboard.writeText(content);
  } catch { // pages from this address have no clipboard, so a selection is copied
    const area = el("textarea", { readonly: true }), place = document.querySelector("dialog[open]") || document.body;
    area.value = content;
    place.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const notice = $("notice");
  notice.showPopover?.();
  notice.textContent = t("copied");
  setTimeout(() => notice.hidePopover?.(), 2500);
}

function game(data) {
  const titles = new Map((data.known ? groups(data) : []).map(({ n, title }) => [n, title.join(" · ")]));
  const lines = data.events.flatMap((_, n) => {
    if (!n) return [];
    const remarks = [data.disposition(n), n > data.last && t("unplayed"), ...data.findingsAt(n).map(({ message }) => message)];
    return [...(titles.has(n) ? ["", titles.get(n)] : []), `${n}. ${text(data.sentence(n))}${remarks.filter(Boolean).map((one) => " [" + one + "]").join("")}`];
  });
  const { started, tags = {} } = data.header;
  return [data.title, [started, ...Object.values(tags), t("status_" + data.status)].filter(Boolean).join(" · "), ...lines, ""].join("\n");
}

export function copyActions(data) {
  return {
    copy: () => copy(game(data)),
    "copy-position": () => copy($("position-of").innerText + "\n" + $("position-text").innerText),
  };
}
