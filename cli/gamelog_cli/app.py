"""Wires the commands, and turns errors into one sentence and a status."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from importlib import import_module

import typer

from gamelog import __version__
from gamelog.errors import GamelogError, Stopped
from gamelog.play.contract.game_calls import SIGNALS, is_stop
from gamelog_cli import exits
from gamelog_cli.language import reset_language
from gamelog_cli.layout import room
from gamelog_cli.output import shown
from gamelog_cli.stdio import answers_alone, exit_on_closed_pipe, tolerant_streams

PANELS = {
    "To begin with": {"demo": "demo", "games": "games", "rules": "rules"},
    "At the table": {
        "new": "new",
        "record": "record",
        "append": "append",
        "serve": "serve",
        "fix": "fix",
        "note": "annotate",
        "claim": "annotate",
        "pause": "annotate",
        "resume": "annotate",
        "resign": "annotate",
        "agree": "annotate",
        "takeback": "annotate",
        "accept": "annotate",
        "decline": "annotate",
        "result": "annotate",
        "gap": "annotate",
        "substitute": "annotate",
        "amend": "annotate",
        "recover": "recover",
    },
    "Judging, replaying, showing": {"validate": "validate", "replay": "replay", "export": "export"},
    "When players disagree": {
        "incidents": "incidents",
        "sheet": "sheet",
        "ruling": "ruling",
        "branch": "branch",
        "compare": "compare",
    },
    "Trust": {"keygen": "keygen", "sign": "sign", "verify": "verify", "dice": "dice"},
    "Many games": {
        "simulate": "simulate",
        "index": "index",
        "query": "query",
        "people": "people",
        "report": "report",
        "pack": "pack",
        "unpack": "pack",
    },
    "For programs": {"schema": "schema"},
}
"""The commands in the order in which help lists them, each with its module in `gamelog_cli.commands`."""

COMMANDS = {name: (module, panel) for panel, commands in PANELS.items() for name, module in commands.items()}


ROOM_FOR_PANELS = 60
"""Columns under which help is plain lines: in panels words would be cut."""

_LOOKING = frozenset(("games", "rules", "validate", "replay", "incidents", "compare", "query", "schema"))
"""Commands that write nothing but their answer: a reader who leaves before its end has seen what he wanted.
"""


def _version(asked: bool) -> None:
    if asked:
        print(f"gamelog {__version__}")
        raise typer.Exit


def _root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Record, verify and replay games played at a table."""


def app(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The application with these commands."""
    panels = room() >= ROOM_FOR_PANELS
    made = typer.Typer(
        name="gamelog",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich" if panels else None,
        context_settings={
            "help_option_names": ["-h", "--help"],
            **({} if panels else {"terminal_width": room()}),
        },
    )
    made.callback()(_root)
    for name in names:
        module, panel = COMMANDS[name]
        command = getattr(import_module(f"gamelog_cli.commands.{module}"), name)
        if isinstance(command, typer.Typer):
            for one in command.registered_commands:
                one.help = _flowing(one.callback.__doc__)
            made.add_typer(command, name=name, rich_help_panel=panel)
        else:
            text = _flowing(command.__doc__)
            short = None if panels else text.partition("\n\n")[0]
            made.command(name, rich_help_panel=panel, help=text, short_help=short)(command)
    return made


def _flowing(text: str | None) -> str:
    """A docstring whose paragraphs are a line each, for terminals of any width."""
    return "\n\n".join(" ".join(part.split()) for part in (text or "").split("\n\n"))


class _Ended(Stopped, SystemExit):
    """The end of the process, because the system says so."""


def _ended(number: int, _frame: object) -> None:
    """Leave so that what was being made is cleaned away. The status is what a shell makes of the signal.

    DuckDB, and Arrow between it and us, make errors of their own of what is raised here.
    """
    SIGNALS.append(number)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise _Ended(128 + number)


def _typed() -> list[str]:
    """The words of the command line; of one to be completed, those before the word being typed."""
    words = os.environ.get("COMP_WORDS" if "COMP_WORDS" in os.environ else "_TYPER_COMPLETE_ARGS")
    return sys.argv if words is None or "_GAMELOG_COMPLETE" not in os.environ else words.split()[:-1]


def main() -> None:
    """The console script. Never shows a traceback for an error that Gamelog raises on purpose.

    When the first word is a command, only that one is imported: starting up is what a quick command costs.
    """
    reset_language()
    tolerant_streams()
    signal.signal(signal.SIGTERM, _ended)
    if (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
    ):  # a shell lets what runs behind it ignore Ctrl-C
        signal.signal(signal.SIGINT, _ended)
    asked = [name for name in _typed()[1:2] if name in COMMANDS]
    try:
        with answers_alone(), exit_on_closed_pipe() if _LOOKING.issuperset(asked) else nullcontext():
            app(asked or COMMANDS)()
    except GamelogError as error:
        if SIGNALS:
            sys.exit(128 + SIGNALS[0])
        print(f"gamelog: {shown(error.said)}", file=sys.stderr)
        sys.exit(exits.status(error))
    except OSError as error:
        # The last resort: a path that the system does not even look at, a standard output that is full.
        where = f"{shown(error.filename)}: " if error.filename else ""
        print(f"gamelog: {where}{error.strerror}.", file=sys.stderr)
        sys.exit(exits.USAGE)
    except Exception as error:
        if SIGNALS or str(error) == "Query interrupted":  # as DuckDB says it
            sys.exit(128 + (SIGNALS or [signal.SIGINT])[0])
        _blame(error)
    except BaseException as error:
        if not is_stop(error):
            _blame(error)
        if isinstance(error, KeyboardInterrupt):  # while a command is imported, or its processes end
            sys.exit(128 + signal.SIGINT)
        raise


def _blame(error: BaseException) -> None:
    """Name the game whose code raised `error`, or what ended the program before it, and leave.

    Raises `error` if it is ours.
    """
    if "gamelog.play.contract.registry" in sys.modules:  # without it no game is there
        from gamelog.play.fold.game_errors import describe_failure

        for one in _chain(error):
            failed = describe_failure(one)
            if failed is not None:
                print(f"gamelog: {shown(failed)}.", file=sys.stderr)
                sys.exit(exits.USAGE)
    raise error


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield `error`, and what would have ended the program before it, such as a `KeyboardInterrupt`."""
    yield error
    before = error.__context__
    while before is not None:
        if not isinstance(before, Exception) and not is_stop(before):
            yield before
        before = before.__context__
