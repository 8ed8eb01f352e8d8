"""The installed games. Built-in games register through the same entry points as all others.

An entry point in the group ``gamelog.games`` has the game's id as its name and points to its `Game`. A game
that keeps an older version of its rules available registers it as ``id@rules`` (``slicewars@1.0``). Games are
loaded on first use, so a broken game is listed with its error and does not affect other games.

If two distributions register one name, both are listed. Neither is used until the environment variable
``GAMELOG_GAMES`` chooses one: ``slicewars=gamelog``, several separated by commas.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from msgspec import Struct

from gamelog.errors import BrokenGame, UnknownGame, foreign_error_text
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame, Game
from gamelog.play.contract.game_calls import exits_as_errors, forbid_exit, modules_running

GROUP = "gamelog.games"
"""Group of the entry points that register games."""

_CHOICE_VARIABLE = "GAMELOG_GAMES"
"""Environment variable that chooses between distributions that register the same name."""


class Installed(Struct, frozen=True):
    """A registered game.

    Attributes:
        origin: Distribution of the game.
        error: The reason why the game does not load.
    """

    name: str
    origin: str
    game: AnyGame | None
    error: str | None = None


@cache
def _entry_points() -> Mapping[str, tuple[EntryPoint, ...]]:
    """Return the entry points by name: one per name, unless several distributions claim the name."""
    points: dict[str, tuple[EntryPoint, ...]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, _distribution_name(point))):
        points[point.name] = (*points.get(point.name, ()), point)
    return points


def _distribution_name(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "?"


def _chosen_distribution(name: str) -> str | None:
    """Return the distribution that the environment variable chooses for this name, or None."""
    choices = (choice.partition("=") for choice in os.environ.get(_CHOICE_VARIABLE, "").split(","))
    return next((origin.strip() for chosen, _, origin in choices if chosen.strip() == name), None)


def entry_point_of(name: str) -> EntryPoint:
    """Return the entry point used for `name`.

    Raises:
        KeyError: No distribution registers the name.
        BrokenGame: Several distributions register the name.
    """
    points = _entry_points()[name]
    picked = _chosen_distribution(name)
    chosen = [point for point in points if picked in (None, _distribution_name(point))]
    if len(chosen) == 1:
        return chosen[0]
    origins = " and ".join(map(_distribution_name, points))
    if picked is not None:
        raise BrokenGame(
            Message.of(
                '{=variable} chooses the game "{=name}" from {=picked}, but it is registered by '
                "{=origins}. Correct the variable.",
                variable=_CHOICE_VARIABLE,
                name=name,
                picked=picked,
                origins=origins,
            )
        )
    raise BrokenGame(
        Message.of(
            'The game "{=name}" is registered by {=origins}, so it is unclear whose rules apply. '
            "Uninstall one of them, or choose one with: {=variable}={=name}={=origin}.",
            name=name,
            origins=origins,
            variable=_CHOICE_VARIABLE,
            origin=_distribution_name(points[0]),
        )
    )


@cache
def _load(name: str) -> AnyGame:
    """Return the installed game that the entry point `name` registers.

    Raises:
        BrokenGame: Its import fails, or its value is not a `Game` with the id in `name`.
    """
    point = entry_point_of(name)
    subject = Message.of(
        "The game {=name} ({=place}), from the package {=origin},",
        name=name,
        place=point.value,
        origin=_distribution_name(point),
    )
    if not _is_built_in(point):
        forbid_exit(foreign_code_runs)
    try:
        with redirect_stdout(sys.stderr):  # a game must not print into a command's output
            game = exits_as_errors(point.load)()
    except Exception as error:  # a foreign module can raise anything during its import
        raise BrokenGame(
            Message.of("{whose} cannot be loaded: {=error}.", whose=subject, error=foreign_error_text(error))
        ) from error
    if not isinstance(game, Game):
        raise BrokenGame(
            Message.of(
                "{whose} is of type {=type} instead of gamelog.game.Game.",
                whose=subject,
                type=type(game).__name__,
            )
        )
    if game.id != name.partition("@")[0]:
        raise BrokenGame(
            Message.of(
                "{whose} has the id {=id}. The id and the name of the entry point must be the same.",
                whose=subject,
                id=game.id,
            )
        )
    return game


def names() -> tuple[str, ...]:
    """Return the ids of the registered games, without older rules versions."""
    return tuple(name for name in _entry_points() if "@" not in name)


def registered_names() -> tuple[str, ...]:
    """Return the names of all entry points: ids, and ids with older versions of rules (``id@rules``)."""
    return tuple(_entry_points())


def installed_games() -> tuple[Installed, ...]:
    """Return every registered game. Broken games have an error."""
    return tuple(game for name in _entry_points() for game in _load_games(name))


def _load_games(name: str) -> list[Installed]:
    """Return the game that is registered as `name`, or an error for each distribution that has it."""
    try:
        return [Installed(name, _distribution_name(entry_point_of(name)), _load(name))]
    except BrokenGame as error:
        return [
            Installed(name, _distribution_name(point), None, str(error)) for point in _entry_points()[name]
        ]


def has_foreign_game(name: str | None = None) -> bool:
    """Return whether a game outside Gamelog is registered, as `name` if given. No game is loaded."""
    points_by_name = _entry_points() if name is None else {name: _entry_points()[name]}
    return any(not _is_built_in(point) for points in points_by_name.values() for point in points)


def _is_built_in(point: EntryPoint) -> bool:
    return point.module.startswith("gamelog.")


def foreign_code_runs() -> bool:
    """Return whether code of a game outside Gamelog is running in this thread."""
    packages = _foreign_packages()
    return bool(packages) and any(module.partition(".")[0] in packages for module in modules_running())


@cache
def _foreign_packages() -> frozenset[str]:
    """Return the outermost packages of the registered games outside Gamelog."""
    all_points = (point for points in _entry_points().values() for point in points)
    return frozenset(_package_of(point) for point in all_points if not _is_built_in(point))


def distribution_of(game: AnyGame) -> str:
    """Return the distribution of `game`, or its module if the game is not registered."""
    for name in (game.id, f"{game.id}@{game.rules_version}"):
        if name in _entry_points() and _load(name) is game:
            return _distribution_name(entry_point_of(name))
    return game.start.__module__


def games_of_module(module: str) -> tuple[Installed, ...]:
    """Return the registered games to whose package `module` belongs. Broken games have an error.

    No other game is loaded.
    """
    names_of_package = {
        (name, _distribution_name(point))
        for name, points in _entry_points().items()
        for point in points
        if f"{module}.".startswith(f"{_package_of(point)}.")
    }
    games = (game for name in sorted({name for name, _ in names_of_package}) for game in _load_games(name))
    return tuple(game for game in games if (game.name, game.origin) in names_of_package)


def _package_of(point: EntryPoint) -> str:
    """Return the module of a built-in game, or the outermost package of another game."""
    return point.module if _is_built_in(point) else point.module.partition(".")[0]


def _not_installed(game: str) -> Message:
    """Return the message that no game has the id `game`, with the most similar id, if any."""
    from difflib import get_close_matches

    similar = get_close_matches(game.lower(), names(), n=1)
    text = 'No game "{=game}" is installed. Installed games: {=games}.'
    if similar:
        text = 'No game "{=game}" is installed. Did you mean {=similar}? Installed games: {=games}.'
        return Message.of(text, game=game, similar=similar[0], games=", ".join(names()))
    return Message.of(text, game=game, games=", ".join(names()))


def find(game: str, rules: str | None = None) -> AnyGame:
    """Return the game with this id, or ``id@rules``, in the given version of its rules if any.

    Raises:
        UnknownGame: The game or version is not installed. The message lists what is installed.
        BrokenGame: The game does not load.
    """
    known = _entry_points()
    name, _, version = game.partition("@")
    if game not in known and name in known and _load(name).rules_version == version:
        return _load(name)
    if game not in known:
        raise UnknownGame(_not_installed(game))
    current = _load(game)
    if rules is None or current.rules_version == rules:
        return current
    if f"{game}@{rules}" in known:
        return _load(f"{game}@{rules}")
    versions = [
        current.rules_version,
        *(name.partition("@")[2] for name in known if name.startswith(f"{game}@")),
    ]
    raise UnknownGame(
        Message.of(
            'The record uses rules {=rules} of "{=game}", but the installed rules are {=have}. '
            "Install a version of the game with these rules.",
            game=game,
            have=", ".join(versions),
            rules=rules,
        )
    )
