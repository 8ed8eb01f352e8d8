"""Playouts: games between bots from any position, without a record, a fold or a judge.

A playout gives the events of the loop that records games (`gamelog.play.recording.play_loop`), for the same
bots, dice and times, in a fraction of the time. It does not check events, so its bots must choose legal
events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import structs

from gamelog.chance.rng import Random, generator
from gamelog.chance.sources import ChanceSource
from gamelog.errors import BrokenGame, PlayError
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame, Bot, Pending
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.registry import distribution_of
from gamelog.play.contract.seats import Player, sit_down, visible_state
from gamelog.record.envelope import TABLE, Event

Pace = Callable[[int, Pending], int]
"""A function that returns the time of the next event, from the time of the last event and the next steps."""


class Position(NamedTuple):
    """A state of a game, and the counts that the next events depend on.

    Attributes:
        state: The state.
        t: Time of play so far, in ms.
        n: Number of events so far.
        chances: Number of chance events so far, which is the ordinal of the next one.
    """

    state: Any
    t: int = 0
    n: int = 0
    chances: int = 0


class Playout(NamedTuple):
    """A game that was played on to its end or to a limit.

    Attributes:
        outcome: The result, or None if the limit of events came first.
        end: The last position. Its ``n`` minus the ``n`` of the start is the number of events of the playout.
    """

    outcome: Outcome | None
    end: Position


Step = tuple[Position, Event, Position]
"""The position before an event, the event, and the position after it."""


def play_out(
    game: AnyGame,
    start: Position,
    players: Mapping[str, Player],
    source: ChanceSource,
    *,
    pace: Pace | None = None,
    order: Random | None = None,
    max_events: int | None = 100_000,
    watch: Callable[[Position, Event, Position], object] | None = None,
) -> Playout:
    """Play a game on from any position to its end, or for `max_events` events.

    Args:
        game: The game.
        start: The position to play on from.
        players: The player at each seat (`seat_players`).
        source: Gives the results of dice and draws: `QuickDice` is fastest, `Seeded` gives the dice of a
            record.
        pace: Gives the times of events (`think_time`, by default `steady_pace`).
        order: Chooses between seats that decide together, and between chance and seats that can act at the
            same time. If None, chance comes first, and seats decide in their order.
        max_events: The largest number of events of the playout, or None for no limit.
        watch: A function that is called with each step (`steps`).

    Raises:
        PlayError: The game needs facts from a judge, and `players` has none.
        BrokenGame: `pending` returns neither a seat, nor chance, nor an outcome.
    """
    end = start
    for before, event, end in steps(game, start, players, source, pace=pace, order=order):
        if watch:
            watch(before, event, end)
        if max_events is not None and end.n - start.n >= max_events:
            break
    return Playout(game.pending(end.state).outcome, end)


def steps(
    game: AnyGame,
    start: Position,
    players: Mapping[str, Player],
    source: ChanceSource,
    *,
    pace: Pace | None = None,
    order: Random | None = None,
) -> Iterator[Step]:
    """Yield each event of a playout, with the position before it and the position after it.

    Args:
        game: The game.
        start: The position to play on from.
        players: The player at each seat (`seat_players`).
        source: Gives the results of dice and draws.
        pace: Gives the times of events (`think_time`, by default `steady_pace`).
        order: Chooses between seats that decide together, and between chance and seats that can act at the
            same time. If None, chance comes first, and seats decide in their order.

    Raises:
        PlayError: The game needs facts from a judge, and `players` has none.
        BrokenGame: `pending` returns neither a seat, nor chance, nor an outcome.
    """
    pending_in, apply, chance_event, pace = game.pending, game.apply, game.chance, pace or steady_pace
    before = start
    state, t, n, chances = start
    while not (pending := pending_in(state)).outcome:
        t, n = pace(t, pending), n + 1
        chance, by, timeout = pending.chance, pending.by, pending.next_timeout
        if timeout and t >= timeout.at:
            event = timeout.event
        elif chance and not (order and by and order.random() < 0.5):
            event = chance_event(state, source.results(chance.draws, chances))
            chances += 1
        elif by:
            seat = order.choice(by) if order and pending.together else by[0]
            event = ask_player(game, players, state, seat)
        else:
            raise stuck_error(game, n)
        event = structs.replace(event, n=n, t=t)
        state = apply(state, event)
        after = Position(state, t, n, chances)
        yield before, event, after
        before = after


def seat_players(bots: Mapping[str, Bot], *seed: str | int) -> dict[str, Player]:
    """Return `bots` by seat as players for a whole game, each with a generator from `seed` and its seat."""
    return {seat: sit_down(bot, seat, generator(*seed, seat)) for seat, bot in bots.items()}


def with_judge(game: AnyGame, bots: Mapping[str, Bot]) -> dict[str, Bot]:
    """Return `bots` by seat, with the game's bot that invents the facts from a judge, if there is one."""
    return {**bots, **({TABLE: game.bots[TABLE]} if TABLE in game.bots else {})}


def ask_player(game: AnyGame, players: Mapping[str, Player], state: Any, seat: str) -> Event:
    """Return the event that the player at `seat` chooses from what the seat may see of `state`.

    Args:
        game: The game.
        players: The player at each seat.
        state: The whole state.
        seat: The seat that is to act, or `table` for a judge.

    Raises:
        PlayError: The game needs facts from a judge, and `players` has none.
    """
    if seat == TABLE and seat not in players:
        raise PlayError(
            Message.of(
                '{=title} needs decisions of a judge, but the game has no bot named "table" that makes them.',
                title=game.title,
            )
        )
    return players[seat](visible_state(game, state, seat))


def think_time(rng: Random) -> Pace:
    """Return the pace of simulated games: a decision takes 1 to 20 seconds, a roll takes two."""
    return lambda t, pending: t + (2_000 if pending.chance else rng.randrange(1_000, 20_000))


def steady_pace(t: int, pending: Pending) -> int:
    """Return the time of the next event if each decision takes ten seconds and each roll two."""
    return t + (2_000 if pending.chance else 10_000)


def stuck_error(game: AnyGame, n: int, why: Message | None = None) -> BrokenGame:
    """Return the error that a game cannot continue at event `n` because of a fault in its code.

    By default, the fault is that nothing is due.
    """
    return BrokenGame(
        Message.of(
            "{=title}, from the package {=distribution}, cannot continue at event {n}: {problem}.",
            title=game.title,
            distribution=distribution_of(game),
            n=n,
            problem=why or Message.of("pending names neither who is to act, nor chance, nor an outcome"),
        )
    )
