"""`gamelog record`: record a game event by event."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from gamelog.message import Message
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.session_view import SessionView
from gamelog.play.visibility.viewer import WHOLE_TABLE, Viewer, has_secrets, public_viewer
from gamelog_cli import completion
from gamelog_cli.arguments import HIDDEN_NOTICE, ChosenLanguage, File, Secrets
from gamelog_cli.conversation.session import RecordingSession
from gamelog_cli.conversation.terminal import PipeInput, TerminalInput
from gamelog_cli.exits import usage
from gamelog_cli.input.people import seat_named
from gamelog_cli.printing.language import use_game
from gamelog_cli.printing.output import print_line
from gamelog_cli.secrets.dice_secrets import read_secret, record_due_events


def record(
    file: File,
    secret: Secrets = [],
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Show what this player may see (name or seat).",
            autocompletion=completion.complete_seats,
        ),
    ] = None,
    reveal: Annotated[bool, typer.Option("--reveal", help="Show all hidden information.")] = False,
    _language: ChosenLanguage = None,
) -> None:
    """Record a game at the table. The help of the command is in `gamelog_cli.printing.translated_help`."""
    if not file.exists():
        text = "{=path} does not exist. To start a game, run: gamelog new GAME {$path} --seat SEAT=NAME ..."
        usage(Message.of(text, path=str(file)))
    secrets = {path: read_secret(path) for path in secret}
    if seat is not None and reveal:
        usage(Message.of("You cannot use --seat and --reveal together. Give only one of them."))
    fold = EventRecorder(file, shown_to=(lambda _fold: WHOLE_TABLE) if reveal else public_viewer).fold
    use_game(fold.game)
    shown_to = _shown_to(fold, seat, reveal)

    def open_record() -> EventRecorder:
        return EventRecorder(file, shown_to=shown_to)

    session = RecordingSession(open_record, lambda recorder: record_due_events(recorder, secrets))
    if not sys.stdin.isatty():
        session.run(PipeInput())
        return
    print_line(Message.of("Type help for help."))
    session.run(TerminalInput(lambda: session.choices))


def _shown_to(fold: Fold, seat: str | None, reveal: bool) -> Callable[[Fold], Viewer]:
    """Return the function that limits what is shown. Print a notice if it hides something."""
    if reveal:
        return lambda _fold: WHOLE_TABLE
    if seat is not None:
        own = Viewer((seat_named(SessionView(fold), seat),))
        return lambda _fold: own
    if has_secrets(fold):
        print_line(HIDDEN_NOTICE)
    return public_viewer
