"""What the events of a record brought about, as columns:
dice, contests, and whatever else the game has words for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from itertools import chain, count
from operator import attrgetter, itemgetter
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.archive.rows.columns import Columns, flat
from gamelog.play.contract.effects import Contest, Effect, Rolled, TurnOver
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.events import consequences as consequences_of
from gamelog.record.envelope import Event, tag_of

_encoder = msgspec.json.Encoder()


class EffectRows(Struct):
    """Effects of one type, of record `id`: beside each the number of its event, and whether that stands."""

    id: str
    numbers: list[int]
    stands: list[bool]
    effects: list[Any]


Consequences = dict[type[Effect], EffectRows]
"""What one record's events brought about, by the type of the effects."""


def fold_consequences(
    fold: Fold,
    events: Sequence[Event],
    stands: Sequence[bool],
    corrected: Container[int] = (),
    unseen: Container[int] = (),
) -> Consequences:
    """The effects of all events of the game's own, undone ones too, but for those `corrected`, which were
    never played.

    `stands` says of each event of the record whether it does. Of `unseen` events only ends of turns are told.
    """
    found: dict[type[Effect], tuple[list[int], list[Effect]]] = defaultdict(lambda: ([], []))
    own, effects = frozenset(fold.game.events), _teller(fold)
    for n, before, event, after in zip(count(1), fold.states, events, fold.states[1:], strict=False):
        if type(event) in own and n not in corrected:
            for effect in effects(before, event, after):
                if n in unseen and not isinstance(effect, TurnOver):
                    continue
                numbers, told = found[type(effect)]
                numbers.append(n)
                told.append(effect)
    id = fold.header.id
    return {
        kind: EffectRows(id, numbers, [stands[n - 1] for n in numbers], told)
        for kind, (numbers, told) in found.items()
    }


def turns(found: Consequences) -> list[tuple[int, str, bool]]:
    """Each end of a turn in one record: the number of its event, whose turn it was, and whether it stands."""
    over = [happened for kind, happened in found.items() if issubclass(kind, TurnOver)]
    ends = (
        zip(one.numbers, [effect.seat for effect in one.effects], one.stands, strict=True) for one in over
    )
    return sorted(chain.from_iterable(ends), key=itemgetter(0))


Gathered = Mapping[type[Effect], Sequence[EffectRows]]
"""What the events of several records brought about."""


def tables(found: Gathered) -> dict[str, Columns]:
    """Rolls, contests, and everything else as facts; those of which there are any."""
    all_ = {
        "rolls": _rolls(_of(found, Rolled)),
        "contests": _contests(_of(found, Contest)),
        "facts": _facts(found),
    }
    return {name: columns for name, columns in all_.items() if columns["n"]}


def _of(found: Gathered, kind: type[Effect]) -> list[EffectRows]:
    """The effects of a type and of those derived from it."""
    return flat(happened for type, happened in found.items() if issubclass(type, kind))


def _common(some: Sequence[EffectRows]) -> dict[str, list[Any]]:
    """The columns that rows of every type have."""
    return {
        "id": flat([one.id] * len(one.numbers) for one in some),
        "n": flat(one.numbers for one in some),
        "stands": flat(one.stands for one in some),
    }


def _rolls(happened: Sequence[EffectRows]) -> Columns:
    rolls: list[Rolled] = flat(one.effects for one in happened)
    return {
        **_common(happened),
        "seat": [roll.seat for roll in rolls],
        "sides": [roll.sides for roll in rolls],
        "faces": [roll.faces for roll in rolls],
    }


def _contests(happened: Sequence[EffectRows]) -> Columns:
    contests: list[Contest] = flat(one.effects for one in happened)
    return {
        **_common(happened),
        "seat": [contest.by for contest in contests],
        "against": [contest.against for contest in contests],
        "place": [contest.at or None for contest in contests],
        "attack": [contest.attack for contest in contests],
        "defence": [contest.defence for contest in contests],
        "attack_sum": [contest.attack_sum for contest in contests],
        "defence_sum": [contest.defence_sum for contest in contests],
        "won": [contest.won for contest in contests],
        "odds": [contest.odds for contest in contests],
    }


def _facts(found: Gathered) -> Columns:
    """What is neither dice nor a contest. Whom it happens to is its ``seat``, or else who does it,
    its ``by``.
    """
    told: dict[str, list[Any]] = {
        name: [] for name in ("id", "n", "stands", "kind", "seat", "place", "count", "data")
    }
    for kind, happened in found.items():
        if not issubclass(kind, Rolled | Contest):
            effects = flat(one.effects for one in happened)
            seats, by = _values(effects, kind, "seat", str), _values(effects, kind, "by", str)
            for name, values in _common(happened).items():
                told[name] += values
            told["kind"] += [tag_of(kind)] * len(effects)
            told["seat"] += [seat or name for seat, name in zip(seats, by, strict=True)]
            told["place"] += _values(effects, kind, "at", str)
            told["count"] += _values(effects, kind, "count", int)
            told["data"] += _members(effects, kind)
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


def _values(effects: list[Any], kind: type[Effect], name: str, wanted: type) -> list[Any]:
    """The member `name` of all effects of a type,
    None where there is none and where it is of another type than `wanted`.
    """
    if name not in kind.__struct_fields__:
        return [None] * len(effects)
    values = list(map(attrgetter(name), effects))
    return (
        values
        if {*map(type, values)} == {wanted}
        else [value if isinstance(value, wanted) else None for value in values]
    )


def _members(effects: list[Any], kind: type[Effect]) -> list[bytes]:
    """Effects of a type as JSON objects without their tag, which begins a line,
    so that nothing they say can be taken for it.
    """
    tagged = b'\n{"effect":' + _encoder.encode(tag_of(kind))
    lines = b"\n" + _encoder.encode_lines(effects)
    return lines.replace(tagged + b",", b"\n{").replace(tagged, b"\n{").split(b"\n")[1:-1]
