"""`gamelog sheet`: a page for printing about a disputed event."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gamelog.play.judging.fold_record import fold_record
from gamelog_cli.arguments import RecordFile
from gamelog_cli.exits import usage
from gamelog_cli.named_record import read_named, warn_of_damage
from gamelog_cli.printing.language import text_of
from gamelog_cli.printing.output import print_line, save_page


def sheet(
    file: RecordFile,
    at: Annotated[
        int,
        typer.Option(
            metavar="N", help="Number of the event. To list disputed events, run gamelog incidents."
        ),
    ],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="PAGE", help="Output file (HTML).")],
    language: Annotated[Literal["en", "pt"], typer.Option(help="Language of the page.")] = "en",
) -> None:
    """Write a page for printing about an event: boards before and after it, the rule, the legal events, the
    odds, and lines for signatures.
    """
    from gamelog_reports.incident_sheet import incident_sheet

    folded = fold_record(read_named(file))
    if folded.fold is None:
        usage(f"{file} has no events to show: {text_of(folded.findings[0].message)}.")
    try:
        page = incident_sheet(folded, at, language)
    except ValueError as error:
        text = str(error)
        usage(f"{text[:1].upper()}{text[1:]}.")
    save_page(out, page)
    warn_of_damage(folded.record)
    print_line(out)
