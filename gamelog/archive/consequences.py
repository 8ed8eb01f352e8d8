"""What the events of a record brought about, as columns: dice, contests, and whatever else the game has words for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any

import msgspec

from gamelog.archive.columns import Columns
from gamelog.play.effects import Contest, Effect, Rolled, TurnOver
from gamelog.play.fold import Fold
from gamelog.play.narrate import tag_of
from gamelog.play.telling import consequences
from gamelog.record.envelope import Event

_encoder = msgspec.json.Encoder()


class Happened:
    """Effects of one type and, in a list beside them, the numbers of their events."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.effects: list[Any] = []


class Consequences:
    """The effects of all events of the game's own, undone ones too. The columns are without the record's id and what stands."""

    def __init__(self, fold: Fold, events: Sequence[Event]) -> None:
        self._by_type: dict[type[Effect], Happened] = {}
        own, effects, rooms = frozenset(fold.game.events), _teller(fold), self._by_type
        for event, before, after in zip(events, fold.states, fold.states[1:], strict=False):
            if type(event) in own and (told := effects(before, event, after)):
                n = event.n
                for effect in told:
                    kind = type(effect)
                    if kind not in rooms:
                        rooms[kind] = Happened()
                    room = rooms[kind]
                    room.numbers.append(n)
                    room.effects.append(effect)

    def _of(self, kind: type[Effect]) -> Happened:
        """The effects of a type and of those derived from it, in their order."""
        found = [room for type, room in self._by_type.items() if issubclass(type, kind)]
        if len(found) == 1:
            return found[0]
        together = Happened()
        pairs = chain.from_iterable(zip(room.numbers, room.effects, strict=True) for room in found)
        for n, effect in sorted(pairs, key=itemgetter(0)):
            together.numbers.append(n)
            together.effects.append(effect)
        return together

    def turns(self) -> list[tuple[int, str]]:
        """Each end of a turn: the number of its event, and whose turn it was."""
        over = self._of(TurnOver)
        return [(n, effect.seat) for n, effect in zip(over.numbers, over.effects, strict=True)]

    def rolls(self) -> Columns:
        """Dice."""
        found = self._of(Rolled)
        rolls: list[Rolled] = found.effects
        return {
            "n": found.numbers,
            "seat": [roll.seat for roll in rolls],
            "sides": [roll.sides for roll in rolls],
            "faces": [roll.faces for roll in rolls],
        }

    def contests(self) -> Columns:
        """Sums that were compared."""
        found = self._of(Contest)
        contests: list[Contest] = found.effects
        return {
            "n": found.numbers,
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

    def facts(self) -> Columns:
        """Everything else, type by type. Whom it happens to is its ``seat``, or else who does it, its ``by``."""
        told: dict[str, list[Any]] = {name: [] for name in ("n", "kind", "seat", "place", "count", "data")}
        for kind, found in self._by_type.items():
            if not issubclass(kind, Rolled | Contest):
                seats, by = _values(found, kind, "seat", str), _values(found, kind, "by", str)
                told["n"] += found.numbers
                told["kind"] += [tag_of(kind)] * len(seats)
                told["seat"] += [seat or name for seat, name in zip(seats, by, strict=True)]
                told["place"] += _values(found, kind, "at", str)
                told["count"] += _values(found, kind, "count", int)
                told["data"] += _members(found, kind)
        return told


def _teller(fold: Fold) -> Callable[[Any, Event, Any], tuple[Effect, ...]]:
    """The game's own ``effects``, with care for events that were illegal and stood."""
    flagged = {n for n, _ in fold.flags}
    if not flagged:
        return fold.game.effects

    def tell(before: Any, event: Event, after: Any) -> tuple[Effect, ...]:
        if event.n not in flagged:
            return fold.game.effects(before, event, after)
        return () if after is before else consequences(fold.game, before, event, after, illegal=True)

    return tell


def _values(found: Happened, kind: type[Effect], name: str, wanted: type) -> list[Any]:
    """The member `name` of all effects of a type, None where there is none and where it is of another type than `wanted`."""
    if name not in kind.__struct_fields__:
        return [None] * len(found.effects)
    values = list(map(attrgetter(name), found.effects))
    return values if {*map(type, values)} == {wanted} else [value if isinstance(value, wanted) else None for value in values]


def _members(found: Happened, kind: type[Effect]) -> list[bytes]:
    """Effects of a type as JSON objects without their tag, which begins a line, so that nothing they say can be taken for it."""
    tagged = b'\n{"effect":' + _encoder.encode(tag_of(kind))
    lines = b"\n" + _encoder.encode_lines(found.effects)
    return lines.replace(tagged + b",", b"\n{").replace(tagged, b"\n{").split(b"\n")[1:-1]
