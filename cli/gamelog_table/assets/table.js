// The table's page: opens the record of the link, shows new events, and records events.

import { AgreedCorrection } from "./agreed_correction.js";
import { AlertSound } from "./alert_sound.js";
import { awaitedText } from "./awaited.js";
import { BoardInput } from "./board_input.js";
import { choicePanel, listedText } from "./choice_panel.js";
import { Clock } from "./clock.js";
import { commitmentButtons, OpeningStore } from "./commitments.js";
import { askIdle, openOtherEvent, showCommonEvents } from "./common_events.js";
import { connectCutTexts, fitTexts } from "./cut_text.js";
import { Correction } from "./correction.js";
import { Disputes } from "./disputes.js";
import { $, button, el } from "./dom.js";
import { unpack } from "./embedded_text.js";
import { Ending } from "./ending.js";
import { EventSender } from "./event_sender.js";
import { ignoreDoubleTaps } from "./gestures.js";
import { HeldEvent } from "./held_event.js";
import { showLine, showWaiting } from "./connection_status.js";
import { LiveClock } from "./live_clock.js";
import { LiveGame } from "./live_game.js";
import { LiveEventList } from "./live_list.js";
import { explainMissedTap, showReasonAgainst } from "./missed_tap.js";
import { connectNames } from "./name_form.js";
import { Notice } from "./notice.js";
import { Outbox } from "./outbox.js";
import { Playback } from "./playback.js";
import { pointFacts } from "./point_facts.js";
import { connectRules, showHint } from "./rule_dialog.js";
import { ownDiceFirst, Selection } from "./selection.js";
import { addressedEvent, openSession, tableAddress } from "./session.js";
import { showDesk } from "./side_panel.js";
import { showSteps } from "./shown_event.js";
import { isolate, setTexts, t } from "./texts.js";
import { TurnSigns } from "./turn_signs.js";

const LATE_MS = 3000, SECOND_MS = 1000;

const address = (name) => `/api/records/${encodeURIComponent(name)}`;

// Returns the server's game at `at`, which is packed as in the page of a file, and the rights of the link.
async function load(connection, at) {
  const { status, body } = await connection.ask(at + "/table");
  if (status !== 200) return { status, body };
  const stage = await unpack(body.stage), game = new LiveGame(JSON.parse(stage), JSON.parse(await unpack(body.page_data, stage)));
  game.views.choose("all");
  return { status, body, game };
}

class LiveTable {
  constructor(connection, name, setup, live) {
    Object.assign(this, { connection, setup, live, apiPath: address(name), clock: new Clock(live), connectionState: "connecting", choices: null, offered: null, awaited: [] });
    this.notice = new Notice($("alert"));
    this.tapNotice = new Notice($("tap-text"));
    this.outbox = new Outbox(`${name}.${setup.role}.${setup.seat}`);
    this.sender = new EventSender(this);
    this.openingStore = new OpeningStore(`${name}.${setup.seat}`);
    this.applySetup(setup);
    this.askChoices(); // the answer comes while the page is laid out
    this.playback = Object.assign(new Playback(live), { n: live.last });
    this.board = showSteps(this.playback, this.clock);
    this.list = new LiveEventList(this.playback);
    this.playback.addEventListener("step", () => this.showStep());
    this.ending = new Ending(this);
    this.disputes = new Disputes(this);
    this.agreedCorrection = new AgreedCorrection(this);
    connectRules(this);
    connectNames(this);
    connectCutTexts();
    this.selection = new Selection((chosen) => (this.correction ? this.correction.put(chosen) : this.sender.record(chosen)), (event) => showReasonAgainst(this, event));
    this.alertSound = new AlertSound();
    this.heldEvent = new HeldEvent(this);
    this.turnSigns = new TurnSigns(this, `${setup.title}: ${isolate(name)}`);
    this.liveClock = new LiveClock(() => this.onAlarm(), () => this.correction || !this.isLookingBack);
    ignoreDoubleTaps($("board"));
    ignoreDoubleTaps($("fixing"));
    ignoreDoubleTaps($("desk"), (node) => node.closest("#pad button, #ask button")?.textContent);
    this.boardInput = new BoardInput(this);
    this.boardInput.fitPage();
    this.selection.addEventListener("change", () => {
      this.notice.check();
      this.showChoices();
      showHint(this);
    });
    this.selection.addEventListener("missed", () => explainMissedTap(this));
    this.selection.addEventListener("lost", () => this.correction || this.alert(t("roll_lost", listedText(this.live, { n: this.last, text: "" }))));
    $("slider").addEventListener("input", () => this.playback.go(Number($("slider").value), "drag"));
    $("back").addEventListener("click", () => this.playback.step(-1));
    $("on").addEventListener("click", () => this.playback.step(1));
    if (setup.delayed) $("live").textContent = t("go_latest"); // what these spectators see is not live
    $("live").addEventListener("click", () => {
      this.playback.go(this.last);
      showDesk();
    });
    $("to-lobby").addEventListener("click", (event) => this.keepOffline(event));
    $("from-list").addEventListener("click", showDesk);
    $("to-more").addEventListener("click", () => $("more").scrollIntoView());
    addEventListener("online", () => {
      this.connection.hurry();
      this.sender.flush();
    });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.selection.forget());
  }

  get canRecord() {
    return this.setup.role === "scorer" || this.setup.role === "seat";
  }

  // Number of the last event.
  get last() {
    return this.live.last;
  }

  // The shown game: the record's game, or the game as a correction would make it.
  get game() {
    return this.playback.data;
  }

  // Number of the shown event.
  get shownNumber() {
    return this.playback.n;
  }

  // Number of the last decision that counts: no common event and no roll.
  get lastDecision() {
    const { events, undone } = this.live;
    let n = this.last;
    while (n > 1 && (events[n].do.startsWith("@") || undone[n] || this.live.pending(n - 1).chance)) n -= 1;
    return n;
  }

  // Whether the shown event is earlier than the last.
  get isLookingBack() {
    return this.shownNumber < this.last;
  }

  // The shown event, whether it counts, and the players to move after it or the outcome.
  get shownEvent() {
    const { game, shownNumber: n } = this, event = game.events[n], { by, winners, reason } = game.pending(n);
    const outcome = winners && (n === this.last && game === this.live ? this.pending.outcome : { winners, reason });
    return { n, event, by, outcome, counts: Boolean(event) && (event.do.startsWith("@") || !game.undone[n]) };
  }

  async begin() {
    await this.refresh(this.last, "link");
    if (this.canRecord) this.keepScreenOn();
    this.connection.follow(this.apiPath + "/live", this.last + 1, (message) => this.onMessage(message), (state) => this.onState(state));
    this.sender.flush();
  }

  // Takes the facts about the last event that only the table needs. `ahead` is the difference of the server's time from this device's time.
  applySetup({ running, unplayed, declared, pending, now }) {
    Object.assign(this, { running, unplayed, declared, pending, ahead: now - Date.now() });
  }

  // Keeps the screen of a person who records on, if the browser can.
  keepScreenOn() {
    const ask = () => document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => null);
    document.addEventListener("visibilitychange", ask);
    ask();
  }

  onState(state) {
    this.connectionState = state;
    this.showConnection();
    if (state !== "live") return;
    this.askChoices();
    this.sender.flush();
  }

  // Shows the state of the connection and of the game, and the events that wait.
  showConnection() {
    const isStuck = this.outbox.waiting.length > 0 && (this.connectionState !== "live" || this.sender.hasFailed);
    showLine(this);
    showWaiting(this, isStuck);
    this.notice.check();
    this.tapNotice.check();
    showHint(this);
    if (this.selection.isStuck === isStuck) return;
    this.selection.isStuck = isStuck;
    this.showChoices();
  }

  onMessage({ event, data }) {
    if (event === "problem") {
      this.problem = data;
      if (data) this.notice.show([data], () => this.problem === data, true);
      this.notice.check();
    } else if (event === "rewritten") this.reload();
    else if (event === "replaced") location.reload(); // the file has another record, perhaps of another game
    else if (event === "next") this.ending.offerNext();
    else if (event === "step") this.addStep(JSON.parse(data));
  }

  // Adds event `step.n` if it is new. If an event is missing before it, the whole game is loaded again, and after a slip too: the server's
  // time is then ahead by the time of play that the slip took back. A board that grows is loaded again with the cells that are visible then.
  addStep(step) {
    if (this.reloadRequest) return this.reloadRequest.then(() => this.addStep(step));
    if (step.n <= this.last) return undefined;
    if (step.n > this.last + 1 || step.line?.slip || this.live.mustGrow(step)) return this.reload();
    const { table = {}, pending = this.pending } = step, n = this.isLookingBack ? this.shownNumber : step.n;
    this.live.push(step);
    this.clock.advance();
    this.list.grow(Boolean(step.line || step.findings || step.corrected));
    this.running = table.running ?? this.running;
    this.unplayed = step.unplayed ?? 0;
    this.declared ||= Boolean(table.result);
    this.pending = pending;
    this.ahead = Math.max(this.ahead, step.t - Date.now());
    return this.refresh(n, "live");
  }

  // Loads the whole game again, because earlier events have changed.
  reload() {
    this.reloadRequest ??= (async () => {
      let n;
      try {
        const { status, body, game } = await load(this.connection, this.apiPath);
        if (status !== 200) return;
        n = this.isLookingBack ? this.shownNumber : game.last;
        const hasGrown = game.cells.length !== this.live.cells.length;
        Object.assign(this.live, game);
        this.applySetup(body);
        this.clock.restart();
        this.list.grow(true);
        this.choices = null;
        if (hasGrown) this.boardInput.drawBoard();
      } catch {
        // without a network: the state of the connection is shown, and the stream connects again
      } finally {
        this.reloadRequest = null;
      }
      this.refresh(n);
    })();
    return this.reloadRequest;
  }

  // Shows event n as it is now, and asks for the choices.
  refresh(n = this.shownNumber, reason = "look") {
    if (!this.correction) this.playback.go(n, reason);
    this.updateClocks();
    this.showConnection();
    this.ending.check();
    this.disputes.show();
    return this.askChoices();
  }

  // Asks for the choices after the last event if they are unknown, with one request at a time.
  askChoices() {
    if (this.setup.role === "spectator") return undefined;
    if (this.choices?.n >= this.last) return this.offerChoices();
    this.choicesRequest ??= (async () => {
      try {
        while (!this.choices || this.choices.n < this.last) {
          const { status, body } = await this.connection.ask(this.apiPath + "/choices");
          if (status !== 200) {
            this.notice.show([body.error.message], () => !this.choices || this.choices.n < this.last);
            return;
          }
          this.choices = body;
          if (!this.hasReceivedChoices && body.idle) askIdle(this, body.idle);
          this.hasReceivedChoices = true;
        }
        this.offerChoices();
      } catch {
        // without a network: the state of the connection is shown, and the stream connects again
      } finally {
        this.choicesRequest = null;
      }
    })();
    return this.choicesRequest;
  }

  // Offers the choices once the last event is shown.
  offerChoices() {
    const { choices } = this;
    if (choices.n !== this.last) return;
    const { live, offered } = this, since = offered ? live.events.slice(offered.n + 1).map(({ n, do: tag, by }) => ({ do: tag, by, moved: live.jumps.has(n) })) : [];
    const isSameTurn = Boolean(offered) && since.every(({ do: tag }) => tag.startsWith("@"));
    if (!this.correction && offered !== choices) this.selection.update({ ...choices, chance: ownDiceFirst(choices.chance, choices.rolling ?? [], this.setup.seat), role: this.setup.role }, isSameTurn, since);
    if (!this.correction) this.offered = choices;
    showCommonEvents(this, this.shownNumber);
    this.agreedCorrection.check();
    this.turnSigns.show();
    this.awaited = this.awaited.filter(({ n, done }) => n > choices.n || done());
  }

  // Waits until event `n` and the choices after it have arrived. If the stream is late, the game is loaded again.
  async waitFor(n) {
    if (this.choices?.n >= n && this.last >= n) return;
    this.connection.hurry();
    const came = new Promise((done) => this.awaited.push({ n, done })), late = new Promise((done) => setTimeout(done, LATE_MS, true));
    if ((await Promise.race([came, late])) && this.last < n) await this.reload();
  }

  // Asks for the choices again, because a clock of the game has run out.
  onAlarm() {
    this.choices = null;
    this.refresh();
  }

  // Gives the clocks their times after the last event, and whether they run.
  updateClocks() {
    const { live, clock, pending, last } = this, isLive = !pending.outcome && !this.setup.delayed, isStopped = Boolean(pending.outcome) || !this.running, runs = isLive && this.running;
    const isUnknown = live.findings.some(({ code }) => code === "play.cannot_apply"); // the time until the position is declared belongs to no seat
    const on = isUnknown ? [] : [...new Set([...(pending.by ?? []), pending.chance?.by])].filter((seat) => live.seatIndex.has(seat));
    const hasPlay = live.events.slice(1).some(({ do: tag }) => !tag.startsWith("@") || tag === "@unseen");
    const alarms = [pending.timeout, ...(pending.timeouts ?? [])].filter(Boolean).map(({ at }) => at);
    const since = pending.outcome ? 0 : this.unplayed + (runs ? Math.max(0, Date.now() + this.ahead - (live.events[last]?.t ?? 0)) : 0);
    const used = Object.fromEntries(live.seats.map(({ seat }, at) => [seat, clock.used[at][last]]));
    this.liveClock.update({ played: clock.shown[last], used, since, on: on.length === 1 ? on[0] : null, runs, isStopped, setupMs: runs && !hasPlay ? this.setup.setup_ms : null, until: pending.outcome ? this.clockEnd() : 0, alarm: alarms.length ? Math.min(...alarms) : null });
  }

  // Returns the number of the last event of play if the game ended later without play: by an agreement or a ruling. The time in between
  // does not count as time of play, so the clock goes back to this event. Otherwise, returns 0.
  clockEnd() {
    const { live, clock: { shown } } = this;
    let end = this.last, n;
    while (end > 1 && live.pending(end - 1).winners) end -= 1;
    for (n = end; n && shown[n - 1] === shown[n];) n -= 1;
    return n && live.events[end].t - live.events[n].t >= SECOND_MS ? n : 0;
  }

  // Shows the position of a correction. With null, shows the record at its last event again.
  showRehearsal(step) {
    this.playback.data = step ? this.live.rehearsal(step) : this.live;
    if (step) this.playback.go(this.game.last, "look");
    else this.playback.n = this.last;
  }

  // Shows the parts of the page that only the table has, for the shown event.
  showStep() {
    $("slider").max = this.last;
    $("slider").value = this.shownNumber;
    $("number").textContent = t("at_event", this.shownNumber, this.last);
    $("live").hidden = !this.isLookingBack;
    $("result").hidden = this.isLookingBack || !this.pending.outcome;
    $("ask-rules").hidden = this.isLookingBack || Boolean(this.pending.outcome);
    $("scrub").hidden = Boolean(this.correction); // a correction has only one position
    $("captions").append(...pointFacts(this.game, this.shownNumber)); // on a small screen, the players are out of sight
    fitTexts();
    this.turnSigns.show();
    if (this.setup.role !== "spectator") showCommonEvents(this, this.shownNumber);
    this.liveClock.show();
    this.showChoices();
  }

  // Returns the pieces on a cell in the shown position.
  piecesOn(cell) {
    return this.game.pieces.at(this.game.cellIndex.get(cell), this.shownNumber) ?? [];
  }

  // Returns the button for an event that the tapped place does not offer, for example an illegal event that was played.
  missedButtons() {
    const { selection, setup } = this;
    return selection.missed && setup.forms.own.length ? [button(t("other_event"), () => openOtherEvent(this, selection.missedCells), { "data-do": "missed" })] : [];
  }

  showChoices() {
    const live = this.correction || !this.isLookingBack;
    $("desk").hidden = this.setup.role === "spectator";
    if (live) {
      const offered = this.correction ? [] : [...commitmentButtons(this.selection, this.game, this.openingStore), ...this.missedButtons()];
      choicePanel(this.selection, this.game, (event) => this.sender.record({ event, expect: this.selection.decisions.n }), offered);
      if (this.canRecord && this.last && !this.running && !this.pending.outcome && !this.correction) $("ask").append(el("p", { class: "soft" }, t("clock_is_paused")));
      const awaited = this.correction ? "" : awaitedText(this);
      if (awaited) $("ask").append(el("p", { class: "due" }, awaited));
    } else {
      for (const id of ["ask", "pad", "acts", "offers"]) $(id).replaceChildren();
      $("ask").append(el("p", { class: "soft" }, t("looking_back", this.shownNumber)));
    }
    this.boardInput.show();
  }

  // Returns the facts that forms need.
  setting() {
    return { seats: this.live.seats.map(({ seat }) => [seat, this.live.name(seat)]), last: this.last, pick: (handler) => this.boardInput.pick(handler), table: this };
  }

  // Begins a correction at event `n`: it was recorded wrongly, or an event before it was forgotten.
  correct(n) {
    this.correction = new Correction(this, n);
    return this.correction.answer();
  }

  // Keeps the user at the table if the lobby cannot be loaded now, and says why.
  keepOffline(event) {
    const isLost = () => !navigator.onLine || !this.connection.isReachable;
    if (!isLost()) return;
    event.preventDefault();
    this.notice.show([el("p", {}, t("all_tables_lost"))], isLost);
  }

  // Shows a message about the position after the last event.
  alert(text) {
    const { last } = this;
    this.notice.show([el("p", {}, text)], () => this.last === last);
  }
}

// Shows the record `name`. If it cannot be shown, offers the one record of the link, `only`, or the lobby.
async function show({ connection, only }, name) {
  const { status, body, game } = await load(connection, address(name));
  if (status !== 200) {
    $("hello").textContent = t("record_failed", body.error.message);
    const leave = async () => { // without a connection, the browser would show its own error
      if (await connection.open("/api/records").catch(() => null)) location.assign(only ? tableAddress(only) : "/");
      else $("hello").textContent = t("leave_lost");
    };
    if (only !== name) $("records").replaceChildren(el("li", {}, button(only ? t("open_record", isolate(only)) : t("all_tables"), leave)));
    return;
  }
  $("start").hidden = true;
  $("table").hidden = false;
  $("title").replaceChildren(el("small", {}, `${body.title}: `), el("bdi", {}, name));
  $("to-lobby").hidden = !body.folder;
  $("role").hidden = false;
  $("table").dataset.role = body.role;
  const table = new LiveTable(connection, name, body, game);
  await table.begin();
  if (addressedEvent()) table.playback.go(addressedEvent());
  document.documentElement.classList.add("ready");
}

async function start() {
  setTexts(JSON.parse($("texts").textContent));
  const session = await openSession(), wanted = location.pathname.startsWith("/table/") ? decodeURIComponent(location.pathname.slice("/table/".length)) : session?.only;
  if (session && wanted) await show(session, wanted);
  return document.documentElement.classList.add("ready");
}

start();
