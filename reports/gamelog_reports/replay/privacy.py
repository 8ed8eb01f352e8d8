"""Who may see what on a page: everybody everything, one seat its own view, or nobody's name.

A page that hides anything cannot carry the record, whose bytes hold it all; it carries the
events that may be seen instead, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.play.contract.effects import Effect
from gamelog.play.fold.findings import Finding
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.replay import FoldedRecord
from gamelog.play.recording.anonymity import BySeats, anonymous_replay
from gamelog.play.telling.events import seat_names
from gamelog.play.telling.seeing import View, finding_for, is_untold, seats_in, seen_data, seen_in, told_to
from gamelog.record.envelope import Event
from gamelog.record.escaping import visible
from gamelog.record.reading import Record

_encode = msgspec.json.Encoder().encode


class Privacy(Struct, frozen=True):
    """What is kept back: what `seat` (or, of several, any of them) does not see; if `anonymous`, names, ids,
    tags, dates and free texts; if `seedless`, the seed of dice that are still to be thrown.
    """

    seat: View = None
    anonymous: bool = False
    seedless: bool = False

    @classmethod
    def of(cls, replayed: FoldedRecord, seat: str | None, anonymous: bool, reveal: bool) -> Privacy:
        """Return what is kept back of `replayed` by default: while its game goes on, what players hide from
        each other and the seed of dice, unless `reveal`.
        """
        fold = replayed.fold
        if reveal or fold is None or fold.outcome is not None:
            return cls(seat, anonymous)
        view: View = seat if seat is not None else fold.header.seat_ids if fold.game.hides else None
        return cls(view, anonymous, seedless=fold.header.dice.seed is not None)

    @property
    def withheld(self) -> str:
        """What is kept back of a game that goes on though nobody asked for that, in words."""
        hidden = "what players hide from each other" if isinstance(self.seat, tuple) else ""
        seed = "the seed of the dice" if self.seedless else ""
        return " and ".join(filter(None, (hidden, seed)))

    @property
    def open(self) -> bool:
        """Nothing is hidden, so the page may carry the record itself."""
        return not (seats_in(self.seat) or self.anonymous or self.seedless)

    def name(self, seat: str, name: str) -> str:
        """What to call who sits at `seat`."""
        return seat if self.anonymous else visible(name) or seat

    def hides(self, fold: Fold, event: Event) -> bool:
        """Whether nobody is told more of `event` than that something happened."""
        return is_untold(fold, event, self.seat)

    def seen(self, fold: Fold, event: Event) -> dict[str, Any]:
        """What may be told of `event`, as plain data."""
        return seen_data(event, seen_in(fold, event, self.seat))

    def sentence(self, fold: Fold, event: Event, effects: Iterable[Effect]) -> str:
        """What may be told of `event` and its consequences, in an English sentence."""
        name_of = seat_names(fold, event)
        return told_to(fold, event, self.seat, effects, lambda seat: self.name(seat, name_of(seat)))

    def told(self, replayed: FoldedRecord) -> FoldedRecord:
        """What is told of `replayed`: where nobody is named, a record without people, and all made of it."""
        return anonymous_replay(replayed, BySeats()) if self.anonymous else replayed

    def findings(self, replayed: FoldedRecord) -> list[Finding]:
        """The findings of what is `told`, without what would tell hidden things."""
        fold = replayed.fold
        if not seats_in(self.seat) or fold is None:
            return replayed.findings
        about = dict(enumerate(replayed.readable, 1))
        return [finding_for(fold, found, about.get(found.n or 0), self.seat) for found in replayed.findings]

    def shown(self, replayed: FoldedRecord) -> tuple[dict[str, Any], list[str] | None]:
        """What may be shown of the record: its first line or members of it, and its events.

        The events are JSON without the opening brace: the record's own bodies, or what may be seen of them;
        None where the record's bodies are not UTF-8.
        """
        record, fold = replayed.record, replayed.fold
        if self.open:
            return _opening(record), _bodies(record)
        members = ("gamelog", "game", "rules", "options", *(() if self.anonymous else ("started", "tags")))
        header = {name: record.members[name] for name in members if name in record.members}
        lines = [_encode(self.seen(fold, event)).decode()[1:] for event in replayed.events] if fold else []
        return {"header": header}, lines


def _opening(record: Record) -> dict[str, Any]:
    """The record's first line, without its end, and head; its members where it is not text."""
    try:
        first = record.opening.decode()[:-1]
    except UnicodeDecodeError:
        first = ""
    return {"first": first, "head": record.head} if first else {"header": record.members}


def _bodies(record: Record) -> list[str] | None:
    try:
        return [body.decode()[:-1] for body in record.bodies]
    except UnicodeDecodeError:
        return None
