// Puts the table's page together: the link, the record, the board, what may be said, what happens live.

import { Board } from "./board.js";
import { once } from "./bounce.js";
import { Kept, commitments } from "./commitments.js";
import { button, desk, told } from "./desk.js";
import { $, el } from "./dom.js";
import { Fingers } from "./fingers.js";
import { Lights } from "./lights.js";
import { lobby } from "./lobby.js";
import { Picture } from "./picture.js";
import { Queue } from "./queue.js";
import { playable } from "./confirm.js";
import { Fixing } from "./fixing.js";
import { askIdle } from "./idle.js";
import { Noise } from "./noise.js";
import { happenings, position } from "./onscreen.js";
import { remarks } from "./remarks.js";
import { dress } from "./seats.js";
import { speak, t } from "./texts.js";
import { Taking } from "./taking.js";
import { Ticking } from "./ticking.js";
import { Wire } from "./wire.js";

// The link's token, out of the address and its history, for as long as this tab is open.
function token() {
  const given = location.hash.slice(1);
  if (given) {
    sessionStorage.setItem("gamelog.token", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("gamelog.token");
}

class LiveTable {
  constructor(wire, name, setup) {
    Object.assign(this, { wire, setup, at: `/api/records/${encodeURIComponent(name)}`, last: 0, n: null, busy: null });
    this.queue = new Queue(`${name}.${setup.role}.${setup.seat}`);
    this.kept = new Kept(`${name}.${setup.seat}`);
    this.picture = new Picture(setup);
    dress(this.picture);
    this.board = new Board($("board"), this.picture);
    this.taking = new Taking((said) => (this.fixing ? this.fixing.put(said) : this.say(said)));
    this.noise = new Noise();
    this.ticking = new Ticking(() => this.refresh());
    this.picks = null;
    once($("board"));
    once($("desk"), (node) => node.closest("#pad button, #ask button")?.textContent);
    this.fingers = new Fingers($("board"), this.picture, { begins: (x, y) => this.begins(x, y), walked: (cells) => this.walked(cells), fitted: () => this.fitted() });
    this.lights = new Lights($("board"), this.picture, (cell, again) => this.tapped(cell, again));
    $("whole").addEventListener("click", () => this.fingers.reset());
    this.taking.addEventListener("change", () => this.shown());
    $("slider").addEventListener("input", () => this.go(Number($("slider").value)));
    $("back").addEventListener("click", () => this.go(this.picture.now.n - 1));
    $("on").addEventListener("click", () => this.go(this.picture.now.n + 1));
    $("live").addEventListener("click", () => this.go(null));
    addEventListener("resize", () => this.board.fit());
    addEventListener("online", () => this.flush());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.taking.forget());
  }

  get writes() {
    return this.setup.role === "scorer" || this.setup.role === "seat";
  }

  async begin() {
    await this.refresh();
    this.board.fit();
    if (this.writes) this.awake();
    this.wire.follow(this.at + "/live", this.last + 1, (message) => this.happened(message), (state) => this.state(state));
    this.flush();
  }

  // A scorer's screen stays on, where the browser lets it.
  awake() {
    const ask = () => document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => null);
    document.addEventListener("visibilitychange", ask);
    ask();
  }

  state(state) {
    this.line = state;
    this.tellLine();
    if (state === "live") this.flush();
  }

  tellLine() {
    const waiting = this.queue.waiting.length;
    $("line").textContent = [t("line_" + (this.line || "live")), waiting ? t("line_waiting", waiting) : ""].filter(Boolean).join(", ");
    $("line").className = this.line === "lost" || this.line === "withdrawn" ? "chip s-disputed" : "chip";
  }

  happened({ event, data }) {
    if (event === "problem") $("alert").textContent = data;
    else {
      if (event === "rewritten") this.last = Number(data);
      this.refresh();
    }
  }

  // The newest picture and what may be decided there; however many events come, one request at a time.
  refresh() {
    this.stale = true;
    this.busy ??= (async () => {
      try {
        while (this.stale) {
          this.stale = false;
          const [now, decided, listed] = await Promise.all(["/picture" + (this.n === null ? "" : "?at=" + this.n), "/choices", "/list"].map((path) => this.wire.ask(this.at + path)));
          if (now.status !== 200) {
            $("alert").textContent = now.body.error.message;
            continue;
          }
          if (this.writes && decided.body.n !== now.body.last) {
            this.stale = true; // something was written between the answers
            continue;
          }
          this.last = now.body.last;
          if (this.fixing) continue; // what is corrected is another position; that the record has moved on is said when it is written
          this.show(now.body);
          happenings(this, listed.body.events || []);
          if (decided.status === 200) this.ticking.know(decided.body.clock);
          if (decided.status === 200 && !this.opened && decided.body.idle) askIdle(this, decided.body.idle);
          this.opened = true;
          if (decided.status === 200 && (decided.body.n !== this.taking.decisions.n || this.taking.decisions.role !== this.setup.role)) this.taking.know({ ...decided.body, role: this.setup.role });
        }
      } catch {
        // without a network: the line says so, and comes back
      } finally {
        this.busy = null;
      }
    })();
    return this.busy;
  }

  async go(n) {
    this.n = n === null || n >= this.last ? null : Math.max(0, n);
    const wanted = this.n, { status, body } = await this.wire.ask(this.at + "/picture" + (wanted === null ? "" : "?at=" + wanted));
    if (status === 200 && this.n === wanted) this.show(body);
  }

  show(now) {
    this.last = now.last;
    this.picture.take(now);
    this.board.show(now.n);
    position(this, now);
    if (this.setup.role !== "spectator") remarks(this, now.n);
    this.ticking.show();
    this.shown();
  }

  shown() {
    if (!this.picture.now) return;
    const live = this.fixing || (this.n === null && this.picture.now.n === this.last);
    $("desk").hidden = this.setup.role === "spectator";
    if (live) {
      const offered = this.fixing ? [] : commitments(this.taking, this.picture, this.kept);
      desk(this.taking, this.picture, (event) => this.say({ event, expect: this.taking.decisions.n }), offered);
      this.lights.show(this.lightens ? this.lightens() : this.picks ? new Map(this.picture.cells.map(({ id }) => [id, false])) : this.writes ? this.taking.cells : new Map());
    } else {
      this.lights.show(new Map());
      for (const id of ["ask", "pad", "acts", "offers"]) $(id).replaceChildren();
      $("ask").append(el("p", { class: "soft" }, t("looking_back", this.picture.now.n)));
    }
  }

  tapped(cell, again) {
    if (this.picks) return cell === null || this.picks(this.there(cell), cell, again);
    if (this.n !== null && !this.fixing) return;
    if (cell !== null) this.taking.tapCell(cell, again);
    else if (this.taking.held) this.taking.release();
  }

  // The cell from which a finger may drag something; while an event is on its way nothing is lit, and any piece may be the next.
  begins(x, y) {
    if (!this.writes || this.n !== null || this.fixing || this.picks) return null;
    if (!this.taking.held && !this.taking.sent) return this.lights.near(x, y, (id) => this.taking.begins(id))?.id;
    const cell = this.lights.under(x, y);
    return cell && this.picture.held.pieces.has(this.picture.cellIndex.get(cell.id)) ? cell.id : null;
  }

  // A drag over these cells: what it says is held like a tap.
  async walked(cells) {
    if (cells.length < 2 || this.taking.after(() => this.walked(cells))) return;
    const { n } = this.taking.decisions, asked = `${this.at}/walked?cells=${encodeURIComponent(JSON.stringify(cells))}`;
    const { body } = await this.wire.ask(asked).catch(() => ({ body: {} }));
    if (this.taking.decisions.n !== n || this.taking.held || this.taking.sent) return;
    $("alert").textContent = body.events?.length ? "" : body.text || t("no_way");
    if (body.events?.length) this.taking.hold({ event: body.events[0], events: body.events, cells });
  }

  fitted() {
    $("whole").hidden = !this.fingers.larger;
    this.board.fit();
  }

  // What a cell is called, and what stands there.
  there(cell) {
    const pieces = this.picture.held.pieces.get(this.picture.cellIndex.get(cell)) || [];
    return [cell, ...pieces.map(([, , text]) => text)];
  }

  // A form takes the next taps on the board, or none does any more.
  pick(take, cells = null) {
    Object.assign(this, { picks: take, lightens: cells });
    this.shown();
  }

  // What forms need to know.
  setting() {
    return { seats: this.setup.seats.map(({ seat }) => [seat, this.picture.name(seat)]), last: this.last, pick: (take) => this.pick(take), table: this };
  }

  // Event `n` was written wrong, or something was forgotten before it.
  correct(n) {
    this.fixing = new Fixing(this, n);
    return this.fixing.answer();
  }

  alert(said) {
    $("alert").replaceChildren(el("p", {}, said));
  }

  // Write an event or a roll: kept on the device until the server has acknowledged it.
  say({ event, results, expect, ...more }) {
    this.queue.add({ ...(results ? { results } : event), ...more, ...(expect === undefined ? {} : { expect }) });
    return this.flush();
  }

  // Send what waits, and what is said while it is being sent.
  async flush() {
    this.sending ??= (async () => {
      let on = false;
      try {
        on = await this.send();
      } finally {
        this.sending = null;
        this.tellLine();
      }
      if (on && this.queue.waiting.length) await this.flush();
    })();
    return this.sending;
  }

  // Whether what may have been said meanwhile can be sent as well.
  async send() {
    this.tellLine();
    const waited = this.queue.waiting.length;
    const answer = await this.queue.send((event) => this.wire.ask(this.at + "/events", event));
    if (answer && answer.status === 201) {
      $("alert").replaceChildren();
      await this.refresh();
    } else if (answer && [429, 503, 507].includes(answer.status)) {
      $("alert").textContent = answer.body.error.message;
      setTimeout(() => this.flush(), 2000);
    } else if (answer) this.refused(answer, this.queue.drop());
    return answer ? answer.status === 201 : !waited;
  }

  refused({ status, body }, [first, ...others]) {
    this.noise.refusal();
    const said = status === 409 && body.written ? t("written_since", body.written.map((one) => `${one.n}. ${told(this.picture, one.event)}`).join(" ")) : body.error.message, out = [el("p", {}, said)];
    const { id, expect, ...event } = first;
    if (others.length) out.push(el("p", {}, t("not_sent", others.map((one) => (one.do ? told(this.picture, one) : JSON.stringify(one.results ?? one.events))).join("; "))));
    if (status === 422 && playable(this, body, [event])) out.push(button(t("all_the_same"), () => this.say({ event: { ...event, as_played: true }, expect: body.n })));
    $("alert").replaceChildren(...out);
    this.taking.forget();
    if (!this.fixing) this.refresh();
  }
}

async function show(wire, name) {
  const { status, body } = await wire.ask(`/api/records/${encodeURIComponent(name)}/table`);
  if (status !== 200) {
    $("hello").textContent = t("no_record", body.error.message);
    return;
  }
  $("start").hidden = true;
  $("table").hidden = false;
  $("title").textContent = document.title = `${body.game}: ${name}`;
  $("role").hidden = false;
  const table = new LiveTable(wire, name, body);
  await table.begin();
  $("role").textContent = t("role_" + body.role, table.picture.name(body.seat));
  document.documentElement.classList.add("ready");
}

async function start() {
  speak(JSON.parse($("texts").textContent));
  const known = token();
  if (!known) return document.documentElement.classList.add("ready");
  const wire = new Wire(known), { status, body } = await wire.ask("/api/records");
  if (status !== 200) {
    $("hello").textContent = status === 401 ? t("no_link") : body.error.message;
  } else if (!body.folder || (body.role === "seat" && body.records.length === 1)) await show(wire, body.records[0].name);
  else lobby(wire, body, (name) => show(wire, name));
  document.documentElement.classList.add("ready");
}

start();
