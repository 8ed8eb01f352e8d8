"""The battle table: the exact probability to win a challenge, by the numbers of dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from gamelog.games.zone_control import GAME
from gamelog.games.zone_control.effects import Stakes
from gamelog.games.zone_control.events import Challenge
from gamelog.play.contract.odds import contest
from tests.games.zone_control.games import board, position

TABLE = {
    1: (0.4167, 0.8380, 0.9730),
    2: (0.4437, 0.7785, 0.9392),
    3: (0.4536, 0.7428, 0.9093),
    4: (0.4595, 0.7181, 0.8840),
    5: (0.4637, 0.6996, 0.8624),
    6: (0.4667, 0.6852, 0.8439),
    7: (0.4691, 0.6735, 0.8278),
    8: (0.4711, 0.6637, 0.8138),
    9: (0.4727, 0.6555, 0.8014),
}
"""The probabilities by number of defenders: with as many attackers, with one more, with two more."""

CASES = [(defence, defence + more, odds) for defence, row in TABLE.items() for more, odds in enumerate(row)]


@pytest.mark.parametrize(("defence", "attack", "odds"), CASES)
def test_the_battle_table(defence: int, attack: int, odds: float) -> None:
    assert round(float(contest(attack, defence).more), 4) == odds


@pytest.mark.parametrize(("defence", "attack", "odds"), CASES)
def test_a_challenge_shows_its_odds_before_the_dice(defence: int, attack: int, odds: float) -> None:
    on = board()
    lo = on.zones_from + 9 * on.middle
    attackers = tuple(on.names[at] for at in on.rings[on.middle][:attack])
    before = position(away={"north": attackers, "south": on.names[lo : lo + defence]})
    zone = GAME.describe(before)["zones"]["5"] if GAME.describe else {}
    assert zone == {"holder": "south", "pieces": defence, "around": {"north": [attack, attack, odds]}}
    event = Challenge(0, 0, "north", "5", attackers)
    assert GAME.check(before, event) is None
    (stakes,) = GAME.effects(before, event, GAME.apply(before, event))
    assert isinstance(stakes, Stakes)
    assert (stakes.attack, stakes.defence, stakes.percent) == (attack, defence, round(100 * odds))


def test_the_odds_of_five_against_three_are_exact() -> None:
    throws = [(sum(dice[:3]), sum(dice[3:])) for dice in product(range(1, 7), repeat=8)]
    won = sum(attack > defence for defence, attack in throws)
    assert Fraction(won, len(throws)) == contest(5, 3).more == Fraction(84853, 93312)
