// The connection to the server: requests with the link's token, and the stream of events, which is resumed after a loss.

import { request } from "./link_token.js";

// Milliseconds without data after which the stream counts as lost. The server sends a heartbeat at least every 3 s.
const SILENT_MS = 5000;

export class Connection {
  // `isReachable` is whether the last attempt to open the stream had an answer and the stream is not lost.
  constructor(token) {
    Object.assign(this, { token, hurry: () => {}, isReachable: true, attempt: new AbortController() });
    addEventListener("offline", () => this.attempt.abort());
  }

  open(path, body, signal) {
    return request(this.token, path, body, signal);
  }

  async ask(path, body, signal) {
    const answer = await this.open(path, body, signal);
    return { status: answer.status, body: await answer.json() };
  }

  // Sends an event. The request ends without an answer if the stream is lost.
  send(path, event) {
    return this.ask(path, event, this.attempt.signal);
  }

  // Calls `onMessage` with each message {id, event, data}, and `onState` with "live", "lost" or "withdrawn".
  // After a loss it connects again after a pause, or at once if `hurry` is called.
  async follow(path, from, onMessage, onState) {
    let next = from;
    for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
      const attempt = (this.attempt = new AbortController());
      let silence;
      const resetSilenceTimer = () => {
        clearTimeout(silence);
        silence = setTimeout(() => attempt.abort(), SILENT_MS);
      };
      resetSilenceTimer();
      try {
        const answer = await this.open(`${path}?as=steps&from=${next}`, null, attempt.signal);
        this.isReachable = true;
        if ([401, 403].includes(answer.status)) return onState("withdrawn");
        if (answer.ok) {
          onState("live");
          wait = 500;
          for await (const message of messages(answer.body, resetSilenceTimer)) {
            if (message.id) next = Number(message.id) + 1;
            onMessage(message);
          }
          this.isReachable = false;
        }
      } catch {
        this.isReachable = false; // the network or the server is gone: the loop connects again
      } finally {
        clearTimeout(silence);
      }
      onState("lost");
      await new Promise((done) => {
        this.hurry = done;
        setTimeout(done, wait);
      });
    }
  }
}

// Yields the messages of a stream. `resetSilenceTimer` is called for all data, also for comments, which are heartbeats.
async function* messages(stream, resetSilenceTimer) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    resetSilenceTimer();
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const fields = Object.fromEntries(part.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
      if (fields.data !== undefined) yield fields;
    }
  }
}
