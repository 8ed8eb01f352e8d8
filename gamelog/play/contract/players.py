"""Bots that have sat down: each at its seat, with its own chance, and with a memory where it needs one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from gamelog.play.contract.containment import contained
from gamelog.play.contract.game import Bot
from gamelog.record.envelope import Event

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
        return contained(contained(bot.start)(seat, rng))
    return lambda state: bot(state, seat, rng)
