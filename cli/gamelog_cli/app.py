"""The application: its commands, and a sentence and a status for each error."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from importlib import import_module
from importlib.machinery import ExtensionFileLoader
from types import FrameType

import typer

from gamelog.errors import GamelogError, Stopped
from gamelog.play.contract.game_calls import SIGNALS, is_stop
from gamelog.version import __version__
from gamelog_cli import exits
from gamelog_cli.printing.language import chosen_language, set_language
from gamelog_cli.printing.layout import terminal_width
from gamelog_cli.printing.output import print_warning
from gamelog_cli.printing.stdio import exit_on_closed_pipe, redirect_game_output, tolerant_streams
from gamelog_cli.printing.translated_help import TRANSLATED, TranslatedCommand

_PANELS = {
    "First steps": {"demo": "demo", "games": "games", "rules": "rules"},
    "At the table": {
        "new": "new",
        "record": "record",
        "append": "append",
        "serve": "serve",
        "fix": "fix",
        "note": "annotate",
        "claim": "annotate",
        "withdraw": "annotate",
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
    "Check and show a game": {
        "validate": "validate",
        "replay": "replay",
        "export": "export",
        "analyse": "analyse",
    },
    "Disputes": {
        "incidents": "incidents",
        "sheet": "sheet",
        "ruling": "ruling",
        "branch": "branch",
        "compare": "compare",
    },
    "Signatures and dice": {"keygen": "keygen", "sign": "sign", "verify": "verify", "dice": "dice"},
    "Many games": {
        "simulate": "simulate",
        "index": "index",
        "league": "league",
        "query": "query",
        "people": "people",
        "report": "report",
        "study": "study",
        "pack": "pack",
        "unpack": "pack",
    },
    "For programs": {"schema": "schema"},
}
"""Commands by panel of the help, each with its module in `gamelog_cli.commands`, in the order of the help."""

COMMANDS = {name: (module, panel) for panel, commands in _PANELS.items() for name, module in commands.items()}
"""Module and panel of each command."""

_MIN_PANEL_COLUMNS = 60
"""Minimum number of columns for help in panels. On narrower terminals panels would cut words."""

_READ_ONLY = frozenset(("games", "rules", "validate", "replay", "incidents", "compare", "query", "schema"))
"""Commands that only print. Closing the pipe before their end is not an error."""


def _version(asked: bool) -> None:
    if asked:
        print(f"gamelog {__version__}")
        raise typer.Exit


def _root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version of Gamelog."
    ),
) -> None:
    """Record, verify and replay games played at a table."""


def app(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """Return the application with these commands."""
    panels = terminal_width() >= _MIN_PANEL_COLUMNS
    application = typer.Typer(
        name="gamelog",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich" if panels else None,
        context_settings={
            "help_option_names": ["-h", "--help"],
            **({} if panels else {"terminal_width": terminal_width()}),
        },
    )
    application.callback()(_root)
    for name in names:
        module, panel = COMMANDS[name]
        command = getattr(import_module(f"gamelog_cli.commands.{module}"), name)
        if isinstance(command, typer.Typer):
            for registered in command.registered_commands:
                registered.help = _unwrap(registered.callback.__doc__)
            application.add_typer(command, name=name, rich_help_panel=panel)
        else:
            translated = TRANSLATED.get(name)
            text = "\n\n".join(map(str, translated)) if translated else _unwrap(command.__doc__)
            short = None if panels else text.partition("\n\n")[0]
            kind = TranslatedCommand if translated else None
            application.command(name, cls=kind, rich_help_panel=panel, help=text, short_help=short)(command)
    return application


def _unwrap(text: str | None) -> str:
    """Return a docstring with each paragraph on one line, for terminals of any width."""
    return "\n\n".join(" ".join(part.split()) for part in (text or "").split("\n\n"))


class _Terminated(Stopped, SystemExit):
    """The end of the process because of a signal."""


_SIGNAL_RETRY_SECONDS = 0.02
"""Seconds after which a signal that came during the import of an extension is handled."""


def _terminate(number: int, frame: FrameType | None) -> None:
    """Exit with the status that a shell gives for the signal, and let context managers clean up.

    DuckDB and Arrow replace the exception by errors of their own. While an extension in C is imported, the
    exit waits, if the system has alarms (not Windows): an exception inside DuckDB's ends the process.

    Raises:
        KeyboardInterrupt: The signal is an interrupt.
        _Terminated: The signal is another one.
    """
    if _imports_extension(frame) and hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, lambda _alarm, later: _terminate(number, later))
        signal.setitimer(signal.ITIMER_REAL, _SIGNAL_RETRY_SECONDS)
        return
    SIGNALS.append(number)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise _Terminated(128 + number)


def _imports_extension(frame: FrameType | None) -> bool:
    """Return whether this frame runs during the import of an extension in C."""
    while frame:
        if isinstance(frame.f_locals.get("self"), ExtensionFileLoader):
            return True
        frame = frame.f_back
    return False


def _typed_words() -> list[str]:
    """Return the words of the command line; during completion, the words before the one being typed."""
    words = os.environ.get("COMP_WORDS" if "COMP_WORDS" in os.environ else "_TYPER_COMPLETE_ARGS")
    return sys.argv if words is None or "_GAMELOG_COMPLETE" not in os.environ else words.split()[:-1]


def main() -> None:
    """Run the command line. An error that Gamelog raises on purpose is printed as a sentence.

    If the first word is a command, only its module is imported, and for the version none, because imports
    take most of the time of a quick command.
    """
    set_language(chosen_language(sys.argv[1:]))
    tolerant_streams()
    signal.signal(signal.SIGTERM, _terminate)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a background process ignores Ctrl-C
        signal.signal(signal.SIGINT, _terminate)
    first = _typed_words()[1:2]
    typed = [name for name in first if name in COMMANDS]
    names = typed if typed or first == ["--version"] else COMMANDS
    try:
        with redirect_game_output(), exit_on_closed_pipe() if _READ_ONLY.issuperset(typed) else nullcontext():
            app(names)()
    except GamelogError as error:
        if SIGNALS:
            sys.exit(128 + SIGNALS[0])
        print_warning(error.message)
        sys.exit(exits.status(error))
    except OSError as error:
        # For example a path that is too long for the system, or a full disk behind standard output.
        where = f"{error.filename}: " if error.filename else ""
        print_warning(f"{where}{error.strerror}.")
        sys.exit(exits.USAGE)
    except Exception as error:
        if SIGNALS or str(error) == "Query interrupted":  # the message of DuckDB
            sys.exit(128 + (SIGNALS or [signal.SIGINT])[0])
        _report_game_error(error)
    except BaseException as error:
        if not is_stop(error):
            _report_game_error(error)
        if isinstance(error, KeyboardInterrupt):  # while a command is imported, or its processes end
            sys.exit(128 + signal.SIGINT)
        raise


def _report_game_error(error: BaseException) -> None:
    """Exit with a message that names the game whose code raised `error` or an earlier error.

    Raises:
        Exception: `error` itself, if no game raised it.
    """
    if "gamelog.play.contract.registry" in sys.modules:  # without the registry, no game is loaded
        from gamelog.play.fold.game_errors import describe_failure

        for cause in _chain(error):
            failure = describe_failure(cause)
            if failure is not None:
                print_warning(f"{failure}.")
                sys.exit(exits.USAGE)
    raise error


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield `error`, and the earlier exceptions that would have ended the program."""
    yield error
    before = error.__context__
    while before is not None:
        if not isinstance(before, Exception) and not is_stop(before):
            yield before
        before = before.__context__
