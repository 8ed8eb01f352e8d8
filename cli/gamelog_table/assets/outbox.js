// The outbox: events that the server has not confirmed yet, in order. The device keeps them if the network is lost.

import { store, storedValue } from "./settings.js";

export class Outbox {
  constructor(name) {
    this.name = "gamelog.table." + name;
    this.waiting = storedValue(this.name) ?? [];
    this.watchers = [];
  }

  has(id) {
    return this.waiting.some((event) => event.id === id);
  }

  // Replaces the waiting events. If the device cannot store them, they are still in this page.
  set(waiting) {
    this.waiting = waiting;
    store(this.name, waiting);
    this.watchers.splice(0).forEach((done) => done());
  }

  // Adds an event and returns its id.
  add(event) {
    const id = crypto.getRandomValues(new Uint32Array(4)).join("-");
    this.set([...this.waiting, { ...event, id }]);
    return id;
  }

  // Waits until an event is added or removed.
  changed() {
    return new Promise((done) => this.watchers.push(done));
  }

  // Deletes an event that waits. Later events that were chosen after it move up.
  delete(id) {
    const { expect } = this.waiting.find((event) => event.id === id), at = this.waiting.findIndex((event) => event.id === id);
    const later = this.waiting.slice(at + 1).map((event) => (event.expect > expect ? { ...event, expect: event.expect - 1 } : event));
    this.set([...this.waiting.slice(0, at), ...later]);
  }

  drop() {
    const dropped = this.waiting;
    this.set([]);
    return dropped;
  }

  // Sends the waiting events in order. Returns the first answer that is not a confirmation, or else the last answer; null without a network.
  async send(post) {
    let answer = null;
    while (this.waiting.length) {
      const [event] = this.waiting;
      try {
        answer = await post(event);
      } catch {
        return null;
      }
      if (answer.status === 201) this.set(this.waiting.filter(({ id }) => id !== event.id));
      else if (this.has(event.id)) return answer;
    }
    return answer;
  }
}
