"""Random games for tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from gamelog.chance.rng import Random, generator
from gamelog.chance.sources import Seeded
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.common_events import Resign
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.game_errors import Audience
from gamelog.play.playing.playout import with_judge
from gamelog.play.recording import play_loop, series
from gamelog.record.envelope import Event, Header


class Play(Struct):
    """A whole game, or the rest of a game after seats resigned.

    Attributes:
        states: The states; ``states[k]`` follows ``events[k - 1]``.
        resigned_seats: Seats that resigned.
        lead: Events before the rest.
    """

    game: AnyGame
    header: Header
    events: list[Event]
    states: list[Any]
    resigned_seats: tuple[str, ...] = ()
    lead: tuple[Event, ...] = ()

    def steps(self) -> Iterator[tuple[Any, Event, Any]]:
        """Yield the state before each event, the event, and the state after it."""
        yield from zip(self.states, self.events, self.states[1:], strict=False)

    def some_states(self, rng: Random, most: int) -> list[Any]:
        """Return at most `most` states, including the first and the last one."""
        return [self.states[at] for at in self.some_numbers(rng, most)]

    def some_numbers(self, rng: Random, most: int) -> list[int]:
        """Return the numbers of at most `most` states, including the first and the last one."""
        last = len(self.states) - 1
        if last < most:
            return list(range(last + 1))
        return [0, *rng.sample(range(1, last), most - 2), last]


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
    """Return one game of a series between bots.

    Args:
        game: The game.
        index: The number of the game in the series, from 0.
        players: The number of players, or None for the smallest one.
        bots: The names of bots, which get the seats in turn.
        board: The name of a board, or None for the first one.
        max_events: The largest number of events, or None for no limit.
        options: Values of options by name.

    Raises:
        Endless: The game has not ended after event `max_events`.
    """
    header, events = series.simulate_game(
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
    fold = Fold(header, game, audience=Audience.ALL_SEEING)
    failure = fold.extend(events)
    assert failure is None, f"{game.id}: the events that the bots played do not fold: {failure}"
    return Play(game, header, events, fold.states)


def play_on(before: Play, at: int, seat: str, max_events: int | None = None) -> Play:
    """Return the random rest of a game after a seat resigned. The game's `retire` must allow this.

    Args:
        before: The game.
        at: The number of the event after which the seat resigns; 0 is the start.
        seat: The seat.
        max_events: The largest number of events, or None for no limit.

    Raises:
        Endless: The game has not ended after event `max_events`.
    """
    game, header, lead = before.game, before.header, [*before.lead, *before.events[:at]]
    fold = Fold(header, game, audience=Audience.ALL_SEEING)
    failure = fold.extend(lead) or fold.push(Resign(fold.n + 1, fold.t, seat))
    assert failure is None, f"{game.id}: {seat} cannot resign: {failure}"
    begun = fold.n
    seating = play_loop.SeatedBots(
        with_judge(game, dict.fromkeys(header.seat_ids, game.bots["random"])), header.id, begun
    )
    clock = play_loop.think_time_clock(generator(header.id, begun, "pace"))
    try:
        for _ in play_loop.play_to_end(
            fold,
            seating,
            Seeded(seat, header.id),
            clock,
            max_events=max_events,
            order=generator(header.id, begun, "order"),
        ):
            pass
    except Exception as error:
        error.add_note(
            f"This was after event {fold.n}. {seat} resigned in event {begun}, and the others continued."
        )
        raise
    events = list(fold.events)
    return Play(
        game,
        header,
        events[begun:],
        list(fold.states[begun:]),
        (*before.resigned_seats, seat),
        tuple(events[:begun]),
    )


__all__ = ["Play", "generator", "play", "play_on"]
