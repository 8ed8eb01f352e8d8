"""The scenarios in tests/scenarios/gp02a_territory, which exercise every rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamelog.games.gp02a_territory import GAME
from gamelog.testing.scenarios import Scenario, load_scenarios, run, unshown_rules
from tests.games.gp02a_territory.arrange import arrange

SCENARIOS = load_scenarios(Path(__file__).parents[2] / "scenarios" / "gp02a_territory")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_scenario(scenario: Scenario) -> None:
    run(GAME, scenario, arrange)


def test_every_rule_is_exercised() -> None:
    assert unshown_rules(GAME, SCENARIOS) == []
