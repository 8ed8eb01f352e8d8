// The message about an event that was not recorded.

import { listedText } from "./choice_panel.js";
import { button, el } from "./dom.js";
import { eventsText } from "./connection_status.js";
import { reasonText } from "./notice.js";
import { canRecordAnyway } from "./preview.js";
import { t } from "./texts.js";

// Shows why `table` did not record the first of the dropped events, and drops the others.
export function showRefusal(table, { status, body }, [first, ...others]) {
  const { game } = table, { id, expect, t: time, ...event } = first;
  const reason = status === 409 && body.written ? t("written_since", body.written.map((one) => `${one.n}. ${listedText(game, one)}`).join(" ")) : reasonText(body), out = [el("p", {}, reason)];
  table.alertSound.refusal();
  if (others.length) out.push(el("p", {}, t("not_sent", others.map((one) => eventsText(game, one)).join("; "))));
  if (status === 422 && canRecordAnyway(table, body, [event])) out.push(button(t("all_the_same"), () => table.sender.record({ event: { ...event, as_played: true }, expect: body.n })));
  const n = Math.max(table.last, body.n ?? 0), isTrue = status ? () => table.last <= n : () => table.connectionState !== "live";
  table.notice.show(out, isTrue);
  table.selection.forget();
  if (!table.correction) table.refresh();
}
