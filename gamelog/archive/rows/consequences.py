"""The consequences of a record's events as columns: dice, contests, and all other effects of the game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from operator import attrgetter, itemgetter
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.archive.rows.columns import Columns, flatten
from gamelog.archive.schema.tables import CorrectedRollRow
from gamelog.play.contract.effects import Contest, Effect, Rolled, TurnOver
from gamelog.play.fold.fold import Fold
from gamelog.play.rendering.events import consequences as consequences_of
from gamelog.record.envelope import Event, tag_of

_encoder = msgspec.json.Encoder()


class EffectRows(Struct):
    """Effects of one type in the record `id`.

    Attributes:
        numbers: Number of the event of each effect.
        stands: Whether this event counts, for each effect.
        effects: The effects, as values of their type.
    """

    id: str
    numbers: list[int]
    stands: list[bool]
    effects: list[Any]


RecordEffects = dict[type[Effect], EffectRows]
"""The effects in one record, by their type."""


def fold_consequences(
    fold: Fold,
    events: Sequence[Event],
    stands: Sequence[bool],
    corrected: Collection[int] = (),
    unseen: Collection[int] = (),
) -> RecordEffects:
    """Return the effects of all events of the game, undone ones included.

    Args:
        fold: The folded record.
        events: The events of the record.
        stands: For each event, whether it counts.
        corrected: The numbers of the events that were corrected as slips. They were never played, so they
            have no effects.
        unseen: The numbers of the events that not all seats may see. Only ends of turns are returned of them.
    """
    by_type: dict[type[Effect], tuple[list[int], list[Effect]]] = defaultdict(lambda: ([], []))
    game_events, effects = frozenset(fold.game.events), _safe_effects(fold)
    steps: Iterable[tuple[int, Any, Event, Any]] = zip(
        count(1), fold.states, events, fold.states[1:], strict=False
    )
    if corrected or not game_events.issuperset({*map(type, events)}):
        steps = (step for step in steps if type(step[2]) in game_events and step[0] not in corrected)
    for n, before, event, after in steps:
        for effect in effects(before, event, after):
            if unseen and n in unseen and not isinstance(effect, TurnOver):
                continue
            numbers, effects_of_type = by_type[type(effect)]
            numbers.append(n)
            effects_of_type.append(effect)
    id = fold.header.id
    return {
        kind: EffectRows(id, numbers, [stands[n - 1] for n in numbers], effects_of_type)
        for kind, (numbers, effects_of_type) in by_type.items()
    }


def corrected_rolls(
    fold: Fold, events: Sequence[Event], corrected: Iterable[int], unseen: Container[int]
) -> Iterator[CorrectedRollRow]:
    """Yield the dice of the events that were corrected as slips.

    Args:
        fold: The folded record.
        events: The events of the record.
        corrected: The numbers of these events.
        unseen: The numbers of the events that not all seats may see, whose dice are left out.
    """
    game_events, effects = frozenset(fold.game.events), _safe_effects(fold)
    for n in sorted(corrected):
        event = events[n - 1]
        if type(event) in game_events and n not in unseen:
            for effect in effects(fold.states[n - 1], event, fold.states[n]):
                if isinstance(effect, Rolled):
                    yield CorrectedRollRow(
                        id=fold.header.id, n=n, seat=effect.seat, sides=effect.sides, faces=effect.faces
                    )


def turn_ends(consequences: RecordEffects) -> list[tuple[int, str, bool]]:
    """Return the ends of turns in one record: number of the event, seat, and whether the event counts."""
    turn_overs = [effect_rows for kind, effect_rows in consequences.items() if issubclass(kind, TurnOver)]
    ends = (
        zip(rows.numbers, [effect.seat for effect in rows.effects], rows.stands, strict=True)
        for rows in turn_overs
    )
    return sorted(chain.from_iterable(ends), key=itemgetter(0))


EffectsByType = Mapping[type[Effect], Sequence[EffectRows]]
"""The effects in several records, by their type."""


def effect_columns(effects_by_type: EffectsByType) -> dict[str, Columns]:
    """Return the columns of the tables rolls, contests and facts, without empty tables."""
    tables = {
        "rolls": _rolls(_effects_of_type(effects_by_type, Rolled)),
        "contests": _contests(_effects_of_type(effects_by_type, Contest)),
        "facts": _facts(effects_by_type),
    }
    return {name: columns for name, columns in tables.items() if columns["n"]}


def _effects_of_type(effects_by_type: EffectsByType, kind: type[Effect]) -> list[EffectRows]:
    """Return the effects of a type and its subtypes."""
    return flatten(effect_rows for type, effect_rows in effects_by_type.items() if issubclass(type, kind))


def _shared_columns(effect_rows: Sequence[EffectRows]) -> dict[str, list[Any]]:
    """Return the columns that all three tables have."""
    return {
        "id": flatten([rows.id] * len(rows.numbers) for rows in effect_rows),
        "n": flatten(rows.numbers for rows in effect_rows),
        "stands": flatten(rows.stands for rows in effect_rows),
    }


def _rolls(effect_rows: Sequence[EffectRows]) -> Columns:
    rolls: list[Rolled] = flatten(rows.effects for rows in effect_rows)
    return {
        **_shared_columns(effect_rows),
        "seat": [roll.seat for roll in rolls],
        "sides": [roll.sides for roll in rolls],
        "faces": [roll.faces for roll in rolls],
    }


def _contests(effect_rows: Sequence[EffectRows]) -> Columns:
    """Return the columns of contests, one row for each contest."""
    contests: list[Contest] = flatten(rows.effects for rows in effect_rows)
    return {
        **_shared_columns(effect_rows),
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


def _facts(effects_by_type: EffectsByType) -> Columns:
    """Return the columns of all effects that are neither dice nor contests nor forecasts.

    The column ``seat`` has the effect's ``seat``, which it affects, or otherwise its ``by``, which caused it.
    """
    columns: dict[str, list[Any]] = {
        name: [] for name in ("id", "n", "stands", "kind", "seat", "place", "count", "data")
    }
    for kind, effect_rows in effects_by_type.items():
        if not issubclass(kind, Rolled | Contest) and not kind.is_forecast:
            effects = flatten(rows.effects for rows in effect_rows)
            seats, by = _values(effects, kind, "seat", str), _values(effects, kind, "by", str)
            for name, values in _shared_columns(effect_rows).items():
                columns[name] += values
            columns["kind"] += [tag_of(kind)] * len(effects)
            columns["seat"] += [seat or name for seat, name in zip(seats, by, strict=True)]
            columns["place"] += _values(effects, kind, "at", str)
            columns["count"] += _values(effects, kind, "count", int)
            columns["data"] += _members(effects, kind)
    return columns


def _safe_effects(fold: Fold) -> Callable[[Any, Event, Any], tuple[Effect, ...]]:
    """Return the game's ``effects`` function, wrapped so that it also accepts illegal events that count."""
    flagged = fold.violations.keys()
    if not flagged:
        return fold.game.effects

    def effects(before: Any, event: Event, after: Any) -> tuple[Effect, ...]:
        if event.n not in flagged:
            return fold.game.effects(before, event, after)
        return () if after is before else consequences_of(fold.game, before, event, after, illegal=True)

    return effects


def _values(effects: list[Any], kind: type[Effect], name: str, value_type: type) -> list[Any]:
    """Return the member `name` of effects of a type, or None if it is missing or not a `value_type`."""
    if name not in kind.__struct_fields__:
        return [None] * len(effects)
    values = list(map(attrgetter(name), effects))
    return (
        values
        if {*map(type, values)} == {value_type}
        else [value if isinstance(value, value_type) else None for value in values]
    )


def _members(effects: list[Any], kind: type[Effect]) -> list[bytes]:
    """Return effects of a type as JSON objects without their tag.

    The tag is removed at the start of a line only, because the text of a member may contain the same bytes.
    """
    tagged = b'\n{"effect":' + _encoder.encode(tag_of(kind))
    lines = b"\n" + _encoder.encode_lines(effects)
    return lines.replace(tagged + b",", b"\n{").replace(tagged, b"\n{").split(b"\n")[1:-1]
