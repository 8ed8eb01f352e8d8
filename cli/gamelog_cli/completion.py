"""What a shell completes: games, seats, options, bots, boards, rules, stock questions.

Called by the shell alone, so that nothing here is imported or read when a command runs. A word that
cannot be completed (no such game, no such file) is left to the one who types it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

import typer

from gamelog.errors import GamelogError

if TYPE_CHECKING:
    from gamelog.play.contract.game import AnyGame


def complete_games(incomplete: str) -> list[str]:
    """The installed games."""
    from gamelog.play.contract.registry import names

    return _begun(names(), incomplete)


def bots(ctx: typer.Context, incomplete: str) -> list[str]:
    """The bots of the game that is named before."""
    game = _game(ctx)
    return _begun(game.bots, incomplete) if game else []


def boards(ctx: typer.Context, incomplete: str) -> list[str]:
    """The built-in boards of the game that is named before."""
    game = _game(ctx)
    return _begun(game.boards, incomplete) if game else []


def complete_options(ctx: typer.Context, incomplete: str) -> list[str]:
    """The options of the game that is named before, as NAME=, and their values where there are few."""
    game = _game(ctx)
    if game is None:
        return []
    name, equals, _ = incomplete.partition("=")
    hints = get_type_hints(game.Options)
    if not equals:
        return _begun((f"{option}=" for option in hints), incomplete)
    return _begun((f"{name}={value}" for value in _values(hints.get(name))), incomplete)


def _values(hint: Any) -> Iterator[str]:
    if hint is bool:
        yield from ("true", "false")
    elif hint is type(None):
        yield "null"
    elif get_origin(hint) is Literal:
        yield from map(str, get_args(hint))
    else:
        for part in get_args(hint):
            yield from _values(part)


def complete_seats(ctx: typer.Context, incomplete: str) -> list[str]:
    """The seats of the record that is named before."""
    from gamelog_cli.named_record import STANDARD_INPUT, named

    file = _first(ctx, "file", "path")
    with suppress(GamelogError, OSError):
        header = named(Path(file)).header if file and file != STANDARD_INPUT else None
        return _begun(header.seat_ids, incomplete) if header else []
    return []


def sitting(ctx: typer.Context, incomplete: str) -> list[str]:
    """The seats of the game that is named before, as SEAT=, or else those of the record."""
    game = _game(ctx)
    order = game.seats[max(game.seats)] if game else complete_seats(ctx, "")
    return _begun((f"{seat}=" for seat in order), incomplete)


def complete_rules(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """The rules of the game that is named before, each with how it begins."""
    from gamelog.play.contract.rulebook import rulebook

    game = _game(ctx)
    book = rulebook(game) if game else {}
    return [(id, rule.text[:60]) for id, rule in book.items() if id.startswith(incomplete.upper())]


def questions(incomplete: str) -> list[tuple[str, str]]:
    """The stock questions, each with what it asks."""
    from gamelog.archive.asking.questions import all_questions

    return [
        (name, question.text) for name, question in all_questions().items() if name.startswith(incomplete)
    ]


def _game(ctx: typer.Context) -> AnyGame | None:
    from gamelog.play.contract.registry import find

    name = _first(ctx, "game") if any(param.name == "game" for param in ctx.command.params) else None
    with suppress(GamelogError):
        return find(name) if name else None
    return None


def _first(ctx: typer.Context, *names: str) -> str | None:
    """The first argument of the command, parsed, or left over behind an option without its value."""
    return next(
        (str(ctx.params[name]) for name in names if ctx.params.get(name)), ctx.args[0] if ctx.args else None
    )


def _begun(words: Iterable[str], incomplete: str) -> list[str]:
    return [word for word in words if word.startswith(incomplete)]
