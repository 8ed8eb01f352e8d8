"""RULES.md says what the code does: its numbers, its options and its events are the program's."""

from __future__ import annotations

import msgspec

from gamelog.games.dice_flags import GAME
from gamelog.games.dice_flags.state import Options
from gamelog.play.narrate import tag_of
from gamelog.play.rulebook import rulebook


def table(heading: str) -> list[list[str]]:
    """The cells of the table under `heading`, code marks and head left out."""
    section = GAME.rules().split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("`", "") for cell in row.strip("|").split("|")] for row in rows[2:]]


def test_no_number_is_missing() -> None:
    rules = [f"DF-{number}" for number in range(1, 27)]
    rulings = [f"DF-A{number}" for number in range(1, 46)]
    assert list(rulebook(GAME)) == rules + rulings
    assert [rule.id for rule in rulebook(GAME).values() if rule.ruling] == rulings


def test_options_are_those_of_the_program_with_their_defaults() -> None:
    rows = {row[0]: row for row in table("Options")}
    defaults = msgspec.to_builtins(Options())
    assert list(rows) == list(defaults)
    for name, default in defaults.items():
        assert rows[name][1] == (str(default).lower() if isinstance(default, bool) or default is None else str(default))
        assert name in rulebook(GAME)[rows[name][3]].text


def test_events_are_those_of_the_program_with_their_members() -> None:
    rows = {row[0]: row for row in table("What is recorded")}
    assert list(rows) == [tag_of(kind) for kind in GAME.events]
    for kind in GAME.events:
        own = [name for name in kind.__struct_fields__ if name not in GAME.events[-1].__struct_fields__]
        cell = rows[tag_of(kind)][2]
        assert all(name in cell for name in own)
        assert bool(own) == bool(cell)
