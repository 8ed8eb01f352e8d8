"""Tests of playouts: they give the games of the driver, from any position."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from gamelog.chance.draws import Bag, Dice, Draw, Shuffle, Weighted, results_problem
from gamelog.chance.rng import generator
from gamelog.chance.sources import QuickDice, Seeded
from gamelog.errors import BrokenGame, PlayError
from gamelog.play.contract.game import AnyGame, Pending
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.start import start
from gamelog.play.playing.playout import Position, play_out, seat_players, steps, with_judge
from gamelog.play.playing.playout import think_time as paced
from gamelog.play.recording.series import simulate_game
from gamelog.record.envelope import TABLE, Event, Header


def arguments(game: AnyGame, header: Header) -> dict[str, Any]:
    """Return the players, dice, times and order of the simulated game with this header."""
    bots = with_judge(game, {seat.seat: game.bots[seat.bot or ""] for seat in header.seats})
    return {
        "players": seat_players(bots, header.id),
        "source": Seeded(header.dice.seed or "", header.id),
        "pace": paced(generator(header.id, "pace")),
        "order": generator(header.id, "order"),
    }


@pytest.mark.parametrize("bot", ["random", "greedy"])
@pytest.mark.parametrize("name", sorted(names()))
def test_a_playout_has_the_events_and_states_of_a_simulated_game(name: str, bot: str) -> None:
    game = find(name)
    for players in game.seats:
        header, events = simulate_game(game, "lean", 0, players=players, bots=(bot,))
        fold = Fold(header, game)
        assert fold.extend(events) is None
        found: list[tuple[Position, Event, Position]] = []
        end = play_out(
            game,
            Position(start(game, header)),
            **arguments(game, header),
            watch=lambda *step, found=found: found.append(step),
        )
        assert [event for _, event, _ in found] == events
        assert [after.state for _, _, after in found] == fold.states[1:]
        assert (end.outcome, end.end.n, end.end.t) == (fold.pending.outcome, fold.n, fold.t)
        assert end.end.chances == fold.chance_count


@pytest.mark.parametrize("name", sorted(names()))
def test_play_goes_on_from_any_position_and_stops_at_the_limit(name: str) -> None:
    game = find(name)
    header, events = simulate_game(game, "lean", 1, players=min(game.seats))
    fold = Fold(header, game)
    assert fold.extend(events) is None
    chosen = arguments(game, header)
    half = play_out(game, Position(start(game, header)), **chosen, max_events=fold.n // 2)
    assert (half.outcome, half.end.n) == (None, fold.n // 2)
    rest = play_out(game, half.end, **chosen)
    assert (rest.outcome, rest.end.n) == (fold.pending.outcome, fold.n)
    assert play_out(game, rest.end, **chosen).end is rest.end, "a game that is over has no more events"


def test_quick_dice_follow_the_chances_of_each_draw() -> None:
    draws: tuple[Draw, ...] = (
        Dice(2, 4),
        Bag(2, (("a", 3), ("b", 1))),
        Weighted(1, (("x", 3), ("y", 1), ("never", 0))),
        Shuffle(("k", "q"), dealt=1),
    )
    source, n = QuickDice(generator("quick")), 4_000
    found = [source.results(draws, 0) for _ in range(n)]
    assert all(results_problem(draws, results) is None for results in found)
    for place, expected in (
        (0, {(first, second): 1 / 16 for first in range(1, 5) for second in range(1, 5)}),
        (1, {("a", "a"): 1 / 2, ("a", "b"): 1 / 4, ("b", "a"): 1 / 4}),
        (2, {("x",): 3 / 4, ("y",): 1 / 4}),
        (3, {("k",): 1 / 2, ("q",): 1 / 2}),
    ):
        counts = Counter(results[place] for results in found)
        assert counts.keys() == expected.keys()
        for result, chance in expected.items():
            assert abs(counts[result] - n * chance) < 4.5 * (n * chance * (1 - chance)) ** 0.5
    again = QuickDice(generator("quick"))
    assert [again.results(draws, 0) for _ in range(5)] == found[:5]


def test_a_game_that_cannot_go_on_is_an_error() -> None:
    game = find("slicewars")
    header, _ = simulate_game(game, "lean", 0, players=2)
    stuck = replace(game, pending=lambda _state: Pending())
    with pytest.raises(BrokenGame, match="cannot continue at event 1"):
        play_out(stuck, Position(start(game, header)), **arguments(game, header))
    judged = replace(game, pending=lambda _state: Pending(by=(TABLE,)))
    with pytest.raises(PlayError, match="a judge"):
        next(steps(judged, Position(start(game, header)), {}, QuickDice(generator("judge"))))
