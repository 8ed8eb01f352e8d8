"""`gamelog export`: a replay page, a picture of one position, or a site of many replay pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import typer
from gamelog_reports.replay_page.shown_record import ShownRecord

from gamelog.analysis.analysis import Analysis
from gamelog.analysis.analysis_file import analysis_beside, read_analysis
from gamelog.analysis.analysis_path import analysis_path
from gamelog.errors import GamelogError
from gamelog.message import Message, many
from gamelog.play.fold.game_errors import BROKEN
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.rendering.ascii_board import ascii_board, initials, plain_lines
from gamelog.play.view.position_data import event_sentence, position_data
from gamelog.play.view.session_view import SessionView
from gamelog_cli import completion
from gamelog_cli.arguments import Jobs, RecordsPeopleFile
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.input.people import seat_named
from gamelog_cli.named_record import STANDARD_INPUT, is_whole_pack, read_named, warn_of_damage
from gamelog_cli.printing.language import text_of
from gamelog_cli.printing.output import (
    print_line,
    print_warnings,
    progress_bar,
    safe_json_text,
    save_page,
)
from gamelog_cli.printing.sites import print_site_warnings

_Format = Literal["html", "svg", "txt", "json"]

_FORMATS: dict[str, _Format] = {
    ".html": "html",
    ".htm": "html",
    ".svg": "svg",
    ".txt": "txt",
    ".json": "json",
}
"""Formats by the ending of a file's name."""

_UNSUPPORTED_ENDINGS = (".pdf", ".png", ".jpg", ".jpeg", ".gif", ".webp")
"""Endings of formats that Gamelog does not write. A browser can print a page as PDF."""


def export(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH", help="A record, - for standard input, or a folder or pack of records."
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "-o",
            "--out",
            metavar="OUT",
            help=("Output file, or for several records the output folder of the site."),
        ),
    ],
    format: Annotated[
        _Format | None,
        typer.Option(
            help=(
                "Output format. html writes a replay page; the other formats write one "
                "position. By default, the ending of OUT decides."
            ),
            show_default=False,
        ),
    ] = None,
    at: Annotated[
        int | None,
        typer.Option(metavar="N", help="Show the position after this event. By default, the last position."),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Show only what this player may see (name or seat).",
            autocompletion=completion.complete_seats,
        ),
    ] = None,
    anonymous: Annotated[
        bool, typer.Option("--anonymous", help="Show seats instead of people's names.")
    ] = False,
    language: Annotated[Literal["en", "pt"], typer.Option(help="Language of the page.")] = "en",
    title: Annotated[
        str, typer.Option(metavar="TEXT", help="Title of the page or the site.", show_default=False)
    ] = "",
    single: Annotated[
        bool,
        typer.Option(
            "--single", help=("Make each page of a site a single file that works without other files.")
        ),
    ] = False,
    reveal: Annotated[
        bool,
        typer.Option(
            "--reveal",
            help="Include all hidden information, and the seed of the dice of a game that is not over.",
        ),
    ] = False,
    analysis: Annotated[
        Path | None,
        typer.Option(
            "--analysis",
            metavar="FILE",
            help="Analysis whose chances the page shows. By default, NAME.analysis.json beside the record.",
            show_default=False,
        ),
    ] = None,
    jobs: Jobs = None,
    people: RecordsPeopleFile = None,
) -> None:
    """Write a replay page of a record, one position of it, or a site of all records in a folder or pack."""
    if path.is_dir() or is_whole_pack(path):
        _check_site_options(path, format, at, seat, analysis)
        look = {"anonymous": anonymous, "language": language, "title": title, "reveal": reveal}
        _export_site(path, out, single=single, jobs=jobs, people=people, **look)
        return
    if people is not None:
        usage(f"--people works only with a folder or a pack, but {path} is one record. Leave out --people.")
    format = _format(out, format)
    folded = fold_record(read_named(path))
    header = folded.record.header
    if seat is not None and folded.fold is not None:
        seat = seat_named(SessionView(folded.fold), seat)
    elif seat is not None and header is not None and seat not in header.seat_ids:
        usage(f'There is no seat "{seat}". The seats are {", ".join(header.seat_ids)}.')
    shown = folded
    if anonymous:
        from gamelog.play.anonymity.anonymous_record import anonymous_replay

        shown = anonymous_replay(folded)
    if format == "html":
        if at is not None:
            usage("--at is for svg, txt and json. A page opens at an event if you add it: page.html#n=57")
        from gamelog_reports.replay_page.page import incompleteness, make_page

        done = make_page(
            shown,
            seat=seat,
            language=language,
            heading=title,
            reveal=reveal,
            analysis=_analysis(path, analysis, folded, seat),
        )
        save_page(out, done.html)
        _print_withheld(done.withheld, folded)
        incomplete = incompleteness(folded) or done.incompleteness
        print_warnings([incomplete] if incomplete else [])
    else:
        if analysis is not None:
            usage(f"--analysis works only with a replay page, but {out} is a {format} file. Leave it out.")
        position = ShownRecord.of(shown, seat, reveal)
        save_page(out, _position(position, format, at))
        _print_withheld("hidden information" if position.hides_secrets else "", folded)
        print_warnings(
            [f"{text_of(finding.message)}." for finding in folded.findings if finding.code == BROKEN]
        )
    print_line(out)
    if header is not None:
        warn_of_damage(folded.record)
    else:
        reason = text_of(folded.findings[0].message)
        print_warnings([f"The page shows no game, because {path} is {folded.status}: {reason}."])
    if folded.fold is None:
        raise typer.Exit(NOT_VALID)


def _export_site(place: Path, out: Path, **options: Any) -> None:
    """Write the site of a folder or a pack with the options of `gamelog_reports.record_site.write_site`."""
    from gamelog_reports.record_site import write_site

    with progress_bar("writing pages") as progress:
        site = write_site(place, out, progress=progress, **options)
    print_site_warnings(site)
    print_line(f"{many(site.pages, 'page')} written. Open {out / 'index.html'} in a browser.")


def _check_site_options(
    path: Path, format: _Format | None, at: int | None, seat: str | None, analysis: Path | None
) -> None:
    """Check that no option is given that works only with one record."""
    if format not in (None, "html") or at is not None:
        usage(
            f"--format and --at work only with one record, but {path} is a folder or a pack and is "
            "exported as a site. Name one record, or leave out --format and --at."
        )
    if seat is not None:
        usage(
            f"--seat works only with one record, but {path} is a folder or a pack and is exported as a "
            "site. Name one record, or leave out --seat."
        )
    if analysis is not None:
        usage(
            f"--analysis works only with one record, but {path} is a folder or a pack and is exported as "
            "a site. A site shows the analyses beside the records. Leave out --analysis."
        )


def _analysis(path: Path, named: Path | None, folded: FoldedRecord, seat: str | None) -> Analysis | None:
    """Return the analysis that is `named`, or else the one beside the record, for the page of `seat`.

    An analysis that the page cannot show is an error if it is named. Otherwise a warning is printed.

    Raises:
        GamelogError: The analysis that is named cannot be shown.
    """
    if named is None and str(path) == STANDARD_INPUT:
        return None
    found, problem = (read_analysis(named, folded), None) if named else analysis_beside(path, folded)
    if found and seat is not None and folded.fold and folded.fold.game.hides:
        text = "{=file} is not shown, because it follows from what is hidden from {=seat}."
        found, problem = None, Message.of(text, file=str(named or analysis_path(path)), seat=seat)
    if problem and named:
        raise GamelogError(problem)
    print_warnings([problem] if problem else [])
    return found


def _format(out: Path, format: _Format | None) -> _Format:
    """Return `format`, or the format of the file's ending, or html."""
    named_format = _FORMATS.get(out.suffix.lower())
    if format and named_format and format != named_format:
        other = out.with_suffix(f".{format}")
        usage(
            f"--format is {format}, but {out} has the ending of {named_format}. Leave --format out, or name "
            f"the file {other}."
        )
    if not format and out.suffix.lower() in _UNSUPPORTED_ENDINGS:
        page, picture = out.with_suffix(".html"), out.with_suffix(".svg")
        usage(f"Gamelog writes HTML pages and SVG pictures. Name the file {page} or {picture}.")
    return format or named_format or "html"


def _print_withheld(withheld: str, folded: FoldedRecord) -> None:
    """Print the parts that are left out because the game is not over, or its end is unknown."""
    if not withheld:
        return
    why = "The game is not over, so this is left out"
    if folded.fold is None:
        why = "The record cannot be replayed, so its hidden information is unknown and this is left out"
    elif any(finding.code == BROKEN for finding in folded.findings):
        why = "The game's code failed, so its end is unknown and this is left out until the game is repaired"
    print_warnings([f"{why}: {withheld}. To include it, add --reveal."])


def _position(shown: ShownRecord, format: str, chosen: int | None) -> str:
    """Return one position of `shown` in a format."""
    view, folded = shown.view, shown.folded
    if view is None:
        usage(f"{folded.record.path} has no position to show: {text_of(folded.findings[0].message)}.")
    n = view.last_played if chosen is None else chosen
    if not 0 <= n <= view.last_played:
        usage(f"There is no position after event {n}. The last valid event is event {view.last_played}.")
    scene = view.position(n).scene
    match format:
        case "svg":
            from gamelog_reports.board_svg import scene_svg

            return scene_svg(
                scene,
                seats=view.game.all_seats,
                title=event_sentence(view, n),
            )
        case "txt":
            return plain_lines(ascii_board(scene, initials(view.header.seat_ids))) + "\n"
        case _:
            return safe_json_text(
                msgspec.json.encode(position_data(view, n, anonymous=shown.anonymous)).decode() + "\n"
            )
