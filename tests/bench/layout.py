"""Layout shifts of the replay page and of the table's page, over recorded games.

    python -m tests.bench.layout [--page] [--games slicewars ...] [--sizes 390x844 ...] [--most 1000] [--show]

With ``--page``, a replay page shows all steps of a record: for each game, of its longest sample. Otherwise a
sample record of each game is recorded again on one device of each size, as its scorer. The devices take
turns: each event is tapped on one of them, and all others follow. The taps and the time from a tap to a
recorded event are measured, too. Every layout shift that a browser reports is counted, also after taps. A
board that has moved or that has another size counts, too.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gamelog_reports.replay_page.page import replay_page
from playwright.sync_api import Browser, sync_playwright

from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.browser.chromium import QUIET, chromium
from tests.browser.shifts import WATCH, Watched, walked, watched
from tests.samples.__main__ import DIRECTORY
from tests.table.recorded import SAMPLES, SIZES, replayed_at

PAGE_SIZES = ("1440x900", "1280x800", "1024x768", "768x1024", "390x844", "844x390")
"""The sizes of the windows of replay pages."""


def report(game: str, size: str, count: int, found: Watched, *, show: bool) -> None:
    """Print one line about a size, and with `show` the first shifts."""
    print(
        f"{game:16} {size:9} {count} events: shift {found.value:.4f} in {len(found.shifts)} entries, "
        f"board at {len(found.places)} places {' '.join(found.places[:4])}",
        flush=True,
    )
    for value, *sources in found.shifts[:12] if show else ():
        print(f"    {value:.4f}", *sources, sep="\n      ")


def longest(game: str) -> Path:
    """Return the sample record of `game` with the most bytes."""
    return max((DIRECTORY / game).glob("full-*.jsonl"), key=lambda path: path.stat().st_size)


def pages(browser: Browser, game: str, sizes: list[str], most: int) -> Iterator[tuple[str, int, Watched]]:
    """Yield each size with the number of steps and the layout shifts of a game's replay page."""
    folded = fold_record(read_record(longest(game)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(replay_page(folded), encoding="utf-8")
        for size in sizes:
            width, height = map(int, size.split("x"))
            context = browser.new_context(
                viewport={"width": width, "height": height}, reduced_motion="reduce"
            )
            page = context.new_page()
            page.add_init_script(WATCH)
            page.goto(path.as_uri())
            page.wait_for_selector("html.ready")
            yield size, len(folded.events), walked(page, last=min(most, len(folded.events)))
            context.close()


def measure(browser: Browser, game: str, sizes: list[str], most: int, *, show: bool) -> None:
    """Play one game and print one line for each size."""
    with (
        tempfile.TemporaryDirectory() as folder,
        replayed_at(browser, Path(folder) / "game.jsonl", game, sizes) as (replayed, devices, serving),
    ):
        count = sum(1 for _ in replayed.play(devices, serving, most))
        for size, device in zip(sizes, devices, strict=True):
            report(game, size, count, watched(device.page), show=show)
            if device.complaints:
                print("   ", *device.complaints[:5], sep="\n    ")
        if replayed.times:
            print(
                f"{game:16} {replayed.taps / replayed.tapped:.2f} taps an event over {replayed.tapped} events, "
                f"next tap to recorded: median {statistics.median(replayed.times) * 1000:.0f} ms",
                flush=True,
            )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.layout")
    parser.add_argument("--games", nargs="*", default=list(SAMPLES))
    parser.add_argument("--sizes", nargs="*")
    parser.add_argument("--page", action="store_true", help="measure the replay page")
    parser.add_argument("--most", type=int, default=10_000)
    parser.add_argument("--show", action="store_true", help="print the first shifts of each device")
    given = parser.parse_args()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=list(QUIET))
        for game in given.games:
            if given.page:
                for size, count, found in pages(browser, game, given.sizes or list(PAGE_SIZES), given.most):
                    report(game, size, count, found, show=given.show)
            else:
                measure(browser, game, given.sizes or list(SIZES), given.most, show=given.show)
        browser.close()


if __name__ == "__main__":
    main()
