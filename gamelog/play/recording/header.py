"""New headers, which have everything that is fixed before the first event."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec
from msgspec import UNSET

from gamelog.chance.commit_reveal import FORFEITS
from gamelog.errors import BadSetup
from gamelog.message import Message
from gamelog.play.contract.boards import board_reference
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.game_errors import broken_game
from gamelog.play.fold.parts.reveal_book import RevealBook
from gamelog.play.fold.start import read_options as parse_options
from gamelog.play.fold.start import start
from gamelog.record.envelope import DiceSpec, Header, Seat, encode_body
from gamelog.record.names import split_name
from gamelog.record.reading import read_header


def default_takebacks(dice: str, rolls: Literal["scorer", "players"]) -> Literal["scorer", "agreed"]:
    """Return the default of a new record for the people who must agree to a takeback.

    Args:
        dice: The source of the dice.
        rolls: The role that enters results of dice and draws.
    """
    return "agreed" if dice == "commit-reveal" or rolls == "players" else "scorer"


def lacks_consent(
    takebacks: Literal["scorer", "agreed", "arbiter"], rolls: Literal["scorer", "players"]
) -> bool:
    """Return whether no one could take events back: the scorer alone would, but players record without one.

    Older records can have these settings. New records cannot.
    """
    return takebacks == "scorer" and rolls == "players"


def named_seats(game: AnyGame, names: Mapping[str, str]) -> list[Seat]:
    """Return the people of a record in the order of the game's seats.

    Args:
        game: The game.
        names: The name of the person at each seat, or ``NAME <id>``, in any order.
    """
    order = game.seats.get(len(names), game.seats[max(game.seats)])
    seats = sorted(names, key=lambda seat: order.index(seat) if seat in order else len(order))
    return [Seat(seat, *split_name(names[seat])) for seat in seats]


def start_header(
    game: AnyGame,
    seats: Sequence[Seat],
    *,
    id: str | None = None,
    started: str | None = None,
    options: dict[str, Any] | None = None,
    board: str | dict[str, Any] | None = None,
    dice: Literal["table", "seeded", "commit-reveal"] = "table",
    seed: str | None = None,
    commitments: Mapping[str, str] | None = None,
    tags: dict[str, str] | None = None,
    takebacks: Literal["scorer", "agreed", "arbiter"] | None = None,
    rolls: Literal["scorer", "players"] = "scorer",
) -> Header:
    """Return the header of a record that people start, as `new_header` does.

    Args:
        game: The game.
        seats: The people.
        id: The id of the record, or None for a new one.
        started: The time of the start, or None for now.
        options: Values of options by name.
        board: The board.
        dice: The source of the dice.
        seed: The seed of seeded dice, or None for a new one.
        commitments: The commitments of commit-reveal dice by seat.
        tags: Free texts by name.
        takebacks: Who must agree to a takeback, or None for `default_takebacks`.
        rolls: The role that enters results of dice and draws at a served table.

    Raises:
        BadSetup: The game does not accept the setup, or no one could take events back.
    """
    spec = DiceSpec(dice)
    if dice == "seeded":
        spec = DiceSpec(dice, seed or secrets.token_hex(16))
    elif dice == "commit-reveal":
        spec = DiceSpec(dice, commitments=dict(commitments or {}), forfeit=FORFEITS[0])
    return new_header(
        game,
        seats,
        id=id or str(uuid.uuid4()),
        started=started or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        options=options,
        board=board,
        dice=spec,
        tags=tags,
        takebacks=takebacks or default_takebacks(dice, rolls),
        rolls=rolls,
    )


def new_header(
    game: AnyGame,
    seats: Sequence[Seat],
    *,
    id: str,
    started: str,
    options: dict[str, Any] | None = None,
    board: str | dict[str, Any] | None = None,
    dice: DiceSpec | None = None,
    tags: dict[str, str] | None = None,
    takebacks: Literal["scorer", "agreed", "arbiter"] = "scorer",
    rolls: Literal["scorer", "players"] = "scorer",
) -> Header:
    """Return a header that `game` accepts, with all options resolved.

    Args:
        game: The game. Its id and the version of its rules go into the header.
        seats: The people, in the order of the game's seats for this number of players.
        id: The id of the record. Whether another record has it is not checked.
        started: The time of the start in UTC, such as ``2026-01-31T19:30:00Z``. The ``t`` of events counts
            from it.
        options: Values of options by name; missing options, or None, get the game's defaults.
        board: The name of a built-in board, None for the game's first board, or the data of a board, which is
            then part of the header.
        dice: The source of the dice, or None if people roll them.
        tags: Free texts by name.
        takebacks: Who must agree to a takeback (docs/format.md).
        rolls: The role that enters results of dice and draws at a served table.

    Raises:
        BadSetup: The game does not accept the setup, or no one could take events back.
    """
    if lacks_consent(takebacks, rolls):
        raise BadSetup(
            "If the players enter dice and draws, there is no scorer to take back mistakes. Choose who "
            "agrees to takebacks: the other players (agreed) or the arbiter (arbiter)."
        )
    resolved = game.resolve(parse_options(game, options or {}))
    if not isinstance(resolved, game.Options):
        raise broken_game(game, f"TypeError: resolve gives {type(resolved).__name__}, not its Options")
    header = Header(
        id=id,
        game=game.id,
        rules=game.rules_version,
        started=started,
        seats=tuple(seats),
        options=msgspec.to_builtins(resolved),
        board=board if isinstance(board, dict) else board_reference(game, board),
        dice=dice or DiceSpec("table"),
        tags=tags or {},
        takebacks=takebacks,
        rolls=rolls if rolls == "players" else UNSET,
    )
    _, _, problem = read_header(encode_body(header))
    if problem:
        raise BadSetup(
            Message.of("The record cannot start with this header: {problem}.", problem=problem.message)
        )
    start(game, header)
    if header.dice.source == "commit-reveal":
        RevealBook(header)
    return header
