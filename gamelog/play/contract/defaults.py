"""Defaults for the optional members of a game: no options, board, chance or points, and simple bots."""

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
    """Options of a game that has none."""


def reject_board(_data: dict[str, Any]) -> Any:
    """Reject a board, for games that have only one.

    Raises:
        ValueError: Always.
    """
    raise ValueError("the game has only one board")


def reject_chance(_state: Any, _results: Results) -> Any:
    """Reject chance results, for games without chance. Called only if `pending` says that chance is due."""
    raise NotImplementedError("pending says that chance is owed, and the game has no function chance")


def no_points(_state: Any) -> dict[str, int]:
    """Return no points, for games without points."""
    return {}


def observe_all(state: Any, _seat: str | None) -> Any:
    """Return the whole state, for games without hidden information."""
    return state


class SampleFromLegal:
    """The default ``sample`` of a game: any legal event of the seat."""

    def __init__(self, legal: Callable[[Any, str], Any] | None = None) -> None:
        self._legal = legal

    def __call__(self, state: Any, seat: str, rng: Random, /) -> Any:
        """Return one of the legal events.

        Raises:
            BrokenGame: The list is empty.
        """
        assert self._legal is not None, "Game.__post_init__ sets the list"
        events = self._legal(state, seat).events
        if not events:
            raise BrokenGame(
                Message.of(
                    "{=seat} is to act, but the game's function legal returns no event for that seat.",
                    seat=seat,
                )
            )
        event: Event = rng.choice(events)
        return event
