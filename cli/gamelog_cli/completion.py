"""Completion in shells: games, seats, options, bots, boards, rules, stock questions.

Only the shell calls these functions, so modules and files are loaded inside them and cost a command no time.
A word that cannot be completed (no such game, no such file) has no completions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gamelog.errors import GamelogError

if TYPE_CHECKING:
    from gamelog.play.contract.game import AnyGame


def complete_games(incomplete: str) -> list[str]:
    """Return the ids of the installed games."""
    from gamelog.play.contract.registry import names

    return _with_prefix(names(), incomplete)


def complete_bots(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the bots of the game in the command line, and a bot that searches."""
    game = _game(ctx)
    return _with_prefix([*game.bots, "search:200"], incomplete) if game else []


def complete_boards(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the built-in boards of the game in the command line."""
    game = _game(ctx)
    return _with_prefix(game.boards, incomplete) if game else []


def complete_options(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the options of the game in the command line, as NAME=, or the values of an option."""
    from gamelog.play.contract.option_fields import option_fields

    game = _game(ctx)
    if game is None:
        return []
    name, equals, _ = incomplete.partition("=")
    fields = {field.name: field for field in option_fields(game.Options)}
    if not equals:
        return _with_prefix((f"{option}=" for option in fields), incomplete)
    values = fields[name].values if name in fields else ()
    written = (value if isinstance(value, str) else json.dumps(value) for value in values)
    return _with_prefix((f"{name}={value}" for value in written), incomplete)


def complete_seats(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the seats of the record in the command line."""
    from gamelog_cli.named_record import STANDARD_INPUT, read_named

    file = _first_argument(ctx, "file", "path")
    with suppress(GamelogError, OSError):
        header = read_named(Path(file)).header if file and file != STANDARD_INPUT else None
        return _with_prefix(header.seat_ids, incomplete) if header else []
    return []


def complete_players(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the seats of the game or of the record in the command line, as SEAT=."""
    game = _game(ctx)
    order = game.seats[max(game.seats)] if game else complete_seats(ctx, "")
    return _with_prefix((f"{seat}=" for seat in order), incomplete)


def complete_rules(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Return the rules of the game in the command line, each with the first words of its text."""
    from gamelog.play.contract.rulebook import rulebook

    game = _game(ctx)
    book = rulebook(game) if game else {}
    return [(id, rule.text[:60]) for id, rule in book.items() if id.startswith(incomplete.upper())]


def complete_questions(incomplete: str) -> list[tuple[str, str]]:
    """Return the names and texts of the stock questions."""
    from gamelog.archive import all_questions

    return [
        (name, question.text) for name, question in all_questions().items() if name.startswith(incomplete)
    ]


def _game(ctx: typer.Context) -> AnyGame | None:
    from gamelog.play.contract.registry import find

    name = _first_argument(ctx, "game") if any(param.name == "game" for param in ctx.command.params) else None
    with suppress(GamelogError):
        return find(name) if name else None
    return None


def _first_argument(ctx: typer.Context, *names: str) -> str | None:
    """Return the first argument of the command, parsed, or left over after an option without its value."""
    return next(
        (str(ctx.params[name]) for name in names if ctx.params.get(name)), ctx.args[0] if ctx.args else None
    )


def _with_prefix(words: Iterable[str], incomplete: str) -> list[str]:
    """Return the words that begin with `incomplete`."""
    return [word for word in words if word.startswith(incomplete)]
