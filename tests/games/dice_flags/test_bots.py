"""The bots are as strong as they claim; the conformance kit checks that they play legal events."""

from __future__ import annotations

import pytest

from gamelog.chance.rng import generator
from gamelog.games.dice_flags.army import SOLDIERS
from gamelog.games.dice_flags.bots import greedy
from gamelog.games.dice_flags.events import March, Move, PickUp, Rescue, TaoEnd, TaoMove
from gamelog.games.dice_flags.state import State
from gamelog.games.dice_flags.strong import strong
from gamelog.play.contract.game import Bot
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.series import simulate_game
from tests.games.dice_flags.games import GAME, play, position


def outcomes(bots: tuple[str, ...], players: int, games: int) -> tuple[int, int]:
    """Return how many games the first bot won, and how many games ended by flags."""
    won = flags = 0
    for index in range(games):
        header, events = simulate_game(GAME, "match", index, players=players, bots=bots, dice="table")
        fold = Fold(header, GAME)
        assert fold.extend(events) is None and fold.outcome
        flags += fold.outcome.reason == "flags"
        won += all(seat.bot == bots[0] for seat in header.seats if seat.seat in fold.outcome.winners)
    return won, flags


def test_most_games_of_strong_for_two_end_by_flags() -> None:
    _, flags = outcomes(("strong",), 2, 8)
    assert flags >= 5


@pytest.mark.grid
@pytest.mark.parametrize(
    ("better", "worse", "least"),
    [("strong", "greedy", 14), ("strong", "random", 16), ("greedy", "random", 14)],
)
def test_stronger_bots_beat_weaker_bots(better: str, worse: str, least: int) -> None:
    won, _ = outcomes((better, worse), 2, 16)
    assert won >= least


def test_random_reaches_everywhere() -> None:
    """The random bot uses all soldiers, dice and destinations, also the roads to the other bases."""
    visited = {
        event.path[-1]
        for index in range(4)
        for event in play(index, 4).events
        if isinstance(event, Move | TaoMove)
    }
    assert len(visited) == 181


@pytest.mark.parametrize("bot", [greedy, strong])
def test_bots_play_the_obvious_decisions(bot: Bot) -> None:
    def choice(state: State) -> object:
        return bot(state, "north", generator("choice"))

    # bring the flag home, although a capture is possible
    state = position(
        on_turn="north",
        dice=(2, 1),
        soldiers={"north": {"F1": "N.f1", "P1": "M.d4", "H1": "N.a1"}, "south": {"P1": "M.d5"}},
        flags={"south": ("north", "F1")},
    )
    assert choice(state) == Move(0, 0, "north", "F1", 2, ("N.f2", "N.flag"))
    # capture a single carrier without risk
    state = position(
        on_turn="north",
        dice=(1, 6),
        soldiers={"north": {"H1": "M.d4"}, "south": {"F1": "M.d5", "H2": "M.a1"}},
    )
    assert choice(state) == Move(0, 0, "north", "H1", 1, ("M.d5",))
    # free the best soldier, to a square that no enemy can reach
    state = position(
        on_turn="north",
        phase="orders",
        soldiers={
            "north": {"P1": "S.e3", "P2": "M.a1", "F1": "M.b1", "F2": "M.c1"},
            "south": {"P1": "E.flag"},
        },
    )
    assert isinstance(freed := choice(state), Rescue) and freed.prisoner[0] == "H"
    # choose a flag
    state = position(
        3,
        on_turn="north",
        picker=("north", "F1"),
        soldiers={"north": {"F1": "S.flag"}},
        flags={"east": "S.flag"},
    )
    assert isinstance(choice(state), PickUp)


def test_an_enemy_soldier_is_left_in_prison() -> None:
    state = position(
        3,
        on_turn="north",
        phase="orders",
        soldiers={"north": {"P1": "S.e3"}, "east": {"P1": "M.a1"}, "south": {"P1": "M.a7"}},
    )
    assert {type(event) for event in legal_for(GAME, state, None).events} == {Rescue, March}
    for bot in (greedy, strong):
        assert isinstance(bot(state, "north", generator("choice")), March)


def test_strong_keeps_a_soldier_in_its_bunker_while_enemies_wait_outside() -> None:
    moved = [name for name in SOLDIERS if name != "F1"]
    soldiers = {"north": {"F1": "N.r2"}, "south": {"H1": "M.d1", "M1": "M.c1"}}
    state = position(on_turn="north", phase="tao", roll=(1, 2), moved=moved, soldiers=soldiers)
    assert len(legal_for(GAME, state, None).events) > 6
    assert isinstance(strong(state, "north", generator("choice")), TaoEnd)
