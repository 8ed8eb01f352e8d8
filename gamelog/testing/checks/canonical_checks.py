"""Checks of the canonical form of events, in which unordered things are sorted."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from msgspec import structs

from gamelog.chance.rng import Random, generator
from gamelog.errors import CannotApply
from gamelog.play.contract.game import AnyGame
from gamelog.record.envelope import TABLE, Event
from gamelog.testing.checks.random_games import Checks


class CanonicalChecks(Checks):
    """Checks of `canonical`.

    ``shown`` names members of the state that keep a recorded order only to show it, such as the order of
    dice. No decision and no result may depend on this order.
    """

    shown: ClassVar[frozenset[str]] = frozenset()

    def test_a_canonical_event_is_the_same_play(self) -> None:
        """Check that the canonical form and another order of mappings lead to the same result."""
        rng = generator("shuffled")
        for game, state, played, _ in self.sample.steps("canonical"):
            unplayed = structs.replace(rng.choice(game.events), by=rng.choice((*game.header.seat_ids, TABLE)))
            for event in (played, unplayed):
                same_play(self.game, state, event, self.shown)
                turned = shuffle_members(event, rng)
                one, two = (_result(self.game, state, form, self.shown) for form in (event, turned))
                assert one == two, f"mappings have no order, but {turned} has another result than {event}"
                assert _form(self.game, turned) == _form(self.game, event), (
                    f"mappings have no order, but {turned} and {event} have different canonical forms"
                )


def same_play(game: AnyGame, state: Any, event: Event, shown: frozenset[str] = frozenset()) -> None:
    """Check that `event` and its canonical form are the same play.

    Args:
        game: The game.
        state: The state in which the event may be legal or not.
        event: The event.
        shown: Members of the state that keep a recorded order only to show it. Their order may differ.

    Raises:
        AssertionError: The two events differ in `state`, or the canonical form has another canonical form.
    """
    form = game.canonical(event)
    assert type(form) is type(event), f"the canonical form of {event} has another type: {form}"
    assert _form(game, event) == _form(game, form), (
        f"the canonical form {form} of {event} has another canonical form"
    )
    for name in Event.__struct_fields__:
        assert getattr(form, name) == getattr(event, name), (
            f"the canonical form {form} of {event} has another {name}"
        )
    judgement, other = ("illegal" if game.check(state, variant) else "legal" for variant in (event, form))
    assert judgement == other, f"{event} is {judgement}, but its canonical form {form} is {other}"
    one, two = (_result(game, state, each, shown) for each in (event, form))
    assert one == two, f"{event} and its canonical form have different results"


def _form(game: AnyGame, event: Event) -> bytes:
    """Return the canonical form of `event`, with all mappings sorted."""
    return msgspec.json.encode(game.canonical(event), order="deterministic")


def _result(game: AnyGame, state: Any, event: Event, shown: frozenset[str]) -> tuple[Any, Any] | None:
    """Return the next state and the effects, ignoring the order inside the members in `shown`.

    Return None if the event cannot be carried out.
    """
    try:
        after = game.apply(state, event)
    except CannotApply:
        return None
    members = {name: getattr(after, name) for name in after.__struct_fields__}
    members |= {name: _sort_lists(msgspec.to_builtins(members[name])) for name in shown}
    effects = game.effects(state, event, after) if game.check(state, event) is None else ()
    return members, _sort_lists(msgspec.to_builtins(effects))


def shuffle_members(event: Event, rng: Random) -> Event:
    """Return `event` with the members of its mappings in another order."""
    mappings = {
        name: getattr(event, name)
        for name in event.__struct_fields__
        if isinstance(getattr(event, name), dict)
    }
    return structs.replace(
        event, **{name: dict(rng.sample(list(held.items()), len(held))) for name, held in mappings.items()}
    )


def _sort_lists(value: Any) -> Any:
    """Return plain data with all lists sorted."""
    if isinstance(value, dict):
        return {name: _sort_lists(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return sorted(map(_sort_lists, value), key=msgspec.json.encode)
    return value
