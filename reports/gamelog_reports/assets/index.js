// The index of replays: search, filters that the address keeps, and sorting by a column. Rows are added while the reader scrolls.

import { $, el } from "./dom.js";
import { setTexts, t } from "./texts.js";

const STRETCH = 60; // rows that are added at a time

const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const order = new Intl.Collator();

// A game of the list. The members have the order in which site.py writes them. The searchable text is computed at the first search.
class Game {
  constructor([date, game, href, title, names, tags, file, winners, reason, events, status, problem, players, victors, copy, details]) {
    Object.assign(this, { date, game, href, title, names, tags, file, winners, reason, events, status, problem, players, victors, copy, details });
    this.people = names.join(" – ") || title;
    this.result = winners ? `${winners.join(", ") || t("draw")} ${reason}` : "–";
  }

  get words() {
    const { date, game, people, players, tags, file, result, events, status, problem, copy, details } = this, marked = copy ? t("copy_of_game") : "";
    return (this.folded ??= fold([date, game, people, ...players, ...tags, file, result, events, t("status_" + status), problem, marked, details].join(" ")));
  }
}

const names = (all, between) => all.flatMap((name, at) => [at ? between : "", el("bdi", {}, name)]);
const small = (...inside) => el("small", {}, inside);

function row({ date, game, href, title, names: people, tags, file, winners, reason, events, status, problem, copy, details }) {
  const called = people.length ? names(people, " – ") : names([title], "");
  const result = winners ? [...(winners.length ? names(winners, ", ") : [t("draw")]), " ", small(reason)] : "–";
  return el("tr", {},
    el("td", { class: "day" }, date),
    el("td", {}, game),
    el("td", { class: "people" }, href ? el("a", { href }, called) : called, tags.length ? small(names(tags, " ")) : null, details ? small(el("bdi", {}, details)) : null,
      file && people.length ? el("small", { class: "file" }, el("bdi", {}, file)) : null),
    el("td", { class: winners ? "result" : "result open", "data-name": t("result") }, result),
    el("td", { class: "number", "data-name": t("events") }, String(events)),
    el("td", {}, el("span", { class: `chip s-${status}` }, t("status_" + status)), problem ? small(el("bdi", {}, problem)) : null,
      copy ? small(t("copy_of_game")) : null));
}

// Returns whether a game fits the filters. Players that are `listed` match by their exact names, which may differ only in an accent.
function fits(one, wanted, listed) {
  const named = (names, name) => (listed ? names.includes(name) : names.some((known) => fold(known) === fold(name)));
  return (!wanted.q || fold(wanted.q).split(/\s+/).every((word) => one.words.includes(word)))
    && (!wanted.game || one.game === wanted.game)
    && (!wanted.status || one.status === wanted.status)
    && (!wanted.reason || (one.winners ? one.reason : "-") === wanted.reason)
    && (!wanted.player || named(one.players, wanted.player))
    && (!wanted.winner || named(one.victors, wanted.winner))
    && (!wanted.from || one.date >= wanted.from)
    && (!wanted.to || (one.date && one.date <= wanted.to));
}

// Returns a function that shows games in the table, which grows while its end is near.
function table(body) {
  let games = [], made = 0;
  const grow = (count) => body.append(...games.slice(made, (made += count)).map(row));
  const end = body.closest("table").parentNode.appendChild(el("div"));
  const sight = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting || made >= games.length) return;
    grow(STRETCH);
    sight.unobserve(end); // the observer reports the end again if it is still near
    sight.observe(end);
  }, { rootMargin: "1000px 0px" });
  addEventListener("beforeprint", () => grow(games.length));
  return (wanted) => {
    games = wanted;
    made = 0;
    body.replaceChildren();
    grow(STRETCH);
    sight.unobserve(end);
    sight.observe(end);
  };
}

function sorting(games, apply) {
  for (const head of document.querySelectorAll("th[data-sort]")) {
    const key = head.dataset.sort, text = head.textContent;
    head.replaceChildren(el("button", { type: "button" }, text));
    head.firstChild.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending", sign = down ? -1 : 1;
      for (const other of document.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      games.sort((a, b) => sign * (key === "events" ? a.events - b.events : order.compare(a[key], b[key])));
      apply();
    });
  }
}

function open() {
  setTexts(JSON.parse($("texts").textContent));
  const games = JSON.parse($("games").textContent).map((one) => new Game(one)), form = $("filters"), show = table(document.querySelector("tbody"));
  const listed = form.elements.player.tagName === "SELECT";
  const apply = () => {
    const wanted = Object.fromEntries([...new FormData(form)].filter(([, value]) => value)), shown = games.filter((one) => fits(one, wanted, listed));
    show(shown);
    $("count").textContent = t("games_shown", shown.length, games.length);
    try {
      history.replaceState(null, "", "#" + new URLSearchParams(wanted));
    } catch {
      // a frame without its own address cannot keep filters
    }
  };
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) if (form.elements[name]) form.elements[name].value = value;
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  sorting(games, apply);
  apply();
  document.documentElement.classList.add("ready");
}

open();
