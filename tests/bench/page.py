"""Replay pages: their size, how quickly long games are on the screen and step, and pages written a second.

    python -m tests.bench.page [RECORDS]

The run prints the bytes of a page without its data, in every language. Then it measures games of about 2,500
and 20,000 events of two games in Chromium. (The long ones return to their start again and again.) It
measures:

- the time from opening the file until the board is painted;
- the time of a step and of a jump on the main thread (script and layout, including the next frame);
- the time of a search until all results are shown, and its longest pause;
- the number of nodes.

Each figure is the least over all rounds, for each of the hundred steps separately, so that other work of the
machine does not count. Last come an index of 5,000 games, and the pages a second of a site of RECORDS records
(1,000 by default) of all games, in one process.
"""

from __future__ import annotations

import gzip
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

from gamelog_reports.replay_page.page import replay_page
from gamelog_reports.site import Entry, entry, publish, write_index
from msgspec import structs
from playwright.sync_api import Browser, Page, sync_playwright

from gamelog.play.contract.locales import LANGUAGES
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.common_events import Takeback
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.recording.series import simulate_game
from gamelog.record.envelope import DiceSpec, Event
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from tests.browser.chromium import MISSING, QUIET, WHOLE, chromium
from tests.reports import payload
from tests.reports.toy import folded

EVENTS = 2_500
LONGEST = 20_000
LONG = {"slicewars": 6, "dice_flags": 4}
GAMES = 5_000
PRINTED = 1_000
PDF_PAGE = b"/Type /Page\n"
ROUNDS = 5

SHOWN = """() => new Promise((done) => {
    const look = () => document.documentElement.classList.contains('ready')
        ? requestAnimationFrame(() => setTimeout(() => done(performance.now())))
        : setTimeout(look, 1);
    look();
})"""

STEPS = """async (places) => {
    const taken = [], layout = () => document.body.getBoundingClientRect() && document.getElementById('list').scrollTop;
    const frame = () => new Promise((done) => requestAnimationFrame(() => done(performance.now())));
    for (const n of places) {
        await new Promise((done) => setTimeout(done));
        const begun = frame(), start = performance.now();
        gamelog.goto(n);
        layout();
        const spent = performance.now() - start, ended = frame(), from = await begun;
        await ended;
        layout();
        taken.push(spent + performance.now() - from);
    }
    return taken;
}"""

SEARCH = """async ([field, told, words]) => {
    const box = document.querySelector(field), count = document.querySelector(told), before = count.textContent;
    const start = performance.now();
    let last = start, held = 0;
    box.value = words;
    box.dispatchEvent(new Event('input', { bubbles: true }));
    while (count.textContent === before || count.textContent.includes('…')) {
        held = Math.max(held, performance.now() - last);
        last = performance.now();
        await new Promise((done) => setTimeout(done));
    }
    document.body.getBoundingClientRect();
    return [performance.now() - start, Math.max(held, performance.now() - last)];
}"""


def long_game(name: str, events: int) -> FoldedRecord:
    """Return a game that goes back to its start after about `EVENTS` events, until it has `events`."""
    made = (simulate_game(find(name), "page", at, players=LONG[name]) for at in range(40))
    header, played = min(made, key=lambda one: abs(len(one[1]) - EVENTS))

    def again() -> Iterator[Event]:
        n = begun = 0
        while n < events:
            for event in played:
                n += 1
                yield structs.replace(event, n=n, t=begun + event.t)
            begun += played[-1].t
            if n < events:
                n += 1
                yield Takeback(n, begun, played[0].by, 0)

    told = again() if events > EVENTS else played
    return fold_record(parse_record(compose(structs.replace(header, dice=DiceSpec("table")), [*told])[0]))


def open_timed(browser: Browser, path: Path) -> tuple[Page, float]:
    """Return the page at `path`, and the milliseconds until it was painted."""
    tab = browser.new_page(viewport={"width": 1366, "height": 768})
    tab.goto(path.as_uri(), wait_until="commit")
    return tab, tab.evaluate(SHOWN)


def measure_round(browser: Browser, path: Path) -> list[Any]:
    """Return the figures of one round: ms until painted, of each step, of each jump, of a search; nodes."""
    tab, until = open_timed(browser, path)
    last = tab.evaluate("gamelog.last")
    middle = last // 2
    steps = tab.evaluate(STEPS, list(range(middle, middle + 100)))
    jumps = tab.evaluate(STEPS, [(at * 617) % last for at in range(100)])
    search = tab.evaluate(SEARCH, ["#search", "#found", "takes"])
    nodes = tab.evaluate("document.querySelectorAll('*').length")
    tab.close()
    return [until, steps, jumps, search, nodes]


def spread(rounds: tuple[list[float], ...]) -> str:
    """Return the median and the 95th percentile of the least times."""
    least = sorted(map(min, zip(*rounds, strict=True)))
    return f"{least[len(least) // 2]:.1f} ms (95 of 100 within {least[len(least) * 95 // 100 - 1]:.1f})"


def screen(browser: Browser, name: str, events: int, folder: Path) -> str:
    """Print a line about a long game in the browser."""
    judged = long_game(name, events)
    path = folder / f"{name}-{events}.html"
    path.write_text(replay_page(judged), encoding="utf-8")
    until, steps, jumps, searches, nodes = zip(
        *(measure_round(browser, path) for _ in range(ROUNDS)), strict=True
    )
    return (
        f"{name}, {len(judged.events)} events: painted after {min(until):.0f} ms; a step {spread(steps)}; "
        f"a jump {spread(jumps)}; a search {min(searches)[0]:.0f} ms, {min(held for _, held in searches):.0f} at once; "
        f"{max(nodes):,} nodes"
    )


def club_games(count: int) -> list[Entry]:
    """Return the entries of `count` games of a club, with the final positions of simulated games."""
    played = [simulate_game(find(name), "index", 0, players=min(find(name).seats)) for name in names()]
    ended = [entry(fold_record(parse_record(compose(*one)[0])), "games/game.html") for one in played]
    return [
        structs.replace(
            ended[at % len(ended)],
            path=f"2026/evening-{at}.jsonl",
            href=f"games/2026-evening-{at}.html",
            people=(f"Ana Sousa {at % 90}", f"Rui Pedro {at % 70}"),
            started=f"2026-{at % 12 + 1:02}-{at % 28 + 1:02}T19:30:{at % 60:02}Z",
            event="Club night",
            tags=(f"Round {at % 7}", f"table {at % 5}"),
            result=((f"Ana Sousa {at % 90}",), "limit of rounds"),
            points=(at % 50, 50 - at % 50),
        )
        for at in range(count)
    ]


def listing(browser: Browser, folder: Path) -> str:
    """Print a line about an index of `GAMES` games, and about its pages on paper."""
    tab = browser.new_page()
    tab.goto(write_index(club_games(PRINTED), folder).as_uri(), wait_until="commit")
    tab.evaluate(SHOWN)
    pages = tab.pdf(format="A4", margin={"top": "1cm", "right": "1cm", "bottom": "1cm", "left": "1cm"})
    tab.close()
    path = write_index(club_games(GAMES), folder)
    rounds = []
    for _ in range(ROUNDS):
        tab, until = open_timed(browser, path)
        nodes = tab.evaluate("document.querySelectorAll('*').length")
        asked = ("ana 17", "rui 3 conquest", "a", "rui 69")
        searches = [tab.evaluate(SEARCH, ["[name=q]", "#count", words])[0] for words in asked]
        rounds.append((until, searches, nodes))
        tab.close()
    search = max(map(min, zip(*(one[1] for one in rounds), strict=True)))
    return (
        f"index of {GAMES} games: painted after {min(one[0] for one in rounds):.0f} ms; a search {search:.0f} ms; "
        f"{rounds[0][2]:,} nodes; {path.stat().st_size / GAMES:.0f} bytes a game, and "
        f"{(folder / 'shared/boards.js').stat().st_size / GAMES:.0f} for its small board; "
        f"{PRINTED} games on {pages.count(PDF_PAGE)} pages of paper"
    )


def export(count: int, folder: Path) -> str:
    """Print a line about a site of `count` records, the same number of each game."""
    paths, events, games = [], 0, names()
    for at in range(count):
        game = find(games[at % len(games)])
        header, played = simulate_game(game, "export", at, players=min(game.seats))
        paths.append(folder / f"{at}.jsonl")
        paths[-1].write_bytes(compose(header, played)[0])
        events += len(played)
    begin = process_time()
    write_index([publish(path, folder / "site") for path in paths], folder / "site")
    spent = process_time() - begin
    size = sum(path.stat().st_size for path in (folder / "site").rglob("*") if path.is_file())
    return (
        f"site of {count} records, {events / count:.0f} events each: {count / spent:.1f} pages/s of one core "
        f"({spent / events * 1e6:.0f} us an event), {size / 1e6:.1f} MB in all, {size / count / 1e3:.1f} kB a page"
    )


def main() -> None:
    for language in LANGUAGES:
        html = payload.bare(replay_page(folded([]), language=language))
        print(f"page without data, {language}: {len(html):,} bytes, {len(gzip.compress(html)):,} compressed")
    with tempfile.TemporaryDirectory() as place:
        path = chromium(WHOLE)  # the languages that people have
        if path is None:
            print(MISSING)
        else:
            with sync_playwright() as play:
                browser = play.chromium.launch(executable_path=path, args=list(QUIET))
                for events in (EVENTS, LONGEST):
                    for name in LONG:
                        print(screen(browser, name, events, Path(place)), flush=True)
                print(listing(browser, Path(place)), flush=True)
                browser.close()
        print(export(int(sys.argv[1]) if sys.argv[1:] else 1_000, Path(place)))


if __name__ == "__main__":
    main()
