"""`gamelog rules`: the numbered rules, the rulings and the options of a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, get_type_hints

import msgspec
import typer
from msgspec import inspect

from gamelog.message import join_words
from gamelog.play.contract.option_fields import option_fields, without_description
from gamelog.play.contract.registry import find
from gamelog.play.contract.rulebook import rulebook
from gamelog_cli import completion
from gamelog_cli.arguments import Json
from gamelog_cli.exits import usage
from gamelog_cli.output import emit, print_line, print_wrapped


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
    found = find(game)
    book = rulebook(found)
    if id is not None:
        rule = book.get(id.upper())
        if rule is None:
            usage(f'{found.title} has no rule "{id}". The rules are {next(iter(book))} to {list(book)[-1]}.')
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
            print_wrapped(section)
        print_wrapped(f"{rule.id}{' (ruling)' if rule.ruling else ''}: {rule.text}", "  ")
    options = msgspec.to_builtins(found.Options())
    if id is None and options:
        print_line()
        print_wrapped("Options (to change one, add to gamelog new: --option NAME=VALUE)")
        hints = get_type_hints(found.Options, include_extras=True)
        meanings = {field.name: field.meaning for field in option_fields(found.Options)}
        for name, value in options.items():
            allowed = join_words(_values(without_description(inspect.type_info(hints[name]))), "or")
            print_wrapped(f"{name} = {_json(value)}{f' ({allowed})' if allowed else ''}", "  ")
            if meanings[name]:
                print_wrapped(f"  {meanings[name]}", "    ")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _values(type_: inspect.Type) -> Iterator[str]:
    """Yield the values of an option of this type, or ranges of values. Yield nothing if all are possible."""
    match type_:
        case inspect.UnionType(types):
            for part in types:
                yield from _values(part)
        case inspect.LiteralType(values):
            yield from map(_json, values)
        case inspect.BoolType():
            yield from ("true", "false")
        case inspect.NoneType():
            yield "null"
        case inspect.IntType() | inspect.FloatType():
            least = type_.ge if type_.ge is not None else type_.gt
            most = type_.le if type_.le is not None else type_.lt
            if least is not None:
                above = "" if type_.ge is not None else "more than "
                yield f"{above}{least} to {most}" if most is not None else f"{above or 'at least '}{least}"
            elif most is not None:
                yield f"{'at most' if type_.le is not None else 'less than'} {most}"
            else:
                yield "a whole number" if isinstance(type_, inspect.IntType) else "a number"
        case _:  # text, lists and mappings: any that the game accepts
            return
