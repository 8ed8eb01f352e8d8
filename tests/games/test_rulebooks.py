"""Each game's RULES.md agrees with the code: numbers of rules, options and events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find
from gamelog.play.contract.rulebook import rulebook
from gamelog.record.envelope import Event, tag_of

NUMBERS = {
    "slicewars": ("SW", 20, 26),
    "zone_control": ("ZC", 28, 29),
    "gp02a_territory": ("GP", 22, 34),
    "zone_s": ("ZS", 26, 38),
    "dice_flags": ("DF", 26, 45),
}
"""By game: its letters, the number of rules from its source text, and the number of rulings."""

IN_WORDS = {"roster": "core", "tile_counts": "nine of each"}
"""Words for defaults that are too long for a cell."""


@pytest.fixture(params=NUMBERS)
def game(request: pytest.FixtureRequest) -> AnyGame:
    return find(request.param)


def table(game: AnyGame, heading: str) -> Mapping[str, list[str]]:
    """Return the rows of the table under `heading` by their first cell, without code marks and the head."""
    section = game.rules().split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    rows = [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in lines[2:]]
    return {row[0]: row for row in rows}


def spelled(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def test_no_number_is_missing(game: AnyGame) -> None:
    letters, last_rule, last_ruling = NUMBERS[game.id]
    rules = [f"{letters}-{number}" for number in range(1, last_rule + 1)]
    rulings = [f"{letters}-A{number}" for number in range(1, last_ruling + 1)]
    assert list(rulebook(game)) == rules + rulings
    assert [rule.id for rule in rulebook(game).values() if rule.ruling] == rulings


def test_options_and_defaults_agree_with_the_code(game: AnyGame) -> None:
    rows = table(game, "Options")
    defaults = msgspec.to_builtins(game.Options())
    assert list(rows) == list(defaults)
    for name, default in defaults.items():
        assert rows[name][1].split(",")[0] == IN_WORDS.get(name, spelled(default))
        assert name in rulebook(game)[rows[name][3]].text


def test_events_and_members_agree_with_the_code(game: AnyGame) -> None:
    rows = table(game, "What is recorded")
    assert list(rows) == [tag_of(kind) for kind in game.events]
    for kind in game.events:
        own = [name for name in kind.__struct_fields__ if name not in Event.__struct_fields__]
        cell = rows[tag_of(kind)][2]
        assert all(name in cell for name in own)
        assert bool(own) == bool(cell)
