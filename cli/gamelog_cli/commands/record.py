"""`gamelog record`: one event after the other, at the table."""

from __future__ import annotations

import shlex
import sys

from gamelog.play.recording.recorder import EventRecorder
from gamelog_cli.arguments import File, Secrets
from gamelog_cli.commands.dice import answers, chain_in
from gamelog_cli.conversation.evening import Evening
from gamelog_cli.conversation.terminal import Lines, Screen
from gamelog_cli.exits import usage
from gamelog_cli.output import say


def record(file: File, secret: Secrets = []) -> None:
    """Record a game at the table: the board is drawn, legal events complete with Tab, dice are typed as 4 3
    3.

    Several may record one game: what another writes is shown before more is taken.
    """
    if not file.exists():
        usage(
            f"{file} does not exist. Start it with: gamelog new GAME {shlex.quote(str(file))} --seat "
            "SEAT=NAME ..."
        )
    hands = {path: chain_in(path) for path in secret}
    evening = Evening(lambda: EventRecorder(file), lambda recorder: answers(recorder, hands))
    if not sys.stdin.isatty():
        evening.run(Lines())
        return
    say("Type help for help.")
    evening.run(Screen(lambda: evening.choices))
