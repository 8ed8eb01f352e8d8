// The game as plain text, and any text into the clipboard.

import { $, el } from "./dom.js";
import { groups } from "./groups.js";
import { t } from "./texts.js";
import { text } from "./words.js";

async function copy(words) {
  try {
    await navigator.clipboard.writeText(words);
  } catch { // no clipboard for pages from this address: the old way
    const area = el("textarea", { readonly: true }), place = document.querySelector("dialog[open]") || document.body;
    area.value = words;
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

function game(story) {
  const titles = new Map((story.known ? groups(story) : []).map(({ n, title }) => [n, title.join(" · ")]));
  const lines = story.events.flatMap((_, n) => {
    if (!n) return [];
    const remarks = [story.fate(n), n > story.last && t("unplayed"), ...story.found(n).map(({ message }) => message)];
    return [...(titles.has(n) ? ["", titles.get(n)] : []), `${n}. ${text(story.sentence(n))}${remarks.filter(Boolean).map((one) => " [" + one + "]").join("")}`];
  });
  const { started, tags = {} } = story.header;
  return [story.title, [started, ...Object.values(tags), t("status_" + story.status)].filter(Boolean).join(" · "), ...lines, ""].join("\n");
}

export function copying(story) {
  return {
    copy: () => copy(game(story)),
    "copy-position": () => copy($("position-of").innerText + "\n" + $("position-text").innerText),
  };
}
