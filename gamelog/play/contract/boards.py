"""Boards as they stand in headers: a built-in one by name and digest, any other whole."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec

from gamelog.errors import BadSetup, UnknownGame, clause
from gamelog.play.contract.game import AnyGame

_canonical = msgspec.json.Encoder(order="deterministic")


def digest(data: dict[str, Any]) -> str:
    """43 characters of base64url: SHA-256 over the board's JSON with sorted members and no spaces."""
    return urlsafe_b64encode(sha256(_canonical.encode(data)).digest()).decode().rstrip("=")


NONE = "none"
"""The board in the header of a game that is always played on the same one."""


def reference(game: AnyGame, name: str | None = None) -> str:
    """``name@digest`` of a built-in board, by default the first. Raises `BadSetup` where there is none."""
    if not name and not game.boards:
        return NONE
    name = name or next(iter(game.boards))
    return f"{name}@{digest(_built_in(game, name))}"


def _built_in(game: AnyGame, name: str) -> dict[str, Any]:
    if not game.boards:
        raise BadSetup(f"{game.title} is always played on the same board: leave --board out.")
    if name not in game.boards:
        raise BadSetup(
            f'{game.title} has no board "{name}"; it has: {", ".join(game.boards)}. Or name a board file.'
        )
    return game.boards[name]()


def resolve(game: AnyGame, board: str | dict[str, Any]) -> Any:
    """The game's board value for a header's ``board``.

    Raises `UnknownGame` for a built-in board that is not installed, or not in the version the
    record was played on, and `BadSetup` for a board that does not fit the game.
    """
    if board == NONE and not game.boards:
        return None
    try:
        if not isinstance(board, str):
            return game.read_board(board)
        name, _, wanted = board.partition("@")
        if name not in game.boards:
            there = (
                f"there are: {', '.join(game.boards)}"
                if game.boards
                else "it is always played on the same one"
            )
            raise UnknownGame(f'The board "{name}" of {game.title} is not installed; {there}.')
        installed, value = _installed(game, name)
        if wanted and installed != wanted:
            raise UnknownGame(
                f'The record was played on another version of the board "{name}" than the installed one.'
            )
        return value
    except (ValueError, msgspec.ValidationError) as error:
        raise BadSetup(f"The board does not fit {game.title}: {clause(error)}.") from None


@cache
def _installed(game: AnyGame, name: str) -> tuple[str, Any]:
    """The digest and the value of a built-in board, read once: thousands of records are played on it."""
    data = game.boards[name]()
    return digest(data), game.read_board(data)
