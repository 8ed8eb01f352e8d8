"""`gamelog incidents`: the disputed events of a record."""

from __future__ import annotations

from typing import Annotated

import typer

from gamelog.message import IN_ENGLISH, Message
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.view.session_view import SessionView
from gamelog_cli.arguments import ChosenLanguage, Headings, Json, RecordFile
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.named_record import cannot_replay, read_named, warn_of_damage
from gamelog_cli.printing.language import current_language, current_renderer, text_of, use_game, word_of
from gamelog_cli.printing.output import emit, print_line, print_table, warn

_COLUMNS = (
    Message.of("event"),
    Message.of("time"),
    Message.of("by"),
    Message.of("what"),
    Message.of("about"),
    Message.of("text"),
    Message.of("status"),
)
"""Names of the columns."""


def incidents(
    file: RecordFile,
    reveal: Annotated[bool, typer.Option("--reveal", help="Show all hidden information.")] = False,
    headings: Headings = True,
    _language: ChosenLanguage = None,
    json: Json = False,
) -> None:
    """List illegal events, takebacks, corrections, claims and rulings of a record, and their status.

    Until the game is over, the command shows only what all players know.
    """
    from gamelog.dispute.incident_words import elapsed_text
    from gamelog.dispute.incidents import incidents as listed

    folded = fold_record(read_named(file))
    fold = folded.fold
    if fold is None:
        usage(cannot_replay(file, folded))
    session = SessionView(fold, folded.unfolded_events)
    use_game(session.game)
    plain = json and current_language() == "en"
    listed_incidents = list(listed(folded, IN_ENGLISH if plain else current_renderer(), reveal=reveal))
    if json:
        for incident in listed_incidents:
            emit(incident)
    elif listed_incidents:
        rows = [
            (
                incident.n,
                text_of(elapsed_text(incident.t)),
                session.names_at(incident.n)(incident.by)
                if incident.by in session.header.seat_ids
                else word_of(incident.by),
                word_of(incident.kind),
                incident.about,
                incident.text,
                incident.state,
            )
            for incident in listed_incidents
        ]
        print_table(tuple(map(text_of, _COLUMNS)), rows, headings=headings)
        waiting = sum(incident.open for incident in listed_incidents)
        if waiting:
            text = (
                "{n} {n:of these is|of these are} open. To print a page about event N, run: gamelog sheet "
                "{$file} --at N -o PAGE.html"
            )
            warn(Message.of(text, n=waiting, file=str(file)))
    else:
        print_line(
            Message.of(
                "No incidents: the record has no illegal events, takebacks, corrections, claims or rulings."
            )
        )
    is_hidden = not reveal and folded.hides_secrets
    if is_hidden:
        text = "The game is not over, so hidden information is left out. To include it, add --reveal."
        warn(Message(text))
    warn_of_damage(folded.record, reveal=not is_hidden)
    if folded.status not in ("ok", "ruled"):
        raise typer.Exit(NOT_VALID)
