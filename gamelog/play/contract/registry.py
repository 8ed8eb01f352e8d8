"""The installed games. Built-in ones register through the same entry points as anybody's.

An entry point in the group ``gamelog.games`` has the game's id as its name and points to its
`Game`; a game that keeps an older version of its rules available registers it as ``id@rules``
(``slicewars@1.0``). Games are loaded when they are first asked for, so that a broken one is
listed with its error and harms nobody else.

Two distributions that register one name are both listed, and neither is used until the environment
variable ``GAMELOG_GAMES`` says which: ``slicewars=gamelog``, several parted by commas.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from msgspec import Struct

from gamelog.errors import BrokenGame, UnknownGame, own_words
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame, Game
from gamelog.play.contract.game_calls import exits_as_errors, modules_running, refuse_exit

GROUP = "gamelog.games"

_PICKED = "GAMELOG_GAMES"
"""The environment variable that says whose game is used where two distributions register one name."""


class Installed(Struct, frozen=True):
    """A registered game. ``origin`` is the distribution that brings it; ``error`` why it does not load."""

    name: str
    origin: str
    game: AnyGame | None
    error: str | None = None


@cache
def _registered() -> Mapping[str, tuple[EntryPoint, ...]]:
    """Every entry point by its name: one, unless several distributions claim the name."""
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, _origin(point))):
        found[point.name] = (*found.get(point.name, ()), point)
    return found


def _origin(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "?"


def _picked(name: str) -> str | None:
    """The distribution whose game is to be used under this name, as the environment says."""
    choices = (choice.partition("=") for choice in os.environ.get(_PICKED, "").split(","))
    return next((origin.strip() for chosen, _, origin in choices if chosen.strip() == name), None)


def point_of(name: str) -> EntryPoint:
    """The entry point used for `name`. Raises KeyError for none, `BrokenGame` where several claim it."""
    points = _registered()[name]
    picked = _picked(name)
    chosen = [point for point in points if picked in (None, _origin(point))]
    if len(chosen) == 1:
        return chosen[0]
    origins = " and ".join(map(_origin, points))
    if picked is not None:
        raise BrokenGame(
            Message.of(
                '{=variable} asks for the game "{=name}" of {=picked}; it is registered by {=origins}.',
                variable=_PICKED,
                name=name,
                picked=picked,
                origins=origins,
            )
        )
    raise BrokenGame(
        Message.of(
            'The game "{=name}" is registered by {=origins}, so nobody can say whose rules '
            "would judge. Uninstall one of them, or choose: {=variable}={=name}={=origin}.",
            name=name,
            origins=origins,
            variable=_PICKED,
            origin=_origin(points[0]),
        )
    )


@cache
def _load(name: str) -> AnyGame:
    point = point_of(name)
    whose = Message.of(
        "The game {=name} ({=place}), which comes with {=origin},",
        name=name,
        place=point.value,
        origin=_origin(point),
    )
    if not _is_own(point):
        refuse_exit(strange_code_runs)
    try:
        with redirect_stdout(sys.stderr):  # what it prints does not belong into an answer
            game = exits_as_errors(point.load)()
    except Exception as error:  # whatever a foreign module does while it is imported
        raise BrokenGame(
            Message.of("{whose} does not load: {=error}.", whose=whose, error=own_words(error))
        ) from error
    if not isinstance(game, Game):
        raise BrokenGame(
            Message.of(
                "{whose} is a {=type}, not a gamelog.game.Game.", whose=whose, type=type(game).__name__
            )
        )
    if game.id != name.partition("@")[0]:
        raise BrokenGame(
            Message.of("{whose} calls itself {=id}; the two must agree.", whose=whose, id=game.id)
        )
    return game


def names() -> tuple[str, ...]:
    """The ids of the registered games, older rules versions left out."""
    return tuple(name for name in _registered() if "@" not in name)


def installed() -> tuple[Installed, ...]:
    """Every registered game, the broken ones with their error."""
    found: list[Installed] = []
    for name, points in _registered().items():
        try:
            game = _load(name)
            found.append(Installed(name, _origin(point_of(name)), game))
        except BrokenGame as error:
            found += [Installed(name, _origin(point), None, str(error)) for point in points]
    return tuple(found)


def foreign(name: str | None = None) -> bool:
    """Whether a game not Gamelog's own is registered, as `name` if one is given. Nothing is loaded."""
    named = _registered() if name is None else {name: _registered()[name]}
    return any(not _is_own(point) for points in named.values() for point in points)


def _is_own(point: EntryPoint) -> bool:
    return point.module.startswith("gamelog.")


def strange_code_runs() -> bool:
    """Return whether code of a game that is not Gamelog's own is running in this thread."""
    every = (point for points in _registered().values() for point in points)
    packages = {point.module.partition(".")[0] for point in every if not _is_own(point)}
    return any(module.partition(".")[0] in packages for module in modules_running())


def distribution(game: AnyGame) -> str:
    """The distribution that brings `game`, as far as it is registered; else its module."""
    for name in (game.id, f"{game.id}@{game.rules_version}"):
        if name in _registered() and _load(name) is game:
            return _origin(point_of(name))
    return game.start.__module__


def owner(module: str) -> tuple[str, str] | None:
    """The title and distribution of the game whose code `module` is; None where it is not a game's."""
    for name, points in _registered().items():
        for point in points:
            package = point.module if point.module.startswith("gamelog.") else point.module.partition(".")[0]
            if f"{module}.".startswith(f"{package}."):
                return next(
                    (one.game.title for one in installed() if one.name == name and one.game), name
                ), _origin(point)
    return None


def find(game: str, rules: str | None = None) -> AnyGame:
    """The game with this id, or ``id@rules``, and this version of its rules where one is asked for.

    Raises `UnknownGame`, naming what is installed, or `BrokenGame`.
    """
    known = _registered()
    name, _, wanted = game.partition("@")
    if game not in known and name in known and _load(name).rules_version == wanted:
        return _load(name)
    if game not in known:
        raise UnknownGame(
            Message.of(
                'No game "{=game}" is installed; there are: {=games}.', game=game, games=", ".join(names())
            )
        )
    current = _load(game)
    if rules is None or current.rules_version == rules:
        return current
    if f"{game}@{rules}" in known:
        return _load(f"{game}@{rules}")
    have = [current.rules_version, *(name.partition("@")[2] for name in known if name.startswith(f"{game}@"))]
    raise UnknownGame(
        Message.of(
            '"{=game}" is installed with rules {=have}; the record was played by rules {=rules}.',
            game=game,
            have=", ".join(have),
            rules=rules,
        )
    )
