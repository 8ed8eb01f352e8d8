"""What the events of a record brought about, as columns: dice, contests, and whatever else the game has words for."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from operator import attrgetter, itemgetter
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.archive.rows.columns import Columns
from gamelog.play.contract.effects import Contest, Effect, Rolled, TurnOver
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.events import consequences as consequences_of
from gamelog.record.envelope import Event, tag_of

_encoder = msgspec.json.Encoder()


class Happened(Struct):
    """Effects of one type, of one record or of many: beside each its record, the number of its event, and whether that stands."""

    ids: list[str] = []
    numbers: list[int] = []
    stands: list[bool] = []
    effects: list[Any] = []

    def __iadd__(self, more: Happened) -> Happened:
        self.ids += more.ids
        self.numbers += more.numbers
        self.stands += more.stands
        self.effects += more.effects
        return self


Consequences = dict[type[Effect], Happened]
"""Effects by their type."""


def fold_consequences(
    fold: Fold, events: Sequence[Event], stands: Sequence[bool], corrected: Container[int] = ()
) -> Consequences:
    """The effects of all events of the game's own, undone ones too, but for those `corrected`, which were never played.

    `stands` says of each event of the record whether it does.
    """
    found: Consequences = {}
    own, effects = frozenset(fold.game.events), _teller(fold)
    for event, before, after in zip(events, fold.states, fold.states[1:], strict=False):
        n = event.n
        if type(event) in own and n not in corrected and (told := effects(before, event, after)):
            for effect in told:
                kind = type(effect)
                if kind not in found:
                    found[kind] = Happened()
                happened = found[kind]
                happened.numbers.append(n)
                happened.effects.append(effect)
    for happened in found.values():
        happened.ids = [fold.header.id] * len(happened.numbers)
        happened.stands = [stands[n - 1] for n in happened.numbers]
    return found


def turns(found: Consequences) -> list[tuple[int, str, bool]]:
    """Each end of a turn in one record: the number of its event, whose turn it was, and whether it stands."""
    over = _of(found, TurnOver)
    ends = zip(over.numbers, [effect.seat for effect in over.effects], over.stands, strict=True)
    return sorted(ends, key=itemgetter(0))


def tables(found: Consequences) -> dict[str, Columns]:
    """Rolls, contests, and everything else as facts; those of which there are any."""
    all_ = {"rolls": _rolls(_of(found, Rolled)), "contests": _contests(_of(found, Contest)), "facts": _facts(found)}
    return {name: columns for name, columns in all_.items() if columns["n"]}


def _of(found: Consequences, kind: type[Effect]) -> Happened:
    """The effects of a type and of those derived from it."""
    together = Happened()
    for type, happened in found.items():
        if issubclass(type, kind):
            together += happened
    return together


def _rolls(happened: Happened) -> Columns:
    rolls: list[Rolled] = happened.effects
    return {
        "id": happened.ids,
        "n": happened.numbers,
        "seat": [roll.seat for roll in rolls],
        "sides": [roll.sides for roll in rolls],
        "faces": [roll.faces for roll in rolls],
        "stands": happened.stands,
    }


def _contests(happened: Happened) -> Columns:
    contests: list[Contest] = happened.effects
    return {
        "id": happened.ids,
        "n": happened.numbers,
        "seat": [contest.by for contest in contests],
        "against": [contest.against for contest in contests],
        "place": [contest.at or None for contest in contests],
        "attack": [contest.attack for contest in contests],
        "defence": [contest.defence for contest in contests],
        "attack_sum": [contest.attack_sum for contest in contests],
        "defence_sum": [contest.defence_sum for contest in contests],
        "won": [contest.won for contest in contests],
        "odds": [contest.odds for contest in contests],
        "stands": happened.stands,
    }


def _facts(found: Consequences) -> Columns:
    """What is neither dice nor a contest. Whom it happens to is its ``seat``, or else who does it, its ``by``."""
    told: dict[str, list[Any]] = {name: [] for name in ("id", "n", "kind", "seat", "place", "count", "stands", "data")}
    for kind, happened in found.items():
        if not issubclass(kind, Rolled | Contest):
            seats, by = _values(happened, kind, "seat", str), _values(happened, kind, "by", str)
            told["id"] += happened.ids
            told["n"] += happened.numbers
            told["kind"] += [tag_of(kind)] * len(seats)
            told["seat"] += [seat or name for seat, name in zip(seats, by, strict=True)]
            told["place"] += _values(happened, kind, "at", str)
            told["count"] += _values(happened, kind, "count", int)
            told["stands"] += happened.stands
            told["data"] += _members(happened, kind)
    return told


def _teller(fold: Fold) -> Callable[[Any, Event, Any], tuple[Effect, ...]]:
    """The game's own ``effects``, with care for events that were illegal and stood."""
    flagged = fold.violations.keys()
    if not flagged:
        return fold.game.effects

    def tell(before: Any, event: Event, after: Any) -> tuple[Effect, ...]:
        if event.n not in flagged:
            return fold.game.effects(before, event, after)
        return () if after is before else consequences_of(fold.game, before, event, after, illegal=True)

    return tell


def _values(happened: Happened, kind: type[Effect], name: str, wanted: type) -> list[Any]:
    """The member `name` of all effects of a type, None where there is none and where it is of another type than `wanted`."""
    if name not in kind.__struct_fields__:
        return [None] * len(happened.effects)
    values = list(map(attrgetter(name), happened.effects))
    return values if {*map(type, values)} == {wanted} else [value if isinstance(value, wanted) else None for value in values]


def _members(happened: Happened, kind: type[Effect]) -> list[bytes]:
    """Effects of a type as JSON objects without their tag, which begins a line, so that nothing they say can be taken for it."""
    tagged = b'\n{"effect":' + _encoder.encode(tag_of(kind))
    lines = b"\n" + _encoder.encode_lines(happened.effects)
    return lines.replace(tagged + b",", b"\n{").replace(tagged, b"\n{").split(b"\n")[1:-1]
