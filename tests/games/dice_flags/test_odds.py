"""The odds of battles, compared exactly with all tables of the rules page."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from gamelog.games.dice_flags.army import DICE, FIXED, NUMBER
from gamelog.games.dice_flags.battle import Sides, dice_count, fixed_value, odds, sides
from gamelog.games.dice_flags.events import Battle, Move
from gamelog.games.dice_flags.state import Options
from gamelog.play.contract.effects import Contest
from tests.games.dice_flags.games import GAME, position

MEN = {
    "3": (NUMBER["P1"], NUMBER["P2"]),
    "M": (NUMBER["M1"], NUMBER["M2"]),
    "H": (NUMBER["H1"], NUMBER["H2"]),
}

SINGLE = """
      M        H         33    3M    3H       MM        MH        HH
3     1/3      1/36      0     0     0        1/36      0         0
M     5/12     5/54      0     1/12  1/216    5/54      5/432     1/1296
H     181/216  575/1296  7/12  1/2   103/648  575/1296  197/1296  31/864
"""

PAIRS = """
      33     3M     3H     MM     MH     HH
33    0      .3333  .0278  .2778  .0463  .0039
3M    .5000  .4167  .0926  .3750  .0972  .0162
3H    .9167  .8380  .4437  .7608  .3997  .1446
MM    .5833  .5000  .1590  .4437  .1520  .0359
MH    .9074  .8410  .5000  .7785  .4536  .1917
HH    .9884  .9676  .7942  .9392  .7428  .4595
"""


def cells(table: str) -> list[tuple[str, str, str]]:
    head, *rows = [line.split() for line in table.strip().splitlines()]
    return [(row[0], column, value) for row in rows for column, value in zip(head, row[1:], strict=True)]


def men(kinds: str) -> tuple[int, ...]:
    return tuple(MEN[kind][kinds[:at].count(kind)] for at, kind in enumerate(kinds))


def counted(attack: tuple[int, ...], defence: tuple[int, ...]) -> tuple[Fraction, Fraction]:
    """Return the probabilities of a victory and of a tie, counted over every throw."""
    ours, theirs = ([range(1, 7)] * sum(DICE[man] for man in side) for side in (attack, defence))
    lead = sum(FIXED[man] for man in attack) - sum(FIXED[man] for man in defence)
    throws = list(product(*ours, *theirs))
    sums = [lead + sum(throw[: len(ours)]) - sum(throw[len(ours) :]) for throw in throws]
    return Fraction(sum(s > 0 for s in sums), len(throws)), Fraction(sum(s == 0 for s in sums), len(throws))


@pytest.mark.parametrize(("attack", "defence", "expected"), cells(SINGLE))
def test_a_single_attacker(attack: str, defence: str, expected: str) -> None:
    fight = Sides(men(attack), men(defence))
    assert odds(fight, "defender") == odds(fight, "standoff") == Fraction(expected)
    assert counted(*fight)[0] == Fraction(expected)


@pytest.mark.parametrize(("attack", "defence", "expected"), cells(PAIRS))
def test_pair_against_pair(attack: str, defence: str, expected: str) -> None:
    fight = Sides(men(attack), men(defence))
    assert f"{float(odds(fight, 'defender')):.4f}" == f"{float(expected):.4f}"
    assert odds(fight, "defender") == counted(*fight)[0]


@pytest.mark.parametrize(("attack", "defence", "_"), cells(SINGLE) + cells(PAIRS))
def test_rolling_ties_again_removes_the_ties_from_the_odds(attack: str, defence: str, _: str) -> None:
    fight = Sides(men(attack), men(defence))
    more, same = counted(*fight)
    assert odds(fight, "reroll") == (more / (1 - same) if same < 1 else 0)
    assert fight.has_dice == bool(dice_count(fight.attackers) + dice_count(fight.defenders))


def test_equal_arms_are_even_when_ties_are_rolled_again() -> None:
    for kinds in ("M", "H", "MM", "MH", "HH", "3M", "3H"):
        assert odds(Sides(men(kinds), men(kinds)), "reroll") == Fraction(1, 2)


def test_the_odds_that_a_battle_reports_are_these() -> None:
    state = position(
        on_turn="north",
        dice=(1, 6),
        soldiers={"north": {"H1": "N.r3"}, "south": {"P1": "N.r2", "M1": "N.r2", "P2": "M.a7"}},
    )
    state = GAME.apply(state, Move(0, 0, "north", "H1", 1, ("N.r2",)))
    fought = Battle(0, 0, "north", {"H1": (6, 5)}, {"P1": (), "M1": (2,)})
    assert GAME.check(state, fought) is None
    contest = next(
        effect
        for effect in GAME.effects(state, fought, GAME.apply(state, fought))
        if isinstance(effect, Contest)
    )
    more, same = counted(men("H"), men("3M"))
    assert contest.odds == float(more / (1 - same))
    assert (contest.attack_sum, contest.defence_sum, contest.won, contest.defence) == (11, 5, True, (2,))


@pytest.mark.parametrize("tie", ["reroll", "defender", "standoff"])
def test_contests_are_won_as_often_as_their_odds_say(tie: Any) -> None:
    """Contests are won as often as their odds say; standoffs and ties that are rolled again are not contests."""
    state = position(
        options=Options(tie=tie),
        on_turn="north",
        dice=(1, 6),
        soldiers={"north": {"H1": "N.r3"}, "south": {"P1": "N.r2", "M1": "N.r2", "P2": "M.a7"}},
    )
    state = GAME.apply(state, Move(0, 0, "north", "H1", 1, ("N.r2",)))
    told: list[Contest] = []
    for one, two, other in product(range(1, 7), repeat=3):
        battle = Battle(0, 0, "north", {"H1": (one, two)}, {"P1": (), "M1": (other,)})
        told += [
            effect
            for effect in GAME.effects(state, battle, GAME.apply(state, battle))
            if isinstance(effect, Contest)
        ]
    assert (len(told) < 6**3) == (tie != "defender")
    assert {contest.odds for contest in told} == {
        float(Fraction(sum(contest.won for contest in told), len(told)))
    }


def test_the_soldiers_on_each_side_of_a_battle() -> None:
    state = position(
        soldiers={
            "north": {"P1": "S.f1", "M1": "S.f1", "H1": "S.r1"},
            "south": {"P1": "S.f2", "H1": "S.f2", "P2": "S.r2", "P3": "S.r3"},
        }
    )
    ground, places, south = state.setup.board, state.places, 12
    pair = (NUMBER["P1"], NUMBER["M1"])

    def fight(soldier: str, *path: str) -> Sides:
        return sides(ground, places, NUMBER[soldier], bytes(ground.index[name] for name in path))

    assert fight("M1", "S.f2") == Sides(pair, (south + NUMBER["P1"], south + NUMBER["H1"]))
    assert fight("H1", "S.r2", "S.r3") == Sides((NUMBER["H1"],), (south + NUMBER["P3"],))
    assert fight("H1", "S.r2").is_walk_in
    assert fixed_value(pair) == 3
