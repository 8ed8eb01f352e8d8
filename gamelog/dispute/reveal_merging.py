"""Copies of one record in which people revealed links at the same time, united as one record.

The event that makes a roll due is recorded before all links of the roll, and the roll does not depend on the
order of the links (`gamelog.chance.commit_reveal`). So copies that are the same up to this event are one
game, even if their links differ or the same roll has another time. A united link has its earliest time, and
links with the same time are in the order of the seats. So the result does not depend on the order of the
copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from msgspec import Struct, structs

from gamelog.dispute.branch import rechain
from gamelog.errors import PlayError
from gamelog.message import Message
from gamelog.play.fold.common_events import Reveal
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.revealing import links_behind_intent
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.findings import mask_quotation
from gamelog.play.visibility.viewer import WHOLE_TABLE, running_viewer
from gamelog.record.envelope import Event, encode_body
from gamelog.record.reading import Record, parse_record


class _Tail(Struct, frozen=True):
    """The end of a copy: links, the roll that follows from them, and the number of events after the roll."""

    links: dict[str, Event]
    roll: Event | None
    further: int

    def has(self, other: _Tail) -> bool:
        """Return whether this end has all links of `other` and the same roll."""
        return (
            not other.further and self.links.keys() >= other.links.keys() and not _rolls_differ(other, self)
        )


def are_copies(a: Record, b: Record) -> bool:
    """Return whether two records begin with the same header, byte for byte."""
    return a.header is not None and a.header_head == b.header_head


def unite_copies(a: Record, b: Record, *, reveal: bool = True) -> bytes:
    """Return the record of which `a` and `b` are copies, with the links and the roll of both.

    A copy that was continued after the roll stays as it is. Errors describe hidden information of an
    unfinished game only with `reveal`.

    Raises:
        PlayError: A copy has an error, or the copies differ in more than links and the time of the roll.
    """
    folds = [_good_fold(record, reveal) for record in (a, b)]
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a.heads, b.heads, strict=False)))
    begin = shared - len(links_behind_intent(folds[0].events[n - 1] for n in range(shared, 0, -1)))
    tail_a, tail_b = (_tail(fold, begin) for fold in folds)
    for record, tail, rest in ((a, tail_a, tail_b), (b, tail_b, tail_a)):
        if tail.further and tail.has(rest):
            return rechain([record.opening, *record.bodies])
    if tail_a.further or tail_b.further or _rolls_differ(tail_a, tail_b):
        raise PlayError(_refusal(a, b, [_view(fold, reveal) for fold in folds], shared + 1))
    events = [*_all_links(folds[0], tail_a, tail_b), *_first_roll(tail_a.roll, tail_b.roll)]
    stamped = [encode_body(structs.replace(event, n=n)) for n, event in enumerate(events, begin + 1)]
    data = rechain([a.opening, *a.bodies[:begin], *stamped])
    _good_fold(parse_record(data, a.path), reveal)
    return data


def _good_fold(record: Record, reveal: bool) -> Fold:
    folded = fold_record(record)
    failed = next((finding for finding in folded.findings if finding.severity == "error"), None)
    if failed and not reveal:
        shown = (
            _view(folded.fold, reveal, folded.unfolded_events).shown_finding
            if folded.fold
            else mask_quotation
        )
        failed = shown(failed)
    if folded.fold is None or failed:
        problem = failed and failed.message
        raise PlayError(
            Message.of("Cannot unite {=path} with a copy: {problem}.", path=record.path, problem=problem)
        )
    return folded.fold


def _view(fold: Fold, reveal: bool, unfolded: Sequence[Event] = ()) -> RecordView:
    """Return everything in `fold`, or what all players know of it while the game is unfinished."""
    return RecordView(fold, WHOLE_TABLE if reveal else running_viewer(fold), unfolded)


def _tail(fold: Fold, begin: int) -> _Tail:
    behind = links_behind_intent(fold.events[n] for n in range(begin, fold.n))
    index = begin + len(behind)
    roll = fold.events[index] if index < fold.n else None
    if type(roll) not in fold.game.chance_events:
        roll = None
    return _Tail({_key(event): event for event in behind}, roll, fold.n - index - (roll is not None))


def _key(event: Event) -> str:
    """Return the key that two events share if they are the same link or the same repair."""
    return event.seat if isinstance(event, Reveal) else encode_body(structs.replace(event, n=1)).decode()


def _rolls_differ(tail_a: _Tail, tail_b: _Tail) -> bool:
    """Return whether both ends have a roll, and the rolls differ."""
    rolls = [structs.replace(tail.roll, n=0, t=0, id=None) for tail in (tail_a, tail_b) if tail.roll]
    return len(rolls) == 2 and rolls[0] != rolls[1]


def _all_links(fold: Fold, tail_a: _Tail, tail_b: _Tail) -> list[Event]:
    """Return the links of both ends without duplicates, ordered by time and seat."""
    seats = {seat: position for position, seat in enumerate(fold.header.seat_ids)}

    def place(event: Event) -> tuple[int, int, bytes]:
        seat = event.seat if isinstance(event, Reveal) else ""
        return event.t, seats.get(seat, len(seats)), encode_body(structs.replace(event, n=1))

    events: dict[str, Event] = {}
    for event in sorted((*tail_a.links.values(), *tail_b.links.values()), key=place):
        events.setdefault(_key(event), event)
    return list(events.values())


def _first_roll(*rolls: Event | None) -> list[Event]:
    """Return a list with the roll that was recorded first, or an empty list if there is no roll."""
    return sorted(
        (roll for roll in rolls if roll), key=lambda roll: (roll.t, encode_body(structs.replace(roll, n=1)))
    )[:1]


def _refusal(a: Record, b: Record, views: list[RecordView], n: int) -> Message:
    """Return the message that says why the copies `a` and `b` cannot be united: they differ at event `n`."""
    texts = [
        Message.of('{=path} has "{=text}"', path=record.path, text=view.sentence(n))
        if n <= view.last_number
        else Message.of("{=path} has no more events", path=record.path)
        for record, view in zip((a, b), views, strict=True)
    ]
    return Message.of(
        "These copies of one record cannot be united, because from event {n} on they differ in "
        "more than the links for one roll: {one}, but {other}. Continue only one of the copies.",
        n=n,
        one=texts[0],
        other=texts[1],
    )
