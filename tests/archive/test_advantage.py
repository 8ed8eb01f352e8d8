"""Tests of the advantages of seats and turn order, and of the statistics behind them."""

from __future__ import annotations

from math import comb, sqrt

import pytest

from .piles import SEATS, Ask, Pile, ask, pile

__all__ = ["ask", "pile"]


def test_seats_win_as_often_as_they_win(pile: Pile, ask: Ask) -> None:
    for winners, times in ((("red",), 60), (("blue",), 30), (("red", "blue"), 8), ((), 2)):
        for _ in range(times):
            pile.game(winners, bots_=SEATS)
    pile.game(None, bots_=SEATS)
    pile.game(("blue",), counted=False)
    red, blue = ask("seats")
    assert (red["seat"], red["games"], red["decided"], red["won"]) == ("red", 100, 90, 60)
    assert red["share"] == pytest.approx(0.65)
    assert (blue["won"], blue["share"]) == (30, pytest.approx(0.35))
    exact = sum(comb(90, k) for k in range(91) if abs(k - 45) >= 15) / 2**90
    assert red["p"] == blue["p"] == pytest.approx(exact)
    z, n, p = 1.959963984540054, 90, 60 / 90
    middle, half = (
        (p + z * z / (2 * n)) / (1 + z * z / n),
        z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n),
    )
    assert (red["low"], red["high"]) == (pytest.approx(middle - half), pytest.approx(middle + half))
    assert red["p_all"] == red["p"], "red wins when blue does not: that is one test"


def test_looking_at_many_seats_is_reckoned_with(pile: Pile, ask: Ask) -> None:
    for _ in range(5):
        pile.game(("red",), seats=("red", "blue", "green"), bots_=SEATS)
        pile.game(("red",), game="go", bots_=SEATS)
    rows = {(row["game"], row["seat"]): row for row in ask("seats")}
    assert rows["tug", "red"]["p"] == pytest.approx(1 / 3**5)
    assert rows["tug", "red"]["p_all"] == pytest.approx(4 / 3**5), "three seats and a pair"
    assert rows["go", "red"]["p_all"] == pytest.approx(4 * 2 / 2**5)
    assert rows["tug", "blue"]["p_all"] <= 1


@pytest.mark.parametrize(
    ("k", "n", "p", "exact"),
    [
        (3, 10, 0.25, 0.7184324264526367),
        (0, 30, 0.25, 0.0003942759162650964),
        (27_000, 100_000, 0.25, 1.5926642516907408e-47),
        (2_501_000, 10_000_000, 0.25, 0.46520882510628453),
        (9_000_000, 10_000_000, 0.25, 0.0),
        (0, 0, 0.5, None),
        (3, 10, 0.0, None),
        (10, 10, 1.0, None),
    ],
)
def test_binomial_p_is_exact_for_few_and_for_many(
    ask: Ask, k: int, n: int, p: float, exact: float | None
) -> None:
    """Known answers: scipy.stats.binomtest."""
    ((found,),) = (row.values() for row in ask("SELECT binomial_p($k, $n, $p)", k=k, n=n, p=p))
    assert found == (None if exact is None else pytest.approx(exact, rel=1e-5, abs=0))


def test_intervals_of_millions(ask: Ask) -> None:
    """Known answer: scipy's Wilson interval. The product of the two numbers exceeds 32 bits."""
    ((low, high),) = (
        row.values()
        for row in ask("SELECT wilson_low($k, $n), wilson_high($k, $n)", k=1_131_952, n=6_788_664)
    )
    assert (low, high) == (
        pytest.approx(0.16646129257303252, rel=1e-9),
        pytest.approx(0.16702207917672277, rel=1e-9),
    )


@pytest.mark.parametrize(
    ("x", "df", "tail"),
    [
        (0.5, 1, 0.47950012218695337),
        (11.07, 5, 0.050009618622405425),
        (60, 19, 3.869826300664181e-06),
        (1200, 1000, 1.2255942330622893e-05),
        (1e6, 5, 0),
        (0.0, 5, 1),
        (-1.0, 5, 1),
        (3.0, 0, None),
        (3.0, 1, 0.08326451666355042),
    ],
)
def test_chi_square_has_its_tail(ask: Ask, x: float, df: int, tail: float | None) -> None:
    """Known answers: scipy.stats.chi2.sf."""
    ((found,),) = (row.values() for row in ask("SELECT chi2_p($x, $df)", x=x, df=df))
    assert found == (None if tail is None else pytest.approx(tail, rel=1e-6, abs=1e-12))


def test_seats_of_other_numbers_and_games_stand_apart(pile: Pile, ask: Ask) -> None:
    pile.game(seats=("red", "blue", "green"), bots_=SEATS)
    pile.game(game="go", bots_=SEATS)
    assert [(row["game"], row["players"], row["seat"]) for row in ask("seats")] == [
        ("go", 2, "red"), ("go", 2, "blue"), ("tug", 3, "red"), ("tug", 3, "blue"), ("tug", 3, "green"),
    ]  # fmt: skip
    assert [row["p"] for row in ask("seats", game="tug")] == [pytest.approx(1 / 3), 1.0, 1.0]


def test_turn_order_follows_the_first_decisions(pile: Pile, ask: Ask) -> None:
    for _ in range(3):
        pile.game(("red",), order=(2, 1), bots_=SEATS)
    pile.game(("red",), order=(1, 2), bots_=SEATS)
    first, second = ask("turn_order")
    assert (first["turn_order"], first["won"], second["turn_order"], second["won"]) == (1, 1, 2, 3)
    assert first["p"] == pytest.approx(10 / 16)


def test_without_winners_the_answer_has_seats_and_turn_order(pile: Pile, ask: Ask) -> None:
    pile.game((), bots_=SEATS)
    for question, column, first, second in (
        ("seats", "seat", "red", "blue"),
        ("turn_order", "turn_order", 1, 2),
    ):
        told = [(row[column], row["games"], row["decided"], row["p"]) for row in ask(question)]
        assert told == [(first, 1, 0, None), (second, 1, 0, None)], question
