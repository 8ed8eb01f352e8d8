"""Tests of places, payoffs and teams in an archive, and of seats that leave an unfinished game."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from gamelog_reports.replay_page.page import replay_page
from gamelog_reports.report.page import report

from gamelog.archive import Reader, index
from gamelog.game import Effect, Out, Over, Rolled, TurnOver
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.registry import find
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from gamelog.record.record_file import compose
from gamelog.testing.checks import display_checks
from gamelog.testing.conformance import Conformance
from gamelog.testing.plays import Play, play
from tests.archive.plugin import standing
from tests.reports import payload

from .conftest import begun
from .piles import Ask, Pile, ask, pile

__all__ = ["ask", "pile"]


@pytest.mark.usefixtures("fewer_games")
class TestStanding(Conformance):
    """The conformance tests for the game of these tests."""

    game = standing.GAME


@pytest.mark.parametrize(
    ("silent", "test", "said"),
    [
        (Out, "test_the_end_and_turns_have_effects", "there is no effect Out for this seat"),
        (Rolled, "test_dice_and_contests_have_effects", "no effect Rolled shows them"),
        (TurnOver, "test_the_end_and_turns_have_effects", "there is no effect TurnOver"),
        (Over, "test_the_end_and_turns_have_effects", "the effect Over must be at the end"),
    ],
)
def test_the_kit_asks_for_the_effects_that_pages_and_archives_live_on(
    silent: type[Effect], test: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def effects(*step: Any) -> tuple[Effect, ...]:
        return tuple(effect for effect in standing.effects(*step) if not isinstance(effect, silent))

    monkeypatch.setattr(display_checks, "MAX_IDLE_ROUNDS", 1)
    suite = TestStanding()
    monkeypatch.setattr(TestStanding, "game", replace(standing.GAME, effects=effects))
    with pytest.raises(AssertionError, match=said):
        getattr(suite, test)()


def outcome_of(found: Play) -> Outcome:
    outcome = found.game.pending(found.states[-1]).outcome
    assert outcome is not None
    assert isinstance(outcome, Outcome)
    return outcome


@pytest.fixture
def plays(shelf: Path, archive: Path) -> list[Play]:
    """Return an archive of games for three and four players, half of them in teams."""
    game = find("standing")
    found = [play(game, at, 3 + at % 2, teams=at % 4 == 1) for at in range(12)]
    for one in found:
        (shelf / f"{one.header.id}.jsonl").write_bytes(compose(one.header, one.events)[0])
    index([shelf], begun(archive))
    return found


def test_each_seat_has_its_place_its_payoff_and_its_team(plays: list[Play], archive: Path) -> None:
    with Reader(archive) as reader:
        rows = {(row["id"], row["seat"]): row for row in reader.ask("SELECT * FROM seats").dicts()}
        orders = reader.ask("SELECT id, list(seat ORDER BY turn) AS seats FROM turns GROUP BY id").dicts()
    for found in plays:
        outcome = outcome_of(found)
        for seat in found.header.seat_ids:
            row = rows[found.header.id, seat]
            assert row["place"] == outcome.place_of(seat)
            assert row["payoff"] == outcome.payoffs[seat]
            assert row["team"] == outcome.team_of(seat)
            assert row["score"] is None
    for order in orders:
        seats = next(found.header.seat_ids for found in plays if found.header.id == order["id"])
        first = [rows[order["id"], seat]["turn_order"] for seat in seats]
        assert first == list(range(1, len(seats) + 1)), (
            "a seat that leaves has had a first turn, and the order has no gap"
        )


def test_turns_skip_seats_that_have_left(plays: list[Play]) -> None:
    for found in plays:
        seats = found.header.seat_ids
        out: list[str] = []
        for before, event, after in found.steps():
            told = found.game.effects(before, event, after)
            out += [effect.seat for effect in told if isinstance(effect, Out)]
            turn = next((effect for effect in told if isinstance(effect, TurnOver)), None)
            if turn and turn.next:
                left = [seat for seat in (*seats, *seats) if seat not in out or seat == turn.seat]
                assert turn.next == left[left.index(turn.seat) + 1]
        assert out


def test_means_of_places_and_payoffs_have_their_errors(plays: list[Play], archive: Path) -> None:
    with Reader(archive) as reader:
        rows = reader.ask("standings").dicts()
    assert rows
    for row in rows:
        games = [found for found in plays if len(found.header.seats) == row["players"]]
        places = [outcome_of(found).place_of(row["seat"]) or 0 for found in games]
        payoffs = [outcome_of(found).payoffs[row["seat"]] for found in games]
        assert row["games"] == len(games)
        assert row["place_mean"] == pytest.approx(mean(places))
        assert row["place_error"] == pytest.approx(stdev(places) / len(places) ** 0.5)
        assert row["payoff_mean"] == pytest.approx(mean(payoffs))
        assert row["payoff_error"] == pytest.approx(stdev(payoffs) / len(payoffs) ** 0.5)
        assert row["first"] == places.count(1)
        worst = [
            max(outcome_of(found).place_of(seat) or 0 for seat in found.header.seat_ids) for found in games
        ]
        assert row["last"] == sum(map(int.__eq__, places, worst))
        assert row["teams"] == sum(bool(outcome_of(found).teams) for found in games)


def test_without_a_single_winner_the_answer_gives_the_reason(pile: Pile, ask: Ask) -> None:
    for _ in range(30):
        pile.game(("red", "blue"), seats=("red", "blue"), players_=("Ana", "Rui"))
    for row in ask("seats"):
        assert (row["decided"], row["p"], row["withheld"]) == (
            0,
            None,
            "none of the games has exactly one winner",
        )


@pytest.mark.parametrize(
    ("language", "placed"), [("en", "Place {place}: {@seats}."), ("pt", "{place}.º lugar: {@seats}.")]
)
def test_the_page_tells_places_in_its_language(
    language: str, placed: str, plays: list[Play], shelf: Path
) -> None:
    found = plays[0]
    html = replay_page(fold_record(read_record(shelf / f"{found.header.id}.jsonl")), language=language)
    stage = payload.page_data(html, payload.STAGE)
    effects = json.loads(payload.lines(payload.page_data(html), "effects", stage)[-1])
    assert [effect["place"] for effect in effects if effect["effect"] == "placed"] == [1, 2, 3]
    assert stage["templates"]["placed"] == placed


def test_the_report_tells_places_and_keeps_means_of_few_games_to_itself(
    plays: list[Play], archive: Path
) -> None:
    page = report(archive)
    assert plays
    assert "Places and payoffs" in page
    assert "mean payoff" in page
    assert "Means of fewer than 20 games are not shown." in page
