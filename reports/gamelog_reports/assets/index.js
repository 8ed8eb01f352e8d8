// The index of replays: search, filters that stay in the address, and sorting by a column.

import { $, el } from "./dom.js";
import { speak, t } from "./texts.js";

const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function facts(row) {
  const [, , people, result] = row.cells, names = (cell) => [...cell.querySelectorAll("bdi")].map((name) => name.textContent);
  return { row, ...row.dataset, events: Number(row.dataset.events), names: names(people), winners: names(result), result: result.textContent, people: people.textContent, words: fold(row.textContent) };
}

function fits(one, wanted) {
  const named = (names, name) => names.some((known) => fold(known) === fold(name));
  return (!wanted.q || fold(wanted.q).split(/\s+/).every((word) => one.words.includes(word)))
    && (!wanted.game || one.game === wanted.game)
    && (!wanted.status || one.status === wanted.status)
    && (!wanted.reason || one.reason === wanted.reason)
    && (!wanted.player || named(one.names, wanted.player))
    && (!wanted.winner || named(one.winners, wanted.winner))
    && (!wanted.from || one.date >= wanted.from)
    && (!wanted.to || (one.date && one.date <= wanted.to));
}

function sorting(rows, body) {
  for (const head of document.querySelectorAll("th[data-sort]")) {
    const key = head.dataset.sort, text = head.textContent;
    head.replaceChildren(el("button", { type: "button" }, text));
    head.firstChild.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending", sign = down ? -1 : 1;
      for (const other of document.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      rows.sort((a, b) => sign * (key === "events" ? a.events - b.events : String(a[key]).localeCompare(String(b[key]))));
      body.append(...rows.map(({ row }) => row));
    });
  }
}

function open() {
  speak(JSON.parse($("texts").textContent));
  const body = document.querySelector("tbody"), rows = [...body.rows].map(facts), form = $("filters");
  const apply = () => {
    const wanted = Object.fromEntries([...new FormData(form)].filter(([, value]) => value));
    let shown = 0;
    for (const one of rows) shown += !(one.row.hidden = !fits(one, wanted));
    $("count").textContent = t("games_shown", shown, rows.length);
    try {
      history.replaceState(null, "", "#" + new URLSearchParams(wanted));
    } catch {
      // a frame without an address of its own keeps no filters
    }
  };
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) if (form.elements[name]) form.elements[name].value = value;
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  sorting(rows, body);
  apply();
  document.documentElement.classList.add("ready");
}

open();
