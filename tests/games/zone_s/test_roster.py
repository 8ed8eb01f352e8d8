"""The roster of the game, its computed numbers, data that is not a roster, and options."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from gamelog.errors import BadSetup
from gamelog.games.zone_s import GAME
from gamelog.games.zone_s.roster import TERRAINS, header_value, read_built_in, read_roster
from gamelog.games.zone_s.state import Options
from gamelog.play.fold.start import read_options
from tests.games.zone_s.games import KINDS, STRANGE, begin


def armies(*costs: int) -> list[tuple[int, ...]]:
    """Return all numbers of pieces that make ten pieces worth fifty with at least one of each kind."""
    return [
        numbers
        for numbers in product(range(1, 8), repeat=len(costs))
        if sum(numbers) == 10 and sum(count * cost for count, cost in zip(numbers, costs, strict=True)) == 50
    ]


def test_the_numbers_of_pieces_are_the_only_ones_that_fit_both_sides() -> None:
    dominion, separatists = armies(5, 3, 6, 8), armies(4, 4, 6, 8)
    assert dominion == [(1, 5, 1, 3), (2, 4, 2, 2), (3, 3, 3, 1), (6, 2, 1, 1)]
    assert len(separatists) == 11
    assert set(dominion) & set(separatists) == {(3, 3, 3, 1)}
    assert [kind["count"] for kind in KINDS.values()] == [3, 3, 3, 1] * 2


def test_the_core_roster() -> None:
    roster = read_roster(read_built_in("core"))
    assert "our reconstruction" in roster.remark
    for side in (0, 1):
        own = [roster.kinds[code] for code in roster.own[side]]
        assert (sum(kind.count for kind in own), sum(kind.count * kind.cost for kind in own)) == (10, 50)
        for terrain in range(1, len(TERRAINS) + 1):
            assert sum(kind.restricted != terrain for kind in own) >= 2, (
                "a wall of one terrain must not be safe"
            )
    assert [kind.id for kind in roster.kinds if kind.type == "monster"] == ["HT"]
    assert len({kind.special for kind in roster.kinds[1:]}) == 8, "every kind has a special of its own"
    assert list(roster.sides) == [2, 0, 0, 0, 0, 1, 1, 1, 1]


def test_a_built_in_roster_is_kept_with_its_digest() -> None:
    kept = Options().roster
    assert isinstance(kept, str) and kept.startswith("core@") and len(kept) == 48
    assert Options(roster="core") == Options(roster=kept) == Options()
    assert read_options(GAME, {"roster": "core"}) == Options()
    with pytest.raises(BadSetup, match="another version of the roster"):
        read_options(GAME, {"roster": kept[:-1] + "x"})
    with pytest.raises(BadSetup, match='no roster "big"; choose one of: core'):
        read_options(GAME, {"roster": "big"})


def test_a_whole_roster_is_kept_whole() -> None:
    assert header_value(STRANGE) is STRANGE
    state = begin(roster=STRANGE)
    assert sum(state.reserve) == 22
    assert [kind.side for kind in state.setup.roster.kinds[1:]] == [0] * 5 + [1] * 5
    assert state.setup.roster.shelters == ((), (state.setup.roster.codes["SH"],))


def altered(letters: str, **changes: Any) -> dict[str, Any]:
    return {"name": "altered", "kinds": KINDS | {letters: KINDS[letters] | changes}}


def alone(side: str) -> dict[str, Any]:
    return {
        "name": "alone",
        "kinds": {letters: kind for letters, kind in KINDS.items() if kind["side"] == side},
    }


@pytest.mark.parametrize(
    ("roster", "why"),
    [
        (altered("SP", difficult="fields"), "SP has the same terrain in two columns"),
        (altered("SP", type="fortification"), "SP is a fortification"),
        (altered("SP", type="fortification", course=None, preferred=None), "SP is a fortification"),
        (
            altered("HT", type="fortification", course=None),
            "HT is a fortification and never moves, so it cannot leap",
        ),
        (altered("HT", course=None), "HT is not a fortification and needs a course"),
        (alone("dominion"), "the roster has no pieces for the separatists"),
        (alone("separatists"), "the roster has no pieces for the dominion"),
        (altered("SP", count=0), "count"),
        (altered("SP", cost=-1), "cost"),
        (altered("SP", course="knight"), "course"),
        (altered("SP", preferred="swamp"), "preferred"),
        (altered("SP", special="flies"), "special"),
        (altered("SP", range=0), "range"),
        (altered("SP", speed=3), "speed"),
        ({"name": "bad", "kinds": {"sp": KINDS["SP"], "HT": KINDS["HT"]}}, "kinds"),
        ({"kinds": KINDS}, "name"),
        ({}, "name|kinds"),
    ],
)
def test_other_data_is_not_a_roster(roster: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_roster(roster)
    with pytest.raises(BadSetup, match=why):
        read_options(GAME, {"roster": roster})


@pytest.mark.parametrize(
    "wrong",
    [
        {"roster": 3},
        {"tile_counts": {"fields": -1, "water": 37}},
        {"tile_counts": {"swamp": 36}},
        {"repetitions": 1},
        {"repetitions": 101},
        {"max_quiet": 1},
        {"max_quiet": 10_001},
        {"max_actions": 0},
        {"max_actions": 10_001},
        {"summon_destroys": "yes"},
        {"screens": 2},
    ],
)
def test_other_values_are_not_options(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadSetup):
        read_options(GAME, wrong)
