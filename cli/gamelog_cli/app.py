"""Wires the commands, and turns errors into one sentence and a status."""

from __future__ import annotations

import sys

import typer

from gamelog import __version__
from gamelog.errors import GamelogError
from gamelog_cli import exits
from gamelog_cli.commands import (
    append,
    beside,
    demo,
    export,
    games,
    index,
    new,
    query,
    record,
    recover,
    replay,
    rules,
    schema,
    simulate,
    validate,
)

app = typer.Typer(
    name="gamelog",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Record, verify and replay games played at a table.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        print(f"gamelog {__version__}")
        raise typer.Exit


@app.callback()
def root(version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version.")) -> None:
    """Record, verify and replay games played at a table."""


for command in (
    games.games,
    rules.rules,
    new.new,
    record.record,
    append.append,
    validate.validate,
    replay.replay,
    export.export,
    simulate.simulate,
    index.index,
    query.query,
    beside.note,
    beside.claim,
    beside.takeback,
    beside.accept,
    beside.decline,
    beside.substitute,
    beside.amend,
    recover.recover,
    schema.schema,
    demo.demo,
):
    app.command(command.__name__)(command)


def main() -> None:
    """The console script. Never shows a traceback for an error that Gamelog raises on purpose."""
    try:
        app()
    except GamelogError as error:
        print(f"gamelog: {error}", file=sys.stderr)
        sys.exit(exits.status(error))
