"""Two records of one game, side by side: how far they agree, and what each says where they part.

Different times, notes, names, keys and spelling are not differences of play, and what a takeback
undid is not part of it. Two records are the same game when the decisions and dice that stand are
the same from the first to the last, on the same board, with the same options and seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct, structs

from gamelog.errors import PlayError
from gamelog.play.common import Resign
from gamelog.play.digest import played
from gamelog.play.findings import Finding, Status
from gamelog.play.fold import COMMON
from gamelog.play.narrate import sentence
from gamelog.play.telling import told
from gamelog.play.verify import Replay, decode, proposal, replay, verdict
from gamelog.record.compose import compose
from gamelog.record.envelope import Event, Header, Parent
from gamelog.record.reading import Record
from gamelog.record.seal import Seal, check, instant

Kind = Literal["missing in a", "missing in b", "twice in a", "twice in b", "in another order", "another"]
"""How two lines part: one lacks what the other has, repeats its last event, or has two of them exchanged; or none of these."""


class Sealed(Struct, frozen=True):
    """Somebody's word for all events of a record up to `n`: a signature in it, or a seal that it extends.

    ``covers``: the first difference is among them, so that `seat` has signed what this record says there.
    """

    seat: str
    n: int
    time: str
    covers: bool


class Side(Struct, frozen=True):
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
    sealed: tuple[Sealed, ...]


class Comparison(Struct, frozen=True):
    """The two sides. ``agreed`` counts the decisions and dice they share from the start.

    ``first_difference`` is the place in the line of play, from 1, where they part; 0 when already
    the headers tell of different games (``why`` says how), None when nothing differs. ``kind`` says how
    they part there. ``prefix_head`` is the head of the last line that the files share byte for byte.
    ``later`` is the side with the later seal, ``a`` or ``b``; None where neither has one, or they are as late.
    """

    same: bool
    agreed: int
    first_difference: int | None
    why: str
    kind: Kind | None
    a: Side
    b: Side
    prefix_head: str | None
    later: Literal["a", "b"] | None


def compare(a: Record, b: Record, seals: Sequence[Seal] = ()) -> Comparison:
    """Where two records part, and which of them the `seals` at hand speak for.

    Raises `PlayError` for one whose header gives nothing to fold, and `MissingExtra` where seals cannot be checked.
    """
    sides = [_Line(a), _Line(b)]
    why = different_games(sides[0].header, sides[1].header)
    plays = [side.play for side in sides]
    agreed = 0
    if not why:
        agreed = next((k for k, (x, y) in enumerate(zip(*plays, strict=False)) if x != y), min(map(len, plays)))
    same = not why and agreed == len(plays[0]) == len(plays[1])
    apart = None if why or same else agreed
    first, second = (side.side(apart, seals) for side in sides)
    return Comparison(
        same=same,
        agreed=agreed,
        first_difference=None if same else 0 if why else agreed + 1,
        why=why,
        kind=None if apart is None else _kind(plays[0][max(0, apart - 1) :], plays[1][max(0, apart - 1) :], apart > 0),
        a=first,
        b=second,
        prefix_head=_shared_head(a, b),
        later=_later(first, second),
    )


def merge(a: Record, b: Record, id: str) -> bytes:
    """The agreed line of two records as a new one, called `id`, with the times of the first and both as parents.

    An end that was agreed or ruled is left for people to write again. Raises `PlayError` when they
    are not of the same game, or their dice are not the table's: dice that are recomputed belong to
    one record.
    """
    compared = compare(a, b)
    if compared.why:
        raise PlayError(f"These are not two records of one game: {compared.why}.")
    lines = [_Line(a), _Line(b)]
    if any(line.header.dice.source != "table" for line in lines):
        raise PlayError("Only records of dice rolled at the table can be merged; recomputed dice belong to one record.")
    kept = [event for event in lines[0].standing[: compared.agreed] if type(event) not in COMMON or isinstance(event, Resign)]
    events = [structs.replace(event, n=at, id=None) for at, event in enumerate(kept, 1)]
    ends = [line.standing[compared.agreed - 1].n if compared.agreed else 0 for line in lines]
    parents = tuple(
        Parent(line.header.id, n, record.head_at(n), merged=True) for line, n, record in zip(lines, ends, (a, b), strict=True)
    )
    return compose(structs.replace(lines[0].header, id=id, parents=parents), events)[0]


def plays(record: Record, end: int | None = None) -> list[Struct]:
    """What was played and stands after event `end` (the last).

    Raises `PlayError` for a record whose header gives nothing to fold.
    """
    return _Line(record, end).play


class _Line:
    """What a record says was played: the events that stand, and what they are when only the play counts."""

    def __init__(self, record: Record, end: int | None = None) -> None:
        self.record = record
        self.replayed: Replay = replay(record)
        fold = self.replayed.fold
        if fold is None:
            raise PlayError(f"{record.path} cannot be compared: {self.replayed.findings[0].message}.")
        self.fold = fold
        self.header = fold.header
        events, _ = decode(fold.game, record.bodies)
        last = len(events) if end is None else end
        numbers = [*fold.line(min(last, fold.n)), *range(fold.n + 1, last + 1)]
        line = [(events[n - 1], played(fold, events[n - 1])) for n in numbers]
        self.standing: list[Event] = [event for event, play in line if play is not None]
        self.play: list[Struct] = [play for _, play in line if play is not None]

    def side(self, at: int | None, seals: Sequence[Seal]) -> Side:
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
            sealed=self._sealed(event.n if event else None, seals),
        )

    def _sealed(self, difference: int | None, seals: Sequence[Seal]) -> tuple[Sealed, ...]:
        header, times = self.header, self.replayed.events
        inside = [
            (signed.seat, signed.n - 1, instant(header.started, times[signed.n - 1].t))
            for signed in self.fold.signatures
            if signed.n > self.fold.inherited
        ]
        outside = [(seal.seat, seal.n, seal.time) for seal in seals if check(self.record, seal) is None]
        return tuple(
            Sealed(seat, n, time, difference is not None and n >= difference)
            for seat, n, time in sorted({*inside, *outside}, key=lambda word: (word[2], word[1]))
        )

    def _text(self, event: Event) -> str:
        fold = self.fold
        return sentence(fold.game, event, (), fold.table.name_of) if event.n > fold.n else told(fold, event)


def _kind(a: list[Struct], b: list[Struct], shared: bool) -> Kind:
    """How two lines part; both begin with the last event that is `shared`, if there is one."""
    last, a, b = (a[:1], a[1:], b[1:]) if shared else ([], a, b)
    if b and b[:1] == last and b[1:3] == a[:2]:
        return "twice in b"
    if a and a[:1] == last and a[1:3] == b[:2]:
        return "twice in a"
    if not a or (len(b) > 1 and a[0] == b[1] and a[1:2] != b[:1]):
        return "missing in a"
    if not b or (len(a) > 1 and b[0] == a[1] and b[1:2] != a[:1]):
        return "missing in b"
    return "in another order" if a[1:2] == b[:1] and b[1:2] == a[:1] else "another"


def _later(a: Side, b: Side) -> Literal["a", "b"] | None:
    times = [max((sealed.time for sealed in side.sealed), default="") for side in (a, b)]
    return None if times[0] == times[1] else "a" if times[0] > times[1] else "b"


def different_games(a: Header, b: Header) -> str:
    """Why the headers tell of different games; nothing where they do not."""
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
