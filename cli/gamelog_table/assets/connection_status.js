// The state of the connection and of the game in words, and the list of events that wait to be sent.

import { eventText, resultsText } from "./choice_panel.js";
import { fitTexts } from "./cut_text.js";
import { delayText } from "./delay_text.js";
import { $, button, el, renew } from "./dom.js";
import { t } from "./texts.js";

// Shows whether the page is up to date, how many events wait, and whether the game is paused or over.
// The role names the player as the record does now.
export function showLine({ connectionState, outbox, setup, pending, running, live }) {
  const { length } = outbox.waiting, isOver = Boolean(pending.outcome), isPaused = !isOver && !running;
  const now = connectionState !== "live" ? t("line_" + connectionState) : isOver ? "" : setup.delayed ? delayText(setup.delayed) : t("line_live");
  const parts = [now, length ? t("line_waiting", length) : "", isOver ? t("line_over") : isPaused ? t("line_paused") : "", setup.role === "spectator" ? t("line_read_only") : ""];
  const text = parts.filter(Boolean).join(" · ");
  $("role").textContent = t("role_" + setup.role, live.name(setup.seat));
  if ($("line").textContent !== text) $("line").textContent = text;
  $("line").classList.toggle("s-disputed", connectionState !== "live" || length > 0);
  fitTexts();
}

// Returns a waiting event, roll or list of events in words. Its key and the event that it expects are for the server.
export function eventsText(game, { id, expect, results, events, ...event }) {
  if (results) return results === "known" ? t("roll_waits") : resultsText(results);
  return (events ?? [event]).map((one) => eventText(game, one)).join(" ");
}

// Lists the events that wait, each with a button that deletes it, and says which position the board shows.
export function showWaiting(table, isStuck) {
  const { outbox, game } = table;
  const line = (event) => el("li", { "data-id": event.id }, el("span", {}, eventsText(game, event)), button(t("delete_waiting"), () => table.sender.deleteWaiting(event.id)));
  $("waiting").hidden = !isStuck;
  renew($("waiting"), ...(isStuck ? [el("p", {}, t("waiting_how", table.last)), table.heldEvent.nodes().length ? el("p", { class: "soft" }, t("waiting_drawn")) : "", el("ul", {}, outbox.waiting.map(line))] : []));
}
