// The index of replays: a form that searches, filters, sorts and groups the games. The address keeps the form.

import { $ } from "./dom.js";
import { unpack } from "./embedded_text.js";
import { balance, ListedGame, groupedGames, prepareSearch, searchTerms, sortedGames } from "./game_list.js";
import { GameTable } from "./game_table.js";
import { setTexts, t } from "./texts.js";
import { boardPicture, loadBoards } from "./thumbnails.js";

const FILTERS = ["q", "game", "player", "winner", "reason", "from", "to", "status"], NEWEST = "date-";

// Fills in the form from the address.
function readAddress(form) {
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    const control = form.elements[name];
    if (control?.type === "checkbox") control.checked = true;
    else if (control) control.value = value;
  }
  if (form.elements.sort.selectedIndex < 0) form.elements.sort.value = NEWEST;
}

function keepAddress(wanted) {
  const { sort, ...rest } = wanted, kept = sort === NEWEST ? rest : wanted;
  try {
    history.replaceState(null, "", "#" + new URLSearchParams(kept));
  } catch {
    // a frame without its own address cannot keep the form
  }
}

// Returns the person of the filter and the results of the shown games, in short texts.
function balanceInWords(shown, person, listed) {
  const { won, drawn, open } = balance(shown, person, listed);
  return [person, t("games_won", won), drawn ? t("games_drawn", drawn) : "", open ? t("games_open", open) : ""].filter(Boolean);
}

// Makes the titles of columns buttons that sort.
function sortByTitles(form, apply) {
  for (const button of document.querySelectorAll("#list th button")) {
    button.addEventListener("click", () => {
      const key = button.parentNode.dataset.sort, { sort } = form.elements;
      sort.value = sort.value === key ? `${key}-` : key;
      apply();
    });
  }
}

function markSorted(sort) {
  for (const head of document.querySelectorAll("#list th[data-sort]")) {
    if (head.dataset.sort !== sort.replace("-", "")) head.removeAttribute("aria-sort");
    else head.setAttribute("aria-sort", sort.endsWith("-") ? "descending" : "ascending");
  }
}

async function open() {
  setTexts(JSON.parse($("texts").textContent));
  const games = JSON.parse(await unpack($("games").textContent)).map((one, at) => new ListedGame(one, at)), form = $("filters"), table = new GameTable($("list"), $("fold"));
  const listed = form.elements.player.tagName === "SELECT", { boards } = form.elements;
  let ordered = games, order = NEWEST, pictures = null;

  function apply() {
    const wanted = Object.fromEntries([...new FormData(form)].filter(([, value]) => value)), terms = searchTerms(wanted.q ?? "");
    if (terms.length) prepareSearch(games);
    if (wanted.sort !== order) ordered = sortedGames(games, (order = wanted.sort));
    const shown = ordered.filter((one) => one.fits(wanted, terms, listed)), key = wanted.group ?? "";
    if (wanted.boards) askForBoards();
    table.show(key ? groupedGames(shown, key) : new Map([["", shown]]), key, wanted.boards ? (game) => pictures && boardPicture(pictures, game.at) : null);
    markSorted(order);
    $("count").textContent = [t("games_shown", shown.length, games.length), ...(wanted.player ? balanceInWords(shown, wanted.player, listed) : [])].join(" · ");
    $("clear").hidden = !FILTERS.some((name) => wanted[name]);
    keepAddress(wanted);
  }

  async function askForBoards() {
    if (pictures !== null) return;
    pictures = false;
    try {
      pictures = await loadBoards(boards.value);
    } catch {
      pictures = null;
      boards.checked = false;
      boards.disabled = true;
    }
    apply();
    if (!pictures) $("count").textContent = t("boards_missing");
  }

  readAddress(form);
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => (form.reset(), readAddress(form), apply()));
  $("clear").addEventListener("click", () => {
    for (const name of FILTERS) form.elements[name].value = "";
    form.elements.q.focus();
    apply();
  });
  $("more").addEventListener("click", () => $("more").setAttribute("aria-expanded", String(form.classList.toggle("open"))));
  sortByTitles(form, apply);
  apply();
  document.documentElement.classList.add("ready");
  setTimeout(prepareSearch, 0, games);
}

open();
