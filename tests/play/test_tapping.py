"""Tests of the taps of an event, which follow from its members and the scene."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from gamelog import game
from gamelog.games.dice_flags.events import Rescue
from gamelog.games.zone_control.events import Challenge, Step
from gamelog.play.contract.registry import find
from gamelog.play.view.tapping import Tapping, is_other_path
from gamelog.record.envelope import Event
from tests.play.tables import GAME, start_game


class Act(game.Event, frozen=True, tag="act"):
    """An event with every kind of member."""

    src: str = ""
    dst: str = ""
    block: int = 0
    to: str = ""
    with_: str = ""
    them: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    pairs: dict[str, str] = {}
    cards: Cards | None = None


class Cards(Struct, frozen=True):
    low: int = 0
    high: int = 0


class Plain(Struct, frozen=True):
    """The members of a game that taps need."""

    taps: Any = None

    @staticmethod
    def canonical(event: Act) -> Act:
        return msgspec.structs.replace(event, them=tuple(sorted(event.them)))


CELLS = (
    game.Cell("a1", 0, 0),
    game.Cell("a2", 0, 1),
    game.Cell("a3", 0, 2, zone="block 3"),
    game.Cell("a4", 0, 3, zone="block 3"),
)
SCENE = game.Scene(
    game.BoardLayout(CELLS), (game.Piece("a1", "pawn", "red", id="p1"), game.Piece("a1", "pawn", "red"))
)


def taps(**members: Any) -> tuple[str, ...]:
    plain: Any = Plain()
    return Tapping(plain, None, SCENE, ("red", "blue")).taps_of(Act(7, 70, "red", **members))


@pytest.mark.parametrize(
    ("members", "touched"),
    [
        ({}, ()),
        ({"src": "a1", "dst": "a2"}, ("a1", "a2")),
        ({"dst": "a1", "src": "a2"}, ("a2", "a1")),
        ({"src": "a1", "to": "blue"}, ("a1", "blue")),
        ({"block": 3, "dst": "a1"}, ("block 3", "a1")),
        ({"block": 4, "dst": "a1"}, ("block 4", "a1")),
        ({"dst": "a1", "to": "blue"}, ("blue", "a1")),
        ({"dst": "a1", "to": "knight"}, ("knight", "a1")),
        ({"to": "knight", "with_": "sword"}, ("to knight", "with_ sword")),
        ({"to": "knight", "with_": "blue"}, ("knight", "blue")),
        ({"path": ("a1", "a2", "a3")}, ("a3",)),
        ({"them": ("a2", "a1")}, ("a2", "a1")),
        ({"dst": "a1", "them": ("a2", "a1")}, ("a2", "a1")),
        ({"pairs": {"a1": "a2", "red": "a3"}}, ("a1", "a2", "red a3")),
        ({"cards": Cards(low=2)}, ("red cards 2 low",)),
        ({"cards": Cards(2, 1)}, ("red cards 2 low, 1 high",)),
    ],
)
def test_taps_of_events(members: dict[str, Any], touched: tuple[str, ...]) -> None:
    assert taps(**members) == touched


def test_a_game_can_have_its_own_taps() -> None:
    plain: Any = Plain(taps=lambda _state, event: (event.dst, "so"))
    assert Tapping(plain, None, SCENE, ("red",)).taps_of(Act(1, 0, "red", src="a1", dst="a2")) == ("a2", "so")


def test_cells_among_the_taps() -> None:
    tapping = Tapping(GAME, start_game().state, SCENE, ("red", "blue"))
    assert (list(tapping.cells), tapping.zones) == (["a1", "a2", "a3", "a4"], {"block 3": ["a3", "a4"]})
    assert (list(tapping.pieces), tapping.seats) == (["p1"], frozenset(("red", "blue")))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"path": ("a1", "a2", "a4")}, {"path": ("a1", "a3", "a4")}, True),
        ({"path": ("a1", "a2")}, {"path": ("a1", "a3")}, False),
        ({"dst": "a1"}, {"dst": "a2"}, False),
        ({"dst": "a1", "path": ("a1", "a4")}, {"dst": "a2", "path": ("a2", "a4")}, False),
    ],
)
def test_another_way_to_the_same_end(one: dict[str, Any], other: dict[str, Any], same: bool) -> None:
    first: Event = Act(1, 0, "red", **one)
    assert is_other_path(first, Act(2, 0, "red", **other)) == same


def test_the_taps_that_the_page_shows_are_those_of_the_games() -> None:
    text = (Path(__file__).parents[2] / "docs" / "vocabulary.md").read_text("utf-8")
    (block,) = re.findall(r"^```python\n(def taps.*?)^```", text, re.MULTILINE | re.DOTALL)
    shown: dict[str, Any] = {"Challenge": Challenge, "Rescue": Rescue}
    exec(block, shown)  # the text of our own page
    for name, event in (
        ("zone_control", Challenge(1, 0, "red", at="5", attackers=("a1", "a2"))),
        ("zone_control", Step(1, 0, "red", src="a1", dst="a2")),
        ("dice_flags", Rescue(1, 0, "red", rescuer="general", seat="blue", prisoner="major", at="a1")),
    ):
        own: Any = find(name).taps
        assert shown["taps"](None, event) == own(None, event)
