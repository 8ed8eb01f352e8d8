"""The code that several games share: graphs, positions as bytes, first rolls, phases, orderless members."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamelog.game import TABLE, CannotApply, Event, Outcome, Violation
from gamelog.games.kit.cells import put
from gamelog.games.kit.dice import face_violation, whole_percent
from gamelog.games.kit.graph import components, neighbours
from gamelog.games.kit.order import canonical_order
from gamelog.games.kit.phases import not_due
from gamelog.games.kit.roll_off import highest_rollers, leaders, roller_violation

SEATS = ("red", "blue", "green")


def rule_and_text(found: Violation | None) -> tuple[str, str]:
    """Return the rule that is broken and the reason in English."""
    assert found is not None
    return found.rule, str(found.message)


class Throw(Event, frozen=True, tag="throw"):
    """The dice of all players, and the hand of each."""

    rolls: dict[str, int]
    hands: dict[str, tuple[int, ...]] = {}


@given(
    st.lists(st.integers(0, 2), min_size=1, max_size=12),
    st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11))),
    st.integers(0, 2),
)
def test_components_are_connected_places_of_one_value(
    cells: list[int], pairs: set[tuple[int, int]], value: int
) -> None:
    near = [
        {b for a, b in pairs | {(b, a) for a, b in pairs} if a == at and b < len(cells)}
        for at in range(len(cells))
    ]
    groups = components(near, bytes(cells), value)
    assert sorted(at for group in groups for at in group) == [
        at for at, cell in enumerate(cells) if cell == value
    ]
    assert [group[0] for group in groups] == sorted(min(group) for group in groups), (
        "each begins with its lowest"
    )
    for group in groups:
        reached = {group[0]}
        while more := {there for at in reached for there in near[at] if cells[there] == value} - reached:
            reached |= more
        assert reached == set(group)


def test_wrong_edges_are_named() -> None:
    index = {"a": 0, "b": 1}
    assert neighbours(index, [("a", "b")], one="field", many="fields") == ((1,), (0,))
    for edges, words in (
        ([("a", "c")], '"c"'),
        ([("a", "a")], "joins a field to itself"),
        ([("a", "b"), ("b", "a")], "twice"),
    ):
        with pytest.raises(ValueError, match=words):
            neighbours(index, edges, one="field", many="fields")


@given(st.binary(min_size=1), st.data())
def test_put_changes_one_place(cells: bytes, data: st.DataObject) -> None:
    at, value = data.draw(st.integers(0, len(cells) - 1)), data.draw(st.integers(0, 255))
    changed = put(cells, at, value)
    assert list(changed) == [value if place == at else cell for place, cell in enumerate(cells)]


def test_highest_returns_the_seats_with_the_highest_die() -> None:
    assert highest_rollers((0, 1, 2), SEATS, {"red": 3, "blue": 5, "green": 5}) == (1, 2)
    assert highest_rollers((0, 2), SEATS, {"red": 3, "blue": 6, "green": 1}) == (0,), "blue owes none"
    with pytest.raises(CannotApply):
        highest_rollers((0,), SEATS, {"blue": 6})
    assert leaders({"red": (1, 2), "blue": (1, 3), "green": (1, 3)}) == ("blue", "green")


def test_the_table_records_the_dice_of_the_seats_that_must_roll() -> None:
    def wrong(by: str, *seats: str) -> Violation | None:
        event = Throw(0, 0, by, dict.fromkeys(seats, 1))
        return roller_violation("A-1", event, event.rolls, ("red", "blue"), "A-2")

    assert wrong(TABLE, "blue", "red") is None
    assert rule_and_text(wrong("red", "blue", "red")) == (
        "A-1",
        "the table must record the dice of all players, not red",
    )
    assert rule_and_text(wrong(TABLE, "blue")) == ("A-2", "red and blue must roll, not blue")
    assert rule_and_text(wrong(TABLE)) == ("A-2", "red and blue must roll, not no one")


def test_only_certain_odds_are_0_or_100_percent() -> None:
    odds = (0.0, 0.0001, 0.005, 0.496, 0.7432, 0.9999, 1.0)
    assert [whole_percent(one) for one in odds] == [0, 1, 1, 50, 74, 99, 100]


def test_dice_have_six_faces() -> None:
    assert face_violation("A-1", {"red": 6}.values()) is None
    assert rule_and_text(face_violation("A-1", (1, 7, 0))) == ("A-1", "a die cannot show 7")


def test_the_next_event_is_named_until_the_game_is_over() -> None:
    due, ended_by = {"roll": ("A-3", "the die is due")}, {"far": "A-9"}
    assert not_due(due, "roll", ended_by, None) == Violation("A-3", "the die is due")
    assert not_due(due, "over", ended_by, Outcome(("red",), "far")) == Violation("A-9", "the game is over")


def test_members_without_an_order_are_sorted() -> None:
    canonical = canonical_order({Throw: ("rolls", "hands")})
    event = canonical(Throw(4, 5, TABLE, {"red": 2, "blue": 1}, {"red": (3, 1), "blue": ()}))
    assert (list(event.rolls), event.hands) == (["blue", "red"], {"blue": (), "red": (1, 3)})
    other = Event(4, 5, "red")
    assert canonical_order({Throw: ("rolls",)})(other) is other
