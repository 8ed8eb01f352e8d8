// The lobby: the records of a folder with their state. It refreshes itself. Its order waits for the user, or for a page at rest if a table waits for the arbiter.

import { AlertSound } from "./alert_sound.js";
import { delayText } from "./delay_text.js";
import { $, button, el, renew } from "./dom.js";
import { watchRest } from "./page_rest.js";
import { tableAddress } from "./session.js";
import { foldAccents, isolate, t } from "./texts.js";

// Cards that are made at once, because a screen shows no more, and the cards of each further slice.
const FIRST_CARDS = 12, SLICE_CARDS = 24;

// How long no one touches the page before its cards may move, and how long a tap after that is ignored, because it was aimed at another card.
const REST_MS = 2000, AIMED_MS = 500;

const EVERY_MS = 5000, STATES = ["all", "waiting", "playing", "over", "arbiter"], ORDERS = ["latest", "arbiter", "name", "started"];

// Whether a claim, a takeback or an unknown position waits for the arbiter.
const waitsForArbiter = ({ summary }) => Boolean(summary?.for_arbiter);

const isOver = ({ summary }) => summary?.status === "over";
const isPlaying = ({ summary }) => Boolean(summary) && ["running", "paused"].includes(summary.status);

const FITS = { all: () => true, waiting: ({ summary }) => summary?.status === "waiting", playing: isPlaying, over: isOver, arbiter: waitsForArbiter };

// The key under which this tab keeps search, filter and order, which stay after a visit to a table.
const KEPT = "gamelog.lobby";

const SORTED = {
  latest: (a, b) => (b.summary?.at ?? Date.parse(b.started)) - (a.summary?.at ?? Date.parse(a.started)),
  arbiter: (a, b) => waitsForArbiter(b) - waitsForArbiter(a) || SORTED.latest(a, b),
  name: (a, b) => a.name.localeCompare(b.name),
  started: (a, b) => Date.parse(b.started) - Date.parse(a.started),
};

// The format of dates. It is made once and after the first cards are painted, because making it takes longer than they do.
let dates = null;

// Returns the time since `at` in words: minutes, hours, or the date, which is empty before its format is made.
function sinceText(at) {
  const minutes = Math.floor((Date.now() - at) / 60_000);
  if (minutes < 1) return t("since_now");
  if (minutes < 60) return t("since_minutes", minutes);
  if (minutes < 24 * 60) return t("since_hours", Math.floor(minutes / 60));
  return dates ? dates.format(at) : "";
}

function player({ seat, name }, summary) {
  const points = summary?.score?.[seat], mark = summary?.winners?.includes(seat) ? "★ " : isPlaying({ summary }) && summary.by?.includes(seat) ? "▸ " : "";
  const meaning = mark === "★ " ? t("has_won") : mark ? t("is_to_move") : "";
  return el("span", { class: mark ? "player marked" : "player" }, mark && el("span", { "aria-hidden": "true" }, mark), meaning && el("span", { class: "hidden" }, meaning + " "), el("bdi", {}, summary?.names?.[seat] || name), points === undefined ? null : el("b", {}, ` ${points}`));
}

// Returns what waits for the arbiter, with its author and event: the kind of request, its number, and the names of the seats.
function askedText(kind, n, { seats, summary }) {
  const by = summary.asked_by[kind], author = seats.find(({ seat }) => seat === by);
  return t("asks_of", t("asks_" + kind), author ? isolate(summary.names?.[by] || author.name) : t("table"), n);
}

// Returns the texts by which a search finds a record: also names that were corrected or replaced.
const searchableTexts = ({ name, title, seats, summary }) => [name, title, ...seats.map((one) => one.name), ...Object.values(summary?.names ?? {})];

// Returns the card of a table. The arbiter's card leads to the newest event that waits for a decision.
function card(record, role) {
  const { name, title, seats, summary, started } = record, status = summary?.status ?? "asked", asked = Object.entries(summary?.for_arbiter ?? {});
  const event = role === "arbiter" && asked.length ? `#n=${Math.max(...asked.map(([, n]) => n))}` : "";
  return el("a", { href: tableAddress(name) + event, class: asked.length ? "table flagged" : "table" },
    el("span", { class: "row" }, el("strong", {}, el("bdi", {}, name)), el("span", { class: `chip state-${status}` }, t("game_" + status))),
    asked.length ? el("span", { class: "row asks" }, asked.map(([kind, n]) => el("b", {}, el("span", { "aria-hidden": "true" }, "⚑ "), askedText(kind, n, record)))) : null,
    el("span", { class: "players" }, seats.map((one) => player(one, summary))),
    el("span", { class: "soft" }, [title, isOver(record) && !summary.winners && t("draw"), sinceText(summary?.at || Date.parse(started))].filter(Boolean).join(", ")));
}

export class Lobby {
  constructor(connection, session) {
    Object.assign(this, { connection, session, order: [], cards: new Map(), isAtRest: watchRest(REST_MS), moved: -Infinity });
    const search = el("input", { type: "search", placeholder: t("search_games"), "aria-label": t("search_games") });
    const state = el("select", { "aria-label": t("lobby_state") }, STATES.map((one) => el("option", { value: one }, t("lobby_" + one))));
    const order = el("select", { "aria-label": t("order") }, ORDERS.map((one) => el("option", { value: one }, t("order_" + one))));
    Object.assign(this, { search, state, sorting: order, flag: button("", () => this.showFlagged(), { class: "flag" }), more: el("button", { type: "button", hidden: true }), none: el("p", { class: "soft", hidden: true }, t("no_game_fits")) });
    this.title = session.title || t("all_tables");
    document.title = $("title").textContent = this.title;
    this.alertSound = new AlertSound();
    if (this.isStaff) order.value = "arbiter";
    $("lobby").replaceChildren(el("div", { class: "row tools" }, search, state, order, this.flag, this.isStaff ? this.alertSound.switch() : null), this.more, this.none);
    (JSON.parse(sessionStorage.getItem(KEPT)) ?? []).forEach((value, at) => (this.tools[at].value = value));
    for (const one of [search, state, order]) one.addEventListener("input", () => this.arrange());
    this.more.addEventListener("click", () => this.arrange());
    $("records").addEventListener("click", (event) => event.detail && event.timeStamp - this.moved < AIMED_MS && event.preventDefault(), { capture: true });
    $("records").addEventListener("click", (event) => this.keepOffline(event));
    addEventListener("online", () => this.refresh());
    this.arrange();
    this.timer = setInterval(() => this.refresh(), EVERY_MS);
    document.addEventListener("visibilitychange", () => this.refresh());
  }

  // Whether the link is the scorer's or the arbiter's, who must notice the tables that wait for the arbiter.
  get isStaff() {
    return ["scorer", "arbiter"].includes(this.session.role);
  }

  get tools() {
    return [this.search, this.state, this.sorting];
  }

  get records() {
    return this.session.records;
  }

  // Shows those of the `listed` records that fit search and filter, in order.
  arrange(listed = this.records) {
    const wanted = foldAccents(this.search.value.trim()), fits = FITS[this.state.value];
    const shown = listed.filter((one) => fits(one) && searchableTexts(one).some((text) => foldAccents(text).includes(wanted)));
    sessionStorage.setItem(KEPT, JSON.stringify(this.tools.map(({ value }) => value)));
    this.none.hidden = shown.length > 0 || !this.records.length;
    this.order = shown.sort(SORTED[this.sorting.value]).map(({ name }) => name);
    this.flagged = this.flaggedNames;
    this.known = new Set(listed.map(({ name }) => name));
    this.cards = new Map(this.order.map((name) => [name, el("li", {})]));
    $("records").replaceChildren(...[...this.cards.values()].slice(0, FIRST_CARDS)); // the others follow in `update`
    this.update();
  }

  // The names of the tables that wait for the arbiter, as one text.
  get flaggedNames() {
    return this.records.filter(waitsForArbiter).map(({ name }) => name).sort().join("\n");
  }

  // Whether the order "arbiter" is no longer true and may change by itself.
  get mustRearrange() {
    return this.sorting.value === "arbiter" && this.flagged !== this.flaggedNames && this.isAtRest();
  }

  // Arranges the cards without a tap. The focus stays on its card.
  rearrange() {
    const focused = $("records").contains(document.activeElement) ? document.activeElement.closest("a")?.pathname : null;
    this.arrange();
    this.moved = performance.now();
    if (focused) [...$("records").querySelectorAll("a")].find(({ pathname }) => pathname === focused)?.focus({ preventScroll: true });
  }

  // Shows all records, with those that wait for the arbiter first.
  showFlagged() {
    ["", "all", "arbiter"].forEach((value, at) => (this.tools[at].value = value));
    this.arrange();
  }

  // Whether the server has sent the summary of every record. Soon after its start, it has not.
  get hasSummaries() {
    return this.records.every(({ summary }) => summary);
  }

  // Updates the cards in their places. New records wait for a tap, so that nothing moves under a finger.
  update() {
    const byName = new Map(this.records.map((one) => [one.name, one])), waiting = [...this.cards].filter(([name]) => byName.has(name));
    const fill = (some) => some.forEach(([name, item]) => renew(item, card(byName.get(name), this.session.role))), run = (this.run = {}), first = waiting.splice(0, FIRST_CARDS);
    const more = () => {
      if (this.run !== run) return;
      $("records").append(...[...this.cards.values()].slice($("records").children.length));
      if (!dates) {
        dates = new Intl.DateTimeFormat(document.documentElement.lang, { day: "numeric", month: "short", year: "numeric" });
        waiting.unshift(...first);
      }
      fill(waiting.splice(0, SLICE_CARDS));
      if (waiting.length) setTimeout(more);
    };
    fill(first);
    requestAnimationFrame(() => setTimeout(more)); // after the first cards are painted
    const added = this.records.filter(({ name }) => !this.known.has(name)).length;
    this.more.hidden = !added;
    this.more.textContent = t("show_new", added);
    const { records } = this, playing = records.filter(isPlaying).length, waits = records.filter(waitsForArbiter), asked = waits.length ? t("for_arbiter", waits.length) : "";
    $("hello").textContent = records.length ? t("lobby_counts", records.length, playing) : t("no_records");
    this.flag.textContent = `⚑ ${t("for_arbiter", waits.length)}`;
    this.flag.classList.toggle("absent", !asked); // it keeps its place, so that no card moves
    if (this.isStaff) this.alertStaff(waits, asked);
  }

  // Shows in the title how many tables wait for the arbiter, and sounds when something new waits.
  alertStaff(waits, asked) {
    const now = waits.flatMap(({ name, summary }) => Object.entries(summary.for_arbiter).map((one) => [name, ...one].join(" ")));
    document.title = asked ? `● ${asked} · ${this.title}` : this.title;
    if (this.asked && now.some((one) => !this.asked.has(one))) this.alertSound.turn();
    if (this.hasSummaries) this.asked = new Set(now);
  }

  // Keeps the user in the lobby if the page of a table cannot be loaded now, and says why.
  keepOffline(event) {
    if (!event.target.closest("a") || (navigator.onLine && !this.isLost)) return;
    event.preventDefault();
    $("lost").textContent = t("lobby_lost");
  }

  // Shows a record that this device has just made, without a tap.
  async showNew() {
    await this.refresh();
    this.arrange();
  }

  async refresh() {
    if (document.hidden) return;
    const wasOrdered = this.hasSummaries;
    try {
      const { status, body } = await this.connection.ask("/api/records");
      this.isLost = false;
      $("lost").textContent = "";
      if (status === 200) this.session = body;
      $("line").textContent = status !== 200 ? body.error.message : body.delayed ? delayText(body.delayed) : "";
    } catch {
      this.isLost = true;
      $("line").textContent = t("line_lost");
    }
    if (wasOrdered && this.mustRearrange) this.rearrange();
    else if (wasOrdered) this.update();
    else this.arrange(this.records.filter(({ name }) => this.known.has(name))); // without summaries, the order was not that of the user
  }
}
