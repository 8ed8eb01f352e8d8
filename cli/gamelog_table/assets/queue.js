// What was said and is not yet acknowledged, in order, kept on the device so that a lost network loses nothing.

export class Queue {
  constructor(name) {
    this.name = "gamelog.table." + name;
    try {
      this.waiting = JSON.parse(localStorage.getItem(this.name)) || [];
    } catch {
      this.waiting = [];
    }
  }

  keep() {
    try {
      localStorage.setItem(this.name, JSON.stringify(this.waiting));
    } catch {
      // the device keeps nothing; it is still in this page
    }
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

  // Send what waits, one after the other. Gives the first answer that is not an acknowledgement, or the last one; null without network.
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
