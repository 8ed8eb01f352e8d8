// The connection to the server: requests with the link's token, and the stream of events, which is resumed after a loss.

export class Connection {
  constructor(token) {
    this.token = token;
    this.hurry = () => {};
  }

  open(path, body) {
    return fetch(path, {
      method: body ? "POST" : "GET",
      headers: { Authorization: "Bearer " + this.token, "Accept-Language": document.documentElement.lang, ...(body ? { "Content-Type": "application/json" } : {}) },
      body: body && JSON.stringify(body),
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
  }

  async ask(path, body) {
    const answer = await this.open(path, body);
    return { status: answer.status, body: await answer.json() };
  }

  // Calls `onMessage` with each message {id, event, data}, and `onState` with "live", "lost" or "withdrawn".
  // After a loss it connects again after a pause, or at once if `hurry` is called.
  async follow(path, from, onMessage, onState) {
    let next = from;
    for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
      try {
        const answer = await fetch(`${path}?as=steps&from=${next}`, { headers: { Authorization: "Bearer " + this.token }, credentials: "omit" });
        if (answer.status === 401) return onState("withdrawn");
        if (answer.ok) {
          onState("live");
          wait = 500;
          for await (const message of messages(answer.body)) {
            if (message.id) next = Number(message.id) + 1;
            onMessage(message);
          }
        }
      } catch {
        // the network or the server is gone: the loop connects again
      }
      onState("lost");
      await new Promise((done) => {
        this.hurry = done;
        setTimeout(done, wait);
      });
    }
  }
}

async function* messages(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const fields = Object.fromEntries(part.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
      if (fields.data) yield fields;
    }
  }
}
