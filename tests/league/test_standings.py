"""The tables of simulated leagues equal those of an independent program."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gamelog.archive import Reader
from gamelog.league.applying import apply_league
from gamelog.league.league_file import read_league
from tests.archive.conftest import begun
from tests.league.by_hand import standings
from tests.league.simulated import FIRST_DAY, Rules, simulated, store

LEAGUES = 300
BATCH = 10


def applied(rules: Rules, folder: Path) -> Path:
    """Write a league and its archive, and return the archive."""
    archive, file = folder / "league.archive", folder / "league.toml"
    file.write_text(rules.text(), "utf-8")
    store(rules, begun(archive))
    apply_league(read_league(file), archive)
    return archive


def as_numbers(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows with all fractions as approximate numbers. Ranks, which depend on exact ties, stay exact."""
    return [
        {
            name: pytest.approx(float(value), abs=1e-4) if isinstance(value, Fraction) else value
            for name, value in row.items()
        }
        for row in rows
    ]


@pytest.mark.grid
@pytest.mark.parametrize("first", range(0, LEAGUES, BATCH))
def test_standings_of_simulated_leagues(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + BATCH):
        rules = simulated(seed)
        archive = applied(rules, tmp_path)
        with Reader(archive) as reader:
            for day in (None, FIRST_DAY + timedelta(12)):
                found = reader.ask("league_standings", {"as_of": day}).dicts()
                wanted = as_numbers(standings(rules, day))
                assert len(found) == len(wanted), (seed, day)
                assert found == [{name: row[name] for name in found[0]} for row in wanted], (seed, day)


def test_the_leagues_have_everything_that_is_compared() -> None:
    met: Counter[str] = Counter()
    for seed in range(LEAGUES):
        rules = simulated(seed)
        rows = standings(rules, None)
        met.update(
            f"ties after {len(rules.tie_breaks)}"
            for one in range(len(rows) - 1)
            if rows[one]["rank"] == rows[one + 1]["rank"]
        )
        met.update(
            decision["decision"] + (" with" if "record" in decision else " without")
            for decision in rules.corrections
        )
        met.update("walkover" for game in rules.games if game.result_by == "walkover")
        met.update("substitute" for game in rules.games for chair in game.chairs if len(chair.sitters) > 1)
        met.update("people" for _ in rules.aliases)
    assert {f"ties after {depth}" for depth in range(8)} <= met.keys()
    assert {"annulled with", "forfeit with", "result with", "forfeit without", "result without"} <= met.keys()
    assert met["walkover"] > 100 < met["substitute"]
    assert met["people"] > 20
