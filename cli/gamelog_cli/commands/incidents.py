"""`gamelog incidents`: the disputed events of a record."""

from __future__ import annotations

import shlex

import typer

from gamelog.message import many
from gamelog.play.judging.replay import replay as fold_record
from gamelog_cli.arguments import Headings, Json, RecordFile
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.language import text_of
from gamelog_cli.named_record import named, warn_of_damage
from gamelog_cli.output import emit, print_line, print_table, warn


def incidents(file: RecordFile, headings: Headings = True, json: Json = False) -> None:
    """List illegal events, takebacks, corrections, claims and rulings of a record, and their status."""
    from gamelog.dispute.incident_words import elapsed_text
    from gamelog.dispute.incidents import incidents as listed

    replayed = fold_record(named(file))
    fold = replayed.fold
    if fold is None:
        usage(f"Cannot replay {file}: {text_of(replayed.findings[0].sentence)}.")
    found = list(listed(replayed))
    if json:
        for one in found:
            emit(one)
    elif found:
        name = fold.session.name_of
        rows = [
            (one.n, elapsed_text(one.t), name(one.by), one.kind, one.about, one.text, one.state)
            for one in found
        ]
        print_table(("event", "time", "by", "what", "about", "text", "status"), rows, headings=headings)
        waiting = sum(one.open for one in found)
        if waiting:
            warn(
                f"{many(waiting, 'of these is', 'of these are')} open. To print a page about event N, run: "
                f"gamelog sheet {shlex.quote(str(file))} --at N -o PAGE.html"
            )
    else:
        print_line(
            "No incidents: the record has no illegal events, takebacks, corrections, claims or rulings."
        )
    warn_of_damage(replayed.record)
    if replayed.status not in ("ok", "ruled"):
        raise typer.Exit(NOT_VALID)
