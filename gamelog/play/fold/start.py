"""The start of a game: the first state from a header."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.chance.sources import dice_problem
from gamelog.errors import BadSetup, clause
from gamelog.message import Message, join_words
from gamelog.play.contract import boards
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.game_calls import raise_only_errors
from gamelog.play.contract.option_fields import option_fields
from gamelog.record.envelope import Header

_OUT_OF_RANGE = re.compile(r"Expected `int` [<>]= -?\d+ - at `\$\.(\w+)(?:\[\.\.\.\])?`")
_NO_SUCH_WORD = re.compile(r"Invalid enum value .* - at `\$\.(\w+)`", re.DOTALL)
"""msgspec's error messages for a number out of range and for an unknown word, with the member's name."""

MAX_CACHED = 4096
"""Maximum size of options, board and seats in bytes for which the first state is cached."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(tuple[dict[str, Any], str | dict[str, Any], tuple[str, ...]])


def start(game: AnyGame, header: Header) -> Any:
    """Return the state before the first event.

    Raises:
        BadSetup: The game does not accept the header.
        UnknownGame: The board is unknown.
    """
    problem = dice_problem(header.dice)
    if problem:
        raise BadSetup(Message.of("The dice in the header are invalid: {problem}.", problem=problem))
    setup = _encoder.encode((header.options, header.board, header.seat_ids))
    return _cached_begin(game, setup) if len(setup) <= MAX_CACHED else _begin(game, setup)


def _begin(game: AnyGame, setup: bytes) -> Any:
    """Return the state before the first event for these options, board and seats, given as JSON.

    Raises:
        BadSetup: The game does not accept the options, the board or the seats.
    """
    chosen, board, seats = _decoder.decode(setup)
    check_players(game, len(seats))
    if len(set(seats)) != len(seats):
        raise BadSetup("Two players cannot have the same seat.")
    allowed = {seat for known in game.seats.values() for seat in known}
    unknown = [seat for seat in seats if seat not in allowed]
    if unknown:
        raise BadSetup(
            Message.of(
                '{=game} has no seat "{=seat}"; the seats are {=seats}.',
                game=game.title,
                seat=unknown[0],
                seats=", ".join(game.seats[max(game.seats)]),
            )
        )
    try:
        return game.start(read_options(game, chosen), boards.resolve(game, board), seats)
    except ValueError as error:
        raise BadSetup(
            Message.of(
                "{=game} cannot start with these options, this board and these seats: {problem}.",
                game=game.title,
                problem=clause(error),
            )
        ) from None


_cached_begin = lru_cache(64)(_begin)


def players_in_words(game: AnyGame) -> str:
    """Return the possible numbers of players in words: ``2, 3 or 4``."""
    *fewer, most = map(str, sorted(game.seats))
    return f"{', '.join(fewer)} or {most}" if fewer else most


def check_players(game: AnyGame, count: int) -> None:
    """Raise `BadSetup` unless `count` people can play."""
    if count not in game.seats:
        raise BadSetup(
            Message.of(
                "{=game} is for {players} players, not {n}.",
                game=game.title,
                players=players_in_words(game),
                n=count,
            )
        )


def read_options(game: AnyGame, given: dict[str, Any]) -> Struct:
    """Return the game's options from plain data.

    Raises:
        BadSetup: An option is unknown or invalid. The message lists the options.
    """
    known = game.Options.__struct_fields__
    unknown = [name for name in given if name not in known]
    if unknown:
        options_clause = Message.of("its options are: {=options}", options=", ".join(known))
        raise BadSetup(
            Message.of(
                '{=game} has no option "{=option}"; {known}.',
                game=game.title,
                option=unknown[0],
                known=options_clause if known else Message.of("it has no options"),
            )
        )
    try:
        resolved: Struct = raise_only_errors(msgspec.convert)(given, game.Options)
    except (msgspec.ValidationError, ValueError) as error:
        raise BadSetup(
            Message.of(
                "{=game} does not accept the options: {problem}.",
                game=game.title,
                problem=_option_problem(game, error),
            )
        ) from None
    return resolved


def _option_problem(game: AnyGame, error: Exception) -> Message:
    """Return the problem with an option in words.

    msgspec's error is rewritten if it says that a number or a word does not fit.
    """
    match = _OUT_OF_RANGE.fullmatch(str(error)) or _NO_SUCH_WORD.fullmatch(str(error))
    field = match and next(
        (option for option in option_fields(game.Options) if option.name == match[1]), None
    )
    if field and field.kind == "choice":
        words = join_words(
            (value if isinstance(value, str) else _json(value) for value in field.values), "or"
        )
        return Message.of("{=option} must be {=words}", option=field.name, words=words)
    if not field or field.least is None:
        return clause(error)
    if field.most is None and not field.least:
        return Message.of("{=option} must not be negative", option=field.name)
    if field.most is None:
        return Message.of("{=option} must be at least {n}", option=field.name, n=field.least)
    text = "{=option} must be {low} to {high}, or null" if field.none else "{=option} must be {low} to {high}"
    return Message.of(text, option=field.name, low=field.least, high=field.most)


def _json(value: object) -> str:
    return _encoder.encode(value).decode()
