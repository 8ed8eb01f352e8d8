"""The start of a game: what a header settles, as the game takes it up."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct, structs
from msgspec import inspect as types

from gamelog.chance.sources import check_dice
from gamelog.errors import BadSetup, clause
from gamelog.play.contract import boards
from gamelog.play.contract.containment import contain
from gamelog.play.contract.game import AnyGame
from gamelog.record.envelope import Header

OUT_OF_RANGE = re.compile(r"Expected `int` [<>]= -?\d+ - at `\$\.(\w+)(?:\[\.\.\.\])?`")
"""How msgspec says that a number is beyond the range of its type, and of which member."""

MAX_KEPT = 4096
"""Bytes of options, board and seats up to which what they make is kept for the next record that begins alike.
"""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(tuple[dict[str, Any], str | dict[str, Any], tuple[str, ...]])


def start(game: AnyGame, header: Header) -> Any:
    """The state before the first event. Raises `BadSetup`, or `UnknownGame` for an unknown board."""
    problem = check_dice(header.dice)
    if problem:
        raise BadSetup(f"The dice cannot be like this: {problem}.")
    setup = _encoder.encode((header.options, header.board, header.seat_ids))
    return _begun(game, setup) if len(setup) <= MAX_KEPT else _begin(game, setup)


def _begin(game: AnyGame, setup: bytes) -> Any:
    """The state before the first event of a game with these options, this board and these seats, as JSON."""
    chosen, board, seats = _decoder.decode(setup)
    check_players(game, len(seats))
    if len(set(seats)) != len(seats):
        raise BadSetup("Two players cannot have the same seat.")
    allowed = {seat for known in game.seats.values() for seat in known}
    unknown = [seat for seat in seats if seat not in allowed]
    if unknown:
        raise BadSetup(
            f'{game.title} has no seat "{unknown[0]}"; the seats are '
            f"{', '.join(game.seats[max(game.seats)])}."
        )
    try:
        return game.start(read_options(game, chosen), boards.resolve(game, board), seats)
    except ValueError as error:
        raise BadSetup(f"{game.title} cannot start like this: {clause(error)}.") from None


_begun = lru_cache(64)(_begin)


def players_in_words(game: AnyGame) -> str:
    """How many play, in words: ``2, 3 or 4``."""
    *fewer, most = map(str, sorted(game.seats))
    return f"{', '.join(fewer)} or {most}" if fewer else most


def check_players(game: AnyGame, count: int) -> None:
    """Raises `BadSetup` unless so many can play."""
    if count not in game.seats:
        raise BadSetup(f"{game.title} is for {players_in_words(game)} players, not {count}.")


def read_options(game: AnyGame, given: dict[str, Any]) -> Struct:
    """The game's options from plain data. Raises `BadSetup`, naming the options there are."""
    known = game.Options.__struct_fields__
    unknown = [name for name in given if name not in known]
    if unknown:
        there = f"it has: {', '.join(known)}" if known else "it has no options"
        raise BadSetup(f'{game.title} has no option "{unknown[0]}"; {there}.')
    try:
        resolved: Struct = contain(msgspec.convert)(given, game.Options)
    except (msgspec.ValidationError, ValueError) as error:
        raise BadSetup(f"{game.title} does not accept the options: {_in_words(game, error)}.") from None
    return resolved


def _in_words(game: AnyGame, error: Exception) -> str:
    """What is wrong with an option, in words of the table where a number is out of the range of its type."""
    met = OUT_OF_RANGE.fullmatch(str(error))
    field = met and next((one for one in structs.fields(game.Options) if one.encode_name == met[1]), None)
    if not field:
        return clause(error)
    shape = types.type_info(field.type)
    shape = shape.value_type if isinstance(shape, types.DictType) else shape
    kinds = shape.types if isinstance(shape, types.UnionType) else (shape,)
    number = next((kind for kind in kinds if isinstance(kind, types.IntType)), types.IntType())
    if number.le is None:
        return f"{field.encode_name} must {f'be at least {number.ge}' if number.ge else 'not be negative'}"
    return (
        f"{field.encode_name} must be {number.ge} to "
        f"{number.le}{', or null' if types.NoneType() in kinds else ''}"
    )
