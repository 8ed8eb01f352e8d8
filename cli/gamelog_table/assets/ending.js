// The end screen: places, points over time, and what can follow. It opens when the game ends.

import { connectChart, drawChart } from "./chart.js";
import { isolatedText } from "./choice_panel.js";
import { $, button, el } from "./dom.js";
import { ignoreDoubleTaps } from "./gestures.js";
import { tableAddress } from "./session.js";
import { people, text } from "./message.js";
import { badge, turn } from "./seats.js";
import { isolate, t } from "./texts.js";

// Returns the seats in their final order, each with its place if it is known.
function standings({ seats, score, last }, { winners: best, places = [] }) {
  const points = (at) => score.at(at, last), before = (at) => places.slice(0, at).flat().length;
  const place = (seat) => {
    const at = places.findIndex((tied) => tied.includes(seat));
    return at >= 0 ? before(at) + 1 : best.includes(seat) ? 1 : best.length && seats.length === 2 ? 2 : null;
  };
  const all = seats.map(({ seat }, at) => ({ seat, at, points: points(at), place: place(seat), won: best.includes(seat) }));
  return all.sort((a, b) => (a.place ?? seats.length) - (b.place ?? seats.length) || (b.points ?? 0) - (a.points ?? 0));
}

export class Ending {
  // `hasNext` is whether the next game exists and this link leads to it.
  constructor(table) {
    Object.assign(this, { table, box: $("ending"), isOver: Boolean(table.pending.outcome), hasNext: false });
    $("result").addEventListener("click", () => this.open());
    connectChart(table.playback);
    $("plot").addEventListener("pointerup", () => this.box.close());
    ignoreDoubleTaps(this.box);
    this.makeButtons();
  }

  // Makes the buttons once, because a button that is replaced under a finger loses the tap. The last of them moves no other one when it comes.
  makeButtons() {
    const { role, folder } = this.table.setup, isScorer = role === "scorer";
    this.writeResult = button("", () => this.recordResult());
    this.joinNext = button(t(role === "spectator" ? "follow_next" : "own_rematch"), () => this.ownRematch(), { class: "main" });
    $("ending-acts").append(
      ...(isScorer ? [this.writeResult] : []),
      ...(isScorer && folder ? [button(t("rematch"), () => this.rematch()), button(t("next_table"), () => this.next())] : []),
      ...(this.canBegin ? [this.joinNext] : []),
      button(t("close"), () => this.box.close()),
    );
  }

  // Opens the screen if the game has just ended, and closes it if the game continues.
  check() {
    const { outcome } = this.table.pending;
    if (this.isOver !== Boolean(outcome)) {
      this.isOver = Boolean(outcome);
      if (outcome) this.open();
      else this.box.close();
    } else if (this.box.open) this.show();
  }

  open() {
    this.show();
    if (this.box.open) return;
    this.box.showModal();
    $("ending-title").focus();
  }

  // Offers the next game, which has started. A link that can begin this game offers it already.
  offerNext() {
    if (this.canBegin || this.hasNext) return;
    this.hasNext = true;
    $("ending-acts").append(this.joinNext);
    if (this.box.open) this.show();
  }

  // Whether this link is a player's in a record that the players record without a scorer, so that it can begin the next game.
  get canBegin() {
    const { has_rematch: isInFolder, role, rolls } = this.table.setup;
    return isInFolder && role === "seat" && rolls === "players";
  }

  show() {
    const { table } = this, { live } = table, { outcome } = table.pending, name = (seat) => live.name(seat);
    drawChart(live);
    $("ending-title").textContent = turn(live, live.last);
    $("standings").replaceChildren(...standings(live, outcome).map(({ seat, at, points, place, won }) => el("li", { class: won ? "winner" : "" },
      el("span", { class: "place" }, place ? `${place}.` : ""), badge(at), el("bdi", { class: "name" }, name(seat)), el("b", {}, String(points ?? "")))));
    $("ending-how").textContent = this.decision();
    const isScorer = table.setup.role === "scorer", canStart = this.canBegin || (isScorer && table.setup.folder);
    this.writeResult.textContent = t("write_result", text(people(outcome, (seat) => isolate(name(seat)))));
    this.writeResult.disabled = table.declared; // it keeps its place, so that the others do not move
    $("ending-note").textContent = [isScorer && t(table.declared ? "result_closed" : "result_closes"), this.hasNext ? t("next_started") : !canStart && table.setup.rolls !== "players" && t("organiser_starts")].filter(Boolean).join(" ");
  }

  // Returns the sentence about the event that ended the game, without its result: it shows which rule decided between equal players.
  decision() {
    const { live } = this.table;
    let n = live.last;
    while (n > 1 && live.pending(n - 1).winners) n -= 1;
    const effects = (live.effects[n] ?? []).filter(({ effect }) => !["over", "team", "placed", "paid"].includes(effect));
    return effects.length && !live.maskAt(n) ? isolatedText(live.describe(live.events[n], effects, n)) : "";
  }

  // Records the result as the people at the table saw it, and closes the screen.
  async recordResult() {
    const { outcome } = this.table.pending;
    await this.table.sender.record({ event: { do: "@result", by: "table", outcome } });
    if (!this.table.declared) return;
    this.box.close();
    const { notice, last } = this.table;
    notice.show([el("p", { class: "good" }, t("result_recorded"))], () => this.table.last === last);
  }

  // Starts the next game of the same people, each at the next seat.
  rematch() {
    return this.ask(this.table.apiPath + "/rematch", {}, [200, 201], ({ name }) => tableAddress(name));
  }

  // Opens the rematch with the rights of this link: a player at the seat of the same person. If this link can begin it, it begins if needed.
  ownRematch() {
    return this.ask(this.table.apiPath + "/rematch", this.canBegin ? {} : undefined, [200, 201], ({ name, token }) => `${tableAddress(name)}#${token}`);
  }

  // Opens the first game that has not begun, or else the lobby.
  next() {
    const waits = ({ name, summary }) => summary?.status === "waiting" && name !== this.table.setup.name;
    return this.ask("/api/records", undefined, [200], ({ records }) => {
      const found = records.find(waits);
      return found ? tableAddress(found.name) : "/";
    });
  }

  // Sends a request, and opens the address that `follow` returns for its answer.
  async ask(path, body, expected, follow) {
    const { status, body: answer } = await this.table.connection.ask(path, body).catch(() => ({ body: { error: { message: t("line_lost") } } }));
    if (expected.includes(status)) location.assign(follow(answer));
    else $("ending-fault").textContent = answer.error.message;
  }
}
