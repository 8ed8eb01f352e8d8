// The table's page: opens the record of the link, shows events as they come, and records events.

import { AlertSound } from "./alert_sound.js";
import { choicePanel, eventText } from "./choice_panel.js";
import { Clock } from "./clock.js";
import { commitmentButtons, OpeningStore } from "./commitments.js";
import { askIdle, showCommonEvents } from "./common_events.js";
import { Connection } from "./connection.js";
import { Correction } from "./correction.js";
import { $, button, el } from "./dom.js";
import { unpack } from "./embedded_text.js";
import { Gestures, ignoreDoubleTaps } from "./gestures.js";
import { Highlights } from "./highlights.js";
import { LiveClock } from "./live_clock.js";
import { LiveGame } from "./live_game.js";
import { LiveEventList } from "./live_list.js";
import { showLobby } from "./lobby.js";
import { release } from "./opening.js";
import { Outbox } from "./outbox.js";
import { Playback } from "./playback.js";
import { canRecordAnyway } from "./preview.js";
import { Selection } from "./selection.js";
import { showSteps } from "./steps.js";
import { setTexts, t } from "./texts.js";

const LATE_MS = 3000, AGAIN_MS = 2000;

const address = (name) => `/api/records/${encodeURIComponent(name)}`;

// The link's token, out of the address and its history, for as long as this tab is open. A permalink (#n=57) is not a token.
function token() {
  const given = location.hash.slice(1);
  if (given && !given.includes("=")) {
    sessionStorage.setItem("gamelog.token", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("gamelog.token");
}

// The game at `at` as the server knows it, packed as the page of a file has it, and what the link may write.
async function load(connection, at) {
  const { status, body } = await connection.ask(at + "/table");
  if (status !== 200) return { status, body };
  const stage = await unpack(body.stage), game = new LiveGame(JSON.parse(stage), JSON.parse(await unpack(body.page_data, stage)));
  game.views.look("all");
  return { status, body, game };
}

class LiveTable {
  constructor(connection, name, setup, live) {
    Object.assign(this, { connection, setup, live, at: address(name), clock: new Clock(live), decided: null, known: null, awaited: [], picks: null });
    this.outbox = new Outbox(`${name}.${setup.role}.${setup.seat}`);
    this.kept = new OpeningStore(`${name}.${setup.seat}`);
    this.learn(setup);
    this.ask(); // the answer comes while the page is laid out
    this.playback = Object.assign(new Playback(live), { n: live.last });
    this.board = showSteps(this.playback, this.clock);
    this.list = new LiveEventList(this.playback);
    this.playback.addEventListener("step", () => this.show());
    this.selection = new Selection((said) => (this.correction ? this.correction.put(said) : this.say(said)));
    this.alertSound = new AlertSound();
    this.liveClock = new LiveClock(() => this.rung(), () => this.correction || !this.looksBack);
    ignoreDoubleTaps($("board"));
    ignoreDoubleTaps($("desk"), (node) => node.closest("#pad button, #ask button")?.textContent);
    this.gestures = new Gestures($("board"), live, { begins: (x, y) => this.begins(x, y), walked: (cells) => this.walked(cells), fitted: () => this.fitted() });
    this.highlights = new Highlights($("board"), live, (cell) => this.lying(cell), (cell, again) => this.tapped(cell, again));
    $("whole").addEventListener("click", () => this.gestures.reset());
    this.selection.addEventListener("change", () => this.shown());
    $("slider").addEventListener("input", () => this.playback.go(Number($("slider").value), "drag"));
    $("back").addEventListener("click", () => this.playback.step(-1));
    $("on").addEventListener("click", () => this.playback.step(1));
    $("live").addEventListener("click", () => this.playback.go(this.last));
    addEventListener("online", () => {
      this.connection.hurry();
      this.flush();
    });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.selection.forget());
  }

  get writes() {
    return this.setup.role === "scorer" || this.setup.role === "seat";
  }

  // The number of the last event.
  get last() {
    return this.live.last;
  }

  // The game that is shown: the record's, or the one that a correction would make of it.
  get game() {
    return this.playback.data;
  }

  // The number of the event that is shown.
  get place() {
    return this.playback.n;
  }

  // Whether an earlier event is shown than the last.
  get looksBack() {
    return this.place < this.last;
  }

  // The event that is shown, whether it counts, who is to move after it or how the game ended.
  get now() {
    const { game, place: n } = this, event = game.events[n], { by, winners, reason } = game.pending(n);
    const outcome = winners && (n === this.last && game === this.live ? this.pending.outcome : { winners, reason });
    return { n, event, by, outcome, stands: Boolean(event) && (event.do.startsWith("@") || !game.undone[n]) };
  }

  async begin() {
    await this.refresh(this.last, "link");
    if (this.writes) this.awake();
    this.connection.follow(this.at + "/live", this.last + 1, (message) => this.happened(message), (state) => this.state(state));
    this.flush();
  }

  // What the table alone needs to know of the last event. The server's time is that of this device and `ahead`.
  learn({ running, declared, pending, now }) {
    Object.assign(this, { running, declared, pending, ahead: now - Date.now() });
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
    if (state !== "live") return;
    this.ask();
    this.flush();
  }

  tellLine() {
    const waiting = this.outbox.waiting.length;
    $("line").textContent = [t("line_" + (this.line || "live")), waiting ? t("line_waiting", waiting) : ""].filter(Boolean).join(", ");
    $("line").className = this.line === "lost" || this.line === "withdrawn" ? "chip s-disputed" : "chip";
  }

  happened({ event, data }) {
    if (event === "problem") $("alert").textContent = data;
    else if (event === "rewritten") this.reload();
    else if (event === "step") this.step(JSON.parse(data));
  }

  // Event `step.n` has come. One that is known already says nothing new; if one is missing, all come again.
  step(step) {
    if (this.loading) return this.loading.then(() => this.step(step));
    if (step.n <= this.last) return undefined;
    if (step.n > this.last + 1) return this.reload();
    const { table = {}, pending = this.pending } = step, n = this.looksBack ? this.place : step.n;
    this.live.push(step);
    this.clock.advance();
    this.list.grow(Boolean(step.line));
    this.running = table.running ?? this.running;
    this.declared ||= Boolean(table.result);
    this.pending = pending;
    this.ahead = Math.max(this.ahead, step.t - Date.now());
    return this.refresh(n, "live");
  }

  // Take the whole game up again: the record is not what it was.
  reload() {
    this.loading ??= (async () => {
      let n;
      try {
        const { status, body, game } = await load(this.connection, this.at);
        if (status !== 200) return;
        n = this.looksBack ? this.place : game.last;
        Object.assign(this.live, game);
        this.learn(body);
        this.clock.restart();
        this.list.grow(true);
        this.decided = null;
      } catch {
        // without a network: the line says so, and comes back
      } finally {
        this.loading = null;
      }
      this.refresh(n);
    })();
    return this.loading;
  }

  // Show event n as it is now, and find out what may be decided there.
  refresh(n = this.place, by = "look") {
    if (!this.correction) this.playback.go(n, by);
    this.tick();
    return this.ask();
  }

  // Ask what may be decided after the last event, if that is not known; one request at a time.
  ask() {
    if (this.setup.role === "spectator") return undefined;
    if (this.decided?.n >= this.last) return this.decide();
    this.busy ??= (async () => {
      try {
        while (!this.decided || this.decided.n < this.last) {
          const { status, body } = await this.connection.ask(this.at + "/choices");
          if (status !== 200) {
            $("alert").textContent = body.error.message;
            return;
          }
          this.decided = body;
          if (!this.opened && body.idle) askIdle(this, body.idle);
          this.opened = true;
        }
        this.decide();
      } catch {
        // without a network: the line says so, and comes back
      } finally {
        this.busy = null;
      }
    })();
    return this.busy;
  }

  // Let people decide, once the event after which they do is shown.
  decide() {
    const { decided } = this;
    if (decided.n !== this.last) return;
    if (!this.correction && this.known !== decided) this.selection.know({ ...decided, role: this.setup.role });
    if (!this.correction) this.known = decided;
    this.awaited = this.awaited.filter(({ n, done }) => n > decided.n || done());
  }

  // Comes back once event `n` is here and what may be decided then; if the line does not bring it, it is asked for.
  async reached(n) {
    if (this.decided?.n >= n && this.last >= n) return;
    this.connection.hurry();
    const came = new Promise((done) => this.awaited.push({ n, done })), late = new Promise((done) => setTimeout(done, LATE_MS, true));
    if ((await Promise.race([came, late])) && this.last < n) await this.reload();
  }

  // The game's clock has run out: other things may be decided now.
  rung() {
    this.decided = null;
    this.refresh();
  }

  // How the clocks stand after the last event, and whether they go on.
  tick() {
    const { live, clock, pending, last } = this, goes = !pending.outcome && !this.setup.delayed, runs = goes && this.running;
    const on = [...new Set([...(pending.by ?? []), pending.chance?.by])].filter((seat) => live.seatIndex.has(seat));
    const alarms = [pending.timeout, ...(pending.timeouts ?? [])].filter(Boolean).map(({ at }) => at);
    const since = runs ? Math.max(0, Date.now() + this.ahead - (live.events[last]?.t ?? 0)) : 0;
    const used = Object.fromEntries(live.seats.map(({ seat }, at) => [seat, clock.used[at][last]]));
    this.liveClock.know({ played: clock.shown[last], used, since, on: on.length === 1 ? on[0] : null, runs, alarm: alarms.length ? Math.min(...alarms) : null });
  }

  // Show the position that a correction has come to; null leads back to the record, at its last event.
  rehearse(step) {
    this.playback.data = step ? this.live.rehearsal(step) : this.live;
    if (step) this.playback.go(this.game.last, "look");
    else this.playback.n = this.last;
  }

  // Show what the table alone has about the event that is shown.
  show() {
    $("slider").max = this.last;
    $("slider").value = this.place;
    $("number").textContent = t("at_event", this.place, this.last);
    $("live").hidden = !this.looksBack;
    $("scrub").hidden = Boolean(this.correction); // what is corrected is one position
    if (this.setup.role !== "spectator") showCommonEvents(this, this.place);
    this.liveClock.show();
    this.shown();
  }

  // The pieces on a cell, in the position that is shown.
  lying(cell) {
    return this.game.pieces.at(this.game.cellIndex.get(cell), this.place) ?? [];
  }

  shown() {
    const live = this.correction || !this.looksBack;
    $("desk").hidden = this.setup.role === "spectator";
    if (live) {
      const offered = this.correction ? [] : commitmentButtons(this.selection, this.game, this.kept);
      choicePanel(this.selection, this.game, (event) => this.say({ event, expect: this.selection.decisions.n }), offered);
      this.highlights.show(this.lightens ? this.lightens() : this.picks ? new Map(this.game.cells.map(({ id }) => [id, false])) : this.writes ? this.selection.cells : new Map());
    } else {
      this.highlights.show(new Map());
      for (const id of ["ask", "pad", "acts", "offers"]) $(id).replaceChildren();
      $("ask").append(el("p", { class: "soft" }, t("looking_back", this.place)));
    }
  }

  tapped(cell, again) {
    if (this.picks) return cell === null || this.picks(this.there(cell), cell, again);
    if (this.looksBack && !this.correction) return;
    if (cell !== null) this.selection.tapCell(cell, again);
    else if (this.selection.held) this.selection.release();
  }

  // The cell from which a finger may drag something; while an event is on its way nothing is lit, and any piece may be the next.
  begins(x, y) {
    if (!this.writes || this.looksBack || this.correction || this.picks) return null;
    if (!this.selection.held && !this.selection.sent) return this.highlights.near(x, y, (id) => this.selection.begins(id))?.id;
    const cell = this.highlights.under(x, y);
    return cell && this.lying(cell.id).length ? cell.id : null;
  }

  // A drag over these cells: what it says is held like a tap.
  async walked(cells) {
    if (cells.length < 2 || this.selection.after(() => this.walked(cells))) return;
    const { n } = this.selection.decisions, asked = `${this.at}/walked?cells=${encodeURIComponent(JSON.stringify(cells))}`;
    const { body } = await this.connection.ask(asked).catch(() => ({ body: {} }));
    if (this.selection.decisions.n !== n || this.selection.held || this.selection.sent) return;
    $("alert").textContent = body.events?.length ? "" : body.text || t("no_way");
    if (body.events?.length) this.selection.hold({ event: body.events[0], events: body.events, cells });
  }

  fitted() {
    $("whole").hidden = !this.gestures.larger;
    this.board.fit();
  }

  // What a cell is called, and what stands there.
  there(cell) {
    return [cell, ...this.lying(cell).map(([, , text]) => text)];
  }

  // A form takes the next taps on the board, or none does any more.
  pick(take, cells = null) {
    Object.assign(this, { picks: take, lightens: cells });
    this.shown();
  }

  // What forms need to know.
  setting() {
    return { seats: this.live.seats.map(({ seat }) => [seat, this.live.name(seat)]), last: this.last, pick: (take) => this.pick(take), table: this };
  }

  // Event `n` was written wrong, or something was forgotten before it.
  correct(n) {
    this.correction = new Correction(this, n);
    return this.correction.answer();
  }

  alert(said) {
    $("alert").replaceChildren(el("p", {}, said));
  }

  // Write an event or a roll: kept on the device until the server has acknowledged it.
  say({ event, results, expect, ...more }) {
    this.outbox.add({ ...(results ? { results } : event), ...more, ...(expect === undefined ? {} : { expect }) });
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
      if (on && this.outbox.waiting.length) await this.flush();
    })();
    return this.sending;
  }

  // Whether what may have been said meanwhile can be sent as well.
  async send() {
    this.tellLine();
    const waited = this.outbox.waiting.length;
    const answer = await this.outbox.send((event) => this.connection.ask(this.at + "/events", event));
    if (answer && answer.status === 201) {
      $("alert").replaceChildren();
      await this.reached(answer.body.n);
    } else if (answer && [429, 503, 507].includes(answer.status)) {
      $("alert").textContent = answer.body.error.message;
      setTimeout(() => this.flush(), AGAIN_MS);
    } else if (answer) this.refused(answer, this.outbox.drop());
    else if (waited) setTimeout(() => this.flush(), AGAIN_MS); // the network was gone, perhaps for this request alone
    return answer ? answer.status === 201 : !waited;
  }

  refused({ status, body }, [first, ...others]) {
    this.alertSound.refusal();
    const said = status === 409 && body.written ? t("written_since", body.written.map((one) => `${one.n}. ${eventText(this.game, one.event)}`).join(" ")) : body.error.message, out = [el("p", {}, said)];
    const { id, expect, ...event } = first;
    if (others.length) out.push(el("p", {}, t("not_sent", others.map((one) => (one.do ? eventText(this.game, one) : JSON.stringify(one.results ?? one.events))).join("; "))));
    if (status === 422 && canRecordAnyway(this, body, [event])) out.push(button(t("all_the_same"), () => this.say({ event: { ...event, as_played: true }, expect: body.n })));
    $("alert").replaceChildren(...out);
    this.selection.forget();
    if (!this.correction) this.refresh();
  }
}

async function show(connection, name) {
  const { status, body, game } = await load(connection, address(name));
  if (status !== 200) {
    $("hello").textContent = t("record_failed", body.error.message);
    return;
  }
  $("start").hidden = true;
  $("table").hidden = false;
  $("title").textContent = document.title = `${body.game}: ${name}`;
  $("role").hidden = false;
  const table = new LiveTable(connection, name, body, game);
  await table.begin();
  $("role").textContent = t("role_" + body.role, game.name(body.seat));
  document.documentElement.classList.add("ready");
}

async function start() {
  setTexts(JSON.parse($("texts").textContent));
  const known = token();
  if (!known) return document.documentElement.classList.add("ready");
  const connection = new Connection(known), { status, body } = await connection.ask("/api/records");
  if (status !== 200) {
    $("hello").textContent = status === 401 ? t("no_link") : body.error.message;
  } else if (!body.folder || (body.role === "seat" && body.records.length === 1)) await show(connection, body.records[0].name);
  else showLobby(connection, body, (name) => show(connection, name));
  document.documentElement.classList.add("ready");
}

start().finally(release);
