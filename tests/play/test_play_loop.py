"""Tests of simulated games: the arguments that make another game, and the bots at the seats."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

import pytest
from msgspec import structs

from gamelog.errors import BrokenGame, Endless, PlayError
from gamelog.play.contract.registry import find
from gamelog.play.recording.series import seatings, simulate_game
from gamelog.record.envelope import Event
from gamelog.record.record_file import compose

PLAYED: dict[str, Any] = {"players": 2, "bots": ("random", "greedy"), "options": {"max_rounds": 1}}


def ids(*others: dict[str, Any], seed: str = "1", index: int = 0) -> list[str]:
    game = find("slicewars")
    return [simulate_game(game, seed, index, **PLAYED | other)[0].id for other in others]


def test_other_arguments_make_another_id() -> None:
    others: list[dict[str, Any]] = [
        {},
        {"options": {"max_rounds": 2}},
        {"players": 3},
        {"bots": ("greedy", "random")},
        {"bots": ("random",)},
        {"dice": "table"},
        {"dice": "commit-reveal"},
    ]
    found = [*ids(*others), *ids({}, seed="2"), *ids({}, index=1)]
    assert len(set(found)) == len(found)


def test_another_board_makes_another_id() -> None:
    game = find("zone_control")
    boards = list(game.boards)[:2]
    layouts: list[str | dict[str, Any]] = [*boards, game.boards[boards[0]]()]
    first = {simulate_game(game, "1", 0, players=4, board=board)[0].id for board in layouts}
    assert len(first) == len(boards) + 1


def test_the_same_arguments_give_the_same_bytes() -> None:
    game = find("slicewars")
    default = game.Options().extra_ownerless
    one, two, three = (
        compose(*simulate_game(game, "1", 0, **PLAYED | {"options": {"max_rounds": 1} | more}))
        for more in ({}, {}, {"extra_ownerless": default})
    )
    assert one == two == three


def test_a_seed_gives_the_thinking_times_that_it_always_gave() -> None:
    _, events = simulate_game(find("slicewars"), "times", 0, players=2)
    assert [event.t for event in events[:6]] == [2000, 7644, 10600, 29735, 39759, 54399]


def test_a_seed_gives_the_commitments_that_it_always_gave() -> None:
    """A later release can make a series again. The commitments are the last links of chains of 4,096."""
    header, _ = simulate_game(find("slicewars"), "1", 0, **PLAYED, dice="commit-reveal")
    assert header.dice.commitments == {
        "red": "7554c7aaf0dc2c4e4230a934bccfc56a4b0dbd84762bfd0046878a4d541b08b0",
        "blue": "2af0c0a17812c0f380aac20d70247fd00ae6447b8d5493db0d7771328881d067",
    }


def test_every_different_line_up_is_dealt() -> None:
    assert set(seatings(("g", "r"), 3)) == {*permutations("ggr"), *permutations("grr")}
    assert set(seatings(("g", "g", "r"), 3)) == set(permutations("ggr")), "as often as named"
    assert set(seatings(("a", "b", "c"), 2)) == set(permutations("abc", 2)), "more bots than seats"
    assert seatings(("g",), 4) == (("g",) * 4,)
    assert seatings(("g", "r"), 2) == (("g", "r"), ("r", "g"))


@pytest.mark.parametrize(
    ("bots", "seats"), [(("g", "r"), 3), (("a", "b", "c"), 2), (("a", "b", "c"), 4), (("g", "r"), 6)]
)
def test_every_bot_has_each_seat_equally_often(bots: tuple[str, ...], seats: int) -> None:
    found = seatings(bots, seats)
    assert len(set(found)) == len(found)
    for seat in range(seats):
        assert len(set(Counter(line[seat] for line in found).values())) == 1


def test_line_ups_are_dealt_in_turn() -> None:
    game = find("slicewars")
    dealt = [
        tuple(
            str(seat.bot)
            for seat in simulate_game(
                game, "1", at, players=3, bots=("greedy", "random"), options={"max_rounds": 1}
            )[0].seats
        )
        for at in range(12)
    ]
    assert dealt == [*seatings(("greedy", "random"), 3)] * 2


def test_an_illegal_event_of_a_bot_ends_the_game_with_number_and_reason() -> None:
    game = find("slicewars")

    def thief(state: Any, seat: str, rng: Random) -> Event:
        return structs.replace(game.bots["random"](state, seat, rng), by="blue" if seat == "red" else "red")

    with pytest.raises(PlayError, match=r"^SliceWars, event 2: it is .*'s turn, not .*'s\.$"):
        simulate_game(replace(game, bots={"random": thief}), "1", 0, players=2, max_events=50)


def test_a_bot_that_gives_no_event_is_named_with_the_number_of_the_event_that_is_missing() -> None:
    game = find("slicewars")

    def silent(_state: Any, _seat: str, _rng: Random) -> Any:
        return None

    broken = replace(game, bots={"random": silent})
    with pytest.raises(BrokenGame, match=r"cannot continue at event 2: the bot of \w+ returned NoneType"):
        simulate_game(broken, "1", 0, players=2, bots=("random",))  # event 1 is the roll for the first turn


def test_a_game_that_does_not_end_is_stopped_after_exactly_as_many_events_as_are_allowed() -> None:
    game = find("slicewars")
    _, events = simulate_game(game, "1", 0, players=2)
    assert simulate_game(game, "1", 0, players=2, max_events=len(events))[1] == events
    with pytest.raises(Endless, match=f"has not ended after {len(events) - 1:,} events"):
        simulate_game(game, "1", 0, players=2, max_events=len(events) - 1)
