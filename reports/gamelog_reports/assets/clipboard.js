// Copies the game or the position as text.

import { $ } from "./dom.js";
import { text } from "./message.js";
import { copyText } from "./output.js";
import { groups } from "./rounds.js";
import { t } from "./texts.js";

async function copy(content) {
  await copyText(content);
  const notice = $("notice");
  notice.showPopover?.();
  notice.textContent = t("copied");
  setTimeout(() => notice.hidePopover?.(), 2500);
}

function game(data) {
  const titles = new Map((data.hasPositions ? groups(data) : []).map(({ n, title }) => [n, title.join(" · ")]));
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
