"""Boards in headers: a built-in board by name and digest, any other board as a whole."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from functools import cache
from hashlib import sha256
from threading import RLock
from typing import Any

import msgspec

from gamelog.errors import BadSetup, UnknownGame, clause
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame

_encoder = msgspec.json.Encoder(order="deterministic")
_read_lock = RLock()
"""Lock for reading a board. msgspec crashes if two threads first convert data to a type at once."""


def digest(data: dict[str, Any]) -> str:
    """Return 43 characters of base64url: SHA-256 over the board's JSON with sorted members and no spaces."""
    return urlsafe_b64encode(sha256(_encoder.encode(data)).digest()).decode().rstrip("=")


NONE = "none"
"""Board in the header of a game that has only one board."""


def board_reference(game: AnyGame, name: str | None = None) -> str:
    """Return ``name@digest`` of a built-in board, by default the first.

    Raises:
        BadSetup: The game has no such board.
    """
    if not name and not game.boards:
        return NONE
    name = name or next(iter(game.boards))
    return f"{name}@{digest(_read_built_in(game, name))}"


def board_name(reference: str) -> str | None:
    """Return the name of the board that a header refers to, or None if the game has only one board."""
    return None if reference == NONE else reference.partition("@")[0]


def _read_built_in(game: AnyGame, name: str) -> dict[str, Any]:
    """Return the plain data of the built-in board `name`.

    Raises:
        BadSetup: The game has only one board, or no board of this name.
    """
    if not game.boards:
        raise BadSetup(
            Message.of("{=game} has only one board. Leave out the name of the board.", game=game.title)
        )
    if name not in game.boards:
        raise BadSetup(
            Message.of(
                '{=title} has no board "{=name}". Choose one of its boards ({=names}), or give a board file.',
                title=game.title,
                name=name,
                names=", ".join(game.boards),
            )
        )
    return game.boards[name]()


def resolve(game: AnyGame, board: str | dict[str, Any]) -> Any:
    """Return the game's board value for a header's ``board``.

    Raises:
        UnknownGame: The built-in board, or the version used for the record, is not installed.
        BadSetup: The board does not fit the game.
    """
    if board == NONE and not game.boards:
        return None
    try:
        if not isinstance(board, str):
            with _read_lock:
                return game.read_board(board)
        name, _, digest = board.partition("@")
        if name not in game.boards:
            if not game.boards:
                text = (
                    'The header names the board "{=board}", but {=game} has only one board, which '
                    "has no name."
                )
                raise UnknownGame(Message.of(text, board=name, game=game.title))
            text = 'The board "{=board}" of {=game} is not installed. Installed boards: {=boards}.'
            raise UnknownGame(Message.of(text, board=name, game=game.title, boards=", ".join(game.boards)))
        with _read_lock:
            installed, value = _load_built_in(game, name)
        if digest and installed != digest:
            raise UnknownGame(
                Message.of(
                    'The record uses another version of the board "{=board}" than the installed '
                    "version. Install the version of the game that made the record.",
                    board=name,
                )
            )
        return value
    except (ValueError, msgspec.ValidationError) as error:
        raise BadSetup(
            Message.of("The board does not fit {=game}: {problem}.", game=game.title, problem=clause(error))
        ) from None


@cache
def _load_built_in(game: AnyGame, name: str) -> tuple[str, Any]:
    """Return the digest and value of a built-in board.

    They are cached, since thousands of records share a board.
    """
    data = game.boards[name]()
    return digest(data), game.read_board(data)
