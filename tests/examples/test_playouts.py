"""Playouts of the examples, with hidden information, simultaneous decisions and commitments."""

from __future__ import annotations

import pytest

from gamelog.play.contract.registry import find
from gamelog.play.fold.start import start
from gamelog.play.playing.playout import Position, play_out
from gamelog.play.recording.series import simulate_game
from tests.play.test_playout import arguments


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("name", ["backgammon", "connect_four", "duel", "rps", "towers"])
def test_a_playout_has_the_events_of_a_simulated_game(name: str) -> None:
    game = find(name)
    for players in game.seats:
        header, events = simulate_game(game, "lean", 0, players=players)
        found: list[object] = []
        end = play_out(
            game,
            Position(start(game, header)),
            **arguments(game, header),
            watch=lambda _before, event, _after, found=found: found.append(event),  # type: ignore[misc]
        )
        assert found == events
        assert end.outcome is not None
