"""`gamelog report`: a page about an archive."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gamelog.question_limits import MEMORY, SECONDS, QuestionLimits
from gamelog_cli.arguments import ArchiveFiles, Memory, PeopleFile, Seconds
from gamelog_cli.printing.output import print_line, save


def report(
    archive: ArchiveFiles,
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="PAGE", help="Output file (HTML).", show_default=False)
    ],
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Report on this game only.")] = None,
    anonymous: Annotated[
        bool,
        typer.Option(
            "--anonymous", help="Replace people with pseudonyms, and leave out file names and dates."
        ),
    ] = False,
    language: Annotated[Literal["en", "pt"], typer.Option(help="Language of the page.")] = "en",
    people: PeopleFile = None,
    site: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Folder of a site to link to. By default, the folder of the page."
        ),
    ] = None,
    title: Annotated[str, typer.Option(metavar="TEXT", help="Title of the page.", show_default=False)] = "",
    memory: Memory = MEMORY,
    seconds: Seconds = SECONDS,
) -> None:
    """Write a page about an archive: fairness, dice, lengths of games, players, places, broken rules.

    The page is made for printing too. If you give several archives, the page is about all of them together.
    """
    from gamelog_reports.index_links import link_report
    from gamelog_reports.report.page import report as page

    html = page(
        archive,
        game=game,
        anonymous=anonymous,
        language=language,
        people=people,
        site=site or out.parent,
        home=out.parent,
        title=title,
        limits=QuestionLimits(memory, seconds),
    )
    save(out, html)
    link_report(site or out.parent, out)
    print_line(out)
