"""A device that loses its connection at random events of a game loses and doubles no event.

    python -m tests.fuzz.offline --points 20 --seed 1

A page in Chromium records a game of bots. At each point the network is gone or the server is killed (SIGKILL),
the device records an event, and the connection comes back, with or without a reload of the page. Then the
record has this event once, and the page has reported no error.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

import gamelog
from gamelog.chance.stream import draw_results
from gamelog.play.contract.registry import find
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import as_proposal
from tests.browser.chromium import chromium
from tests.table.client import begin, end
from tests.table.touch import Device, bots_event, matching

GAMES = ("slicewars", "zone_control", "gp02a_territory", "zone_s", "dice_flags")
PEOPLE = ("Ana", "Rui", "Mei", "Zé")
MOST_BETWEEN = 12
"""Maximum number of events that another program records between two points."""


def _advance(path: Path, count: int, rng: random.Random) -> None:
    """Record `count` events of bots and of random dice, or fewer at the end of the game."""
    recorder = EventRecorder(path)
    for _ in range(count):
        pending, game = recorder.fold.pending, recorder.fold.game
        if pending.outcome:
            return
        if pending.chance:
            results = draw_results(rng.randbytes(32), b"offline", pending.chance.draws)
            event = game.chance(recorder.fold.state, results)
        else:
            event = bots_event(recorder)
        recorder.append([as_proposal(event)])


class Evening:
    """A game whose page loses its connection at random events."""

    def __init__(self, browser: Browser, path: Path, game: str, seed: int) -> None:
        seats = find(game).seats
        gamelog.create(path, game, seats=dict(zip(seats[min(seats)], PEOPLE, strict=False)))
        self.path, self.rng = path, random.Random(seed)
        self.serving = begin(path)
        self.port = self.serving.scorer.port
        self.device = Device(browser, self.serving.client_link("scorer"))

    def point(self) -> bool:
        """Record one event without a connection, and return whether the game continues."""
        _advance(self.path, self.rng.randrange(MOST_BETWEEN), self.rng)
        before, device = EventRecorder(self.path), self.device
        n, pending = before.n, before.fold.pending
        if pending.outcome:
            return False
        device.at(n)
        choices, count = self.serving.scorer.get("/choices").json, 1
        is_killed, reloads = self.rng.random() < 0.5, self.rng.random() < 0.5
        self._disconnect(is_killed=is_killed)
        decided = None if pending.chance else bots_event(before)
        if pending.chance:
            device.roll(pending.chance, self.rng)
        elif decided:
            wanted = matching(choices["choices"], decided)
            count += len(wanted.get("first", ()))
            device.choose(wanted, choices["tokens"])
        device.release()
        device.wait(f"document.getElementById('line').textContent.includes('not sent: {count}')")
        told = device.page.text_content("#waiting") or ""
        assert not re.search(r"\b(id|expect) \d", told), told
        self._connect(was_killed=is_killed)
        if reloads:
            device.page.reload()
        device.at(n + count)
        after = EventRecorder(self.path)
        assert after.n == n + count, f"{after.n - n} events instead of {count} at event {n}"
        if decided:
            recorded = as_proposal(after.fold.events[-1])
            del recorded["id"]  # the key of the device
            matching([{"event": recorded}], decided)
        errors = [one for one in device.complaints if "ERR_" not in one]
        assert errors == [], errors
        return True

    def _disconnect(self, *, is_killed: bool) -> None:
        if is_killed:
            self.serving.process.kill()
            self.serving.process.communicate()
        else:
            self.device.context.set_offline(True)
        self.device.wait("document.getElementById('line').textContent.includes('no connection')")

    def _connect(self, *, was_killed: bool) -> None:
        if was_killed:
            self.serving = begin(self.path, port=self.port)
        else:
            self.device.context.set_offline(False)

    def close(self) -> None:
        """Close the page, and check that the server had no errors."""
        self.device.context.close()
        assert end(self.serving) == ""


def run(browser: Browser, path: Path, game: str, points: int, seed: int) -> None:
    """Lose the connection at `points` random events of a new game at `path`."""
    evening = Evening(browser, path, game, seed)
    try:
        for _ in range(points):
            if not evening.point():
                break
        evening.close()
    finally:
        evening.serving.process.kill()
        evening.serving.process.communicate()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the points of all games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=["--no-sandbox"])
        for game in GAMES:
            run(browser, Path(folder) / f"{game}.jsonl", game, given.points, given.seed)
            print(f"{game}: {given.points} points", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
