"""The installed games. Built-in ones register through the same entry points as anybody's.

An entry point in the group ``gamelog.games`` has the game's id as its name and points to its
`Game`; a game that keeps an older version of its rules available registers it as ``id@rules``
(``slicewars@1.0``). Games are loaded when they are first asked for, so that a broken one is
listed with its error and harms nobody else.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from msgspec import Struct

from gamelog.errors import BrokenGame, UnknownGame
from gamelog.play.game import AnyGame, Game

GROUP = "gamelog.games"


class Installed(Struct, frozen=True):
    """A registered game. ``origin`` is the distribution that brings it; ``error`` why it does not load."""

    name: str
    origin: str
    game: AnyGame | None
    error: str | None = None


@cache
def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


@cache
def _load(name: str) -> AnyGame:
    point = _points()[name]
    try:
        game = point.load()
    except Exception as error:  # whatever a foreign module does while it is imported
        raise BrokenGame(f"The game {name} ({point.value}) does not load: {type(error).__name__}: {error}.") from error
    if not isinstance(game, Game):
        raise BrokenGame(f"The game {name} ({point.value}) is a {type(game).__name__}, not a gamelog.play.game.Game.")
    if game.id != name.partition("@")[0]:
        raise BrokenGame(f"The game registered as {name} calls itself {game.id}; the two must agree.")
    return game


def names() -> tuple[str, ...]:
    """The ids of the registered games, older rules versions left out."""
    return tuple(name for name in _points() if "@" not in name)


def installed() -> tuple[Installed, ...]:
    """Every registered game, the broken ones with their error."""
    found: list[Installed] = []
    for name, point in _points().items():
        origin = point.dist.name if point.dist else "?"
        try:
            found.append(Installed(name, origin, _load(name)))
        except BrokenGame as error:
            found.append(Installed(name, origin, None, str(error)))
    return tuple(found)


def find(game: str, rules: str | None = None) -> AnyGame:
    """The game with this id, and this version of its rules where one is asked for.

    Raises `UnknownGame`, naming what is installed, or `BrokenGame`.
    """
    known = _points()
    if game not in known:
        raise UnknownGame(f'No game "{game}" is installed; there are: {", ".join(names())}.')
    current = _load(game)
    if rules is None or current.rules_version == rules:
        return current
    if f"{game}@{rules}" in known:
        return _load(f"{game}@{rules}")
    have = [current.rules_version, *(name.partition("@")[2] for name in known if name.startswith(f"{game}@"))]
    raise UnknownGame(f'"{game}" is installed with rules {", ".join(have)}; the record was played by rules {rules}.')
