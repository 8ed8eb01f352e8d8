"""Games played at random, to look at from every side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from gamelog.chance.rng import Random, generator
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.fold import Fold
from gamelog.play.recording import driver
from gamelog.record.envelope import Event, Header


class Play(Struct):
    """A whole game: `states[k]` is the state after ``events[k - 1]``."""

    game: AnyGame
    header: Header
    events: list[Event]
    states: list[Any]

    def steps(self) -> Iterator[tuple[Any, Event, Any]]:
        """State before, event, state after."""
        yield from zip(self.states, self.events, self.states[1:], strict=False)

    def some_states(self, rng: Random, most: int) -> list[Any]:
        """At most `most` of the states, the first and the last among them."""
        if len(self.states) <= most:
            return list(self.states)
        return [self.states[0], *rng.sample(self.states[1:-1], most - 2), self.states[-1]]


def play(
    game: AnyGame,
    index: int = 0,
    players: int | None = None,
    bots: tuple[str, ...] = ("random",),
    *,
    board: str | None = None,
    max_events: int | None = None,
    **options: Any,
) -> Play:
    """Game `index` of a series played by bots. Raises `Endless` for one that has not ended after event `max_events`."""
    header, events = driver.simulate(
        game,
        "kit",
        index,
        players=players or min(game.seats),
        bots=bots,
        options=options,
        board=board,
        dice="table",
        max_events=max_events,
    )
    fold = Fold(header, game)
    failure = fold.extend(events)
    assert failure is None, f"{game.id}: what the driver played does not fold: {failure}"
    return Play(game, header, events, fold.states)


__all__ = ["Play", "generator", "play"]
