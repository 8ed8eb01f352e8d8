"""Decisions of seats: what each may do by what it may see, and the bots that sit there.

Only this module calls `Game.legal` and `Game.sample`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from gamelog.play.contract.game import AnyGame, BoardT, Bot, EventT, Game, Legal, OptionsT, StateT
from gamelog.play.contract.game_calls import exits_as_errors
from gamelog.record.envelope import TABLE, Event


def legal_for(game: AnyGame, state: Any, seat: str | None) -> Legal:
    """What `seat` may decide in `state`, from what it may know; None: what every seat may that is to act."""
    if seat is not None:
        return game.legal(_seen_by(game, state, seat), seat)
    lists = [legal_for(game, state, one) for one in game.pending(state).by]
    if len(lists) == 1:
        return lists[0]
    events = tuple(event for listed in lists for event in listed.events)
    return Legal(events, all(listed.complete for listed in lists), any(listed.cut for listed in lists))


def sample_for(game: Game[StateT, EventT, OptionsT, BoardT], state: StateT, seat: str, rng: Random) -> EventT:
    """One of the decisions that `seat` may take in `state`, chosen from what it may know."""
    return game.sample(_seen_by(game, state, seat), seat, rng)


def lists_nothing(game: AnyGame, state: Any, seat: str) -> bool:
    """Whether `legal` leaves `seat`, which is to act in `state`, nothing to choose: the game's mistake."""
    legal = legal_for(game, state, seat)
    return not (legal.events or legal.cut)


def _seen_by(game: Game[StateT, EventT, OptionsT, BoardT], state: StateT, seat: str) -> StateT:
    """What who sits at `seat` may know of `state`; the table, which writes facts down, sees all."""
    return game.observe(state, None if seat == TABLE else seat)


Player = Callable[[Any], Event]
"""Somebody at a seat: gives an event for the state that the seat may see."""


class MemoryBot:
    """A `Bot` with a private memory: ``start(seat, rng)`` gives the player who is asked all through a game.

    So it can open what it has committed itself to, and nobody else can. Asked like a plain bot it starts
    afresh.
    """

    def __init__(self, start: Callable[[str, Random], Player]) -> None:
        self.start = start

    def __call__(self, state: Any, seat: str, rng: Random, /) -> Event:
        """What a player would do who sits down only now."""
        return sit_down(self, seat, rng)(state)


def sit_down(bot: Bot, seat: str, rng: Random) -> Player:
    """`bot` at `seat` for a whole game, with no chance but `rng`."""
    if isinstance(bot, MemoryBot):
        return exits_as_errors(exits_as_errors(bot.start)(seat, rng))
    return lambda state: bot(state, seat, rng)
