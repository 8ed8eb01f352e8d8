// Correction of a slip: what replaces an event or comes before it. Later events follow again if they fit.

import { listedText } from "./choice_panel.js";
import { $, button, el } from "./dom.js";
import { previewText } from "./preview.js";
import { t } from "./texts.js";

export class Correction {
  // A correction at event `at` of `table`, until it is written or given up.
  constructor(table, at) {
    Object.assign(this, { table, at, steps: [], before: false, shift: false, expect: table.last });
    this.box = el("div", { class: "form fixing", role: "group", "aria-label": t("correct", at) });
    $("fixing").replaceChildren(this.box);
  }

  // The next answer is tried; one that does not fit is not kept.
  async answer(...steps) {
    const tried = [...this.steps, ...steps], { status, body } = await this.table.connection.ask(this.table.at + "/fix", this.asked(tried)).catch(() => ({ body: { error: { message: t("line_lost") } } }));
    if (status !== 200) return this.table.refused({ status, body }, [{}]);
    this.steps = tried;
    this.know(body);
  }

  asked(steps, more = {}) {
    return { at: this.at, expect: this.expect, before: this.before, shift: this.shift, steps, ...more };
  }

  know(told) {
    this.told = told;
    this.table.rehearse(told.step);
    this.table.selection.know({ ...told.decisions, undo: null, offers: [], role: this.table.setup.role });
    this.show();
  }

  // What was tapped is put in; what followed comes again behind it, where that is all that was wrong.
  put({ event, results }) {
    const { finding, left } = this.told, instead = finding && left.length && !this.insert && (!results || left[0].chance);
    this.insert = false;
    return this.answer(results ? { results } : { put: event }, ...(instead ? [{ skip: true }] : []), { go: true });
  }

  show() {
    const { told, table } = this, began = this.steps.length > 0, out = [el("h2", {}, t("correct", this.at))];
    if (!began) out.push(el("p", {}, t("correct_how", listedText(table.live, { n: this.at, text: "" }))), button(t("correct_before"), () => this.forgotten(), { "aria-pressed": String(this.before) }));
    out.push(...told.put.map((part) => el("p", {}, previewText(table.game, part))));
    if (told.again) out.push(el("p", {}, t("follows_again", told.again)));
    if (told.left.length && began) {
      out.push(el("p", { class: "bad" }, t("left_over", told.left.slice(0, 5).map((one) => `${one.n}. ${listedText(table.live, one)}`).join(" "), told.left.length)));
      if (told.finding) out.push(el("p", { class: "bad" }, told.message), el("p", {}, t("left_how")), button(t("leave_out", told.left[0].n), () => this.answer({ skip: true }, { go: true })));
      if (told.shift) out.push(button(t("shift"), () => {
        this.shift = true;
        this.answer({ go: true });
      }));
      if (told.finding) out.push(button(t("put_before"), (event) => event.target.setAttribute("aria-pressed", String((this.insert = !this.insert))), { "aria-pressed": String(Boolean(this.insert)) }));
    }
    if (began) out.push(button(t(told.left.length ? "write_rest" : "write", told.left.length), () => this.write(), { class: "main" }));
    out.push(button(t("cancel"), () => this.leave()));
    this.box.replaceChildren(...out);
  }

  forgotten() {
    this.before = !this.before;
    this.answer();
  }

  async write() {
    const { status, body } = await this.table.connection.ask(this.table.at + "/fix", this.asked(this.steps, { write: true })).catch(() => ({ body: { error: { message: t("line_lost") } } }));
    if (status !== 201) return this.table.refused({ status, body }, [{}]);
    await this.table.reached(body.written.at(-1)?.n ?? 0);
    this.leave();
  }

  leave() {
    this.box.remove();
    Object.assign(this.table, { correction: null, known: null });
    this.table.selection.know({ ...this.table.selection.decisions, n: -1, choices: [], tokens: {} });
    this.table.rehearse(null);
    this.table.refresh();
  }
}
