// Correction of a slip: what replaces an event or comes before it. Later events follow again if they fit.

import { listedText } from "./choice_panel.js";
import { $, button, el } from "./dom.js";
import { previewText } from "./preview.js";
import { showRefusal } from "./refusal.js";
import { removalButton } from "./removal.js";
import { isolate, t } from "./texts.js";

export class Correction {
  // A correction at event `at` of `table`, until it is recorded or cancelled.
  constructor(table, at) {
    Object.assign(this, { table, at, steps: [], before: false, shift: false, expect: table.last });
    this.box = el("div", { class: "form fixing", role: "group", "aria-label": t("correct", at) });
    $("fixing").replaceChildren(this.box);
    this.scrolled = [document.scrollingElement, document.querySelector("aside")].map((part) => [part, part.scrollTop]);
    for (const [part] of this.scrolled) part.scrollTop = 0; // the choices and the keys for dice are at the top, and the form covers none of them
  }

  // Asks the server to try answers, or to record the correction. If another device recorded first, the answers are kept and tried again after its
  // events, and a message shows these events.
  async ask(steps, more = {}) {
    const { table, expect } = this;
    const { status, body } = await table.connection.ask(table.apiPath + "/fix", this.request(steps, more)).catch(() => ({ body: { error: { message: t("line_lost") } } }));
    if (status !== 409) return { status, body };
    if (table.last <= expect) await table.reload();
    if (table.last <= expect) return { status, body };
    this.expect = table.last;
    const events = table.live.events.slice(expect + 1).map(({ n }) => `${n}. ${listedText(table.live, { n })}`);
    table.notice.show([el("p", {}, t("written_meanwhile", events.join(" ")))], () => table.correction === this && table.last === this.expect);
    return this.ask(steps);
  }

  // Tries the next answer. An answer that does not fit is not kept.
  async answer(...steps) {
    const tried = [...this.steps, ...steps], { status, body } = await this.ask(tried);
    if (status !== 200) return showRefusal(this.table, { status, body }, [{}]);
    this.steps = tried;
    this.update(body);
  }

  request(steps, more = {}) {
    return { at: this.at, expect: this.expect, before: this.before, shift: this.shift, steps, ...more };
  }

  update(result) {
    this.result = result;
    this.table.showRehearsal(result.step);
    const isComplete = this.steps.length > 0 && !result.left.length; // what comes next is not part of the correction
    this.table.selection.update({ ...result.decisions, ...(isComplete ? { choices: [], tokens: {}, chance: null } : {}), undo: null, offers: [], role: this.table.setup.role, isCorrection: true });
    this.show();
  }

  // Puts the tapped event in. Later events follow again, unless one of them does not fit.
  put({ event, results }) {
    const { finding, left } = this.result, instead = finding && left.length && !this.insert && (!results || left[0].chance);
    this.insert = false;
    return this.answer(results ? { results } : { put: event }, ...(instead ? [{ skip: true }] : []), { go: true });
  }

  show() {
    const { result, table } = this, began = this.steps.length > 0, out = [el("h2", {}, t("correct", this.at))];
    if (!began) out.push(el("div", { class: "row how" }, el("p", {}, t("correct_how", listedText(table.live, { n: this.at, text: "" }))), el("div", { class: "instead" }, this.before ? "" : button(t("leave_out", this.at), () => this.answer({ go: true })), button(t("correct_before"), () => this.toggleBefore(), { "aria-pressed": String(this.before) }))));
    out.push(...result.put.map((part) => el("p", {}, previewText(table.game, part))));
    if (result.again) out.push(el("p", {}, t("follows_again", result.again)));
    if (result.waits.length) out.push(el("p", {}, t("correct_waits", result.waits.map((one) => isolate(table.game.name(one))).join(", "))));
    if (result.left.length && began) {
      out.push(el("p", { class: "bad" }, t("left_over", result.left.slice(0, 5).map((one) => `${one.n}. ${listedText(table.live, one)}`).join(" "), result.left.length)));
      const ways = [];
      if (result.finding) {
        out.push(el("p", { class: "bad" }, result.message), el("p", {}, t("left_how")));
        ways.push(button(t("leave_out", result.left[0].n), () => this.answer({ skip: true }, { go: true })));
      }
      if (result.shift) ways.push(button(t("shift"), () => {
        this.shift = true;
        this.answer({ go: true });
      }));
      if (result.finding) ways.push(button(t("put_before"), (event) => event.target.setAttribute("aria-pressed", String((this.insert = !this.insert))), { "aria-pressed": String(Boolean(this.insert)) }));
      out.push(el("div", { class: "row ways" }, ways));
    }
    const record = !began ? "" : result.left.length ? removalButton(t("write_rest", result.left.length), t("drop_confirm", result.left.length), result.left.length, () => this.write(), { class: "drop" }) : button(t("write"), () => this.write(), { class: "main" });
    this.box.replaceChildren(...out, el("div", { class: "row" }, record, button(t("cancel"), () => this.close())));
  }

  toggleBefore() {
    this.before = !this.before;
    this.answer();
  }

  async write() {
    const { status, body } = await this.ask(this.steps, { write: true });
    if (status === 200) return this.update(body); // it is to be checked again
    if (status !== 201) return showRefusal(this.table, { status, body }, [{}]);
    const n = body.written.at(-1)?.n ?? 0;
    if (body.waits.length) this.table.agreedCorrection.keep(n, this.request(this.steps));
    await this.table.waitFor(n);
    this.close();
  }

  close() {
    this.box.remove();
    Object.assign(this.table, { correction: null, offered: null });
    this.table.selection.update({ ...this.table.selection.decisions, n: -1, choices: [], tokens: {} });
    this.table.showRehearsal(null);
    this.table.refresh();
    for (const [part, top] of this.scrolled) part.scrollTop = top;
  }
}
