"""What holds of a game that says nothing of its own: no options, board, chance or points; plain bots."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import Struct

from gamelog.chance.draws import Results
from gamelog.errors import BrokenGame
from gamelog.message import Message
from gamelog.record.envelope import Event


class NoOptions(Struct, frozen=True):
    """There is nothing to choose before the game."""


def no_choice_of_board(_data: dict[str, Any]) -> Any:
    """The board of data, where every game is played on the same one. Raises ValueError."""
    raise ValueError("it is always played on the same board")


def no_chance(_state: Any, _results: Results) -> Any:
    """The chance event of a game that has none: nobody asks for it unless `pending` does."""
    raise NotImplementedError("pending says that chance is owed, and the game has no function chance")


def no_points(_state: Any) -> dict[str, int]:
    """The points of a game that counts none."""
    return {}


def sees_all(state: Any, _seat: str | None) -> Any:
    """What a seat may know where nothing is hidden."""
    return state


class FromList:
    """``sample`` where a game has none: any of what is legal for the seat."""

    def __init__(self, legal: Callable[[Any, str], Any] | None = None) -> None:
        self._legal = legal

    def __call__(self, state: Any, seat: str, rng: Random, /) -> Any:
        """One of the legal events. Raises `BrokenGame` where there is none."""
        assert self._legal is not None, "a game says of what list"
        events = self._legal(state, seat).events
        if not events:
            raise BrokenGame(
                Message.of("It is for {=seat} to act, and legal lists nothing for that seat.", seat=seat)
            )
        event: Event = rng.choice(events)
        return event
