"""RULES.md agrees with the code: the same pieces as in the roster, the same tiles as in the bag."""

from __future__ import annotations

import re
from statistics import median
from typing import Any

import pytest

from gamelog.games.zone_s import GAME
from gamelog.games.zone_s.state import Options
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.series import simulate_game
from tests.games.test_rulebooks import table
from tests.games.zone_s.games import KINDS


def test_pieces_are_those_of_the_roster() -> None:
    for row, (letters, kind) in zip(table(GAME, "Pieces").values(), KINDS.items(), strict=True):
        columns = [kind.get(name, "") for name in ("type", "course", "preferred", "difficult", "restricted")]
        assert row == [
            f"{letters} {kind['name']}",
            kind["side"].capitalize(),
            str(kind["count"]),
            str(kind["cost"]),
            *columns,
        ]


def test_there_are_nine_of_each_tile() -> None:
    assert set(Options().tile_counts.values()) == {9} and len(Options().tile_counts) == 4


def test_games_are_as_short_as_the_ruling_on_shared_home_tiles_says() -> None:
    """Play the first games of both series that ZS-A25 names; more games would take too long."""
    said = rulebook(GAME)["ZS-A25"].text
    series = re.search(r"gamelog simulate zone_s --games (\d+) --bot greedy --seed (\w+)", said)
    assert series and int(series[1]) > 30
    typical = [int(number) for number in re.findall(r"after (\d+)(?: actions)? \(", said)]
    found = [
        median(_actions(series[2], index, options) for index in range(30))
        for options in ({}, {"shared_home_counts": False})
    ]
    assert typical[0] < typical[1]
    assert found[0] < found[1]
    assert found == pytest.approx(typical, abs=5)


def _actions(seed: str, index: int, options: dict[str, Any]) -> int:
    header, events = simulate_game(GAME, seed, index, players=2, bots=("greedy",), options=options)
    fold = Fold(header, GAME)
    fold.extend(events)
    assert GAME.describe is not None
    return int(GAME.describe(fold.states[-1])["actions"])
