// The user's input on the board: taps and drags become events, or values of the open form, and the board is zoomed and turned.

import { AutoZoom } from "./auto_zoom.js";
import { awaitedText } from "./awaited.js";
import { $ } from "./dom.js";
import { Gestures } from "./gestures.js";
import { Highlights } from "./highlights.js";
import { showDesk } from "./side_panel.js";
import { t } from "./texts.js";

export class BoardInput {
  constructor(table) {
    const { board, live } = table;
    Object.assign(this, { table, pickHandler: null, outlined: [] });
    this.gestures = new Gestures(board, live, { dragStart: (x, y) => this.dragStart(x, y), drag: (cells) => this.drag(cells), fit: () => this.fitBoard(), early: (x, y) => this.tapNotMeant({ x, y }) });
    this.highlights = new Highlights(board, live, (cell) => table.piecesOn(cell), (cell, again) => this.tap(cell, again));
    this.autoZoom = new AutoZoom(this.gestures, live, table.canRecord);
    $("board").addEventListener("pointerup", ({ clientX, clientY }) => (this.finger = { x: clientX, y: clientY }), { capture: true });
    table.playback.addEventListener("turned", () => this.fitPage());
  }

  // Lights the cells that can be tapped now, and draws the held piece. At an earlier event there are none.
  show() {
    const { table } = this, { game, correction, isLookingBack, canRecord, selection, heldEvent } = table;
    if (isLookingBack && !correction) return this.highlights.show(new Map());
    this.highlights.show(this.pickCells ? this.pickCells() : this.pickHandler ? new Map(game.cells.map(({ id }) => [id, false])) : canRecord ? selection.cells : new Map(), heldEvent.nodes());
    return this.zoomIn();
  }

  // Zooms to the places of a new position at the moment in which they light up, and never later. While others play, the places of their
  // events stay in sight. Otherwise, the board stays as it is
  //   - while a roll is due: no place can be tapped, and after the roll the same part of the board may do;
  //   - after an event that was recorded because the time of its hold was over, if the page had outlined the next places: the user has seen
  //     them here, and a finger may be on its way to one of them;
  //   - if something is selected already.
  zoomIn() {
    const { table } = this, { selection: { decisions, held, sent, tapped, isTimed }, correction, canRecord, game, shownNumber, pending } = table;
    if (held) this.outlined = table.heldEvent.next?.cells ?? [];
    if (held || sent || correction) return undefined;
    const places = (shownNumber ? game.places(shownNumber) : []).map((at) => game.cells[at].id);
    if (canRecord && !decisions.choices.length && !decisions.chance) return this.autoZoom.include(decisions.n, places); // others play
    const cells = canRecord ? [...table.selection.cells.keys()] : places;
    const isDue = canRecord && Boolean(pending.chance) && !cells.length;
    return this.autoZoom.show(decisions.n, cells, isDue || tapped.length > 0 || (isTimed && this.autoZoom.sees(this.outlined)));
  }

  // Says at the finger that a tap came while the board was moving.
  tapNotMeant(finger) {
    const { table } = this, { n } = table.selection.decisions;
    if (table.canRecord) table.tapNotice.showAt(finger, t("board_moved"), () => table.selection.decisions.n === n);
  }

  tap(cell, again) {
    if (this.pickHandler) return cell === null || this.pickHandler(this.namesOn(cell), cell, again);
    if (cell === null && this.table.selection.held) return this.table.selection.release();
    if (this.explain() || cell === null) return undefined;
    this.table.selection.tapCell(cell, again);
    return showDesk(); // the tap may need an answer there
  }

  // Shows at the finger why a tap on the board has no effect now, and returns whether there is such a reason.
  explain() {
    const { table } = this, { finger } = this, reason = this.reasonAgainstTaps();
    if (reason && finger) table.tapNotice.showAt(finger, reason, () => this.reasonAgainstTaps() === reason);
    return Boolean(reason);
  }

  // Returns why the board takes no taps now, or an empty text. A spectator never records.
  reasonAgainstTaps() {
    const { table } = this, { selection } = table;
    if (table.correction || !table.canRecord) return "";
    if (table.isLookingBack) return t("looking_back", table.shownNumber);
    if (selection.isStuck) return t("tap_waits");
    return awaitedText(table) || (selection.decisions.chance && !selection.held && !selection.sent && !selection.decisions.choices.length ? t("tap_roll") : "");
  }

  // Returns the cell from which a finger can drag a piece. While an event is being sent no cell is lit, and any piece can be the next.
  dragStart(x, y) {
    if (!this.table.canRecord || this.table.isLookingBack || this.table.correction || this.pickHandler) return null;
    if (!this.table.selection.held && !this.table.selection.sent) return this.highlights.near(x, y, (id) => this.table.selection.canDragFrom(id))?.id;
    const cell = this.highlights.under(x, y);
    return cell && this.table.piecesOn(cell.id).length ? cell.id : null;
  }

  // Holds the events of a drag over these cells, like the event of a tap.
  async drag(cells) {
    if (cells.length < 2 || this.explain() || this.table.selection.defer(() => this.drag(cells))) return;
    const { n } = this.table.selection.decisions, url = `${this.table.apiPath}/walked?cells=${encodeURIComponent(JSON.stringify(cells))}`;
    const { body } = await this.table.connection.ask(url).catch(() => ({ body: {} }));
    if (this.table.selection.decisions.n !== n || this.table.selection.held || this.table.selection.sent) return;
    if (!body.events?.length) this.table.notice.show([body.text || t("no_way")], () => this.table.last === n && !this.table.selection.held);
    else {
      this.table.selection.hold({ event: body.events[0], events: body.events, cells, path: cells, end: cells.slice(-1) });
      showDesk();
    }
  }

  // Draws a board that has other cells than before.
  drawBoard() {
    this.table.board.redraw();
    this.fitPage();
  }

  fitBoard() {
    this.autoZoom.showButton();
    this.table.board.fit();
    this.highlights?.raise();
  }

  // Gives the page the proportions of the board, which change only if the user turns the board or if the board grows.
  fitPage() {
    const { width, height } = this.table.board.whole;
    document.body.style.setProperty("--aspect", width / height);
    this.gestures.reset();
    this.autoZoom.n = null;
    this.table.showChoices();
  }

  // Returns the name of a cell and the texts of the pieces on it.
  namesOn(cell) {
    return [cell, ...this.table.piecesOn(cell).map(([, , text]) => text)];
  }

  // Gives the next taps on the board to a form. With null, taps make choices again.
  pick(handler, cells = null) {
    Object.assign(this, { pickHandler: handler, pickCells: cells });
    this.table.showChoices();
  }
}
