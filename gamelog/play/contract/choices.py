"""What a seat may do, by what it may see: `Game.legal` and `Game.sample` are called here alone."""

from __future__ import annotations

from typing import Any

from gamelog.chance.rng import Random
from gamelog.play.contract.game import AnyGame, BoardT, EventT, Game, Legal, OptionsT, StateT
from gamelog.record.envelope import TABLE


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
