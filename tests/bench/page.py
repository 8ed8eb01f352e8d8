"""Replay pages: how large they are, how quickly a long game is on screen and steps, and how many are written a second.

``python -m tests.bench.page [RECORDS]`` prints the bytes of a page without its data, in every language; then, in
Chromium, for a game of about 2,500 events of two games: the time from opening the file until
the board has been painted, and the time a step takes on the main thread (script, layout and paint are forced
within it; the median and the slowest of a hundred in a row and of a hundred jumps); then the pages a second of an export
of RECORDS records (1,000 unless said otherwise) of all games, in one process.
"""

from __future__ import annotations

import gzip
import statistics
import sys
import tempfile
from pathlib import Path
from time import process_time

from gamelog_reports.replay.page import page
from gamelog_reports.site import index, publish
from gamelog_reports.texts import LANGUAGES
from playwright.sync_api import Browser, sync_playwright

from gamelog.play.contract.registry import find, names
from gamelog.play.judging.replay import replay
from gamelog.play.recording.driver import simulate
from gamelog.record.compose import compose
from gamelog.record.reading import parse
from tests.browser.chromium import MISSING, QUIET, chromium
from tests.reports import payload
from tests.reports.toy import replayed

EVENTS = 2_500
LONG = {"slicewars": 6, "dice_flags": 4}
ROUNDS = 5

SHOWN = """() => new Promise((done) => {
    const look = () => document.documentElement.classList.contains('ready')
        ? requestAnimationFrame(() => setTimeout(() => done(performance.now())))
        : setTimeout(look, 1);
    look();
})"""

STEPS = """(places) => places.map((n) => {
    const begin = performance.now();
    gamelog.goto(n);
    document.body.getBoundingClientRect();
    document.getElementById('list').scrollTop;
    return performance.now() - begin;
})"""


def long_game(name: str) -> bytes:
    """A record of about `EVENTS` events."""
    made = (simulate(find(name), "page", at, players=LONG[name]) for at in range(40))
    header, events = min(made, key=lambda one: abs(len(one[1]) - EVENTS))
    return compose(header, events)[0]


def shown(browser: Browser, path: Path) -> tuple[float, list[float], list[float], float]:
    """Milliseconds until it is painted, of each step, of each jump, and of a step with all that the browser does for it."""
    tab = browser.new_page(viewport={"width": 1366, "height": 768})
    tab.goto(path.as_uri(), wait_until="commit")
    until = tab.evaluate(SHOWN)
    last = tab.evaluate("gamelog.last")
    steps = tab.evaluate(STEPS, list(range(1_000, 1_100)))
    jumps = tab.evaluate(STEPS, [(at * 617) % last for at in range(100)])
    busy = tab.context.new_cdp_session(tab)
    busy.send("Performance.enable")

    def spent() -> float:
        metrics = busy.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    begin = spent()
    for _ in range(100):
        tab.keyboard.press("ArrowRight")
    whole = (spent() - begin) / 100 * 1e3
    tab.close()
    return until, steps, jumps, whole


def screen(browser: Browser, name: str, folder: Path) -> str:
    """A line about a long game in the browser."""
    judged = replay(parse(long_game(name)))
    path = folder / f"{name}.html"
    path.write_text(page(judged), encoding="utf-8")
    found = [shown(browser, path) for _ in range(ROUNDS)]
    until = statistics.median(one[0] for one in found)
    steps = [ms for one in found for ms in one[1]]
    jumps = [ms for one in found for ms in one[2]]
    return (
        f"{name}, {len(judged.events)} events: painted after {until:.0f} ms; a step {statistics.median(steps):.1f} ms "
        f"(slowest {max(steps):.0f}), a jump {statistics.median(jumps):.1f} ms (slowest {max(jumps):.0f}), "
        f"a key press with all painting {statistics.median(one[3] for one in found):.1f} ms"
    )


def export(count: int, folder: Path) -> str:
    """A line about an export of `count` records, as many of each game."""
    paths, events, games = [], 0, names()
    for at in range(count):
        game = find(games[at % len(games)])
        header, played = simulate(game, "export", at, players=min(game.seats))
        paths.append(folder / f"{at}.jsonl")
        paths[-1].write_bytes(compose(header, played)[0])
        events += len(played)
    begin = process_time()
    index([publish(path, folder / "site") for path in paths], folder / "site")
    spent = process_time() - begin
    size = sum(path.stat().st_size for path in (folder / "site" / "games").iterdir())
    return (
        f"export of {count} records, {events / count:.0f} events each: {count / spent:.1f} pages/s of one core "
        f"({spent / events * 1e6:.0f} us an event), {size / count / 1e3:.0f} kB a page"
    )


def main() -> None:
    for language in LANGUAGES:
        html = payload.bare(page(replayed([]), language=language))
        print(f"page without data, {language}: {len(html):,} bytes, {len(gzip.compress(html)):,} compressed")
    with tempfile.TemporaryDirectory() as place:
        path = chromium()
        if path is None:
            print(MISSING)
        else:
            with sync_playwright() as play:
                browser = play.chromium.launch(executable_path=path, args=list(QUIET))
                for name in LONG:
                    print(screen(browser, name, Path(place)))
                browser.close()
        print(export(int(sys.argv[1]) if sys.argv[1:] else 1_000, Path(place)))


if __name__ == "__main__":
    main()
