"""Declared positions: what people say stood on the table, in the words of `Game.describe`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import structs

from gamelog.play.contract.choices import legal_for
from gamelog.play.contract.containment import contain
from gamelog.play.contract.game import AnyGame
from gamelog.record.escaping import apart

NOT_AS_SAID = "but from what else is said follows"
"""In the words of a refusal: the position came out otherwise than it was said to be."""


def described(game: AnyGame, state: Any) -> dict[str, Any]:
    """The changing part of a state as plain data, as `gamelog replay --json` shows it."""
    if game.describe:
        return game.describe(state)
    members: dict[str, Any] = msgspec.to_builtins(state)
    return {name: value for name, value in members.items() if name != "setup"}


def declared_state(game: AnyGame, now: Any, declared: dict[str, Any]) -> tuple[Any, str | None]:
    """The state that `declared` describes, and None; or None, and why nobody can go on from there.

    What was said has to come out again when the state is described: nothing of it is passed over,
    and what follows from the rest may be said, but not otherwise.
    """
    members = described(game, now)
    unknown = set(declared) - set(members)
    if unknown:
        return None, f'a position has no member "{min(unknown)}"; it has {", ".join(members)}'
    try:
        state = game.declare(now, declared) if game.declare else _members(game, now, declared)
    except KeyError as error:
        return None, f"there is no {error} in this game"
    except (msgspec.ValidationError, ValueError, LookupError, TypeError) as error:
        return None, f"the position does not fit: {error}"
    pending = game.pending(state)
    if pending.outcome:
        ended = f"{' and '.join(pending.outcome.winners) or 'nobody'}, {pending.outcome.reason}"
        return (
            None,
            f"the game is decided in this position ({ended}); how a game ended is for a ruling to say",
        )
    legal = legal_for(game, state, None)
    if not (pending.chance or legal.events or legal.cut):
        return None, "nobody has anything to do in this position; how a game ended is for a ruling to say"
    told = described(game, state)
    differing = next(
        (name for name, value in declared.items() if not _says(_plain(told[name]), _plain(value))), None
    )
    if differing is None:
        return state, None
    said, follows = apart(
        msgspec.json.encode(declared[differing]).decode(), msgspec.json.encode(told[differing]).decode()
    )
    return None, f'"{differing}" is said to be {said}, {NOT_AS_SAID} {follows}; leave it out, or correct it'


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
        raise ValueError(f"the game cannot go on from it ({type(error).__name__})") from error
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
