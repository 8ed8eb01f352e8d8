"""Two records of one game, side by side: how far they agree, and what each says where they part.

Different times, notes, names, keys and spelling are not differences of play, and what a takeback
undid is not part of it. Two records are the same game when the decisions and dice that stand are
the same from the first to the last, on the same board, with the same options and seats.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct, structs

from gamelog.errors import PlayError
from gamelog.play.common import Sign
from gamelog.play.findings import Finding, Status
from gamelog.play.fold import COMMON
from gamelog.play.narrate import sentence
from gamelog.play.verify import Replay, decode, proposal, replay, verdict
from gamelog.record.compose import compose
from gamelog.record.envelope import Event, Header, Parent
from gamelog.record.reading import Record


class Side(Struct, frozen=True):
    """One of the two records.

    ``says`` is its event at the first difference (None: it has no more), as plain data, ``n`` the
    number of that event, ``text`` the same in words; ``illegal`` is what a judge has against its
    line, from there or earlier; ``signed`` is the last event that a seat has signed.
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
    signed: int | None


class Comparison(Struct, frozen=True):
    """The two sides. ``agreed`` counts the decisions and dice they share from the start.

    ``first_difference`` is the place in the line of play, from 1, where they part; 0 when already
    the headers tell of different games (``why`` says how), None when nothing differs.
    ``prefix_head`` is the head of the last line that the files share byte for byte.
    """

    same: bool
    agreed: int
    first_difference: int | None
    why: str
    a: Side
    b: Side
    prefix_head: str | None


def compare(a: Record, b: Record) -> Comparison:
    """Where two records part. Raises `PlayError` for one whose header gives nothing to fold."""
    sides = [_Line(a), _Line(b)]
    why = _different_games(sides[0].header, sides[1].header)
    plays = [side.play for side in sides]
    agreed = 0
    if not why:
        agreed = next((k for k, (x, y) in enumerate(zip(*plays, strict=False)) if x != y), min(map(len, plays)))
    over = agreed == len(plays[0]) == len(plays[1])
    same = over and not why
    return Comparison(
        same=same,
        agreed=agreed,
        first_difference=None if same else 0 if why else agreed + 1,
        why=why,
        a=sides[0].side(None if why or same else agreed),
        b=sides[1].side(None if why or same else agreed),
        prefix_head=_shared_head(a, b),
    )


def merge(a: Record, b: Record, id: str) -> bytes:
    """The agreed line of two records as a new one, called `id`, with the times of the first and both as parents.

    Raises `PlayError` when they are not of the same game, or their dice are not the table's: dice
    that are recomputed belong to one record.
    """
    compared = compare(a, b)
    if compared.why:
        raise PlayError(f"These are not two records of one game: {compared.why}.")
    lines = [_Line(a), _Line(b)]
    if any(line.header.dice.source != "table" for line in lines):
        raise PlayError("Only records of dice rolled at the table can be merged; recomputed dice belong to one record.")
    kept = lines[0].standing[: compared.agreed]
    events = [structs.replace(event, n=at, id=None) for at, event in enumerate(kept, 1)]
    ends = [line.standing[compared.agreed - 1].n if compared.agreed else 0 for line in lines]
    parents = tuple(Parent(line.header.id, n, record.head_at(n)) for line, n, record in zip(lines, ends, (a, b), strict=True))
    return compose(structs.replace(lines[0].header, id=id, parents=parents), events)[0]


class _Line:
    """What a record says was played: the events that stand, and what they are when only the play counts."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.replayed: Replay = replay(record)
        fold = self.replayed.fold
        if fold is None:
            raise PlayError(f"{record.path} cannot be compared: {self.replayed.findings[0].message}.")
        self.fold = fold
        self.header = fold.header
        events, _ = decode(fold.game, record.bodies)
        numbers = [*fold.line(), *range(fold.n + 1, len(events) + 1)]
        self.standing: list[Event] = [events[n - 1] for n in numbers if type(events[n - 1]) not in COMMON]
        self.play = [structs.replace(event, n=0, t=0, id=None, as_played=False) for event in self.standing]
        self.signed = max((event.n for event in events if isinstance(event, Sign)), default=None)

    def side(self, at: int | None) -> Side:
        judged = verdict(self.replayed)
        event = self.standing[at] if at is not None and at < len(self.standing) else None
        return Side(
            path=self.record.path,
            id=self.header.id,
            status=judged.status,
            events=len(self.record.bodies),
            play=judged.play,
            says=proposal(event) if event else None,
            n=event.n if event else None,
            text=self._text(event) if event else "",
            illegal=next((found for found in judged.findings if found.severity == "error"), None),
            signed=self.signed,
        )

    def _text(self, event: Event) -> str:
        fold = self.fold
        if event.n > fold.n:
            return sentence(fold.game, event, (), fold.table.name_of)
        effects = fold.game.effects(fold.states[event.n - 1], event, fold.states[event.n])
        return sentence(fold.game, event, effects, fold.table.name_of)


def _different_games(a: Header, b: Header) -> str:
    for name in ("game", "rules", "board", "options"):
        if getattr(a, name) != getattr(b, name):
            shown = [msgspec.json.encode(getattr(header, name)).decode()[:80] for header in (a, b)]
            return f"their {name} differ: {shown[0]} and {shown[1]}"
    if a.seat_ids != b.seat_ids:
        return f"their seats differ: {', '.join(a.seat_ids)} and {', '.join(b.seat_ids)}"
    return ""


def _shared_head(a: Record, b: Record) -> str | None:
    """The head of the last line that both files begin with."""
    shared = None
    for x, y in zip((a.first, *a.heads), (b.first, *b.heads), strict=False):
        if x != y:
            break
        shared = x.decode()
    return shared
