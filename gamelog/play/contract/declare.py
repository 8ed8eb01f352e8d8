"""Declared positions: what people report from the table, in the form of `Game.describe`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import structs

from gamelog.message import Message, reason_of
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.game_calls import raise_only_errors
from gamelog.play.contract.seats import legal_for
from gamelog.record.escaping import differing_excerpts

CONTRADICTORY_MEMBER = (
    '"{name}" is declared as {=said}, but the rest of the declared position gives {=follows}; '
    "leave it out or correct it"
)
"""Message template for a declared member that contradicts the rest of the position."""

_WRONG_MEMBER = re.compile(r"missing required field `(\w+)`$|- at `\$\.(\w+)")
"""Pattern of the member that msgspec names if declared members do not have the types of the position."""


def describe_state(game: AnyGame, state: Any) -> dict[str, Any]:
    """Return the changing part of a state as plain data, as in `gamelog replay --json`."""
    if game.describe:
        return game.describe(state)
    members: dict[str, Any] = msgspec.to_builtins(state)
    return {name: value for name, value in members.items() if name != "setup"}


def declared_state(game: AnyGame, now: Any, declared: dict[str, Any]) -> tuple[Any, Message | None]:
    """Return the state that `declared` describes and None, or None and the problem with it.

    Every declared member must appear in the description of the resulting state. Members that follow from
    others may be declared too, but must agree with them.
    """
    members = describe_state(game, now)
    unknown = set(declared) - set(members)
    if unknown:
        return None, Message.of(
            'a position has no member "{=name}"; its members are {=members}',
            name=min(unknown),
            members=", ".join(members),
        )
    try:
        state = game.declare(now, declared) if game.declare else _state_from_members(game, now, declared)
    except KeyError as error:
        return None, Message.of("there is no {=name} in this game", name=str(error))
    except (msgspec.ValidationError, ValueError, LookupError, TypeError) as error:
        return None, Message.of("the declared position is not possible: {problem}", problem=_problem(error))
    pending = game.pending(state)
    if pending.outcome:
        return None, Message.of(
            "the game is already decided in this position ({@winners}, {reason}); to end the game, "
            "make a ruling with a result",
            winners=pending.outcome.winners,
            reason=pending.outcome.reason,
        )
    legal = legal_for(game, state, None)
    if not (pending.chance or legal.events or legal.cut):
        return None, Message.of(
            "no player can act in this position; to end the game, make a ruling with a result"
        )
    described = describe_state(game, state)
    differing = next(
        (
            name
            for name, value in declared.items()
            if not _includes(_as_read(described[name]), _as_read(value))
        ),
        None,
    )
    if differing is None:
        return state, None
    declared_excerpt, computed_excerpt = differing_excerpts(
        msgspec.json.encode(declared[differing]).decode(), msgspec.json.encode(described[differing]).decode()
    )
    return None, Message.of(
        CONTRADICTORY_MEMBER, name=_in_words(differing), said=declared_excerpt, follows=computed_excerpt
    )


def _problem(error: Exception) -> Message:
    """Return the reason of `error` in words: msgspec's error names a member and types of Python."""
    match = _WRONG_MEMBER.search(str(error)) if isinstance(error, msgspec.ValidationError) else None
    if match is None:
        return reason_of(error)
    missing, wrong = match.groups()
    if missing:
        return Message.of('"{name}" is missing', name=_in_words(missing))
    return Message.of('the value of "{name}" does not fit', name=_in_words(wrong))


def _in_words(member: str) -> str:
    """Return the name of a member of a position as words, as the table's form for positions shows it."""
    return member.replace("_", " ")


def _state_from_members(game: AnyGame, now: Any, declared: dict[str, Any]) -> Any:
    """Return the state from declared members, for a game without its own `declare`.

    Other members stay as in `now`.

    Raises:
        ValueError: The members fit their types, but the game cannot continue from them.
        MemoryError: The legal events of the position need too much memory.
    """
    types = {field.name: field.type for field in structs.fields(type(now))}
    state = structs.replace(
        now,
        **{name: raise_only_errors(msgspec.convert)(value, types[name]) for name, value in declared.items()},
    )
    try:
        scores_all_seats = game.score(state).keys() == game.score(now).keys()
        if not game.pending(state).outcome:
            legal_for(game, state, None)
            game.scene(state, None)
    except MemoryError:  # this machine is too small; the position may be fine
        raise
    except Exception as error:  # a number out of range can break the game's code anywhere
        raise ValueError(
            Message.of("the game cannot continue from this position ({=error})", error=type(error).__name__)
        ) from error
    if not scores_all_seats:
        raise ValueError("it has no entry for some of the seats")
    return state


def _as_read(value: Any) -> Any:
    """Return `value` as read from a record, in which a tuple is a list."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _includes(described: Any, declared: Any) -> bool:
    """Return whether `described` contains `declared`; of a mapping, some members are enough."""
    if isinstance(described, Mapping) and isinstance(declared, Mapping):
        return all(
            name in described and _includes(described[name], value) for name, value in declared.items()
        )
    return bool(described == declared)
