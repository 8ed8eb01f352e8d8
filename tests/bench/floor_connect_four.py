"""Connect Four, played directly from the lines."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tests.bench.floor_play import Header, Illegal, Line, Outcome

BOTTOM = {column: 1 << 7 * (column - 1) for column in range(1, 8)}
TOP = {column: bit << 5 for column, bit in BOTTOM.items()}
FULL = sum(63 * bit for bit in BOTTOM.values())


class Drop(Line, tag="drop"):
    """A disc falls down a column."""

    column: int


DECODER = msgspec.json.Decoder(Drop)


def play(header: Header, events: Iterable[Drop]) -> Outcome | None:
    """Return the outcome. Raises `Illegal`."""
    mover, other = header.seats[0].seat, header.seats[1].seat
    discs = mine = t = 0
    outcome: Outcome | None = None
    for n, event in enumerate(events, 1):
        if event.n != n or event.t < t or outcome or event.by != mover:
            raise Illegal
        t = event.t
        column = event.column
        if column not in TOP or discs & TOP[column]:
            raise Illegal
        theirs = discs ^ mine
        discs |= discs + BOTTOM[column]
        mine = discs ^ theirs
        for step in (1, 6, 7, 8):
            pairs = mine & mine >> step
            if pairs & pairs >> 2 * step:
                outcome = (mover,), "four"
                break
        else:
            if discs == FULL:
                outcome = (), "full"
        mine = theirs
        mover, other = other, mover
    return outcome
