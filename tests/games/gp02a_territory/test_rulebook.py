"""RULES.md says what the code does: its numbers, its options and its events are the program's."""

from __future__ import annotations

import msgspec

from gamelog.games.gp02a_territory import GAME
from gamelog.games.gp02a_territory.state import Options
from gamelog.games.gp02a_territory.tables import TABLES
from gamelog.play.common import Resign
from gamelog.play.fold import Fold
from gamelog.play.narrate import tag_of
from gamelog.play.rulebook import rulebook
from gamelog.record.envelope import Event
from tests.games.gp02a_territory.games import play


def table(heading: str) -> list[list[str]]:
    """The cells of the table under `heading`, code marks and head left out."""
    section = GAME.rules().split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("`", "") for cell in row.strip("|").split("|")] for row in rows[2:]]


def test_no_number_is_missing() -> None:
    rules = [f"GP-{number}" for number in range(1, 23)]
    rulings = [f"GP-A{number}" for number in range(1, 34)]
    assert list(rulebook(GAME)) == rules + rulings
    assert [rule.id for rule in rulebook(GAME).values() if rule.ruling] == rulings


def test_options_are_those_of_the_program_with_their_defaults() -> None:
    rows = {row[0]: row for row in table("Options")}
    defaults = msgspec.to_builtins(Options())
    assert list(rows) == list(defaults)
    for name, default in defaults.items():
        assert rows[name][1] == (default if isinstance(default, str) else msgspec.json.encode(default).decode())
        assert name in rulebook(GAME)[rows[name][3]].text


def test_events_are_those_of_the_program_with_their_members() -> None:
    rows = {row[0]: row for row in table("What is recorded")}
    assert list(rows) == [tag_of(kind) for kind in GAME.events]
    for kind in GAME.events:
        own = [name for name in kind.__struct_fields__ if name not in Event.__struct_fields__]
        cell = rows[tag_of(kind)][2]
        assert all(name in cell for name in own)
        assert bool(own) == bool(cell)


def test_numbers_in_the_text_are_those_of_the_table() -> None:
    book = rulebook(GAME)
    for name, count in TABLES.chips.items():
        assert (f"{count} {name}" if name != "purple" else "the purple one") in book["GP-2"].text
    sizes = [smallest for smallest, _ in TABLES.groups]
    for (smallest, points), wider in zip(TABLES.groups, sizes[1:], strict=False):
        assert f"{smallest} to {wider - 1} chips {points}" in book["GP-19"].text
    assert f"more chips {TABLES.groups[-1][1]}" in book["GP-19"].text
    assert f"gets {TABLES.block} points" in book["GP-20"].text
    assert str(sum(TABLES.chips.values())) in book["GP-2"].text


def test_nobody_resigns() -> None:
    fold = Fold(play(0, 3).header, GAME)
    refused = fold.push(Resign(1, 0, "red"))
    assert refused and refused.code == "play.common" and "does not say what resigning means" in refused.message
