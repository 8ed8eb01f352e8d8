"""`gamelog report`: one page about an archive."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gamelog.question_limits import MEMORY, SECONDS, QuestionBounds
from gamelog_cli.arguments import ArchiveFiles, Memory, PeopleFile, Seconds
from gamelog_cli.output import print_line, save


def report(
    archive: ArchiveFiles,
    out: Annotated[Path, typer.Option("-o", "--out", help="The page to write.", show_default=False)],
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    anonymous: Annotated[
        bool, typer.Option("--anonymous", help="Replace people by pseudonyms; no files, no dates.")
    ] = False,
    language: Annotated[Literal["en", "pt"], typer.Option(help="The page's language.")] = "en",
    people: PeopleFile = None,
    site: Annotated[
        Path | None, typer.Option(help="The folder of a site to lead to; the page's own folder by default.")
    ] = None,
    title: Annotated[str, typer.Option(help="What the page is called.", show_default=False)] = "",
    memory: Memory = MEMORY,
    seconds: Seconds = SECONDS,
) -> None:
    """Write one page about an archive, or several as one: fairness, dice, lengths, players, places, broken
    rules. It can be printed."""
    from gamelog_reports.report.page import report as page
    from gamelog_reports.site import link_report

    html = page(
        archive,
        game=game,
        anonymous=anonymous,
        language=language,
        people=people,
        site=site or out.parent,
        home=out.parent,
        title=title,
        bounds=QuestionBounds(memory, seconds),
    )
    save(out, html)
    link_report(site or out.parent, out)
    print_line(out)
