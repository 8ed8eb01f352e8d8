// The delay of spectators in words.

import { t } from "./texts.js";

// Returns the words for a delay of a number of events, of minutes, or of both.
export function delayText({ events, minutes }) {
  const parts = [events === 1 ? t("delay_event") : events ? t("delay_events", events) : "", minutes ? t("delay_minutes", minutes.toLocaleString(document.documentElement.lang)) : ""];
  return t("line_delayed", parts.filter(Boolean).join(", "));
}
