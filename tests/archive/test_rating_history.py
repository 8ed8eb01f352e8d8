"""Ratings over time: against scipy's optimum, causal, and over leagues whose strengths are known and change."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from math import exp, log, pi, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import Struct
from scipy.optimize import minimize

from gamelog.archive import Reader
from gamelog.archive.querying.rating_history import DAILY_VARIANCE, VARIANCE
from tests.shares import examples

from .leagues import COLOURS, KINDS, Real, meetings
from .piles import Ask, Pile, ask, pile

__all__ = ["ask", "pile"]

POINTS = 400 / log(10)
"""Number of rating points for 1 in the logarithm of odds."""

FIRST = date(2026, 3, 1)


def play(pile: Pile, order: Sequence[object], day: int = 0, *, whole: bool = False, **more: Any) -> str:
    """Add a game in which people, named in the order of their places, sat at the seats in that order."""
    seats = COLOURS[: len(order)]
    told = {seat: {"place": place} for place, seat in enumerate(seats, 1)} if whole else {}
    started = f"{FIRST + timedelta(day)} 20:00:00"
    return pile.game(
        (seats[0],), seats, players_=[str(one) for one in order], told_=told, started=started, **more
    )


def test_the_first_day_is_the_optimum_of_scipy(pile: Pile, ask: Ask) -> None:
    play(pile, "012", whole=True)

    def loss(at: Real) -> float:
        odds = np.exp(at)
        return float(at @ at / VARIANCE / 2 - log(odds[0] / odds.sum()) - log(odds[1] / odds[1:].sum()))

    best = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-8}).x
    rows = ask("rating_history")
    assert [row["rating"] for row in rows] == pytest.approx(1500 + POINTS * (best - best.mean()), abs=30)
    assert [row["rating_before"] for row in rows] == [None] * 3
    assert rows[0]["rating"] > rows[1]["rating"] > rows[2]["rating"]


def test_two_games_of_two_people_on_a_day_are_the_optimum_of_scipy(pile: Pile, ask: Ask) -> None:
    """One choice of the day, made three times: the optimum and the curvature there are exact."""
    for order in ("01", "01", "10"):
        play(pile, order)

    def loss(at: Real) -> float:
        chance = 1 / (1 + exp(at[1] - at[0]))
        return float(at @ at / VARIANCE / 2 - 2 * log(chance) - log(1 - chance))

    best = minimize(loss, np.zeros(2), method="BFGS", options={"gtol": 1e-8}).x
    chance = 1 / (1 + exp(best[1] - best[0]))
    curve = 3 * chance * (1 - chance) * np.array([[1, -1], [-1, 1]]) + np.eye(2) / VARIANCE
    variance = np.array([1, -1]) @ np.linalg.inv(curve) @ np.array([1, -1]) / 4  # of half the difference
    rows = ask("rating_history")
    assert [row["rating"] for row in rows] == pytest.approx(1500 + POINTS * (best - best.mean()), abs=0.01)
    assert [row["margin"] for row in rows] == pytest.approx([1.96 * POINTS * sqrt(variance)] * 2, abs=0.01)


def test_plain_sql_reads_the_ratings_without_an_earlier_question(pile: Pile, ask: Ask) -> None:
    play(pile, "012", whole=True)
    (row,) = ask("SELECT count(*) AS days FROM settled.rating_history")
    assert row["days"] == 3


def test_margins_grow_without_games(pile: Pile, ask: Ask) -> None:
    for day in (0, 1, 401, 2, 3):
        for order in ("01", "10") * 20:
            play(pile, order, day)
    rows = list(ask("rating_history", player="0"))
    assert [str(row["day"]) for row in rows] == [str(FIRST + timedelta(day)) for day in (0, 1, 2, 3, 401)]
    before, after = rows[-1]["margin_before"], rows[-2]["margin"]
    assert (before**2 - after**2) / (1.96 * POINTS) ** 2 == pytest.approx(398 * DAILY_VARIANCE / 2)
    assert rows[-1]["rating_before"] == pytest.approx(rows[-2]["rating"])


def test_later_games_change_no_earlier_day(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    orders = [(day, rng.permutation(8)[:3].tolist()) for day in range(12) for _ in range(3)]
    answers = []
    for count in (24, 36):
        pile = Pile()
        for day, order in orders[:count]:
            play(pile, order, day, whole=True)
        with Reader(pile.stored(tmp_path / f"{count}.archive")) as reader:
            answers.append(reader.ask("rating_history").dicts())
            until = reader.ask("rating_history", {"until": FIRST + timedelta(8)}).dicts()
    assert answers[0] == until
    assert len(answers[1]) > len(until)


def test_only_games_with_a_result_by_play_are_in_the_ratings(pile: Pile, ask: Ask) -> None:
    play(pile, "01")
    play(pile, "10", 1, result_by="walkover")
    play(pile, "10", 2, counted=False)
    play(pile, "23", 3, game="other")
    assert [(row["game"], row["player"], row["day"]) for row in ask("rating_history")] == [
        ("other", "2", FIRST + timedelta(3)),
        ("other", "3", FIRST + timedelta(3)),
        ("tug", "0", FIRST),
        ("tug", "1", FIRST),
    ]
    assert {row["player"] for row in ask("rating_history", game="other")} == {"2", "3"}


class Season(Struct, frozen=True):
    """A season: the strengths after each day, and the orders of the players in each game of each day."""

    strengths: Real
    games: list[list[list[int]]]
    whole: bool


def draw_season(rng: np.random.Generator, players: int, drift: float, kind: str) -> Season:
    """Return a season of 6 to 30 people, 10 to 40 days, a day or a week apart. `drift` is for each day."""
    people, days = int(rng.integers(max(6, players), 31)), int(rng.integers(10, 41))
    apart = int(rng.choice((1, 7)))
    strengths = rng.normal(0, rng.choice((0.5, 1.0, 1.5)), people)
    strengths = np.sort(strengths) if kind == "ladder" else strengths
    walk = rng.normal(0, drift, (days * apart, people)).cumsum(axis=0)[::apart]
    truth = strengths + walk - walk[0]
    games = []
    for day in range(days):
        tables = meetings(rng, people, players, int(rng.integers(2, 9)), kind)
        orders = (-(truth[day][tables] + rng.gumbel(size=tables.shape))).argsort(axis=1)
        games.append(np.take_along_axis(tables, orders, axis=1).tolist())
    return Season(
        truth.repeat(apart, axis=0),
        [part for day in games for part in (day, *[[]] * (apart - 1))],
        bool(rng.integers(2)),
    )


def index_seasons(seasons: Sequence[Season], archive: Path) -> Path:
    pile = Pile()
    for at, season in enumerate(seasons):
        for day, games in enumerate(season.games):
            for order in games:
                play(pile, order, day, whole=season.whole, game=f"s{at}")
    return pile.stored(archive)


def are_covered(rows: list[dict[str, Any]], season: Season) -> list[bool]:
    """Return, for each player on each day, whether the strength is within the margin, relative to the circle."""
    circles: dict[int, set[int]] = {}
    found = []
    by_day: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        by_day.setdefault((row["day"] - FIRST).days, []).append(row)
    for day, games in enumerate(season.games):
        for order in games:
            joined = set().union(*(circles.get(who, {who}) for who in order))
            circles |= dict.fromkeys(joined, joined)
        for row in by_day.get(day, ()):
            who, true = int(row["player"]), season.strengths[day]
            wanted = 1500 + POINTS * (true[who] - true[[*circles[who]]].mean())
            found.append(bool(abs(row["rating"] - wanted) <= row["margin"]))
    return found


@pytest.mark.grid
@pytest.mark.parametrize("monthly", [0, 33, 67])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_margins_cover_at_least_95_in_100(players: int, monthly: int, archive: Path) -> None:
    """`monthly` is the standard deviation in points by which strengths change in 30 days. The long run has 60 seasons."""
    rng = np.random.default_rng((players, monthly))
    drift = monthly / POINTS / sqrt(30)
    seasons = [draw_season(rng, players, drift, KINDS[at % 4]) for at in range(examples(60))]
    hits: list[bool] = []
    with Reader(index_seasons(seasons, archive)) as reader:
        for at, season in enumerate(seasons):
            hits += are_covered(reader.ask("rating_history", {"game": f"s{at}"}).dicts(), season)
    share = sum(hits) / len(hits)
    print(f"{players} players, {monthly} points in 30 days: {share:.1%} of {len(hits)}")
    assert share >= 0.95
    assert share < 0.995, "the margins are of use"


def test_an_upset_is_against_the_ratings_before_the_day(pile: Pile, ask: Ask) -> None:
    for day in range(10):
        play(pile, "01", day)
        play(pile, "12", day)
    same_day = play(pile, "20", 10, id="upset")
    play(pile, "20", 11, id="second")
    play(pile, "01", 12)
    rows = ask("upsets", most=1000)
    assert len(rows) == 23
    assert [row["id"] for row in rows if row["chance"] < row["even"]] == [same_day, "second"]
    first = rows[0]
    assert (first["winner"], first["player"], first["favourite"]) == ("red", "2", "0")
    history = {(row["player"], row["day"]): row for row in ask("rating_history")}
    own, other = (history[who, FIRST + timedelta(10)] for who in "20")
    assert (first["rating"], first["margin"]) == (own["rating_before"], own["margin_before"])
    assert first["favourite_rating"] == other["rating_before"]
    plain = 1 / (1 + 10 ** ((other["rating_before"] - own["rating_before"]) / 400))
    assert plain < first["chance"] < first["even"] == 0.5, "the chance allows for the margins"
    assert rows[1]["chance"] > first["chance"]
    assert ask("upsets", most=1) == rows[:1]


def test_a_newcomer_makes_no_great_upset(pile: Pile, ask: Ask) -> None:
    for day in range(30):
        play(pile, "01", day)
    play(pile, "10", 30, id="upset")
    play(pile, "90", 30, id="newcomer")
    rows = {row["id"]: row for row in ask("upsets")}
    assert rows["newcomer"]["rating"] is None
    assert rows["upset"]["chance"] < 0.5 * rows["newcomer"]["chance"]


def test_shared_victories_and_unnamed_players_are_no_upsets(pile: Pile, ask: Ask) -> None:
    play(pile, "01", id="only")
    pile.game(("red", "blue"), players_=("1", "0"), started="2026-03-20 20:00:00")
    pile.game(("red",), players_=("1", None), started="2026-03-21 20:00:00")
    assert [row["id"] for row in ask("upsets")] == ["only"]


@pytest.mark.grid
@pytest.mark.parametrize("players", [2, 3, 4])
def test_favourites_lose_as_often_as_their_chances_say(players: int, archive: Path) -> None:
    """Of all upsets by their chance, the numbers agree with the sum over all games of the chance of an upset."""
    rng = np.random.default_rng(players)
    seasons = [draw_season(rng, players, sqrt(DAILY_VARIANCE), KINDS[at % 4]) for at in range(examples(40))]
    with Reader(index_seasons(seasons, archive)) as reader:
        upsets = reader.ask("upsets", {"most": 1_000_000}).dicts()
        upsets = [row for row in upsets if row["chance"] < row["even"]]
        history = reader.ask("FROM settled.rating_history").dicts()
        before = {(row["game"], row["player"], row["day"]): row for row in history}
    for limit in (0.1, 0.2, 0.3):
        expected = variance = 0.0
        for at, season in enumerate(seasons):
            for day, games in enumerate(season.games):
                for order in games:
                    rows = [before[f"s{at}", str(who), FIRST + timedelta(day)] for who in order]
                    for chance in _chances(rows):
                        expected += chance * (chance < limit)
                        variance += chance * (1 - chance) * (chance < limit)
        found = sum(row["chance"] < limit for row in upsets)
        assert found == pytest.approx(expected, abs=4 * sqrt(variance) + 0.1 * expected)


def _chances(rows: list[dict[str, Any]]) -> list[float]:
    """Return the chance of each player, where uncertain strengths count as nearly equal (MacKay's approximation)."""
    strengths = [row["strength_before"] for row in rows]
    variances = [row["variance_before"] for row in rows]
    chances = []
    for at in range(len(rows)):
        others = [variance for other, variance in enumerate(variances) if other != at]
        certainty = 1 / sqrt(1 + pi / 8 * (variances[at] + sum(others) / len(others)))
        odds = [exp(certainty * strength) for strength in strengths]
        chances.append(odds[at] / sum(odds))
    return chances
