"""Checks of the canonical form of events: what has no order by the rules."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from msgspec import structs

from gamelog.chance.rng import Random, generator
from gamelog.errors import CannotApply
from gamelog.play.contract.game import AnyGame
from gamelog.record.envelope import TABLE, Event
from gamelog.testing.kit.random_games import Checks


class Canonical(Checks):
    """`canonical`.

    ``shown`` names the members of the state that keep the order in which something without an order was
    written down (dice as they fell) only to show it: nothing that may or will happen hangs on that order.
    """

    shown: ClassVar[frozenset[str]] = frozenset()

    def test_a_canonical_event_is_the_same_play(self) -> None:
        rng = generator("shuffled")
        for game, state, played, _ in self.sample.steps("canonical"):
            stranger = structs.replace(rng.choice(game.events), by=rng.choice((*game.header.seat_ids, TABLE)))
            for event in (played, stranger):
                same_play(self.game, state, event, self.shown)
                turned = shuffled(event, rng)
                one, two = (_does(self.game, state, way, self.shown) for way in (event, turned))
                assert one == two, f"mappings have no order, and {turned} does something else than {event}"
                assert _form(self.game, turned) == _form(self.game, event), (
                    f"mappings have no order, and the canonical form of {turned} differs from that of {event}"
                )


def same_play(game: AnyGame, state: Any, event: Event, shown: frozenset[str] = frozenset()) -> None:
    """Raise AssertionError where `event` and its canonical form mean different things in `state`."""
    form = game.canonical(event)
    assert type(form) is type(event), f"the canonical form of {event} is {form}, of another type"
    assert _form(game, event) == _form(game, form), f"the canonical form {form} of {event} has another one"
    for name in Event.__struct_fields__:
        assert getattr(form, name) == getattr(event, name), (
            f"the canonical form {form} of {event} has another {name}"
        )
    found, other = ("refused" if game.check(state, way) else "legal" for way in (event, form))
    assert found == other, f"{event} is {found}, and its canonical form {form} is {other}"
    one, two = (_does(game, state, way, shown) for way in (event, form))
    assert one == two, f"{event} and its canonical form do not do the same"


def _form(game: AnyGame, event: Event) -> bytes:
    """The canonical form of `event`. Mappings are sorted by the framework, everywhere."""
    return msgspec.json.encode(game.canonical(event), order="deterministic")


def _does(game: AnyGame, state: Any, event: Event, shown: frozenset[str]) -> tuple[Any, Any] | None:
    """What `event` makes of `state`, without the order of what is only shown; None where it makes nothing."""
    try:
        after = game.apply(state, event)
    except CannotApply:
        return None
    members = {name: getattr(after, name) for name in after.__struct_fields__}
    members |= {name: _unordered(msgspec.to_builtins(members[name])) for name in shown}
    effects = game.effects(state, event, after) if game.check(state, event) is None else ()
    return members, _unordered(msgspec.to_builtins(effects))


def shuffled(event: Event, rng: Random) -> Event:
    """`event` with the members of its mappings in another order."""
    mappings = {
        name: getattr(event, name)
        for name in event.__struct_fields__
        if isinstance(getattr(event, name), dict)
    }
    return structs.replace(
        event, **{name: dict(rng.sample(list(held.items()), len(held))) for name, held in mappings.items()}
    )


def _unordered(value: Any) -> Any:
    """Plain data with every list in it sorted, so that order does not count."""
    if isinstance(value, dict):
        return {name: _unordered(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return sorted(map(_unordered, value), key=msgspec.json.encode)
    return value
