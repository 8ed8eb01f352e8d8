// The panel about an illegal event that was recorded anyway: the reason, and what can follow.

import { openGap, openRuling } from "./common_events.js";
import { $, button, el, renew } from "./dom.js";
import { store, stored } from "./settings.js";
import { t } from "./texts.js";

export class Disputes {
  // `known` is the last disputed event after which this device continues the game.
  constructor(table) {
    this.table = table;
    this.name = `gamelog.disputes.${table.setup.name}`;
    this.known = stored(this.name) ?? 0;
  }

  // Shows the last disputed event, until there is a ruling or the user continues the game.
  show() {
    const { table } = this, { findings } = table.live, isUnknown = findings.some(({ code }) => code === "play.cannot_apply");
    const last = findings.filter(({ code, n }) => code === "play.as_played" && !this.isRuled(n) && (isUnknown || n > this.known)).at(-1);
    $("dispute").hidden = !last;
    renew($("dispute"), ...(last ? [el("p", {}, t("disputed_now", last.n, last.message)), ...this.options(last.n, isUnknown)] : []));
  }

  // Whether event `n` is a position that the arbiter declared, on which the arbiter need not rule again.
  isRuled(n) {
    const { do: tag, by } = this.table.live.events[n];
    return tag === "@gap" && by === "arbiter";
  }

  options(n, isUnknown) {
    const { table } = this, [ruling, gap] = ["@ruling", "@gap"].map((tag) => table.setup.forms.common.find((one) => one.do === tag)), acts = [];
    if (ruling) acts.push(button(t("do_ruling"), () => openRuling(table, ruling, n)));
    if (gap) acts.push(button(t("do_gap"), () => openGap(table, gap, table.last)));
    if (!isUnknown) acts.push(button(t("dispute_continue"), () => this.continue(n)));
    return [ruling ? "" : el("p", {}, t(isUnknown ? "dispute_waits" : "dispute_open")), el("div", { class: "row" }, acts)];
  }

  continue(n) {
    this.known = n;
    store(this.name, n);
    this.show();
  }
}
