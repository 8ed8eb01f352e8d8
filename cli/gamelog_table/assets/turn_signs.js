// Signs of the player to move: the edge of the screen, and on the device of a player to move, or of the arbiter if something
// waits for the arbiter, the title and an alert.

import { isRollForAll } from "./awaited.js";
import { $ } from "./dom.js";
import { t } from "./texts.js";

export class TurnSigns {
  constructor(table, title) {
    Object.assign(this, { table, title, shown: undefined });
  }

  // Shows who is to move after the last event. The edge is about the shown event.
  show() {
    const { table } = this, { pending, setup, game } = table, { by = [], chance } = game.pending(table.shownNumber), seats = [...new Set([chance, ...by])].filter((seat) => game.seatIndex.has(seat));
    $("edge").className = seats.length === 1 ? `turn${game.seatIndex.get(seats[0])}` : seats.length ? "several" : "";
    const isMine = setup.role === "seat" && !pending.outcome && (isRollForAll(table) || [pending.chance?.by, ...(pending.by ?? [])].includes(setup.seat));
    const [kind, n] = isMine ? ["turn", 0] : setup.role === "arbiter" ? this.asked() : [], asked = kind && `${kind} ${n}`;
    document.title = kind ? `● ${t(kind === "turn" ? "your_turn" : "asks_" + kind)} · ${this.title}` : this.title;
    if (asked && asked !== this.shown && this.known) table.alertSound.turn();
    Object.assign(this, { shown: asked, known: this.known || setup.role !== "arbiter" || Boolean(table.choices) });
  }

  // Returns what waits for the arbiter: its kind and the number of its event.
  asked() {
    const { live: { findings }, choices } = this.table, unknown = findings.findLast(({ code }) => code === "play.cannot_apply"), claim = findings.findLast(({ code }) => code === "play.claim");
    const offer = choices?.offers.findLast(({ answers }) => answers.length);
    return claim ? ["claim", claim.n] : offer ? ["takeback", offer.n] : unknown ? ["position", unknown.n] : [];
  }
}
