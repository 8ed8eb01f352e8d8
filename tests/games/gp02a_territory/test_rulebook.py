"""The chips and points in RULES.md agree with the table in the code."""

from __future__ import annotations

from gamelog.games.gp02a_territory import GAME
from gamelog.games.gp02a_territory.tables import TABLES
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.fold.common_events import Resign
from gamelog.play.fold.fold import Fold
from tests.games.gp02a_territory.games import play


def test_numbers_in_the_text_are_those_of_the_table() -> None:
    book = rulebook(GAME)
    for name, count in TABLES.chips.items():
        assert (f"{count} {name}" if name != "purple" else "the purple chip") in book["GP-2"].text
    sizes = [smallest for smallest, _ in TABLES.groups]
    for (smallest, points), wider in zip(TABLES.groups, sizes[1:], strict=False):
        assert f"{smallest} to {wider - 1} chips {points}" in book["GP-19"].text
    assert f"more chips {TABLES.groups[-1][1]}" in book["GP-19"].text
    assert f"scores {TABLES.block} points" in book["GP-20"].text
    assert str(sum(TABLES.chips.values())) in book["GP-2"].text


def test_players_cannot_resign() -> None:
    fold = Fold(play(0, 3).header, GAME)
    refused = fold.push(Resign(1, 0, "red"))
    assert refused and refused.code == "play.common" and "do not say what happens when one of" in refused.text
