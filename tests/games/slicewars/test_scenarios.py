"""The scenarios in tests/scenarios/slicewars, which exercise every rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gamelog.games.slicewars import GAME
from gamelog.testing.scenarios import Scenario, load_scenarios, run, unshown_rules
from tests.games.slicewars.arrange import arrange

SCENARIOS = load_scenarios(Path(__file__).parents[2] / "scenarios" / "slicewars")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_scenario(scenario: Scenario) -> None:
    run(GAME, scenario, arrange)


def test_the_one_that_the_page_shows(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "scenarios.md").read_text("utf-8")
    (shown,) = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "shown.toml").write_text(shown, "utf-8")
    (scenario,) = load_scenarios(tmp_path)
    run(GAME, scenario, arrange)


def test_every_rule_is_exercised() -> None:
    assert unshown_rules(GAME, SCENARIOS) == []
