// The form for a new game. Its controls follow from the options of the chosen game.

import { $, button, el } from "./dom.js";
import { labelledField, selectField } from "./event_form.js";
import { tableAddress } from "./session.js";
import { t } from "./texts.js";

const LAST_GAME = "gamelog.game", LAST_TAGS = "gamelog.tags";

const sameValue = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function hint(meaning) {
  return meaning ? el("small", { class: "soft" }, meaning) : null;
}

// Returns a control {node, read} for an option, which reads the option's value.
function optionControl({ name, title, meaning, kind, default: given, least, most, none, choices }) {
  if (kind === "switch") {
    const input = el("input", { type: "checkbox", checked: given, name });
    return { name, node: el("label", { class: "check" }, input, el("span", {}, title, hint(meaning))), read: () => input.checked };
  }
  if (kind === "number") {
    const input = el("input", { type: "number", inputmode: "numeric", step: 1, min: least, max: most, name, required: !none, placeholder: none || null, value: given });
    const range = least === null || most === null ? "" : ` (${t("range", least, most)})`;
    return { name, node: el("label", {}, el("span", {}, title + range), input, hint(none ? `${meaning} ${t("empty_means", none)}` : meaning)), read: () => (input.value === "" ? null : Number(input.value)) };
  }
  if (kind === "choice") {
    const input = selectField(choices.map(([, text], at) => [at, text]), choices.findIndex(([value]) => sameValue(value, given)));
    input.name = name;
    return { name, node: el("label", {}, el("span", {}, title), input, hint(meaning)), read: () => choices[input.value][0] };
  }
  const inputs = choices.map(([key, text]) => [key, el("input", { type: "number", inputmode: "numeric", min: 0, step: 1, required: true, value: given[key], "aria-label": text }), text]);
  return { name, node: el("fieldset", {}, el("legend", {}, title), hint(meaning), inputs.map(([, input, text]) => labelledField(text, input))), read: () => Object.fromEntries(inputs.map(([key, input]) => [key, Number(input.value)])) };
}

class NewGameForm {
  constructor(lobby, games, close) {
    Object.assign(this, { lobby, connection: lobby.connection, games, controls: [], boardInput: null });
    this.game = selectField(games.map(({ id, title }) => [id, title]), localStorage.getItem(LAST_GAME));
    this.count = el("select", { name: "players" });
    this.people = el("fieldset", { class: "people-names" });
    this.boards = el("fieldset", { class: "boards" });
    this.rules = el("div", { class: "form" });
    this.ids = el("div", { class: "people-ids" });
    this.tags = el("textarea", { name: "tags", rows: 2, dir: "auto" });
    this.tags.value = sessionStorage.getItem(LAST_TAGS) ?? ""; // the tables of an evening have the same
    this.name = el("input", { maxlength: 100, name: "record", placeholder: t("name_by_itself") });
    this.dice = selectField(["table", "seeded"].map((one) => [one, t("roll_" + one)]), "table");
    this.takebacks = selectField(["scorer", "agreed", "arbiter"].map((one) => [one, t("takebacks_" + one)]), "scorer");
    this.rolls = selectField(["scorer", "players"].map((one) => [one, t("rolls_" + one)]), "scorer");
    this.rolls.addEventListener("change", () => (this.takebacks.value = this.rolls.value === "players" ? "agreed" : "scorer")); // without a scorer, the others must agree
    this.rolling = el("label", {}, el("span", {}, t("rolls")), this.rolls, hint(t("rolls_hint")));
    this.dice.addEventListener("change", () => (this.rolling.hidden = this.dice.value !== "table"));
    this.wrong = el("p", { role: "alert" });
    this.start = el("button", { class: "main" }, t("start_game"));
    this.another = el("button", { value: "another" }, t("start_another"));
    this.started = el("p", { role: "status" });
    this.game.addEventListener("change", () => this.choose());
    this.count.addEventListener("change", () => this.sit());
    $("begin").replaceChildren(el("h2", {}, t("new_game")), labelledField(t("the_game"), this.game), labelledField(t("how_many"), this.count), this.people, this.started, labelledField(t("record_name"), this.name), this.boards,
      el("details", {}, el("summary", {}, t("settings")), el("div", { class: "form" }, labelledField(t("roll_from"), this.dice), this.rolling, el("label", {}, el("span", {}, t("takebacks")), this.takebacks, hint(t("takebacks_hint"))), this.rules)),
      el("details", { open: Boolean(this.tags.value) }, el("summary", {}, t("ids_and_tags")), el("div", { class: "form" }, this.ids, hint(t("id_means")), el("label", {}, el("span", {}, t("member_tags")), this.tags, hint(t("tags_hint"))))),
      this.wrong, el("div", { class: "row" }, this.start, this.another, close && button(t("cancel"), close)));
    $("begin").addEventListener("submit", (event) => this.submit(event));
    this.choose();
  }

  get chosen() {
    return this.games.find(({ id }) => id === this.game.value) ?? this.games[0];
  }

  // Shows the parts of the form that depend on the game.
  choose() {
    const { seats, boards, controls } = this.chosen, counts = Object.keys(seats);
    this.count.replaceChildren(...counts.map((one) => el("option", {}, one)));
    this.count.disabled = counts.length < 2; // the number says for how many players the game is
    this.boards.hidden = boards.length < 2;
    this.controls = controls.filter(({ kind }) => kind !== "other").map(optionControl);
    this.rules.replaceChildren(...this.controls.map(({ node }) => node), controls.some(({ kind }) => kind === "other") ? hint(t("other_options")) : "");
    this.showBoards();
    this.sit();
  }

  showBoards() {
    const { id, boards, board_names: names } = this.chosen;
    this.boards.replaceChildren(el("legend", {}, t("board")), ...boards.map((one, at) => el("label", {}, el("input", { type: "radio", name: "board", value: one, checked: at === 0 }), el("img", { alt: "", width: 120, height: 120, "data-board": `${id}/${one}` }), el("span", {}, names[one]))));
    if (boards.length > 1) for (const image of this.boards.querySelectorAll("img")) this.draw(image);
  }

  async draw(image) {
    const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light", [game, board] = image.dataset.board.split("/").map(encodeURIComponent);
    const answer = await this.connection.open(`/api/games/${game}/boards/${board}?theme=${theme}`).catch(() => null);
    if (answer?.ok) image.src = "data:image/svg+xml," + encodeURIComponent(await answer.text());
  }

  // Shows a field for the name of each player. The names that were typed stay.
  sit() {
    const { seats, seat_names: words } = this.chosen, typed = [...this.people.querySelectorAll("input")].map((one) => one.value);
    this.people.replaceChildren(el("legend", {}, t("players")), ...seats[this.count.value].map((seat, at) => labelledField(words[seat], el("input", { name: seat, dir: "auto", required: true, maxlength: 100, autocomplete: "off", value: typed[at] ?? "" }))));
    const ids = [...this.ids.querySelectorAll("input")].map((one) => one.value);
    this.ids.replaceChildren(...seats[this.count.value].map((seat, at) => labelledField(t("id_of", words[seat]), el("input", { name: seat, maxlength: 100, autocomplete: "off", value: ids[at] ?? "" }))));
  }

  // Returns the tags: one on each line, NAME=VALUE.
  readTags() {
    return Object.fromEntries(this.tags.value.split("\n").map((line) => line.split("=")).filter(([name]) => name.trim()).map(([name, ...value]) => [name.trim(), value.join("=").trim()]));
  }

  // Shows why no game was started, below the field that is wrong if the answer is about one field.
  showFault({ code, message }) {
    const names = [...this.people.querySelectorAll("input")], same = names.find((one, at) => names.findIndex(({ value }) => value.trim() === one.value.trim()) < at);
    const field = ["record.exists", "table.name"].includes(code) ? this.name : same;
    if (field) field.parentElement.append(this.wrong);
    else this.start.parentElement.before(this.wrong);
    this.wrong.textContent = message;
    field?.focus();
  }

  // Empties the names for the next table. Game, board, options and tags stay. Only tables that choose it have no scorer.
  prepareNext(name) {
    this.rolls.value = "scorer";
    this.rolls.dispatchEvent(new Event("change"));
    for (const input of [this.name, ...this.people.querySelectorAll("input"), ...this.ids.querySelectorAll("input")]) input.value = "";
    this.started.textContent = t("game_started", name);
    this.people.querySelector("input").focus();
    this.lobby.showNew();
  }

  async submit(event) {
    event.preventDefault();
    this.start.disabled = this.another.disabled = true;
    this.wrong.textContent = this.started.textContent = "";
    const ids = Object.fromEntries([...this.ids.querySelectorAll("input")].map((one) => [one.name, one.value.trim()])), tags = this.readTags();
    const seats = Object.fromEntries([...this.people.querySelectorAll("input")].map((one) => [one.name, one.value.trim() + (ids[one.name] ? ` <${ids[one.name]}>` : "")]));
    const options = Object.fromEntries(this.controls.map(({ name, read }) => [name, read()]).filter(([name, value]) => !sameValue(value, this.chosen.options[name])));
    const board = this.boards.querySelector("input:checked")?.value ?? null, wanted = this.name.value.trim();
    try {
      const { status, body } = await this.connection.ask("/api/records", { game: this.chosen.id, seats, board, options, dice: this.dice.value, takebacks: this.takebacks.value, rolls: this.rolls.value, tags, ...(wanted ? { name: wanted } : {}) });
      localStorage.setItem(LAST_GAME, this.chosen.id);
      sessionStorage.setItem(LAST_TAGS, this.tags.value);
      if (status === 201 && event.submitter === this.another) this.prepareNext(body.name);
      else if (status === 201) location.assign(tableAddress(body.name));
      else this.showFault(body.error);
    } catch {
      this.showFault({ message: t("line_lost") });
    } finally {
      this.start.disabled = this.another.disabled = false;
    }
  }
}

// Shows the form, or a button that opens it if there are records already. The form asks for the games when it opens.
export async function offerNewGame(lobby, isOpen) {
  let form = null;
  const show = () => {
    $("begin").hidden = false;
    made.remove();
    if (!isOpen) form.people.querySelector("input")?.focus();
  };
  const close = () => {
    $("begin").hidden = true;
    $("begin").before(made);
    made.focus();
  };
  const open = async () => {
    if (form) return show();
    const { status, body } = await lobby.connection.ask("/api/games").catch(() => ({ body: { error: { message: t("line_lost") } } }));
    if (status !== 200) $("line").textContent = body.error.message;
    if (status !== 200 || !body.games.length) return;
    form = new NewGameForm(lobby, body.games, isOpen ? null : close);
    show();
  };
  const made = button(t("new_game"), open, { class: "main" });
  if (isOpen) await open();
  else {
    $("begin").before(made);
    document.addEventListener("keydown", ({ key }) => key === "Escape" && !$("begin").hidden && close());
  }
}
