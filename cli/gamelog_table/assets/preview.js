// A form for events that shows their effects before they are recorded.

import { listedText } from "./choice_panel.js";
import { $, button, el } from "./dom.js";
import { clockText } from "./live_clock.js";
import { nodes } from "./message.js";
import { reasonText } from "./notice.js";
import { showDesk } from "./side_panel.js";
import { isolate, t } from "./texts.js";

const PAUSE_MS = 300;

// Events that can remove others, so their forms wait for the preview.
const RETURNING = ["@takeback", "@ruling", "slip"];

// Returns the sentence about a proposed event and its effects, as nodes.
export function previewText(game, part) {
  return nodes(game.describe({ ...part.event, phrase: part.phrase }, part.effects, game.last));
}

// Returns the times on the clocks, in ms, as a text: of each seat, and of the game.
const clockList = (game, times) => [...game.seats.map(({ seat }) => `${isolate(game.name(seat))} ${clockText(times[seat])}`), `${t("play_time")} ${clockText(times.table)}`].join(", ");

// Returns the effects of proposed events in sentences. `answer` is the server's answer.
function effects(table, answer) {
  const { game } = table;
  const out = answer.parts.map((part) => el("p", {}, previewText(game, part)));
  if (answer.undone.length) out.push(el("p", {}, t("would_undo", answer.undone.map((one) => `${one.n}. ${listedText(game, one)}`).join(" "))));
  if (answer.offered.length) out.push(el("p", {}, t("would_undo_then", answer.offered.map((one) => `${one.n}. ${listedText(game, one)}`).join(" "))));
  if (answer.again.length) out.push(el("p", {}, t("would_stand_again", answer.again.map((n) => `${n}. ${listedText(game, { n, text: "" })}`).join(" "))));
  if (answer.over && !table.shownEvent.outcome) out.push(el("p", {}, t("would_end")));
  for (const n of answer.disputed) out.push(el("p", {}, t("still_disputed", n)));
  if (answer.goes_on) out.push(el("p", {}, t("would_go_on")));
  if (answer.clocks) out.push(el("p", {}, t("would_set_clocks", clockList(game, answer.clocks))));
  return out;
}

// Opens a form that shows the effects of its events while it is filled in, and again after each new event. `read` returns the events,
// or null if the form is incomplete. An event that moves the game back is sent only for the position of the preview. If another device
// records first, the form opens again with its entries.
export function openPreview(table, title, content, read, given = {}) {
  const effect = el("div", { class: "effect", role: "status" }), write = el("button", { class: "main" }, t("write"));
  const anyway = button(t("all_the_same"), () => send({ as_played: true }), { hidden: true }); // in sight, below a long reason too
  const made = el("form", { class: "form", "data-do": given.do }, el("h2", {}, title), content, effect, el("div", { class: "row" }, write, button(t("cancel"), () => close()), anyway));
  let timer = null, known = null, asked = 0, shownLast = 0, isConfirmed = false;
  const onStep = () => table.last > shownLast && preview(true);
  const open = () => {
    $("more").append(made);
    table.playback.addEventListener("step", onStep);
  };
  const close = () => {
    clearTimeout(timer);
    table.playback.removeEventListener("step", onStep);
    table.boardInput.pick(null);
    made.remove();
    const opener = $("more").querySelector(`button[data-do="${given.do}"]`);
    (opener?.closest("details:not([open])")?.firstChild ?? opener)?.focus({ preventScroll: true });
  };
  // Names the button by the number of events that it removes.
  const label = () => {
    const count = known?.undone.length ?? 0;
    write.textContent = count < 2 ? t("write") : t(isConfirmed ? "undo_confirm" : "write_undoing", count);
    write.className = count < 2 ? "main" : "main drop";
  };
  const clear = () => {
    known = null;
    write.disabled = false;
    anyway.hidden = true;
    effect.replaceChildren();
    label();
  };
  const send = async (more = {}) => {
    const events = read().map((event) => ({ ...event, ...more })), moves = known?.undone.length || known?.again.length;
    close();
    showDesk(); // on a phone the further buttons cover it
    if (given.do === "other" && !more.as_played) return table.selection.holdSoon({ event: events[0], events, cells: [] });
    const wasOvertaken = await table.sender.record({ event: events.length > 1 ? { events } : events[0], ...(moves ? { expect: known.n } : {}) });
    if (!wasOvertaken) return undefined;
    open();
    await preview(true);
    effect.scrollIntoView({ block: "nearest" });
    return write.focus({ preventScroll: true });
  };
  // Asks for the effects. After an event of another device (`isRenewed`), the old effects and the confirmation last until the answer, so that no button moves.
  const preview = async (isRenewed = false) => {
    const events = made.checkValidity() && read(), mine = ++asked;
    shownLast = table.last;
    isConfirmed &&= isRenewed;
    if (!isRenewed || !events) clear();
    if (!events) return;
    const { status, body } = await table.connection.ask(table.apiPath + "/would", events.length > 1 ? { events } : events[0]).catch(() => ({}));
    if (mine !== asked || !status) return;
    clear();
    if (status === 200 && !body.error) {
      known = body;
      shownLast = Math.max(shownLast, body.n);
      effect.append(...effects(table, body));
      label();
    } else if (given.do !== "@resign" || body.error.code !== "table.hidden") { // the form of a resignation has its own words
      write.disabled = status === 200 && !body.error.code.startsWith("table.");
      effect.append(el("p", { class: body.error.code === "table.hidden" ? "soft" : "bad" }, reasonText(body)));
      anyway.hidden = !canRecordAnyway(table, body, events);
    }
  };
  made.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(preview, PAUSE_MS);
  });
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!known && RETURNING.includes(given.do)) await preview();
    if (!read()) return;
    if (isConfirmed || (known?.undone.length ?? 0) < 2) return send();
    isConfirmed = true;
    label();
  });
  open();
  made.querySelector("input, textarea, select, button")?.focus({ preventScroll: true });
  preview();
  return made;
}

// Returns whether the scorer can record the refused event as played anyway.
export function canRecordAnyway(table, body, events) {
  return table.setup.role === "scorer" && ["play.illegal", "chance.seed", "chance.reveals", "chance.missing"].includes(body.finding?.code) && events.length === 1 && !String(events[0].do).startsWith("@");
}
