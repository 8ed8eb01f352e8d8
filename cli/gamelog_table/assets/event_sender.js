// The sender of events: it keeps each event on the device until the server has answered, and sends them in order.

import { showRefusal } from "./refusal.js";

const AGAIN_MS = 2000;

export class EventSender {
  // `hasFailed` is whether the last attempt to send had no confirmation. `overtaken` has the ids of events that were dropped because another device recorded first.
  constructor(table) {
    Object.assign(this, { table, sending: null, hasFailed: false, overtaken: new Set() });
  }

  // Records an event or a roll, and returns whether it was dropped because another device recorded first. The device keeps it until the server has
  // answered, or until it is deleted.
  async record({ event, results, expect, ...more }) {
    const isLate = this.table.setup.role === "scorer" && this.table.connectionState !== "live" && expect !== undefined; // it waits, and keeps the time of the tap. Only the scorer can set times.
    const id = this.table.outbox.add({ ...(results ? { results } : event), ...more, ...(expect === undefined ? {} : { expect }), ...(isLate ? { t: Math.max(Math.round(Date.now() + this.table.ahead), this.table.live.events[this.table.last]?.t ?? 0) } : {}) });
    await this.flush();
    while (this.table.outbox.has(id)) {
      await this.table.outbox.changed();
      await this.sending;
    }
    return this.overtaken.delete(id);
  }

  // Deletes a waiting event. The selection begins again if no event waits.
  deleteWaiting(id) {
    this.table.outbox.delete(id);
    if (!this.table.outbox.waiting.length) this.table.selection.forget();
    this.table.showConnection();
  }

  // Sends the waiting events, and events that are added meanwhile.
  async flush() {
    this.sending ??= (async () => {
      let more = false;
      try {
        more = await this.send();
      } finally {
        this.sending = null;
        this.table.showConnection();
      }
      if (more && this.table.outbox.waiting.length) await this.flush();
    })();
    return this.sending;
  }

  // Returns whether events that were added meanwhile can be sent too.
  async send() {
    this.table.showConnection();
    const waited = this.table.outbox.waiting.length;
    const answer = this.table.connection.isReachable ? await this.table.outbox.send((event) => this.table.connection.send(this.table.apiPath + "/events", event)) : null;
    this.hasFailed = waited > 0 && answer?.status !== 201;
    if (answer && answer.status === 201) await this.table.waitFor(answer.body.n);
    else if (answer && [429, 503, 507].includes(answer.status)) {
      this.table.notice.show([answer.body.error.message], () => this.hasFailed && this.table.outbox.waiting.length > 0);
      setTimeout(() => this.flush(), AGAIN_MS);
    } else if (answer) {
      const dropped = this.table.outbox.drop();
      if (answer.status === 409) {
        dropped.forEach(({ id }) => this.overtaken.add(id));
        await this.table.waitFor(answer.body.n); // the message has the sentences of the new events
      }
      showRefusal(this.table, answer, dropped);
    } else if (waited) setTimeout(() => this.flush(), AGAIN_MS); // the network was gone, perhaps only for this request
    return answer ? answer.status === 201 : !waited;
  }
}
