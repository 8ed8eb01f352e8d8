"""The scenarios in tests/scenarios/dice_flags, and the check that they cover every rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamelog.games.dice_flags import GAME
from gamelog.testing.scenarios import Scenario, load_scenarios, run, unshown_rules
from tests.games.dice_flags.arrange import arrange

SCENARIOS = load_scenarios(Path(__file__).parents[2] / "scenarios" / "dice_flags")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_scenario(scenario: Scenario) -> None:
    run(GAME, scenario, arrange)


def test_every_rule_is_exercised() -> None:
    assert unshown_rules(GAME, SCENARIOS) == []
