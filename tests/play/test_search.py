"""Tests of the bot that searches, in every game."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from msgspec import structs

from gamelog.chance.rng import generator
from gamelog.chance.sources import QuickDice
from gamelog.errors import BadSetup
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.start import start
from gamelog.play.playing.evaluator import Evaluator, fitted_evaluator
from gamelog.play.playing.named_bots import check_bots, is_bot
from gamelog.play.playing.playout import Position, seat_players, steps, with_judge
from gamelog.play.playing.search import Candidate, Search, is_better
from gamelog.play.recording.series import series_header, simulate_game
from gamelog.record.envelope import TABLE, Event
from tests.bench.ladder import compare

BUDGET = 60
_LONGEST_TRIAL = 101
"""The largest number of positions by which the last trial can exceed the budget."""


@cache
def evaluator_of(name: str) -> Evaluator:
    """Return an evaluator of a game that is fitted on a few games."""
    game = find(name)
    header, _, _ = series_header(game, "search", 0, players=min(game.seats))
    return fitted_evaluator(game, start(game, header), header.seat_ids, "greedy", 6)


def decisions(name: str, every: int) -> list[tuple[Any, str, Event]]:
    """Return some decisions of a random game: the state that the seat sees, the seat, and its event."""
    game = find(name)
    header, _, _ = series_header(game, "search", 0, players=min(game.seats))
    bots = with_judge(game, dict.fromkeys(header.seat_ids, game.bots["random"]))
    line = steps(
        game,
        Position(start(game, header)),
        seat_players(bots, "decisions", name),
        QuickDice(generator("decisions", name)),
    )
    made = [
        (before.state, event.by, event)
        for before, event, _ in line
        if event.by != TABLE and not isinstance(event, game.chance_events)
    ]
    return [(game.observe(state, seat), seat, event) for state, seat, event in made[::every]]


@pytest.mark.parametrize("name", sorted(names()))
def test_a_search_chooses_legal_events_within_its_budget_and_repeats_them(name: str) -> None:
    game = find(name)
    search = Search(evaluator_of(name), BUDGET)
    compared = 0
    for number, (state, seat, event) in enumerate(decisions(name, 9)[:12]):
        rng = generator("proposal", number)
        proposal = game.bots["greedy"](state, seat, rng)
        first, second = (
            search.choose(state, 9 * number, seat, generator(number), proposal) for _ in range(2)
        )
        assert first == second and first.by == seat == event.by
        assert game.check(state, structs.replace(first, n=1, t=1)) is None, first
        assert search.positions <= BUDGET + _LONGEST_TRIAL
        compared += search.positions > BUDGET // 2
    assert compared > 3


@pytest.mark.parametrize("name", sorted(names()))
def test_a_search_plays_a_game_that_is_the_same_each_time(name: str) -> None:
    game = find(name)
    players = min(game.seats)
    bots = ("search:10", "random")
    one, two = (simulate_game(game, "search", 1, players=players, bots=bots) for _ in range(2))
    assert one == two
    assert {seat.bot for seat in one[0].seats} == set(bots)
    assert game.pending(start(game, one[0])).outcome is None


def test_a_search_needs_a_number_of_positions() -> None:
    game = find("slicewars")
    check_bots(game, ("random", "greedy", "search:10", "search:100000"))
    assert is_bot(game, "search:200") and not is_bot(game, "table")
    for name in ("search", "search:", "search:9", "search:100001", "search:x", "search:-50", "search:0200"):
        with pytest.raises(BadSetup, match="positions for a decision"):
            check_bots(game, (name,))
    with pytest.raises(BadSetup, match='random, greedy, strong, search:N, and no "expert"'):
        check_bots(game, ("expert",))


def test_a_decision_replaces_the_proposal_only_if_it_is_better_by_more_than_its_error() -> None:
    event = Event(0, 0, "red")
    proposal = Candidate(event, [0.5, 0.4, 0.6, 0.5])

    def better(*chances: float) -> bool:
        return is_better(Candidate(event, [*chances]), proposal)

    assert better(0.6, 0.5, 0.7, 0.6)
    assert not better(0.51, 0.41, 0.61, 0.51)
    assert not better(0.9, 0.1, 0.9, 0.3)
    assert not better(0.9, 0.9)


def test_a_game_that_hides_things_is_searched_only_with_whole_states() -> None:
    game = find("zone_s")
    search = Search(evaluator_of("zone_s"), BUDGET)
    hidden = [one for one in decisions("zone_s", 1) if one[0].phase in ("base", "tile", "deploy")]
    assert len(hidden) > 15
    searched = 0
    for state, seat, event in hidden:
        whole = game.determinise(state, seat, generator("whole")) if game.determinise else None
        assert whole != state and game.observe(whole, seat) == state
        search.choose(state, 0, seat, generator("hidden"), event)
        searched += search.positions > BUDGET // 2
    assert searched > 10


def test_a_search_wins_more_than_greedy_in_paired_games() -> None:
    found = compare(find("zone_s"), "search:200", "greedy", range(8))
    assert found.games == 16 and found.share >= 0.6


def test_the_shares_of_two_bots_in_paired_games_add_up_to_1() -> None:
    game = find("gp02a_territory")
    one, other = (compare(game, *bots, range(4)) for bots in (("greedy", "random"), ("random", "greedy")))
    assert one.share + other.share == pytest.approx(1) and one.share > other.share
