"""Layout shifts of the table's page, taps and the time from a tap to a recorded event, over recorded games.

    python -m tests.bench.layout [--games slicewars ...] [--sizes 390x844 ...] [--most 1000] [--show]

A sample record of each game is recorded again on one device of each size, as its scorer. The devices take
turns: each event is tapped on one of them, and all others follow. Every layout shift that a browser reports
is counted, also after taps. A board that has moved or that has another size counts, too.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import QUIET, chromium
from tests.table.recorded import SAMPLES, SIZES, replayed_at, watched


def measure(browser: Browser, game: str, sizes: list[str], most: int, *, show: bool) -> None:
    """Play one game and print one line for each size."""
    with (
        tempfile.TemporaryDirectory() as folder,
        replayed_at(browser, Path(folder) / "game.jsonl", game, sizes) as (replayed, devices, serving),
    ):
        count = sum(1 for _ in replayed.play(devices, serving, most))
        for size, device in zip(sizes, devices, strict=True):
            found = watched(device)
            print(
                f"{game:16} {size:9} {count} events: shift {found.value:.4f} in {len(found.shifts)} entries, "
                f"board at {len(found.places)} places {' '.join(found.places[:4])}",
                flush=True,
            )
            if device.complaints:
                print("   ", *device.complaints[:5], sep="\n    ")
            for value, *sources in found.shifts[:12] if show else ():
                print(f"    {value:.4f}", *sources, sep="\n      ")
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
    parser.add_argument("--sizes", nargs="*", default=list(SIZES))
    parser.add_argument("--most", type=int, default=10_000)
    parser.add_argument("--show", action="store_true", help="print the first shifts of each device")
    given = parser.parse_args()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=list(QUIET))
        for game in given.games:
            measure(browser, game, given.sizes, given.most, show=given.show)
        browser.close()


if __name__ == "__main__":
    main()
