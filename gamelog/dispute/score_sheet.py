"""One of two score sheets: what stands on it, in a form in which two can be held against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.errors import PlayError
from gamelog.finding import Finding
from gamelog.message import Message, plain_text
from gamelog.play.fold.common import Gap, Substitute
from gamelog.play.fold.findings import Status
from gamelog.play.judging.digest import in_seat_order, played_structs
from gamelog.play.judging.replay import FoldedRecord, replay
from gamelog.play.judging.verdict import verdict
from gamelog.play.telling.events import describe_event, seat_names
from gamelog.play.telling.sentences import sentence
from gamelog.play.telling.session_effects import phrase_of
from gamelog.record.envelope import Event, proposal, tag_of
from gamelog.record.reading import Record
from gamelog.record.seal import Seal, utc_time
from gamelog.record.seal_checks import check_seal


class SignedEvents(Struct, frozen=True):
    """Somebody's word for all events of a record up to `n`: a signature in it, or a seal that it extends.

    ``covers``: the first difference is among them, so that `seat` has signed what this record says there.
    """

    seat: str
    n: int
    time: str
    covers: bool


class RecordSide(Struct, frozen=True):
    """One of the two records.

    ``says`` is its event at the first difference (None: it has no more), as plain data, ``n`` the
    number of that event, ``text`` the same in words; ``illegal`` is what a judge has against its
    line, from there or earlier; ``sealed`` are the signatures in it that hold and those of the seals
    at hand that it extends, the latest last.
    """

    path: str
    id: str | None
    status: Status
    events: int
    play: str | None
    says: dict[str, Any] | None
    n: int | None
    text: str
    illegal: Finding | None
    sealed: tuple[SignedEvents, ...]


class SheetEntry(Struct, frozen=True):
    """Entry of one side at a difference: event `n` as plain data and in words.

    If the side has no event there, ``says`` is None and `n` the event before the gap, 0 for the start.
    """

    n: int
    says: dict[str, Any] | None = None
    text: str = ""


def standing_plays(record: Record, end: int | None = None) -> list[Struct]:
    """Return the play that counts after event `end` (the last).

    Raises `PlayError` for a record whose header gives nothing to fold.
    """
    return ScoreSheet(record, end).play


def numbered(a: Sequence[Struct], b: Sequence[Struct]) -> tuple[list[int], list[int]]:
    """Two lines of play as numbers, equal where the play is."""
    numbers: dict[bytes, int] = {}
    encode = msgspec.json.Encoder(order="deterministic").encode
    one, two = ([numbers.setdefault(encode(play), len(numbers)) for play in line] for line in (a, b))
    return one, two


class ScoreSheet:
    """Play of a record: the events that count, and their values without stamps."""

    def __init__(self, record: Record, end: int | None = None) -> None:
        self.record = record
        self.replayed: FoldedRecord = replay(record)
        fold = self.replayed.fold
        if fold is None:
            raise PlayError(
                Message.of(
                    "{=path} cannot be compared: {problem}.",
                    path=record.path,
                    problem=self.replayed.findings[0].sentence,
                )
            )
        self.fold = fold
        self.header = fold.header
        events = self.replayed.readable
        self._taken = {one.seat: one.name for one in self.replayed.unfolded if isinstance(one, Substitute)}
        last = len(events) if end is None else end
        numbers = [*fold.mainline(min(last, fold.n)), *range(fold.n + 1, last + 1)]
        found = in_seat_order(fold, [events[n - 1] for n in numbers])
        line = [*zip(found, played_structs(fold, found), strict=True)]
        self.standing: list[Event] = [event for event, play in line if play is not None]
        self.play: list[Struct] = [play for _, play in line if play is not None]

    def side(self, at: int | None, seals: Sequence[Seal]) -> RecordSide:
        judged = verdict(self.replayed)
        event = self.standing[at] if at is not None and at < len(self.standing) else None
        return RecordSide(
            path=self.record.path,
            id=self.header.id,
            status=self.replayed.status,
            events=len(self.record.bodies),
            play=judged.play,
            says=proposal(event) if event else None,
            n=event.n if event else None,
            text=self.text(event) if event else "",
            illegal=next((found.plain for found in judged.findings if found.severity == "error"), None),
            sealed=self._sealed(event.n if event else None, seals),
        )

    def said(self, at: int, there: bool) -> SheetEntry:
        """Return the entry at index `at` of the play; an empty entry if there is no event."""
        if not there:
            return SheetEntry(self.standing[at - 1].n if at else 0)
        event = self.standing[at]
        return SheetEntry(event.n, proposal(event), self.text(event))

    @property
    def has_declared_positions(self) -> bool:
        """Whether a position on this sheet was declared, so that what follows hangs on more than the play."""
        return Gap in set(map(type, self.replayed.readable))

    def has_legal(self, event: Event) -> bool:
        """Return whether `event` is one that can be played where this sheet has it."""
        return event.n <= self.fold.n and event.n not in self.fold.violations

    def _sealed(self, difference: int | None, seals: Sequence[Seal]) -> tuple[SignedEvents, ...]:
        header, times = self.header, self.replayed.events
        inside = [
            (signed.seat, signed.n - 1, utc_time(header.started, times[signed.n - 1].t))
            for signed in self.fold.signatures
            if signed.n > self.fold.inherited
        ]
        outside = [(seal.seat, seal.n, seal.time) for seal in seals if check_seal(self.record, seal) is None]
        return tuple(
            SignedEvents(seat, n, time, difference is not None and n >= difference)
            for seat, n, time in sorted({*inside, *outside}, key=lambda word: (word[2], word[1]))
        )

    def text(self, event: Event) -> str:
        """The event in a sentence; as it is written where nothing can be said of it."""
        fold = self.fold
        name = seat_names(fold, event) if event.n <= fold.n else self._name_behind
        text = (
            sentence(fold.game, event, (), name, phrase_of(fold, event))
            if event.n > fold.n
            else describe_event(fold, event)
        )
        if text:
            return text
        members = {key: value for key, value in proposal(event).items() if key not in ("do", "by")}
        return (
            f"{name(event.by)}: {tag_of(type(event)).replace('_', ' ')} {plain_text(members)}".rstrip() + "."
        )

    def _name_behind(self, seat: str) -> str:
        """Return the name of a seat after the end of the play, substitutions there included."""
        return self._taken.get(seat) or self.fold.session.name_of(seat)
