"""Ratings and their margins: against choix, against scipy's optimum and numerical derivatives, and over leagues of known strengths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import log
from pathlib import Path
from typing import Any

import choix
import numpy as np
import pytest
from choix.opt import Top1Fcts
from scipy.optimize import minimize

from gamelog.archive import Reader
from tests.shares import examples

from .leagues import COLOURS, KINDS, League, Real, index_leagues, league
from .piles import Ask, Pile, ask, pile

__all__ = ["ask", "pile"]

BEFORE = 1 / 9
"""Certainty of a strength before any game, as the inverse of its variance."""

POINTS = 400 / log(10)
"""Number of rating points for 1 in the logarithm of odds."""

Sides = Sequence[Sequence[int]]
"""The sides of a game that share a place, with the players on each side."""


def margins(information: Real) -> Real:
    """Return half of the 95 % interval of each strength less the mean, in points, from the information matrix."""
    many = len(information)
    apart = np.eye(many) - 1 / many
    spread = apart @ np.linalg.inv(information) @ apart.T
    found: Real = 1.959963984540054 * POINTS * np.sqrt(np.diag(spread))
    return found


def rate(rows: list[dict[str, Any]]) -> tuple[Real, Real]:
    """Return the ratings and margins of people whose names are numbers."""
    rows = sorted(rows, key=lambda row: int(row["player"]))
    return np.array([row["rating"] for row in rows]), np.array([row["margin"] for row in rows])


@pytest.mark.grid
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("players", range(2, 7))
def test_ratings_and_margins_are_those_of_choix(players: int, whole: bool, archive: Path) -> None:
    one = league(np.random.default_rng(players), players, people=9, games=40, whole=whole)
    people = len(one.strengths)
    ranked = np.take_along_axis(one.tables, one.orders, axis=1).tolist()
    data = [(line[at], tuple(line[at + 1 :])) for line in ranked for at in range(players - 1 if whole else 1)]
    strengths = choix.opt_top1(people, data, alpha=BEFORE / 2, tol=1e-9)
    information = Top1Fcts(data, BEFORE / 2).hessian(strengths)
    with Reader(index_leagues([("tug", one)], archive)) as reader:
        ratings, found = rate(reader.ask("players").dicts())
    assert ratings == pytest.approx(1500 + POINTS * (strengths - strengths.mean()), abs=0.02)
    assert ratings.mean() == pytest.approx(1500)
    assert found == pytest.approx(margins(information), abs=0.02)


def likelihood(strengths: Real, games: Sequence[Sequence[Sides]]) -> float:
    """Return the penalised log-likelihood of these endings. Ties are the mean over all orders."""
    found = -BEFORE / 2 * float(strengths @ strengths)
    for places in games:
        orders = [
            [side for group in order for side in group]
            for order in product(*(list(permutations(group)) for group in places))
        ]
        for order in orders:
            odds = [float(np.exp(np.mean([strengths[who] for who in side]))) for side in order]
            found += sum(log(odds[at] / sum(odds[at:])) for at in range(len(odds))) / len(orders)
    return found


def optimum(people: int, games: Sequence[Sequence[Sides]]) -> tuple[Real, Real]:
    """Return the strengths by scipy, and their information matrix by numerical derivatives."""
    best = minimize(
        lambda at: -likelihood(at, games), np.zeros(people), method="BFGS", options={"gtol": 1e-7}
    ).x
    step, one = 1e-3, np.eye(people) * 1e-3
    information = np.array(
        [
            [
                sum(sign * likelihood(best + a * one[i] + b * one[j], games) for a, b, sign in _CORNERS)
                / -(4 * step**2)
                for j in range(people)
            ]
            for i in range(people)
        ]
    )
    return best - best.mean(), information


_CORNERS = ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))


def play(pile: Pile, places: Sequence[Sides]) -> None:
    """Add a game with this ending."""
    people = [who for group in places for side in group for who in side]
    seats = COLOURS[: len(people)]
    team: dict[str, str] = {}
    told: dict[str, dict[str, Any]] = {}
    left = iter(seats)
    for place, group in enumerate(places):
        for side in group:
            for seat in (next(left) for _ in side):
                told[seat] = {"place": 1 + sum(len(side) for before in places[:place] for side in before)}
                if len(side) > 1:
                    told[seat]["team"] = team[seat] = f"team {side}"
    first = [seat for seat in seats if told[seat]["place"] == 1]
    pile.game(
        first if len(places) > 1 else (), seats=seats, players_=[str(who) for who in people], told_=told
    )


SOLO: list[list[Sides]] = [
    [[[0]], [[1], [2]], [[3]]],
    [[[3]], [[0]], [[2]], [[1]]],
    [[[1], [3]], [[0], [2]]],
    [[[2]], [[0]], [[1]]],
    [[[0], [1]]],
    [[[0]], [[3]]],
]
"""Games in which at most two players share a place."""


def test_two_that_tie_come_in_either_order_alike(pile: Pile, ask: Ask) -> None:
    for places in SOLO:
        play(pile, places)
    strengths, information = optimum(4, SOLO)
    ratings, found = rate(ask("players"))
    assert ratings == pytest.approx(1500 + POINTS * strengths, abs=0.05)
    assert found == pytest.approx(margins(information), abs=0.2)


def test_ratings_with_many_ties_are_nearly_the_mean_over_all_orders(pile: Pile, ask: Ask) -> None:
    games: list[list[Sides]] = [
        *SOLO,
        [[[0], [1], [2], [3]]],
        [[[0], [1], [3]], [[2]]],
        [[[3]], [[0], [1], [2]]],
    ]
    for places in games:
        play(pile, places)
    strengths, information = optimum(4, games)
    ratings, found = rate(ask("players"))
    assert ratings == pytest.approx(1500 + POINTS * strengths, abs=5)
    assert found == pytest.approx(margins(information), rel=0.03)


def test_a_team_is_as_strong_as_its_members_are_in_the_mean(pile: Pile, ask: Ask) -> None:
    games: list[list[Sides]] = [
        *SOLO,
        [[[0, 1]], [[2, 3]]],
        [[[0, 2]], [[1, 3]]],
        [[[0, 3], [1, 2]]],
        [[[3]], [[0, 1, 2]]],
        [[[2, 3]], [[0]], [[1]]],
    ]
    for places in games:
        play(pile, places)
    strengths, information = optimum(4, games)
    ratings, found = rate(ask("players"))
    assert ratings == pytest.approx(1500 + POINTS * strengths, abs=0.05)
    assert found == pytest.approx(margins(information), abs=0.2)


def test_a_shared_victory_does_not_rank_the_losers(pile: Pile, ask: Ask) -> None:
    """Two of four share the victory, like first and second of four in either order."""
    for _ in range(3):
        pile.game(("red", "blue"), seats=COLOURS[:4], players_=("0", "1", "2", "3"))
    pile.game(("red",), seats=COLOURS[:2], players_=("0", "3"))
    data = [(0, (1, 2, 3)), (1, (2, 3)), (1, (0, 2, 3)), (0, (2, 3))] * 3 + [(0, (3,))] * 2
    strengths = choix.opt_top1(4, data, alpha=BEFORE, tol=1e-9)  # each choice counts twice here
    ratings, _ = rate(ask("players"))
    assert ratings == pytest.approx(1500 + POINTS * (strengths - strengths.mean()), abs=0.02)


def test_a_person_with_two_seats_wins_with_either(pile: Pile, ask: Ask) -> None:
    """Two seats of equals among three win two games of three: as strong as the third."""
    for winner in ("red", "blue", "green"):
        pile.game((winner,), seats=COLOURS[:3], players_=("0", "0", "1"))
    ratings, _ = rate(ask("players"))
    assert ratings == pytest.approx([1500, 1500], abs=0.02)


def test_people_who_never_met_are_rated_separately(pile: Pile, ask: Ask) -> None:
    """Games in one circle change nothing in another circle, and the mean of each is 1500."""
    for winner, loser in ((0, 1), (0, 1), (1, 0), (1, 2)):
        pile.game(("red",), players_=(str(winner), str(loser)), game="go")
        pile.game(("red",), players_=(str(winner), str(loser)))
    pile.game(("red",), players_=("7", "7"))
    for winner, loser in ((4, 5), (4, 5), (5, 6), (4, 6)):
        pile.game(("red",), players_=(str(winner), str(loser)))
    rows = ask("players", game="tug")
    circles = {row["player"]: row["circle"] for row in rows}
    assert circles == {"0": 1, "1": 1, "2": 1, "4": 2, "5": 2, "6": 2, "7": None}
    (unrated,) = (row for row in rows if row["player"] == "7")
    assert (unrated["rating"], unrated["margin"]) == (None, None)
    ratings, found = rate([row for row in rows if row["circle"]])
    assert ratings[:3].mean() == pytest.approx(1500)
    assert ratings[3:].mean() == pytest.approx(1500)
    alone = rate(ask("players", game="go"))
    assert ratings[:3] == pytest.approx(alone[0])
    assert found[:3] == pytest.approx(alone[1])


def test_a_person_who_always_wins_has_a_wide_margin(pile: Pile, ask: Ask) -> None:
    for _ in range(30):
        pile.game(("red",), players_=("0", "1"))
    ratings, found = rate(ask("players"))
    assert ratings == pytest.approx(3000 - ratings[::-1])
    assert 1900 < ratings[0] < 2100, "30 victories in a row are odds of more than ten to one"
    assert found[0] > 150


def test_two_people_who_met_often_have_narrow_margins(pile: Pile, ask: Ask) -> None:
    """Only the strength of both together is unknown; the margin is about the distance from their mean."""
    for winner in (0, 1) * 200:
        pile.game(("red",), players_=(str(winner), str(1 - winner)))
    ratings, found = rate(ask("players"))
    assert ratings == pytest.approx([1500, 1500], abs=0.02)
    assert found == pytest.approx([1.96 * POINTS / 2 / (400 / 4 + BEFORE / 2) ** 0.5] * 2, rel=1e-3)


def test_margins_in_a_large_circle_look_two_meetings_far(archive: Path) -> None:
    """A circle of 101 people is too large to invert, so only the uncertainty of direct opponents is included."""
    one = league(np.random.default_rng(3), 3, people=101, games=600)
    ranked = np.take_along_axis(one.tables, one.orders, axis=1).tolist()
    with Reader(index_leagues([("tug", one)], archive)) as reader:
        ratings, found = rate(reader.ask("players").dicts())
    data = [(line[0], tuple(line[1:])) for line in ranked]
    information = Top1Fcts(data, BEFORE / 2).hessian((ratings - 1500) / POINTS)
    own = np.diag(information)
    others = (information**2 / own).sum(axis=1) - own
    assert found == pytest.approx(1.96 * POINTS / np.sqrt(own - others), abs=0.02)
    assert found / margins(information) == pytest.approx(np.ones(101), abs=0.04), "nearly the exact ones"


def draw_leagues(players: int, count: int) -> Iterator[tuple[str, League]]:
    """Return leagues of all kinds with 6 to 40 people and 6 to 25 games each, some with all places."""
    rng = np.random.default_rng(players)
    for at in range(count):
        people = int(rng.integers(max(6, players), 41))
        games = people * int(rng.integers(6, 26)) // players
        kind, spread = KINDS[at // 3 % 4], (0.5, 1.0, 1.5)[at % 3]
        yield (
            f"{players}.{at}",
            league(
                rng, players, people=people, games=games, spread=spread, kind=kind, whole=at // 12 % 3 == 0
            ),
        )


def are_covered(rows: list[dict[str, Any]], leagues: dict[str, League]) -> list[bool]:
    """Return, for each rating, whether the true strength is within the margin, relative to the circle."""
    circles = defaultdict[tuple[str, int], list[dict[str, Any]]](list)
    for row in rows:
        circles[row["game"], row["circle"]].append(row)
    found: list[bool] = []
    for (game, _), circle in circles.items():
        true = leagues[game].strengths[[int(row["player"]) for row in circle]]
        wanted = 1500 + POINTS * (true - true.mean())
        found += [
            bool(abs(row["rating"] - at) <= row["margin"]) for row, at in zip(circle, wanted, strict=True)
        ]
    return found


@pytest.mark.grid
@pytest.mark.parametrize("players", range(2, 7))
def test_margins_cover_95_in_100(players: int, archive: Path, request: pytest.FixtureRequest) -> None:
    """The long run has 200 leagues; the ordinary run has some for one number of players."""
    leagues = dict(draw_leagues(players, examples(200)))
    with Reader(index_leagues(leagues.items(), archive)) as reader:
        hits = are_covered(reader.ask("players").dicts(), leagues)
    share = sum(hits) / len(hits)
    assert 0.945 <= share <= 0.98 or not request.config.getoption("--grids"), share
    assert 0.93 <= share <= 0.99, share
