"""The tests of Towers: the conformance kit and scenarios."""

from pathlib import Path

import pytest
from towers import GAME

from gamelog.testing.conformance import Conformance
from gamelog.testing.scenarios import Scenario, load_scenarios, run, unshown_rules

SCENARIOS = load_scenarios(Path(__file__).parent / "scenarios")


class TestTowers(Conformance):
    game = GAME


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_scenario(scenario: Scenario) -> None:
    run(GAME, scenario)


def test_every_rule_is_exercised() -> None:
    assert unshown_rules(GAME, SCENARIOS) == []
