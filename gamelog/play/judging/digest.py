"""The play digest, which is the same for all score sheets of one game.

`docs/format.md` defines it to the byte, for readers in any language.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct, structs

from gamelog.play.fold import common_events
from gamelog.play.fold.common_events import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import Event

_encoder = msgspec.json.Encoder(order="deterministic")

_NON_PLAY = COMMON - {common_events.Resign}
"""The common events that are not play themselves."""

_EVENTS_PER_CALL = 4096
"""Number of events that are encoded in one call, to limit the memory for a long record."""


def played_structs(fold: Fold, events: Iterable[Event]) -> list[Struct | None]:
    """Return the play in each of `events`, or None for an event that is not play.

    Decisions, dice and resignations are in their `canonical` form, without number, time, key and mark. For an
    agreement or ruling that ended the game it is the outcome.
    """
    canonical, ends, replace, resign = fold.game.canonical, fold.ends, structs.replace, common_events.Resign
    return [
        ends.get(event.n)
        if (kind := type(event)) in _NON_PLAY
        else replace(event if kind is resign else canonical(event), n=0, t=0, id=None, as_played=False)
        for event in events
    ]


def in_seat_order(fold: Fold, events: Sequence[Event]) -> Sequence[Event]:
    """Return `events` of a main line, with decisions taken together in the order of the seats."""
    if not fold.game.together:
        return events
    place, line = fold.header.seat_ids.index, list(events)
    for together in _rounds(fold, events):
        for position, event in zip(
            together,
            sorted((events[position] for position in together), key=lambda event: place(event.by)),
            strict=True,
        ):
            line[position] = event
    return line


def _rounds(fold: Fold, events: Sequence[Event]) -> Iterator[list[int]]:
    """Yield the indices in `events` of decisions that were taken together, a list for each time."""
    indices: list[int] = []
    waiting = frozenset[str]()
    for position, event in enumerate(events):
        if type(event) in _NON_PLAY:
            continue
        pending = fold.game.pending(fold.states[min(event.n - 1, fold.n)])
        by = frozenset(pending.by if pending.together and type(event) in fold.game.events else ())
        if by != waiting or event.by not in by:
            yield indices
            indices = []
        if event.by in by:
            indices.append(position)
        waiting = by - {event.by}
    yield indices


def play_digest(fold: Fold, events: Sequence[Event]) -> str:
    """Return the digest of the play that counts: 43 characters of base64url.

    Undone events, notes, claims, times and names are not part of it.
    """
    header = fold.header
    setup = [header.game, header.rules, header.options, header.board, header.seat_ids]
    digest = sha256(b"gamelog/1 play\n" + _encoder.encode_lines([setup]))
    for part in _counted_parts(fold, events):
        digest.update(
            _encoder.encode_lines([play for play in played_structs(fold, part) if play is not None])
        )
    return urlsafe_b64encode(digest.digest()).decode().rstrip("=")


def _counted_parts(fold: Fold, events: Sequence[Event]) -> Iterator[Sequence[Event]]:
    """Yield the events that count, in parts."""
    if fold.game.together:
        yield in_seat_order(fold, [events[n - 1] for n in fold.main_line_numbers()])
        return
    for stretch in reversed([*fold.main_line.stretches(fold.n)]):
        for begin in range(stretch.stop, stretch.start, _EVENTS_PER_CALL):
            yield events[begin : min(begin + _EVENTS_PER_CALL, stretch.start)]
