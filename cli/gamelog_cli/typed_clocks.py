"""Clocks as people type them: ``Ana=12:30`` is what a clock shows now, ``Ana=-20:00`` a change of it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gamelog.play.fold.fold import Fold
from gamelog.play.fold.seat_times import used_times
from gamelog.record.envelope import TABLE
from gamelog_cli.people import seat_named, seat_of
from gamelog_cli.typed_members import Misread

_CLOCK = re.compile(
    r"(?P<sign>[+-]?)(?:(?P<hours>\d{1,4}):(?=\d\d:))?(?P<minutes>\d{1,4}):(?P<seconds>[0-5]\d)"
)


def parse_clocks(fold: Fold, given: Iterable[tuple[str, str]]) -> dict[str, int]:
    """The clocks that are `given`, each as whose and what it shows, in ms by seat and for the table.

    What begins with a sign is counted from the last play on. Raises `Misread`, and `BadSetup` for nobody's
    name.
    """
    clocks: dict[str, int] = {}
    shown = {**used_times(fold), TABLE: fold.played}
    for name, text in given:
        whose = TABLE if seat_of(fold, name) == TABLE else seat_named(fold, name)
        if whose in clocks:
            raise Misread(f'the clock of "{name}" is given twice')
        read = _CLOCK.fullmatch(text.strip())
        if read is None:
            raise Misread(
                f'"{text}" is not what a clock shows: write minutes and seconds, {name}=12:30, hours too, '
                f"{name}=1:02:30, or a change, {name}=-20:00"
            )
        minutes = int(read["hours"] or 0) * 60 + int(read["minutes"])
        ms = (minutes * 60 + int(read["seconds"])) * 1000
        clocks[whose] = max(0, shown[whose] + (-ms if read["sign"] == "-" else ms)) if read["sign"] else ms
    return clocks
