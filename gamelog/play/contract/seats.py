"""Decisions of seats: what each seat may do, judged by what it may see, and the bots that play seats.

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
    """Return the decisions that `seat` may take in `state`, computed from what the seat may know.

    None stands for all seats that are to act.
    """
    if seat is not None:
        return game.legal(visible_state(game, state, seat), seat)
    lists = [legal_for(game, state, acting) for acting in game.pending(state).by]
    if len(lists) == 1:
        return lists[0]
    events = tuple(event for legal in lists for event in legal.events)
    return Legal(events, all(legal.complete for legal in lists), any(legal.cut for legal in lists))


def sample_for(game: Game[StateT, EventT, OptionsT, BoardT], state: StateT, seat: str, rng: Random) -> EventT:
    """Return a random decision that `seat` may take, chosen from what it may know.

    Args:
        game: The game.
        state: The whole state. The bot gets only the part that `seat` may see.
        seat: A seat that is to act.
        rng: The random generator. The same state and generator give the same decision.
    """
    return game.sample(visible_state(game, state, seat), seat, rng)


def has_no_legal_event(game: AnyGame, state: Any, seat: str) -> bool:
    """Return whether `legal` gives no choice to `seat`, which is to act. That is a mistake of the game."""
    legal = legal_for(game, state, seat)
    return not (legal.events or legal.cut)


def visible_state(game: Game[StateT, EventT, OptionsT, BoardT], state: StateT, seat: str) -> StateT:
    """Return `state` as the player at `seat` may know it. The table, which records facts, sees everything."""
    return game.observe(state, None if seat == TABLE else seat)


Player = Callable[[Any], Event]
"""A player at a seat: a function from the state that the seat may see to an event."""


class MemoryBot:
    """A `Bot` with a private memory: ``start(seat, rng)`` returns the player for a whole game.

    Such a bot can open its own commitments. If it is called like a plain bot, it starts without memories.
    """

    def __init__(self, start: Callable[[str, Random], Player]) -> None:
        self.start = start

    def __call__(self, state: Any, seat: str, rng: Random, /) -> Event:
        """Return the event of a player who starts in this state."""
        return sit_down(self, seat, rng)(state)


def sit_down(bot: Bot, seat: str, rng: Random) -> Player:
    """Return `bot` as a player at `seat` for a whole game. `rng` is its only source of chance."""
    if isinstance(bot, MemoryBot):
        return exits_as_errors(exits_as_errors(bot.start)(seat, rng))
    return lambda state: bot(state, seat, rng)
