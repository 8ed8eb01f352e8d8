// The outbox: events that the server has not confirmed yet, in order. The device keeps them if the network is lost.

import { store, stored } from "./settings.js";

export class Outbox {
  constructor(name) {
    this.name = "gamelog.table." + name;
    this.waiting = stored(this.name) ?? [];
  }

  // If the device cannot store the events, they are still in this page.
  keep() {
    store(this.name, this.waiting);
  }

  add(event) {
    this.waiting.push({ ...event, id: crypto.getRandomValues(new Uint32Array(4)).join("-") });
    this.keep();
  }

  drop() {
    const dropped = this.waiting;
    this.waiting = [];
    this.keep();
    return dropped;
  }

  // Sends the waiting events in order. Returns the first answer that is not a confirmation, or else the last answer; null without a network.
  async send(post) {
    let answer = null;
    while (this.waiting.length) {
      try {
        answer = await post(this.waiting[0]);
      } catch {
        return null;
      }
      if (answer.status === 503 || answer.status === 507 || answer.status === 429) return answer;
      if (answer.status !== 201) return answer;
      this.waiting.shift();
      this.keep();
    }
    return answer;
  }
}
