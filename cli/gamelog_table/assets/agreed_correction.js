// A correction that others must accept. This device keeps it, and records it when they have accepted.

import { el } from "./dom.js";
import { reasonText } from "./notice.js";
import { store, storedValue } from "./settings.js";
import { t } from "./texts.js";

export class AgreedCorrection {
  constructor(table) {
    Object.assign(this, { table, name: `gamelog.correction.${table.setup.name}` });
  }

  // Keeps the `request` whose takeback is event `offer`.
  keep(offer, request) {
    store(this.name, { offer, request });
  }

  // Records the correction if it was accepted, or forgets it if it was declined or play continues. Call this with the choices after the last event.
  async check() {
    const stored = storedValue(this.name), { live, choices } = this.table;
    if (!stored || stored.offer > live.last || choices.offers.some(({ n }) => n === stored.offer)) return;
    store(this.name, null);
    const accepted = live.events.findLast((event) => event?.do === "@accept" && event.about === stored.offer && live.jumps.has(event.n));
    if (accepted) await this.record({ ...stored.request, accepted: accepted.n, expect: live.last, write: true }, stored);
  }

  async record(request, stored) {
    const { table } = this, { status, body } = await table.connection.ask(table.apiPath + "/fix", request).catch(() => ({}));
    if (!status) store(this.name, stored); // without a network: the next check tries again
    else if (status === 201) await table.waitFor(body.written.at(-1)?.n ?? 0);
    else table.notice.show([el("p", {}, t("correction_failed", reasonText(body)))], () => table.last <= request.expect);
  }
}
