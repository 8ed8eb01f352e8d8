"""Paired games of series: variants with the same dice and draws by their order, and the same chance of the bots."""

from __future__ import annotations

import pytest

from gamelog.play.contract.registry import find, names
from gamelog.play.recording.series import simulate_game
from gamelog.record.envelope import DiceSpec


@pytest.mark.parametrize("name", names())
def test_games_with_one_pairing_are_the_same_if_nothing_differs(name: str) -> None:
    """Seed, tags and time of the series are in the header alone, and another pairing is another game."""
    game = find(name)
    players = min(game.seats)
    one, two, other = (
        simulate_game(game, seed, index, players=players, pairing=pairing, tags={"of": seed})
        for seed, index, pairing in (("a", 0, "x/1"), ("b", 7, "x/1"), ("a", 0, "x/2"))
    )
    assert one[0].id != two[0].id
    assert one[0].dice == DiceSpec("table")
    assert one[0].tags == {"simulated": "a/0", "of": "a"}
    assert one[1] == two[1]
    assert one[1] != other[1]


def test_variants_have_the_same_chance_on_each_chance_line() -> None:
    """The limit of rounds changes nothing before the end of the shorter game."""
    game = find("slicewars")
    long, short = (
        simulate_game(
            game, "s", 0, players=2, bots=("greedy",), options={"max_rounds": rounds}, pairing="s/equal/3"
        )[1]
        for rounds in (8, 2)
    )
    assert len(short) < len(long)
    assert short == long[: len(short)]


def test_a_series_without_pairing_is_as_before() -> None:
    """The id and the seed of published series. They follow from the header alone."""
    header, _ = simulate_game(find("slicewars"), "1", 0, players=2)
    again, _ = simulate_game(find("slicewars"), "1", 0, players=2, tags={})
    assert header == again
    assert header.dice.source == "seeded"
    assert header.tags == {"simulated": "1/0"}
