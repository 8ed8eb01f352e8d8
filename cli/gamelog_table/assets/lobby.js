// The lobby: the records of a folder, and the form for a new one.

import { $, el } from "./dom.js";
import { labelledField } from "./event_form.js";
import { t } from "./texts.js";

export function showLobby(connection, session, open) {
  $("hello").textContent = session.records.length ? t("records") : t("no_records");
  $("records").replaceChildren(...session.records.map((record) => {
    const names = record.seats.map(({ name }) => name).join(" – "), link = el("button", { type: "button" }, `${record.name}: ${record.game}, ${names}`);
    link.addEventListener("click", () => open(record.name));
    return el("li", {}, link);
  }));
  if (session.role === "scorer" && session.folder) begin(connection, open);
}

async function begin(connection, open) {
  const { games } = (await connection.ask("/api/games")).body, form = $("begin");
  const name = el("input", { required: true, maxlength: 100 }), game = el("select", {}, games.map(({ id, title }) => el("option", { value: id }, title)));
  const count = el("select"), people = el("div", { class: "form" }), dice = el("select", {}, ["table", "seeded"].map((one) => el("option", { value: one }, t("roll_" + one))));
  const board = el("select"), options = el("div", { class: "form" }), wrong = el("p", { role: "alert" });
  const now = () => games.find(({ id }) => id === game.value);
  const sit = () => people.replaceChildren(...now().seats[count.value].map((seat) => labelledField(seat, el("input", { name: seat, required: true, autocomplete: "off" }))));
  const choose = () => {
    count.replaceChildren(...Object.keys(now().seats).map((one) => el("option", {}, one)));
    board.replaceChildren(...now().boards.map((one) => el("option", {}, one)));
    board.parentElement.hidden = !now().boards.length;
    options.replaceChildren(...Object.entries(now().options).map(([option, value]) => labelledField(option.replaceAll("_", " "), el("input", { name: option, value: JSON.stringify(value) }))));
    sit();
  };
  game.addEventListener("change", choose);
  count.addEventListener("change", sit);
  form.replaceChildren(el("h2", {}, t("new_game")), labelledField(t("record_name"), name), labelledField(t("the_game"), game), labelledField(t("how_many"), count), people, labelledField(t("dice_from"), dice), labelledField(t("board"), board),
    el("details", {}, el("summary", {}, t("options")), options), wrong, el("button", { class: "main" }, t("start_game")));
  choose();
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const seats = Object.fromEntries([...people.querySelectorAll("input")].map((input) => [input.name, input.value]));
    const chosen = Object.fromEntries([...options.querySelectorAll("input")].map((input) => [input.name, optionValue(input.value)]).filter(([option, given]) => JSON.stringify(given) !== JSON.stringify(now().options[option])));
    const { status, body } = await connection.ask("/api/records", { name: name.value.trim(), game: game.value, seats, options: chosen, board: board.value || null, dice: dice.value });
    if (status === 201) open(body.name);
    else wrong.textContent = body.error.message;
  });
}

function optionValue(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
