"""Tests of the sentences that say why a game cannot start."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct, structs

from gamelog.errors import BadSetup
from gamelog.play.contract.boards import board_reference, resolve
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.start import read_options, start
from gamelog.record.envelope import Seat
from gamelog.testing.plays import play
from tests.play.tables import GAME, header


def seats(*called: str) -> dict[str, Any]:
    return {"seats": tuple(Seat(seat, seat.title()) for seat in called)}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (seats("red"), "SliceWars is for 2, 3, 4, 5 or 6 players, not 1."),
        (seats(*"abcdefg"), "SliceWars is for 2, 3, 4, 5 or 6 players, not 7."),
        (seats("red", "red"), "Two players cannot have the same seat."),
        (
            seats("red", "orange"),
            'SliceWars has no seat "orange"; the seats are red, blue, yellow, green, purple, white.',
        ),
        ({"options": {"pie": 1}}, 'SliceWars has no option "pie"; its options are: '),
        (
            {"options": {"max_rounds": 0}},
            "SliceWars does not accept the options: max_rounds must be 1 to 1000.",
        ),
        ({"options": {"max_rounds": "ten"}}, "SliceWars does not accept the options: Expected `int`"),
    ],
)
def test_reasons_why_a_game_cannot_start(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(BadSetup) as refused:
        start(GAME, structs.replace(header(), **changed))
    assert str(refused.value).startswith(why)
    assert str(refused.value).endswith(".") and "\n" not in str(refused.value)


class Bounded(Struct, frozen=True):
    least: Annotated[int, Meta(ge=3)] = 3
    natural: Annotated[int, Meta(ge=0)] = 0
    maybe: Annotated[int, Meta(ge=1, le=9)] | None = None
    each: dict[str, Annotated[int, Meta(ge=1, le=4)]] = {}
    ties: Literal["nobody", "all", "first"] = "nobody"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"least": 2}, "least must be at least 3"),
        ({"natural": -1}, "natural must not be negative"),
        ({"ties": "some"}, "ties must be all, first or nobody"),
        ({"maybe": 10}, "maybe must be 1 to 9, or null"),
        ({"each": {"red": 0}}, "each must be 1 to 4"),
        ({"each": 1}, "Expected `object`, got `int` - at `$.each`"),
    ],
)
def test_the_range_of_an_option_is_given_in_words(given: dict[str, Any], why: str) -> None:
    with pytest.raises(BadSetup) as refused:
        read_options(dataclasses.replace(GAME, Options=Bounded), given)
    assert str(refused.value) == f"SliceWars does not accept the options: {why}."


def test_a_refusal_by_the_game_itself_has_its_name() -> None:
    refusing = dataclasses.replace(
        GAME, start=lambda *_: (_ for _ in ()).throw(ValueError("the moon is full"))
    )
    with pytest.raises(
        BadSetup,
        match=r"^SliceWars cannot start with these options, this board and these seats: the moon is full\.$",
    ):
        start(refusing, header())


@pytest.mark.parametrize("name", names())
def test_every_game_starts_as_its_header_says(name: str) -> None:
    game = find(name)
    for players in game.seats:
        played = play(game, 1, players)
        assert start(game, played.header) == played.states[0]
        assert read_options(game, played.header.options) == game.Options()
        strange = structs.replace(played.header, seats=(Seat("nobody", "N"), *played.header.seats[1:]))
        with pytest.raises(BadSetup, match='has no seat "nobody"'):
            start(game, strange)


def test_the_message_names_the_boards() -> None:
    one = dataclasses.replace(GAME, boards={})
    assert board_reference(one) == "none"
    for game, name, why in (
        (one, "large", "SliceWars has only one board"),
        (GAME, "moon", r'no board "moon"\. Choose one of its boards '),
    ):
        with pytest.raises(BadSetup, match=why):
            board_reference(game, name)
    assert board_reference(GAME, next(iter(GAME.boards))) == board_reference(GAME)


def test_two_threads_never_read_boards_at_once() -> None:
    reading, most = list[int](), list[int]()

    def read(_: object) -> str:
        reading.append(1)
        most.append(len(reading))
        sleep(0.01)  # another thread has time to begin
        reading.pop()
        return "board"

    toy = dataclasses.replace(find("slicewars"), read_board=read)
    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(lambda at: resolve(toy, {"name": str(at)}), range(4))) == {"board"}
    assert max(most) == 1
