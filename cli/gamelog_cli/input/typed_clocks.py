"""Clocks as people type them: ``Ana=12:30`` is the time on a clock, ``Ana=-20:00`` a change of that time."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gamelog.message import Message
from gamelog.play.view.session_view import SessionView
from gamelog.record.envelope import TABLE
from gamelog_cli.errors import Misread
from gamelog_cli.input.people import seat_named, seat_of

_CLOCK = re.compile(
    r"(?P<sign>[+-]?)(?:(?P<hours>\d{1,4}):(?=\d\d:))?(?P<minutes>\d{1,4}):(?P<seconds>[0-5]\d)"
)


def parse_clocks(view: SessionView, given: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return the clocks that are `given`, as names and times, in ms by seat (or ``table``).

    A time with a sign is a change of the clock since the last event of play.

    Raises:
        Misread: A time cannot be read, or one clock is given twice.
        UnknownPlayer: No player has that name.
    """
    clocks: dict[str, int] = {}
    shown = view.used_times()
    for name, text in given:
        whose = TABLE if seat_of(view, name) == TABLE else seat_named(view, name)
        if whose in clocks:
            raise Misread(
                Message.of('You gave the clock of "{=name}" twice. Give each clock once.', name=name)
            )
        read = _CLOCK.fullmatch(text.strip())
        if read is None:
            raise Misread(
                Message.of(
                    '"{=text}" is not a clock time. Type minutes and seconds ({=name}=12:30), hours too '
                    "({=name}=1:02:30), or a change ({=name}=-20:00).",
                    text=text,
                    name=name,
                )
            )
        minutes = int(read["hours"] or 0) * 60 + int(read["minutes"])
        ms = (minutes * 60 + int(read["seconds"])) * 1000
        clocks[whose] = max(0, shown[whose] + (-ms if read["sign"] == "-" else ms)) if read["sign"] else ms
    return clocks
