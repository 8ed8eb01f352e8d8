// The games of an index: their data, the words by which a search finds them, filters and orders.

import { foldAccents, t } from "./texts.js";

const collator = new Intl.Collator();
const dayFormat = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "full", timeZone: "UTC" });
const days = new Map();

// Returns the day "2026-11-21" in words of the page's language, with the day of the week.
export function dayInWords(date) {
  if (!days.has(date)) days.set(date, dayFormat.format(new Date(date)));
  return days.get(date);
}

// Whether `names` contain a name. Players that are `listed` match by their exact names, which may differ only in an accent.
const isNamed = (names, name, listed) => (listed ? names.includes(name) : names.some((known) => foldAccents(known) === foldAccents(name)));

// A game of the list. The members have the order in which site.py writes them. `prepareSearch` adds the searchable text.
export class ListedGame {
  constructor([started, game, href, title, names, event, round, tags, file, winners, reason, points, events, status, problem, players, victors, copy, details], at) {
    Object.assign(this, { started, game, href, title, names, event, tags, file, winners, reason, points, events, status, problem, copy, details, at });
    this.turn = round && t("round", round);
    this.round = round && [event, this.turn].filter(Boolean).join(" · ");
    this.date = started.slice(0, 10);
    this.players = players ?? names;
    this.victors = victors ?? winners ?? [];
    this.people = names.join(" – ") || title;
    this.winner = winners ? winners.join(", ") || t("draw") : "–";
    this.result = winners ? reason : t("unfinished");
  }

  // Short texts that distinguish the game from other games of its players.
  get remarks() {
    const { copy, turn, tags, details, event } = this;
    return [copy ? t("copy_of_game") : "", details, turn, ...tags, event].filter(Boolean);
  }

  get searchable() {
    const { date, game, title, names, players, file, winners, winner, result, events, status, problem, remarks } = this, day = date ? dayInWords(date) : "";
    const people = players === names ? names : names.concat(players);
    return [date, day, game, title, people.join("\n"), remarks.join("\n"), file, winners ? `${winner} ${result}` : result, events, t("status_" + status), problem].join("\n");
  }

  // Whether the game fits the filters.
  fits(wanted, terms, listed) {
    return (!wanted.game || this.game === wanted.game)
      && (!wanted.status || this.status === wanted.status)
      && (!wanted.reason || (this.winners ? this.reason : "-") === wanted.reason)
      && (!wanted.player || isNamed(this.players, wanted.player, listed))
      && (!wanted.winner || isNamed(this.victors, wanted.winner, listed))
      && (!wanted.from || this.date >= wanted.from)
      && (!wanted.to || (this.date && this.date <= wanted.to))
      && terms.every((isIn) => isIn(this.words));
  }
}

// Returns how many of the games a person won, how many were drawn, and how many are not finished.
export function balance(games, person, listed) {
  const won = games.filter(({ victors }) => isNamed(victors, person, listed)).length;
  return { won, drawn: games.filter(({ winners }) => winners?.length === 0).length, open: games.filter(({ winners }) => !winners).length };
}

// Computes the searchable texts once. All texts are folded as one text, because this takes less time than many short texts.
export function prepareSearch(games) {
  if (!games.length || games[0].words) return;
  foldAccents(games.map((game) => game.searchable).join("\0")).split("\0").forEach((words, at) => (games[at].words = words));
}

// Returns a function for each term of a query. It returns whether a text contains the term. Words in quotes are one term that begins and
// ends with whole words. A quote that is not closed yet can end within a word.
export function searchTerms(query) {
  const quoted = foldAccents(query).replace(/[“”„‟«»″]/g, '"'), terms = [];
  for (const [, phrase, end, word] of quoted.matchAll(/"([^"]*)("|$)|([^\s"]+)/g)) {
    const text = (word ?? phrase).trim().replace(/\s+/g, " ");
    if (word) terms.push((words) => words.includes(text));
    else if (text) {
      const whole = new RegExp(`(?<![\\p{L}\\p{N}])${text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}${end ? "(?![\\p{L}\\p{N}])" : ""}`, "u");
      terms.push((words) => words.includes(text) && whole.test(words));
    }
  }
  return terms;
}

const most = (points) => points.reduce((high, one) => Math.max(high, one ?? -Infinity), -Infinity);
const text = (key) => (a, b) => collator.compare(a[key], b[key]);
const ORDERS = {
  date: (a, b) => (a.started < b.started ? -1 : a.started > b.started ? 1 : 0),
  points: (a, b) => (most(a.points) === most(b.points) ? 0 : most(a.points) - most(b.points)),
  events: (a, b) => a.events - b.events,
};

// Returns the games in the order `sort`: the name of a column, and "-" if it descends. Equal games keep their order, the newest first.
export function sortedGames(games, sort) {
  const key = sort.replace("-", ""), compare = ORDERS[key] ?? text(key);
  return games.toSorted(sort.endsWith("-") ? (a, b) => compare(b, a) : compare);
}

// Returns the games in groups of the same `key`, in the order of their first games. Games without it come last.
export function groupedGames(games, key) {
  const groups = new Map();
  for (const game of games) {
    if (!groups.has(game[key])) groups.set(game[key], []);
    groups.get(game[key]).push(game);
  }
  const without = groups.get("");
  if (without) groups.delete(""), groups.set("", without);
  return groups;
}
