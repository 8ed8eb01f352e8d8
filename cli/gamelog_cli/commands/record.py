"""`gamelog record`: one event after the other, at the table."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from gamelog.play.fold.fold import Fold
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.telling.seeing import View, keeps_secrets, public_view
from gamelog_cli import completion
from gamelog_cli.arguments import File, Secrets
from gamelog_cli.commands.dice import answers, chain_in
from gamelog_cli.conversation.session import RecordingSession
from gamelog_cli.conversation.terminal import Lines, Screen
from gamelog_cli.exits import usage
from gamelog_cli.output import print_line, print_wrapped
from gamelog_cli.people import seat_named

HIDDEN = "Only what all players may see is shown. For more: --seat PLAYER, or --reveal for everything."
"""What is said first where players hide something from each other."""


def record(
    file: File,
    secret: Secrets = [],
    seat: Annotated[
        str | None,
        typer.Option(
            help="Show what this player sees, by name or seat.", autocompletion=completion.complete_seats
        ),
    ] = None,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Show what the players hide from each other, too.")
    ] = False,
) -> None:
    """Record a game at the table: the board is drawn, legal events complete with Tab, dice are typed as 4 3
    3.

    Several may record one game: what another writes is shown before more is taken. In a game with hidden
    information only what all players may see is shown, unless you ask for more.
    """
    if not file.exists():
        usage(
            f"{file} does not exist. Start it with: gamelog new GAME {shlex.quote(str(file))} --seat "
            "SEAT=NAME ..."
        )
    hands = {path: chain_in(path) for path in secret}
    if seat is not None and reveal:
        usage("--seat shows what one player sees and --reveal everything: give one of them.")
    shown_to = _shown_to(EventRecorder(file).fold, seat, reveal)

    def opened() -> EventRecorder:
        recorder = EventRecorder(file)
        recorder.shown_to = shown_to
        return recorder

    evening = RecordingSession(opened, lambda recorder: answers(recorder, hands))
    if not sys.stdin.isatty():
        evening.run(Lines())
        return
    print_line("Type help for help.")
    evening.run(Screen(lambda: evening.choices))


def _shown_to(fold: Fold, seat: str | None, reveal: bool) -> Callable[[Fold], View]:
    """Return what says whose knowledge bounds what is shown; say so if that is not everything."""
    if reveal:
        return lambda _fold: None
    if seat is not None:
        own = seat_named(fold, seat)
        return lambda _fold: own
    if keeps_secrets(fold):
        print_wrapped(HIDDEN)
    return public_view
