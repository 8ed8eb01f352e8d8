"""``list``: the last events with their numbers, and which of them do not stand."""

from __future__ import annotations

from collections.abc import Iterator

from gamelog.play.decoding import COMMON
from gamelog.play.recorder import Recorder
from gamelog_cli.typed import Misread

USUAL = 10
"""How many events are listed where nobody says how many."""


def listing(recorder: Recorder, rest: str) -> Iterator[str]:
    """The last events, as many as `rest` says, a line each. Raises `Misread`."""
    if rest and not rest.isdecimal():
        raise Misread("write: list, or list N for the last N events")
    count = int(rest) if rest else USUAL
    stand, corrected = set(recorder.fold.line()), recorder.fold.corrected()
    for n in range(max(1, recorder.n - count + 1), recorder.n + 1):
        play = recorder.is_step(n) or type(recorder.events[n - 1]) not in COMMON
        mark = "" if n in stand or not play else " (corrected)" if n in corrected else " (taken back)"
        yield f"{n}. {recorder.text(n)}{mark}"
