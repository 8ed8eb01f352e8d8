"""Seats and turn order, where some players are stronger than others: against numpy, scipy's likelihood, and leagues of known strengths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import choix
import numpy as np
import pytest
from choix.opt import Top1Fcts
from scipy.optimize import minimize
from scipy.special import logsumexp
from scipy.stats import chi2

from gamelog.archive import Reader
from tests.shares import examples

from .leagues import League, index_leagues, league
from .piles import Ask, Pile, ask, pile

__all__ = ["ask", "pile"]

TWO, THREE = ("red", "blue"), ("red", "blue", "green")

BEFORE = 1 / 9
"""Certainty of a strength before any game, as the inverse of its variance."""


def games(
    pile: Pile, line: Sequence[str | None], winners: dict[str, int], *, people: bool = False, **more: Any
) -> None:
    """Add games of one line-up (the players at red, blue, …), with the number of victories of each seat."""
    seats = THREE[: len(line)]
    for winner, times in winners.items():
        for _ in range(times):
            pile.game((winner,), seats=seats, players_=line, bots_=() if people else seats, **more)


def scores(one: League) -> list[tuple[float, float]]:
    """Return the victories of each seat beyond the strengths, and their variance, by numpy."""
    people, (many, players) = len(one.strengths), one.tables.shape
    winners = one.orders[:, 0]
    data = [
        (line[at], (*line[:at], *line[at + 1 :]))
        for line, at in zip(one.tables.tolist(), winners.tolist(), strict=True)
    ]
    strengths = choix.opt_top1(people, data, alpha=BEFORE / 2, tol=1e-9)
    information = Top1Fcts(data, BEFORE / 2).hessian(strengths)
    odds = np.exp(strengths[one.tables])
    chances = odds / odds.sum(axis=1, keepdims=True)
    found = []
    for seat in range(players):
        common = np.zeros(people)
        np.add.at(common, one.tables[:, seat], chances[:, seat])
        np.add.at(common, one.tables, -chances * chances[:, [seat]])
        weights = np.linalg.solve(information, common)
        score = (winners == seat).sum() - chances[:, seat].sum() - BEFORE * weights @ strengths
        whole = (chances[:, seat] * (1 - chances[:, seat])).sum()
        found.append((float(score), float(whole - weights @ common - BEFORE * weights @ weights)))
    assert many == len(data)
    return found


@pytest.mark.grid
@pytest.mark.parametrize("sitting", ["random", "sticky", "strong"])
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_the_score_of_a_seat_is_that_of_whole_tables(players: int, sitting: str, archive: Path) -> None:
    one = league(np.random.default_rng(players), players, people=12, games=150, sitting=sitting)
    with Reader(index_leagues([("tug", one)], archive)) as reader:
        rows = reader.ask("seats").dicts()
    for row, (score, variance) in zip(rows, scores(one), strict=True):
        p = chi2.sf(max(abs(score) - 0.5, 0) ** 2 / variance, 1) if variance >= 5 else None
        assert row["p"] == (None if p is None else pytest.approx(p, rel=1e-3))
        assert row["expected"] == (None if p is None else pytest.approx(row["won"] - score, abs=0.01))
        assert (row["withheld"] is None) is (p is not None)


def test_the_score_test_agrees_with_the_likelihood(archive: Path) -> None:
    """If the effect of a seat is fitted, twice the gain in log-likelihood is the square of the score."""
    one = league(np.random.default_rng(8), 3, people=10, games=600, seat=0.3)
    winners = one.orders[:, 0]

    def lost(at: Any, seats: bool) -> float:
        worth = at[1:][one.tables] + np.array([at[0] * seats, 0, 0])
        chosen = worth[np.arange(len(worth)), winners]
        return float((logsumexp(worth, axis=1) - chosen).sum() + BEFORE / 2 * (at[1:] ** 2).sum())

    start = np.zeros(1 + len(one.strengths))
    without, with_it = (minimize(lost, start, args=(seats,), method="BFGS").fun for seats in (False, True))
    (score, variance), *_ = scores(one)
    assert score**2 / variance == pytest.approx(2 * (without - with_it), rel=0.05)
    with Reader(index_leagues([("tug", one)], archive)) as reader:
        red = reader.ask("seats").dicts()[0]
    assert red["p"] == pytest.approx(chi2.sf(2 * (without - with_it), 1), rel=0.5)
    assert red["p"] < 0.05


def test_the_bots_strength_is_not_the_seats(pile: Pile, ask: Ask) -> None:
    """The only strong bot sits at blue in half of the games and wins them. The seat never decides a game."""
    games(pile, ("greedy", "random", "greedy"), {"red": 40, "green": 35})
    games(pile, ("random", "greedy", "random"), {"blue": 75})
    for row in ask("seats"):
        assert row["p"] is None or row["p"] > 0.3, row


def test_a_real_advantage_is_found_among_bots_of_different_strength(pile: Pile, ask: Ask) -> None:
    games(pile, ("greedy", "random"), {"red": 48, "blue": 2})
    games(pile, ("random", "greedy"), {"red": 20, "blue": 30})
    red, blue = ask("seats")
    assert red["p"] == pytest.approx(blue["p"])
    assert red["p_all"] == pytest.approx(red["p"])
    assert red["p"] < 0.001
    assert red["expected"] == pytest.approx(50, abs=1)
    assert red["expected"] + blue["expected"] == pytest.approx(100)


def test_the_test_is_exact_if_all_players_are_one_bot(pile: Pile, ask: Ask) -> None:
    games(pile, ("greedy", "greedy"), {"red": 4})
    red, blue = ask("seats")
    assert (red["p"], red["expected"], blue["expected"]) == (pytest.approx(2 / 2**4), 2, 2)


def test_a_person_always_at_one_seat_is_not_separable_from_it(pile: Pile, ask: Ask) -> None:
    games(pile, ("Ana", "Rui"), {"red": 550, "blue": 450}, people=True)
    red, blue = ask("seats")
    assert (red["won"], red["p"], blue["p"], red["p_all"]) == (550, None, None, None)
    assert (red["expected"], blue["expected"]) == (None, None), "the games cannot show it"
    assert red["withheld"] == (
        "the same players mostly sat there, so that 1000 games cannot show whether they or the place won"
    )


def test_people_who_rarely_meet_are_compared_by_their_strength(pile: Pile, ask: Ask) -> None:
    """The games are such that no three people meet twice."""
    rng = Random(2)
    for line in [rng.sample(list(three), 3) for three in combinations("abcdefghi", 3)]:
        games(pile, line, {rng.choice(["red", "red", "red", "blue", "green"]): 1}, people=True)
    red = ask("seats")[0]
    assert red["games"] == comb(9, 3)
    assert red["p"] < 0.05


def test_games_of_unnamed_people_do_not_count_for_seats(pile: Pile, ask: Ask) -> None:
    for line in (("Ana", "Rui"), ("Rui", "Ana")):
        games(pile, line, {"red": 15, "blue": 10}, people=True)
        games(pile, line, {"red": 15, "blue": 10}, people=True, game="go")
    games(pile, ("Ana", None), {"red": 50}, people=True, game="go")
    games(pile, (None, None), {"red": 50}, people=True, game="tog")
    go, _, tog, _, tug, _ = ask("seats")
    assert (go["won"], go["decided"], tug["won"], tug["decided"]) == (80, 100, 30, 50)
    assert go["p"] == tug["p"]
    assert go["expected"] / 100 == pytest.approx(tug["expected"] / 50)
    assert (tog["p"], tog["expected"]) == (None, None)
    assert tog["withheld"] == "in each of the 50 games, a player has no name"


ORDERS = list(product((("greedy", "random"), ("random", "greedy")), ((1, 2), (2, 1))))
"""All combinations of seats and first turns for two bots."""


def test_no_turn_order_effect_is_found_if_the_stronger_always_wins(pile: Pile, ask: Ask) -> None:
    for line, order in ORDERS:
        games(pile, line, {TWO[line.index("greedy")]: 10}, order=order)
    first, second = ask("turn_order")
    assert (first["won"], second["won"]) == (20, 20)
    assert (first["p"], second["p"], first["expected"], second["expected"]) == (None, None, None, None)
    assert first["withheld"].startswith("40 games with these players cannot show an effect; about ")


def test_an_advantage_of_the_turn_order_is_found(pile: Pile, ask: Ask) -> None:
    for line, order in ORDERS:
        games(pile, line, {TWO[line.index("greedy")]: 10}, order=order)
        games(pile, line, {TWO[order.index(1)]: 15}, order=order)
    first, second = ask("turn_order")
    assert (first["won"], first["expected"]) == (80, pytest.approx(50, abs=0.01))
    assert first["p"] == pytest.approx(second["p"])
    assert first["p"] < 1e-6


def test_as_many_games_as_are_said_to_be_needed_do(pile: Pile, ask: Ask) -> None:
    """The number of games that the answer asks for is enough for an answer."""
    for game, times in (("few", 2), ("more", 5)):
        for line in (("Ana", "Rui"), ("Rui", "Ana")):
            games(pile, line, {"red": times, "blue": times}, people=True, game=game)
    few, _, more, _ = ask("seats")
    assert few["withheld"] == "8 games with these players cannot show an effect; about 20 are needed"
    assert more["decided"] == 20
    assert (more["p"], more["withheld"]) == (1, None)


DESIGNS = [
    *product((2, 3, 4, 6), ("random", "sticky", "strong"), (0.5, 1.0, 1.5), ("anybody", "clubs", "newcomers"))
]
"""Designs of leagues: number of players, seats, spread of strengths, and meetings."""


def draw_leagues(count: int, seat: float, seed: int, games: int = 0) -> Iterator[tuple[str, League]]:
    """Return leagues of 8 to 30 people, of every design in turn. `seat` is the effect of red on the log odds."""
    rng = np.random.default_rng(seed)
    for at in range(count):
        players, sitting, spread, kind = (
            DESIGNS[at * 37 % len(DESIGNS)] if not games else (2, "random", 1.0, "anybody")
        )
        people = int(rng.integers(8, 31))
        many = games or people * int(rng.integers(8, 26)) // players
        one = league(
            rng, players, people=people, games=many, spread=spread, kind=kind, sitting=sitting, seat=seat
        )
        yield str(at), one


def alarms(leagues: dict[str, League], archive: Path) -> tuple[float, float]:
    """Return the share of leagues with a significant seat, and the share with any answer."""
    tested = defaultdict[str, list[float]](list)
    with Reader(index_leagues(leagues.items(), archive)) as reader:
        for row in reader.ask("seats").dicts():
            if row["p"] is not None:
                tested[row["game"]].append(row["p"] * (0.5 if row["players"] == 2 else 1))
    found = [game for game, all_p in tested.items() if min(all_p) * max(1, len(all_p)) < 0.05]
    return len(found) / len(leagues), len(tested) / len(leagues)


@pytest.mark.grid(keeps=("",))
def test_without_an_effect_at_most_6_percent_have_a_false_alarm(archive: Path) -> None:
    """The long run has 1,000 leagues of unequal players; the ordinary run has a fifth of them."""
    leagues = {
        f"{seed} {name}": one
        for seed in (*range(5), *range(100, 105))
        for name, one in draw_leagues(examples(100), 0.0, seed)
    }
    found, said = alarms(leagues, archive)
    assert found <= 0.06, found
    assert said >= 0.8, said


@pytest.mark.grid
@pytest.mark.parametrize(("games", "least"), [(400, 0.6), (800, 0.9)])
def test_a_seat_that_wins_a_third_more_often_than_it_loses_is_found(
    games: int, least: float, archive: Path
) -> None:
    """The odds of the seat are four to three between equals, for two players of unequal strength."""
    found, _ = alarms(dict(draw_leagues(examples(100), float(np.log(4 / 3)), games, games)), archive)
    assert found >= least, found
