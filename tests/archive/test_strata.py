"""Seats and turn order, where some players are stronger than others: against exact counts and scipy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import comb
from random import Random
from typing import Any

import pytest
from scipy.stats import chi2, hypergeom

from gamelog.archive.schema import tables as schema

from .piles import Ask, Pile, ask, pile

__all__ = ["ask", "pile"]

TWO, THREE = ("red", "blue"), ("red", "blue", "green")


def games(
    pile: Pile, line: Sequence[str], winners: dict[str, int], *, people: bool = False, **more: Any
) -> None:
    """So many games of one line-up (who sits at red, blue, …), by who won: a seat's name and how often."""
    seats = THREE[: len(line)]
    for winner, times in winners.items():
        for _ in range(times):
            id = pile.game((winner,), seats=seats, players_=line, bots_=() if people else seats, **more)
            for row in pile.rows[-len(seats) - 1 : -1]:
                assert isinstance(row, schema.SeatRow)
                assert row.id == id
                row.bot = None if people else row.player


def test_the_bots_strength_is_not_the_seats(pile: Pile, ask: Ask) -> None:
    """The only strong bot sits at blue in half of the games, and wins those; who wins never depends on the seat."""
    games(pile, ("greedy", "random", "greedy"), {"red": 40, "green": 35})
    games(pile, ("random", "greedy", "random"), {"blue": 75})
    rows = {row["seat"]: row for row in ask("seats")}
    assert (rows["blue"]["won"], rows["blue"]["expected"]) == (75, pytest.approx(75))
    assert rows["red"]["expected"] == pytest.approx(37.5)
    assert rows["blue"]["p"] is None, "blue's victories could not have been others, wherever the bots had sat"
    assert "sat in another order" in rows["blue"]["withheld"]
    assert rows["red"]["p"] is None or rows["red"]["p"] > 0.3


def test_a_real_advantage_is_found_among_bots_of_different_strength(pile: Pile, ask: Ask) -> None:
    games(pile, ("greedy", "random"), {"red": 48, "blue": 2})
    games(pile, ("random", "greedy"), {"red": 20, "blue": 30})
    red, blue = ask("seats")
    table = (48, 2, 30, 20)  # the strong bot at red: won, lost; at blue: won, lost
    n, strong, at_red = sum(table), 78, 50
    expected = hypergeom.mean(n, strong, at_red)
    assert red["expected"] == pytest.approx(2 * expected + (n - at_red) - strong)
    statistic = (abs(48 - expected) - 0.5) ** 2 / hypergeom.var(n, strong, at_red)
    assert red["p"] == pytest.approx(chi2.sf(statistic, 1), rel=1e-9), (
        "Mantel and Haenszel's, with continuity correction"
    )
    assert red["p"] == blue["p"]
    assert red["p_all"] < 0.001


def moments(strata: list[list[tuple[tuple[str, ...], str]]], seat: int) -> tuple[float, float]:
    """The mean and variance of a seat's victories, counted out: line-ups of a stratum and classes that won, in every pairing."""
    mean = variance = 0.0
    for stratum in strata:
        lines, won = [line for line, _ in stratum], [winner for _, winner in stratum]
        chances: list[tuple[float, float]] = []
        for order in _orders(Counter(won)):
            p = [
                (line[seat] == winner) / line.count(winner) for line, winner in zip(lines, order, strict=True)
            ]
            chances.append((sum(p), sum(q * (1 - q) for q in p)))
        middle = sum(m for m, _ in chances) / len(chances)
        mean += middle
        variance += sum((m - middle) ** 2 + v for m, v in chances) / len(chances)
    return mean, variance


def _orders(left: Counter[str]) -> Iterator[tuple[str, ...]]:
    if not +left:
        yield ()
    for kind in +left:
        for rest in _orders(left - Counter([kind])):
            yield (kind, *rest)


@pytest.mark.parametrize("seed", range(4))
def test_expectation_and_variance_are_those_of_all_exchanges(pile: Pile, ask: Ask, seed: int) -> None:
    """Strata small enough to go through every way in which the winners could have met the line-ups."""
    rng = Random(seed)
    strata: dict[tuple[str, ...], list[tuple[tuple[str, ...], str]]] = {}
    for _ in range(16):
        line = tuple(rng.choice(["a", "b"]) for _ in THREE)
        seat = rng.choice(THREE)
        games(pile, line, {seat: 1})
        strata.setdefault(tuple(sorted(line)), []).append((line, line[THREE.index(seat)]))
    ask("overview")
    found = {row["place"]: row for row in ask("SELECT * FROM stratified('tug')")}
    for at, seat in enumerate(THREE):
        mean, variance = moments(list(strata.values()), at)
        assert found[seat]["expected"] == pytest.approx(mean)
        assert found[seat]["variance"] == pytest.approx(variance)


def test_many_small_strata_add_up(pile: Pile, ask: Ask) -> None:
    """Five people who all met four times, twice in each order: against Mantel and Haenszel's sums, by scipy's hypergeometric."""
    rng, mean, var, red_wins = Random(5), 0.0, 0.0, 0
    for one, other in combinations("abcde", 2):
        outcomes = [rng.random() < 0.8 for _ in range(4)]  # whether red wins
        for line, won in zip([(one, other)] * 2 + [(other, one)] * 2, outcomes, strict=True):
            games(pile, line, {"red" if won else "blue": 1}, people=True)
        first = sum(outcomes[:2]) + sum(not won for won in outcomes[2:])
        mean += 2 * first / 2 + 2 - first
        var += 4 * float(hypergeom.var(4, first, 2)) if 0 < first < 4 else 0
        red_wins += sum(outcomes)
    red, _ = ask("seats")
    assert (red["won"], red["expected"]) == (red_wins, pytest.approx(mean))
    assert red["p"] == pytest.approx(chi2.sf((abs(red_wins - mean) - 1) ** 2 / var, 1), rel=1e-9)


def test_who_always_sits_at_the_same_seat_is_not_told_from_it(pile: Pile, ask: Ask) -> None:
    games(pile, ("Ana", "Rui"), {"red": 550, "blue": 450}, people=True)
    red, blue = ask("seats")
    assert (red["won"], red["p"], blue["p"], red["p_all"]) == (550, None, None, None)
    assert red["withheld"] == (
        "the same strengths sat in another order in none of 1000 games; at least 20 such games are needed"
    )


def test_people_who_sit_around_are_compared_by_their_rating(pile: Pile, ask: Ask) -> None:
    """Nobody meets in the same three twice: by person nothing could be said. All are about as strong, and red is favoured."""
    rng = Random(2)
    tables = [rng.sample(list(three), 3) for three in combinations("abcdefghi", 3)]
    for line in tables:
        games(pile, line, {rng.choice(["red", "red", "red", "blue", "green"]): 1}, people=True)
    red = ask("seats")[0]
    assert red["games"] == comb(9, 3)
    assert red["p"] is not None
    assert red["p"] < 0.05
    (drawn,) = ask(
        "SELECT won, expected, variance, stride FROM stratified('tug') JOIN (SELECT count(*) AS won FROM seats "
        "WHERE won AND seat = 'red') ON place = 'red'"
    )
    assert drawn["stride"] == 1, "a victory more or less is the least that can change among three"
    far = abs(drawn["won"] - drawn["expected"]) - 0.5
    assert red["p"] == pytest.approx(chi2.sf(far**2 / drawn["variance"], 1), rel=1e-9)
    rated = "SELECT DISTINCT player, class, rating FROM seatings('tug') JOIN ratings('tug', met_rated := true) USING (player)"
    about = {row["player"]: (row["class"], row["rating"]) for row in ask(rated)}
    assert len(about) == 9
    assert all(told == f"rated about {rating // 100 * 100:.0f}" for told, rating in about.values())


@pytest.mark.parametrize(
    ("red", "blue", "known"), [(10, 10, True), (10, 9, False), (14, 7, True), (15, 7, False)]
)
def test_twenty_games_not_more_than_two_thirds_at_one_place_tell_how_strong_somebody_is(
    red: int, blue: int, known: bool, pile: Pile, ask: Ask
) -> None:
    games(pile, ("Ana", "Rui"), {"red": red}, people=True)
    games(pile, ("Rui", "Ana"), {"red": blue}, people=True)
    classes = {row["class"] for row in ask("SELECT DISTINCT class FROM seatings('tug')")}
    assert all(told.startswith("rated about") is known for told in classes), classes


ORDERS = list(product((("greedy", "random"), ("random", "greedy")), ((1, 2), (2, 1))))
"""Every way to seat two bots and to begin."""


def test_where_the_strong_one_always_wins_nothing_is_said_of_the_turn_order(pile: Pile, ask: Ask) -> None:
    for line, order in ORDERS:
        games(pile, line, {TWO[line.index("greedy")]: 10}, order=order)
    first, second = ask("turn_order")
    assert (first["won"], first["expected"], second["won"]) == (20, pytest.approx(20), 20)
    assert (first["p"], second["p"]) == (None, None)
    assert "went in another order" in first["withheld"]


def test_an_advantage_of_the_turn_order_is_found(pile: Pile, ask: Ask) -> None:
    for line, order in ORDERS:
        games(pile, line, {TWO[line.index("greedy")]: 10}, order=order)
        games(pile, line, {TWO[order.index(1)]: 15}, order=order)
    first, second = ask("turn_order")
    assert (first["won"], first["expected"]) == (80, pytest.approx(50))
    assert first["p"] == second["p"] < 1e-6


def test_why_nothing_is_said_of_a_seat_and_how_many_games_would_do(pile: Pile, ask: Ask) -> None:
    """Line-ups as balanced as can be: too few, or always won by the same."""
    for line in (("Ana", "Rui"), ("Rui", "Ana")):
        games(pile, line, {"red": 3, "blue": 2}, people=True)
        games(pile, line, {TWO[line.index("Ana")]: 10}, people=True, game="go")
    go, _, tug, _ = ask("seats")
    assert tug["withheld"] == "the same strengths sat in another order in only 10 games; about 20 are needed"
    assert (
        go["withheld"]
        == "the stronger won all 20 games in which the same strengths sat in another order, which tells nothing of that"
    )


def test_as_many_games_as_are_said_to_be_needed_do(pile: Pile, ask: Ask) -> None:
    for line in (("Ana", "Rui"), ("Rui", "Ana")):
        games(pile, line, {"red": 5, "blue": 5}, people=True)
    red, blue = ask("seats")
    assert red["decided"] == 20
    assert red["p"] is not None
    assert red["withheld"] is blue["withheld"] is None
