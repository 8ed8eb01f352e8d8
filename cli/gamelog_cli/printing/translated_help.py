"""Help of a command in the language in use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.core import TyperCommand

from gamelog.message import Message
from gamelog_cli.printing.language import current_language, text_of
from gamelog_cli.printing.layout import two_columns, wrap

TRANSLATED = {
    "record": (
        Message.of("Record a game at the table."),
        Message.of(
            "The recorder draws the board and asks for events. Tab completes legal events. Type dice as 4 3 "
            "3."
        ),
        Message.of(
            "Several people can record one game: the recorder shows events of others before it accepts "
            "yours. In a game with hidden information it shows only what all players know, unless you ask "
            "for more."
        ),
    )
}
"""Commands whose help is translated, with the paragraphs of their help."""

_PLACEHOLDERS = {text: Message(text) for text in ("[OPTIONS]", "FILE", "PLAYER")}
"""Translated placeholders for arguments and for values of options."""


class TranslatedCommand(TyperCommand):
    """A command with the option --language. Its help is in English, or as plain lines in another language."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help to `formatter`."""
        if current_language() == "en":
            super().format_help(ctx, formatter)
        else:
            formatter.write("\n".join(self._help_lines(ctx)) + "\n")

    def _help_lines(self, ctx: Any) -> Iterator[str]:
        """Yield the lines of the help in the language in use."""
        pieces = " ".join(_placeholder(piece) for piece in self.collect_usage_pieces(ctx))
        yield from wrap(text_of(Message.of("Usage: {=command}", command=f"{ctx.command_path} {pieces}")))
        for paragraph in (self.help or "").split("\n\n"):
            yield from ("", *wrap(text_of(Message(paragraph))))
        rows: dict[bool, list[tuple[str, str]]] = {True: [], False: []}
        for param in self.get_params(ctx):
            is_argument = param.param_type_name == "argument"
            rows[is_argument].append((_form(param, ctx), _meaning(param)))
        yield from ("", text_of(Message.of("Arguments:")), *two_columns(rows[True]))
        yield from ("", text_of(Message.of("Options:")), *two_columns(rows[False]))


def _placeholder(text: str) -> str:
    """Return a placeholder without the marks that Typer adds to it."""
    name = text.strip("{}<>")
    return text_of(_PLACEHOLDERS.get(name, name))


def _form(param: Any, ctx: Any) -> str:
    """Return an argument, or an option with its value, as people type it."""
    value = _placeholder(param.make_metavar(ctx))
    if param.param_type_name == "argument":
        return value
    names = ", ".join(sorted(param.opts, key=len))
    return names if param.is_flag else f"{names} {value}"


def _meaning(param: Any) -> str:
    """Return the explanation of an argument or option."""
    is_help = param.param_type_name == "option" and "--help" in param.opts
    parts = [Message.of("Show this message and exit.") if is_help else Message(param.help)]
    if param.required:
        parts.append(Message.of("[required]"))
    return " ".join(map(text_of, parts))
