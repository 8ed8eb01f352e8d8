// The table of games in an index. Rows are made while the reader scrolls. Groups of games can be folded.

import { el } from "./dom.js";
import { dayInWords } from "./game_list.js";
import { t } from "./texts.js";

const STRETCH = 60; // rows that are added at a time

const list = (texts, between) => texts.flatMap((one, at) => [at ? between : "", el("bdi", {}, one)]);

function peopleCell(game) {
  const { href, names, title, file, winners, remarks, people, date } = game, source = names.length ? file : "";
  const called = names.flatMap((name, at) => [at ? " – " : "", el("bdi", { class: winners?.includes(name) ? "won" : null }, name)]);
  const shown = called.length ? called : [el("bdi", {}, title)];
  return el("td", { class: "people", title: [people, ...remarks].join(" · ") }, el("div", {}, el(href ? "a" : "span", { href: href || null, class: "names", "aria-label": href ? [people, game.game, date, ...remarks, source].filter(Boolean).join(", ") : null }, shown), " ",
    el("small", {}, list(remarks, " · "), source ? el("span", { class: "file" }, remarks.length ? " · " : "", el("bdi", {}, source)) : null)));
}

// Up to two lines of a text.
const cell = (name, ...inside) => el("td", { class: name }, el("span", { class: "lines" }, inside));

// The state of a record. The short form is before the colon. The problem opens below.
function statusCell({ status, problem }) {
  const chip = { class: `chip s-${status}` }, [short] = t("status_" + status).split(":");
  return el("td", { class: `status ${status}` }, problem
    ? el("details", {}, el("summary", chip, short), el("bdi", {}, problem))
    : el("span", chip, short));
}

function gameRow(game, picture) {
  const { date, game: kind, points, winners, winner, result, events } = game;
  return el("tr", {},
    picture ? el("td", { class: "picture" }, picture(game)) : null,
    el("td", { class: "day" }, date),
    cell("game", kind),
    peopleCell(game),
    cell("points number", points.map((one, at) => [at ? [":", el("wbr")] : null, String(one ?? "–").replace("-", "−")])),
    cell("winner", winners?.length ? list(winners, ", ") : winner),
    cell("result", winners?.length === 0 ? el("span", { class: "drawn" }, winner, " · ") : null, result),
    el("td", { class: "events number" }, String(events)),
    statusCell(game));
}

const TITLES = { date: (day) => (day ? dayInWords(day) : t("no_day")), event: (name) => name || t("no_event"), round: (name) => name || t("no_round"), game: (name) => name || t("no_game") };

export class GameTable {
  // Makes the table with its button that folds all groups.
  constructor(table, foldButton) {
    Object.assign(this, { table, foldButton, items: [], made: 0, groups: new Map(), folded: new Set(), key: "", picture: null });
    this.end = table.parentNode.appendChild(el("div"));
    this.sight = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting || this.made >= this.items.length) return;
      this.grow(STRETCH);
      this.watch(); // the observer reports the end again if it is still near
    }, { rootMargin: "1000px 0px" });
    foldButton.addEventListener("click", () => this.foldAll());
    addEventListener("beforeprint", () => this.grow(this.items.length));
  }

  watch() {
    this.sight.unobserve(this.end);
    this.sight.observe(this.end);
  }

  // Shows groups of games by their value of `key`, or the games of the only group without a title if there is no key.
  show(groups, key, picture) {
    if (key !== this.key) this.folded.clear();
    Object.assign(this, { groups, key, picture });
    this.list();
    this.table.classList.toggle("pictures", Boolean(picture));
    for (const body of this.table.querySelectorAll("tbody")) body.remove();
    if (!key) this.table.append(el("tbody"));
    this.made = 0;
    this.grow(STRETCH);
    this.watch();
  }

  get areFolded() {
    return this.groups.size === this.folded.size;
  }

  list() {
    this.foldButton.hidden = !this.key;
    this.foldButton.textContent = t(this.areFolded ? "open_groups" : "fold_groups");
    this.items = [...this.groups].flatMap(([name, games]) => [...(this.key ? [{ name, count: games.length }] : []), ...(this.folded.has(name) ? [] : games)]);
  }

  grow(count) {
    for (const item of this.items.slice(this.made, (this.made += count))) {
      if ("count" in item) this.table.append(el("tbody", {}, this.title(item)));
      else this.table.lastElementChild.append(gameRow(item, this.picture));
    }
  }

  title({ name, count }) {
    const head = el("button", { type: "button", "aria-expanded": String(!this.folded.has(name)) }, el("bdi", {}, TITLES[this.key](name)), el("small", {}, t(count === 1 ? "one_game" : "many_games", count)));
    head.addEventListener("click", () => this.fold(name, head));
    return el("tr", { class: "group" }, el("th", { colspan: this.picture ? "9" : "8", scope: "rowgroup" }, head));
  }

  // Folds or opens a group. Rows after its title are made again.
  fold(name, head) {
    const isFolded = this.folded.delete(name), body = head.closest("tbody"), at = this.items.findIndex((item) => "count" in item && item.name === name);
    if (!isFolded) this.folded.add(name);
    head.setAttribute("aria-expanded", String(isFolded));
    while (body.nextElementSibling) body.nextElementSibling.remove();
    while (body.children.length > 1) body.lastElementChild.remove();
    this.list();
    this.made = at + 1;
    this.grow(STRETCH);
    this.watch();
  }

  // Folds all groups, or opens them if all are folded.
  foldAll() {
    this.folded = new Set(this.areFolded ? [] : this.groups.keys());
    this.show(this.groups, this.key, this.picture);
  }
}
