"""`gamelog rules`: the numbered rules, the rulings and the options of a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
import typer

from gamelog.message import join_words
from gamelog.play.contract.option_fields import OptionField, option_fields
from gamelog.play.contract.registry import find
from gamelog.play.contract.rulebook import rulebook
from gamelog_cli import completion
from gamelog_cli.arguments import Json, no_such_rule
from gamelog_cli.exits import usage
from gamelog_cli.printing.output import emit, print_line


def rules(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="Id of a game.", autocompletion=completion.complete_games)
    ],
    id: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]", help="Id of a rule, for example SW-11.", autocompletion=completion.complete_rules
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Print the numbered rules, the rulings and the options of GAME, or the rule with this ID."""
    installed_game = find(game)
    book = rulebook(installed_game)
    if id is not None:
        rule = book.get(id.upper())
        if rule is None:
            usage(no_such_rule(installed_game, book, id))
        book = {rule.id: rule}
    if json:
        for rule in book.values():
            emit(rule)
        return
    section = ""
    for rule in book.values():
        if rule.section != section and id is None:
            section = rule.section
            print_line()
            print_line(section)
        print_line(f"{rule.id}{' (ruling)' if rule.ruling else ''}: {rule.text}", "  ")
    options = option_fields(installed_game.Options)
    if id is None and options:
        print_line()
        print_line("Options (to change one, add to gamelog new: --option NAME=VALUE)")
        for field in options:
            allowed = join_words(_values(field), "or")
            print_line(f"{field.name} = {_json(field.default)}{f' ({allowed})' if allowed else ''}", "  ")
            if field.meaning:
                print_line(f"  {field.meaning}", "    ")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _values(field: OptionField) -> Iterator[str]:
    """Yield the values of an option, or the range of its numbers. Yield nothing if all are possible."""
    least, most = field.least, field.most
    if field.kind == "number":
        if least is not None:
            yield f"{least} to {most}" if most is not None else f"at least {least}"
        else:
            yield "a whole number" if most is None else f"at most {most}"
    yield from map(_json, field.values)
