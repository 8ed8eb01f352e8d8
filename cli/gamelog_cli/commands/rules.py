"""`gamelog rules`: a game's numbered rules, rulings and options."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from gamelog.play.contract.registry import find
from gamelog.play.contract.rulebook import rulebook
from gamelog_cli import completion
from gamelog_cli.arguments import Json
from gamelog_cli.exits import usage
from gamelog_cli.output import emit, prose, say


def rules(
    game: Annotated[str, typer.Argument(help="A game's id.", autocompletion=completion.complete_games)],
    id: Annotated[
        str | None, typer.Argument(help="One rule's id, SW-11 say.", autocompletion=completion.complete_rules)
    ] = None,
    json: Json = False,
) -> None:
    """Print the numbered rules and rulings of GAME and its options, or one rule by its ID."""
    found = find(game)
    book = rulebook(found)
    if id is not None:
        rule = book.get(id.upper())
        if rule is None:
            usage(
                f'{found.title} has no rule "{id}"; the ids run from {next(iter(book))} to {list(book)[-1]}.'
            )
        book = {rule.id: rule}
    if json:
        for rule in book.values():
            emit(rule)
        return
    section = ""
    for rule in book.values():
        if rule.section != section and id is None:
            section = rule.section
            say()
            prose(section)
        prose(f"{rule.id}{' (ruling)' if rule.ruling else ''}: {rule.text}", "  ")
    options = msgspec.to_builtins(found.Options())
    if id is None and options:
        say()
        prose("Options (change one with: gamelog new --option NAME=VALUE)")
        for name, value in options.items():
            prose(f"{name} = {msgspec.json.encode(value).decode()}", "  ")
