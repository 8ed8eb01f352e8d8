"""Declared positions: what people say stood on the table, in the words of `Game.describe`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import structs

from gamelog.message import Message, reason_of
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.game_calls import contain
from gamelog.play.contract.seats import legal_for
from gamelog.record.escaping import apart

NOT_AS_SAID = (
    '"{=name}" is said to be {=said}, but from what else is said follows {=follows}; '
    "leave it out, or correct it"
)
"""The template of a refusal: the position came out otherwise than it was said to be."""


def described(game: AnyGame, state: Any) -> dict[str, Any]:
    """The changing part of a state as plain data, as `gamelog replay --json` shows it."""
    if game.describe:
        return game.describe(state)
    members: dict[str, Any] = msgspec.to_builtins(state)
    return {name: value for name, value in members.items() if name != "setup"}


def declared_state(game: AnyGame, now: Any, declared: dict[str, Any]) -> tuple[Any, Message | None]:
    """The state that `declared` describes, and None; or None, and why nobody can go on from there.

    What was said has to come out again when the state is described: nothing of it is passed over,
    and what follows from the rest may be said, but not otherwise.
    """
    members = described(game, now)
    unknown = set(declared) - set(members)
    if unknown:
        return None, Message.of(
            'a position has no member "{=name}"; it has {=members}',
            name=min(unknown),
            members=", ".join(members),
        )
    try:
        state = game.declare(now, declared) if game.declare else _members(game, now, declared)
    except KeyError as error:
        return None, Message.of("there is no {=name} in this game", name=str(error))
    except (msgspec.ValidationError, ValueError, LookupError, TypeError) as error:
        return None, Message.of("the position does not fit: {problem}", problem=reason_of(error))
    pending = game.pending(state)
    if pending.outcome:
        return None, Message.of(
            "the game is decided in this position ({@winners}, {reason}); how a game ended is for a "
            "ruling to "
            "say",
            winners=pending.outcome.winners,
            reason=pending.outcome.reason,
        )
    legal = legal_for(game, state, None)
    if not (pending.chance or legal.events or legal.cut):
        return None, Message.of(
            "nobody has anything to do in this position; how a game ended is for a ruling to say"
        )
    told = described(game, state)
    differing = next(
        (name for name, value in declared.items() if not _says(_plain(told[name]), _plain(value))), None
    )
    if differing is None:
        return state, None
    said, follows = apart(
        msgspec.json.encode(declared[differing]).decode(), msgspec.json.encode(told[differing]).decode()
    )
    return None, Message.of(NOT_AS_SAID, name=differing, said=said, follows=follows)


def _members(game: AnyGame, now: Any, declared: dict[str, Any]) -> Any:
    """The state of a game with no words of its own: its members, those that are left out as they are now.

    Raises ValueError for members that fit their types one by one, and from which the game cannot go on, and
    MemoryError where what may be played there takes more memory than there is.
    """
    types = {field.name: field.type for field in structs.fields(type(now))}
    state = structs.replace(
        now, **{name: contain(msgspec.convert)(value, types[name]) for name, value in declared.items()}
    )
    try:
        whole = game.score(state).keys() == game.score(now).keys()
        if not game.pending(state).outcome:
            legal_for(game, state, None)
            game.scene(state, None)
    except MemoryError:  # says nothing of the position: elsewhere there may be enough of it
        raise
    except Exception as error:  # whatever a number out of its range makes of the game
        raise ValueError(
            Message.of("the game cannot go on from it ({=error})", error=type(error).__name__)
        ) from error
    if not whole:
        raise ValueError("it does not say something of every seat")
    return state


def _plain(value: Any) -> Any:
    """`value` as it is read from a record: a tuple is a list there."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _says(told: Any, said: Any) -> bool:
    """Whether `told` contains what was `said`: of a mapping some members are enough."""
    if isinstance(told, Mapping) and isinstance(said, Mapping):
        return all(name in told and _says(told[name], value) for name, value in said.items())
    return bool(told == said)
