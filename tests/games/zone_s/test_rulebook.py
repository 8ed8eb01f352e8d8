"""RULES.md says what the code does: its pieces are those of the roster, its tiles those of the bag."""

from __future__ import annotations

from gamelog.games.zone_s import GAME
from gamelog.games.zone_s.state import Options
from tests.games.test_rulebooks import table
from tests.games.zone_s.games import KINDS


def test_pieces_are_those_of_the_roster() -> None:
    for row, (letters, kind) in zip(table(GAME, "Pieces").values(), KINDS.items(), strict=True):
        columns = [kind.get(name, "") for name in ("type", "course", "preferred", "difficult", "restricted")]
        assert row == [f"{letters} {kind['name']}", kind["side"].capitalize(), str(kind["count"]), str(kind["cost"]), *columns]


def test_there_are_nine_of_each_tile() -> None:
    assert set(Options().tile_counts.values()) == {9} and len(Options().tile_counts) == 4
