"""Tests that answers to a seat do not depend on the hidden content of a bag from which seeded dice draw."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import gamelog
from gamelog.play.contract.registry import find
from tests.examples.conftest import installed
from tests.table.alike import content_of
from tests.table.client import Serving, serve_in_thread
from tests.table.test_look_alikes import check_alike

PLUGIN = Path(__file__).parent / "plugin"


@pytest.fixture(scope="module", autouse=True)
def fish(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Install the game of the tests."""
    with installed(tmp_path_factory.mktemp("fish"), [PLUGIN]):
        yield


@pytest.fixture(params=[("1", 10), ("2", 10), ("a", 40)], ids=lambda one: f"{one[0]}-{one[1]}")
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Serving]:
    """A server of a seeded game in which the cards are dealt and red has to draw."""
    path, (name, cards) = tmp_path / "fish.jsonl", request.param
    seats = {"red": "Ana", "blue": "Rui"}
    gamelog.create(path, "fish", seats=seats, dice="seeded", id=name, options={"cards": cards})
    with serve_in_thread(path) as serving:
        assert serving.scorer.write({"results": "known"}).status == 201
        yield serving


def cards(table: Serving) -> list[str]:
    """Return all cards of the game."""
    return list(table.scorer.get().json["state"]["cards"])


def hand(table: Serving, seat: str) -> list[str]:
    """Return the cards of `seat`."""
    return list(table.scorer.get().json["state"]["hands"][("red", "blue").index(seat)])


def results_of(table: Serving, seat: str, name: str, path: str) -> set[tuple[int, bytes]]:
    """Return the different answers to `seat` for all draws of a card that it cannot see, without the card."""
    client, own = table.client("seat", seat), hand(table, seat)
    n = table.scorer.get().json["n"]
    found = set()
    for card in cards(table):
        if card not in own and card != due(table):
            body = {"results": [[card]]} if name == "results" else {"do": "draw", "card": card}
            status, told = content_of(client.ask("POST", path, {**body, "expect": n}))
            found.add((status, told))
    return found


def due(table: Serving) -> str:
    """Return the card that the seed gives for the next draw."""
    return str(table.scorer.ask("POST", "/would", {"results": "known"}).json["parts"][0]["event"]["card"])


@pytest.mark.parametrize("seat", ["red", "blue"])
@pytest.mark.parametrize("name", ["results", "draw"])
@pytest.mark.parametrize("path", ["/events", "/would"])
def test_a_guessed_draw_gets_one_answer_wherever_the_card_is(
    table: Serving, seat: str, name: str, path: str
) -> None:
    assert len(results_of(table, seat, name, path)) == 1


def test_a_draw_of_another_seat_is_refused_before_its_results_are_read(table: Serving) -> None:
    blue = table.client("seat", "blue")
    tried: tuple[Any, ...] = ("known", [[due(table)]], [["nothing"]], [[]], 7)
    for results in tried:
        answer = blue.write({"results": results})
        assert (answer.status, answer.code) == (403, "table.role"), results


def test_a_wrong_draw_is_refused_without_the_kind_of_its_reason_and_the_right_draw_is_recorded(
    table: Serving,
) -> None:
    red, card = table.client("seat", "red"), due(table)
    for other in (*hand(table, "blue"), *cards(table)):
        if other not in (card, *hand(table, "red")):
            answer = red.write({"do": "draw", "card": other})
            assert (answer.status, answer.json["finding"]["code"]) == (422, "play.hidden")
    own = red.write({"do": "draw", "card": hand(table, "red")[0]})
    assert own.json["finding"]["code"] == "play.illegal", "the seat itself sees that it holds the card"
    assert red.write({"results": "known"}).status == 201
    assert card in hand(table, "red")


def test_no_answer_before_a_draw_names_a_result_of_the_seed(table: Serving) -> None:
    for seat in ("red", "blue"):
        client = table.client("seat", seat)
        for given in ({"results": "known"}, *({"do": "draw", "card": card} for card in cards(table))):
            told = client.ask("POST", "/would", given).body
            assert b"the seed gives" not in told


def test_a_new_event_is_reported_in_the_same_words_whatever_was_guessed(table: Serving) -> None:
    red, answers = table.client("seat", "red"), set[tuple[int, bytes]]()
    for card in cards(table):
        if card not in hand(table, "red"):
            answers.add(content_of(red.write({"results": [[card]]}, expect=0)))
    assert len(answers) == 1
    assert "append.conflict" in next(iter(answers))[1].decode()


def test_a_seat_gets_the_same_answers_for_records_that_look_alike(tmp_path: Path) -> None:
    check_alike(find("fish"), tmp_path, 4)


def test_a_draw_that_the_games_code_cannot_make_is_the_fault_of_its_distribution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fish, path = import_module("fish"), tmp_path / "fish.jsonl"
    gamelog.create(path, "fish", seats={"red": "Ana", "blue": "Rui"}, rolls="players")
    public, bag = SimpleNamespace(**vars(fish.game)), fish.game.Bag
    public.Bag = lambda *given, **_: bag(*given)  # all draws are public
    monkeypatch.setattr(fish, "game", public)
    monkeypatch.setattr(fish, "map", lambda *_: [1 // 0], raising=False)  # in `chance`
    with serve_in_thread(path) as serving:
        red = serving.client("seat", "red")
        hands = {"red": ["1", "2", "3"], "blue": ["4", "5", "6"]}
        for answer in (red.get("/choices"), red.write({"do": "deal", "hands": hands})):
            error = answer.json["error"]
            assert (answer.status, error["code"]) == (500, "play.broken_game")
            assert (
                "the game Fish, from the package gamelog-fish, failed: ZeroDivisionError" in error["message"]
            )
        assert serving.scorer.get().json["n"] == 0
