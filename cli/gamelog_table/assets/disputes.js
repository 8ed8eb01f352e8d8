// The panel about an illegal event that was recorded anyway, with what can follow, and about open claims: all for the arbiter, the own for a player.

import { openClaims, withdraw } from "./claims.js";
import { openGap, openRuling } from "./common_events.js";
import { listedText } from "./choice_panel.js";
import { $, button, el, renew } from "./dom.js";
import { store, storedValue } from "./settings.js";
import { t } from "./texts.js";

export class Disputes {
  // `known` is the last disputed event after which this device continues the game.
  constructor(table) {
    this.table = table;
    this.name = `gamelog.disputes.${table.setup.name}`;
    this.known = storedValue(this.name) ?? 0;
  }

  // Shows the last disputed event, until there is a ruling or the user continues the game.
  show() {
    const { table } = this, { findings } = table.live, isUnknown = findings.some(({ code }) => code === "play.cannot_apply");
    const last = findings.filter(({ code, n }) => code === "play.as_played" && !this.isRuled(n) && (isUnknown || n > this.known)).at(-1);
    const claims = this.claims();
    $("dispute").hidden = !last && !claims.length;
    renew($("dispute"), ...(last ? [el("p", {}, t("disputed_now", last.n, last.message)), ...this.options(last.n, isUnknown)] : []), ...claims);
  }

  // Returns the open claims: for the arbiter each as a button that opens the form of a ruling about it, for a player the own claims, each with a
  // button that withdraws it.
  claims() {
    const { table } = this, ruling = table.setup.forms.common.find((one) => one.do === "@ruling"), text = (n) => el("span", {}, `${n}. ${listedText(table.live, { n, text: "" })}`);
    if (ruling) return openClaims(table.live).map((n) => button([el("b", {}, t("do_ruling")), " ", text(n)], () => openRuling(table, ruling, n), { class: "claim" }));
    return openClaims(table.live).filter((n) => table.live.events[n].by === table.setup.seat).map((n) => el("div", { class: "claim row" }, text(n), button(t("do_withdraw"), () => withdraw(table, n))));
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
