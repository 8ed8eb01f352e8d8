"""Members whose order means nothing: two people who record them in different orders record the same play."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from gamelog.errors import CannotApply
from gamelog.play.contract.registry import find, names
from gamelog.record.envelope import Event, tag_of
from gamelog.testing.checks.canonical_checks import same_play
from gamelog.testing.strategies import plays

ORDERLESS: dict[str, dict[str, tuple[str, ...]]] = {
    "dice_flags": {"start_roll": ("rolls",), "roll": ("dice",), "battle": ("attackers", "defenders")},
    "gp02a_territory": {"deal_cards": ("cards",), "distribute": ("cards",)},
    "slicewars": {
        "removal_roll": ("rolls",),
        "remove": ("at",),
        "start_roll": ("rolls",),
        "battle": ("attack", "defence"),
    },
    "zone_control": {
        "start_roll": ("rolls",),
        "move_roll": ("dice",),
        "challenge": ("attackers",),
        "challenge_roll": ("defence", "attack"),
        "occupy": ("placement",),
        "final_roll": ("rolls",),
    },
    "zone_s": {},
}
"""By game and kind of event: the members whose order means nothing."""

SHOWN = {"dice_flags": frozenset({"roll", "dice"}), "zone_control": frozenset({"siege"})}
"""Members of states that keep the recorded order."""


def shuffled(draw: st.DrawFn, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(draw(st.permutations(value)))
    if not isinstance(value, dict):
        return value
    return {name: shuffled(draw, held) for name, held in draw(st.permutations(list(value.items())))}


@st.composite
def pairs(draw: st.DrawFn, name: str) -> tuple[Any, Event, Event]:
    """Draw a position, an event with an orderless member, and the same event in another order."""
    played = draw(plays(find(name)))
    orderless = ORDERLESS[name]
    numbers = [at for at, event in enumerate(played.events) if tag_of(type(event)) in orderless]
    at = draw(st.sampled_from(numbers))
    event = played.events[at]
    state = played.states[draw(st.sampled_from((at, draw(st.integers(0, len(played.events))))))]
    changed = {member: shuffled(draw, getattr(event, member)) for member in orderless[tag_of(type(event))]}
    if "placement" in changed:
        changed["placement"] = dict(
            zip(changed["placement"], draw(st.permutations(list(changed["placement"].values()))), strict=True)
        )
    return state, event, structs.replace(event, **changed)


def after(name: str, state: Any, event: Event) -> Any:
    try:
        made = find(name).apply(state, event)
    except CannotApply:
        return None
    return {
        member: getattr(made, member)
        for member in made.__struct_fields__
        if member not in SHOWN.get(name, ())
    }


@pytest.mark.grid
@pytest.mark.parametrize("name", [name for name in names() if ORDERLESS[name]])
def test_another_order_gives_the_same_play(name: str) -> None:
    game = find(name)

    @given(pairs(name))
    def check(found: tuple[Any, Event, Event]) -> None:
        state, event, other = found
        assert game.canonical(event) == game.canonical(other)
        assert (game.check(state, event) is None) == (game.check(state, other) is None)
        assert after(name, state, event) == after(name, state, other)
        same_play(game, state, other, SHOWN.get(name, frozenset()))

    check()


@pytest.mark.grid
@pytest.mark.parametrize("name", names())
def test_other_members_do_not_change(name: str) -> None:
    game = find(name)

    @given(st.data())
    def check(data: st.DataObject) -> None:
        for event in data.draw(plays(game)).events:
            if tag_of(type(event)) not in ORDERLESS[name]:
                assert game.canonical(event) is event

    check()


def test_another_face_square_or_hand_gives_another_play() -> None:
    from gamelog.games.dice_flags.events import Move
    from gamelog.games.slicewars.events import Battle
    from gamelog.games.zone_control.events import Occupy

    slicewars, zones, dice = find("slicewars"), find("zone_control"), find("dice_flags")
    hands = [
        Battle(0, 0, "red", *sides)
        for sides in (((1, 2), (3,)), ((1, 3), (2,)), ((2, 2), (3,)), ((1, 2, 3), ()))
    ]
    assert len({slicewars.canonical(event) for event in hands}) == len(hands)
    ways = [Occupy(0, 0, "north", "1", {"a1": "b1"}), Occupy(0, 0, "north", "1", {"b1": "a1"})]
    assert zones.canonical(ways[0]) != zones.canonical(ways[1])
    walks = [Move(0, 0, "north", "F1", 2, path) for path in (("c1", "c2"), ("c2", "c1"))]
    assert dice.canonical(walks[0]) != dice.canonical(walks[1])
