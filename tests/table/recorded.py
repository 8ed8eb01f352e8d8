"""Recorded games that are played again at a table, by taps, while all devices are watched for layout shifts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from playwright.sync_api import Browser

from gamelog.chance.draws import Dice
from gamelog.dispute.chances import results_of
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.envelope import Event, as_proposal
from gamelog.record.reading import read_record
from gamelog.record.record_file import compose
from tests.browser.shifts import WATCH, forget
from tests.samples.__main__ import DIRECTORY
from tests.table.client import Serving, beginning_now, serve_in_thread
from tests.table.touch import Device, matching

SIZES = {"390x844": True, "844x390": True, "768x1024": True, "1024x768": True, "1440x900": False}
"""The sizes of the screens, and whether the screen is touched."""

SAMPLES = {
    "slicewars": "full-2",
    "zone_control": "full-4",
    "zone_s": "ended-quiet",
    "gp02a_territory": "full-3",
    "dice_flags": "full-3",
}
"""The sample record of each game that is played again."""


def open_device(browser: Browser, url: str, size: str, **context: Any) -> Device:
    """Open the table at a screen size, watched."""
    width, height = map(int, size.split("x"))
    touch = SIZES.get(size, True)
    given = {
        "viewport": {"width": width, "height": height},
        "has_touch": True,
        "is_mobile": touch and min(width, height) < 600,
        "device_scale_factor": 1,
        **context,
    }
    device = Device(browser, url, WATCH, **given)
    forget(device.page)
    return device


class Replayed:
    """A sample record that is recorded again from its header, event by event, by taps if possible."""

    def __init__(self, path: Path, game: str, sample: str | None = None) -> None:
        source = DIRECTORY / game / f"{sample or SAMPLES[game]}.jsonl"
        folded = fold_record(read_record(source))
        assert folded.fold
        path.write_bytes(compose(beginning_now(folded.fold.header), [])[0])
        self.fold = Fold(folded.fold.header, folded.fold.game)
        self.events = list(folded.events)
        self.taps = self.tapped = 0
        self.times: list[float] = []

    def play(self, devices: Sequence[Device], serving: Serving, most: int = 10_000) -> Iterator[int]:
        """Record up to `most` events. Each is tapped on one device in turn. Yield the number of each event.

        The recording stops before an event that needs the time of the sample, because its clock runs out.
        """
        for at, event in enumerate(self.events[:most]):
            device = devices[at % len(devices)]
            device.at(at)
            before = device.taps
            if self._tap(device, serving, event):
                self.taps, self.tapped = self.taps + device.taps - before, self.tapped + 1
                began = perf_counter()
                device.release()
                while serving.scorer.get().json["n"] <= at:
                    device.page.wait_for_timeout(2)
                self.times.append(perf_counter() - began)
            else:
                answer = serving.scorer.write(as_proposal(event))
                if answer.status != 201:
                    return
            for one in devices:
                one.at(at + 1)
            assert self.fold.push(event) is None
            yield at + 1

    def _tap(self, device: Device, serving: Serving, event: Event) -> bool:
        pending = self.fold.pending
        if pending.chance:
            results = results_of(self.fold.game, self.fold.state, event)
            if results is None or not self._roll(device, pending.chance.draws, results):
                return False
        else:
            asked = serving.scorer.get("/choices").json
            try:
                choice = matching(asked["choices"], event)
            except StopIteration:
                return False
            wanted = {name: value for name, value in as_proposal(event).items() if isinstance(value, dict)}
            if any(choice["event"][name] != value for name, value in wanted.items()):
                return False  # equal taps, another event
            device.choose(choice, asked["tokens"])
        return True

    @staticmethod
    def _roll(device: Device, draws: Sequence[Any], results: Sequence[Sequence[Any]]) -> bool:
        for draw, result in zip(draws, results, strict=True):
            left = list(result)
            while left and device.page.locator("#pad .keys button").count():
                pair = " ".join(map(str, sorted(left[:2], reverse=True)))
                if isinstance(draw, Dice) and len(left) > 1 and device.page.locator("#pad .pairs").count():
                    device.tap_button(pair, "#pad .pairs")
                    left = left[2:]
                elif isinstance(draw, Dice):
                    device.tap_button(str(left.pop(0)), "#pad .ones")
                else:
                    key = device.page.locator("#pad .keys button").filter(
                        has_text=re.compile(rf"^{re.escape(str(left.pop(0)))}\\b")
                    )
                    if not key.count():
                        return False
                    device.press(key.first)
        return True


@contextmanager
def replayed_at(
    browser: Browser, path: Path, game: str, sizes: Sequence[str], **context: Any
) -> Iterator[tuple[Replayed, list[Device], Serving]]:
    """Serve a game again, on a scorer's device of each size."""
    folded = Replayed(path, game)
    with serve_in_thread(path) as serving:
        devices = [open_device(browser, serving.client_link("scorer"), size, **context) for size in sizes]
        try:
            yield folded, devices, serving
        finally:
            for device in devices:
                device.context.close()
