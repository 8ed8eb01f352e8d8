// Signs of the player to move: the edge of the screen, and on the player's own device the title and an alert.

import { $ } from "./dom.js";
import { t } from "./texts.js";

export class TurnSigns {
  constructor(table, title) {
    Object.assign(this, { table, title, isMine: false });
  }

  // Shows who is to move after the last event. The edge is about the shown event.
  show() {
    const { table } = this, { pending, setup, game } = table, { by = [], chance } = game.pending(table.place), seats = [...new Set([chance, ...by])].filter((seat) => game.seatIndex.has(seat));
    $("edge").className = seats.length === 1 ? `turn${game.seatIndex.get(seats[0])}` : seats.length ? "several" : "";
    const isMine = setup.role === "seat" && !pending.outcome && [pending.chance?.by, ...(pending.by ?? [])].includes(setup.seat);
    document.title = isMine ? `● ${t("your_turn")} · ${this.title}` : this.title;
    if (isMine && !this.isMine && this.known) table.alertSound.turn();
    Object.assign(this, { isMine, known: true });
  }
}
