"""`gamelog league`: the tables of a league."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gamelog.message import Message
from gamelog.question_limits import MEMORY, SECONDS, QuestionLimits
from gamelog_cli.arguments import (
    Archive,
    ChosenLanguage,
    Headings,
    Jobs,
    Json,
    Memory,
    Raw,
    Seconds,
    parse_pairs,
)
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.printing.answers import Parts, RowFormat, print_rows
from gamelog_cli.printing.language import current_language, text_of
from gamelog_cli.printing.output import emit, print_line, print_warning, progress_bar, warn
from gamelog_cli.printing.sites import print_site_warnings

if TYPE_CHECKING:
    from gamelog.archive import Answer
    from gamelog.league.league_file import LeagueFile

_Show = Literal["standings", "crosstable", "head_to_head", "form", "to_play", "games"]


def league(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder of the records.", show_default=False)
    ],
    archive: Archive,
    file: Annotated[
        Path | None,
        typer.Option(
            "--league",
            metavar="FILE",
            help="The file of the league. By default, league.toml in the folder.",
            show_default=False,
        ),
    ] = None,
    show: Annotated[_Show, typer.Option(help="The table to print.")] = "standings",
    as_of: Annotated[
        datetime | None,
        typer.Option(
            metavar="DATE",
            formats=["%Y-%m-%d"],
            help="Use only games and decisions of this day (UTC) and earlier days, for example 2026-10-31.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FOLDER",
            help="Output folder for a site with the tables, the people, all games and a report.",
            show_default=False,
        ),
    ] = None,
    anonymous: Annotated[
        bool,
        typer.Option(
            "--anonymous",
            help="Replace people with pseudonyms on the site, and leave out file names, dates and reasons.",
        ),
    ] = False,
    report: Annotated[
        bool,
        typer.Option(
            "--report",
            help="Make the report of the site again. By default, an existing report is kept when records are "
            "added.",
        ),
    ] = False,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="List everything that the organiser has to decide instead of a table. The status is 1 if "
            "something is open.",
        ),
    ] = False,
    set_: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A parameter of the table: player and against for head_to_head, most for form.",
        ),
    ] = [],
    people: Annotated[
        Path | None,
        typer.Option(
            "--people",
            metavar="FILE",
            help="A file that lists the names and ids of each person, if the file of the league does not. By "
            "default, people.toml next to the archive or the file of the league.",
            show_default=False,
        ),
    ] = None,
    format: Annotated[RowFormat, typer.Option(help="Output format.")] = "table",
    raw: Raw = False,
    headings: Headings = True,
    jobs: Jobs = None,
    memory: Memory = MEMORY,
    seconds: Seconds = SECONDS,
    _language: ChosenLanguage = None,
    json: Json = False,
) -> None:
    """Print the standings or another table of a league.

    The command indexes the folder into the archive, and writes the league to the archive. Records are never
    changed. On a terminal, the standings have the tie-breaks of the league, in their order. CSV and JSON have
    all columns.

    These stock questions of gamelog query give the same tables: league_standings, league_crosstable,
    league_head_to_head, league_form, league_to_play, league_games.

    --check lists similar names, people who are not in the list of people, records that may be one game,
    records without a result, disputed and unreadable records, games of no round, and games that are missing
    in a round, each with the lines to write in the file of the league. The status is 1 if the list is not
    empty, otherwise 0.
    """
    from gamelog.archive import SubprocessReader

    if json:
        if format == "csv":
            usage(Message.of("--json and --format csv exclude each other. Leave one of them out."))
        format = "json"
    if anonymous and out is None:
        usage(Message.of("--anonymous is for a site. Add -o FOLDER."))
    if report and out is None:
        usage(Message.of("--report is for a site. Add -o FOLDER."))
    if out is not None and check:
        usage(Message.of("--check and -o exclude each other. Leave one of them out."))
    if check and (set_ or format == "csv"):
        usage(Message.of("--check has no parameters and no CSV. Leave out --set and --format csv."))
    values: dict[str, Any] = dict(parse_pairs(set_, "parameter"))
    if as_of is not None:
        values["as_of"] = as_of.date().isoformat()
    of_folder = _update(folder, file, archive, people, jobs, warns=not check)
    if check:
        _check(of_folder, archive, people, as_of.date() if as_of else datetime.now(UTC).date(), json)
        return
    if out is not None:
        _write_site(
            folder,
            of_folder,
            archive,
            out,
            anonymous=anonymous,
            as_of=values.get("as_of"),
            jobs=jobs,
            people=people,
            limits=QuestionLimits(memory, seconds),
            renew_report=report,
        )
        return
    with SubprocessReader(archive, QuestionLimits(memory, seconds), people=people) as reader:
        question = f"league_{show}"
        for note in reader.notes(question, values):
            warn(note)
        answer = reader.ask(question, values)
    is_drawn = format == "table" and sys.stdout.isatty()
    if is_drawn:
        print_line(_heading(of_folder, values))
    print_rows(
        answer.columns,
        _translated(answer.columns, answer.rows) if is_drawn else answer.rows,
        format,
        parts=_parts(show, of_folder, answer),
        raw=raw,
        headings=headings,
        empty=_reason_for_no_rows(show, of_folder),
    )


def _update(
    folder: Path, file: Path | None, archive: Path, people: Path | None, jobs: int | None, *, warns: bool
) -> LeagueFile:
    """Index the records of a folder, write the league to the archive, and return its file."""
    from gamelog.archive import index
    from gamelog.league.applying import apply_league
    from gamelog.league.league_file import FILE, read_league

    if not folder.is_dir():
        usage(Message.of("{=path} is not a folder. Name the folder of the records.", path=str(folder)))
    if file is None and not (folder / FILE).is_file():
        text = (
            "The folder {=path} has no file league.toml. Write the file, or name another one with --league."
        )
        usage(Message.of(text, path=str(folder)))
    found = read_league(file or folder / FILE)
    with progress_bar(text_of(Message.of("indexing"))) as progress:
        done = index([folder], archive, jobs=jobs, progress=progress)
    if done.not_taken and warns:
        text = (
            "{n} {n:file|files} could not be indexed. To list them, run: gamelog query findings --archive "
            "{$archive}"
        )
        print_warning(Message.of(text, n=done.not_taken, archive=str(archive)))
    apply_league(found, archive, people=people)
    return found


def _write_site(folder: Path, file: LeagueFile, archive: Path, out: Path, **options: Any) -> None:
    """Write the site of a league.

    Args:
        folder: The folder of the records.
        file: The league.
        archive: The archive of the records.
        out: The folder of the site.
        **options: The options of `gamelog_reports.league_site.whole_site.write_league_site`.
    """
    from gamelog_reports.league_site.whole_site import write_league_site

    with progress_bar(text_of(Message.of("writing pages"))) as progress:
        site = write_league_site(
            folder, file, archive, out, language=current_language(), progress=progress, **options
        )
    print_site_warnings(site)
    text = "{n} {n:page|pages} written. Open {=path} in a browser."
    print_line(Message.of(text, n=site.pages, path=str(out / "index.html")))


def _check(file: LeagueFile, archive: Path, people: Path | None, today: date, json: bool) -> None:
    """Print everything that the organiser has to decide.

    Raises:
        typer.Exit: Something is open.
    """
    from gamelog.league.checking import open_matters

    matters = open_matters(file, archive, people=people, today=today)
    for matter in matters:
        if json:
            choices = [{"text": text_of(choice.text), "lines": choice.lines} for choice in matter.choices]
            emit(
                {
                    "matter": matter.matter,
                    "problem": text_of(matter.problem),
                    "records": matter.records,
                    "people": matter.people,
                    "choices": choices,
                }
            )
            continue
        print_line(matter.problem)
        for choice in matter.choices:
            print_line(f"  {text_of(choice.text)}")
            for line in choice.lines:
                print_line(f"    {line}", indent="    ")
    if not json:
        print_line(
            Message.of("{n} {n:matter is|matters are} open.", n=len(matters))
            if matters
            else Message.of("Nothing is open.")
        )
    if matters:
        raise typer.Exit(NOT_VALID)


def _heading(file: LeagueFile, values: Mapping[str, Any]) -> Message:
    """Return the line above a table."""
    if "as_of" in values:
        return Message.of("{=league} on {=day}", league=file.league.name, day=values["as_of"])
    return Message.of("{=league}", league=file.league.name)


_HEADINGS = {
    "rank": Message.of("rank"),
    "player": Message.of("player"),
    "points": Message.of("points"),
    "games": Message.of("games"),
    "wins": Message.of("wins"),
    "draws": Message.of("draws"),
    "losses": Message.of("losses"),
    "head_to_head": Message.of("head to head"),
    "sonneborn_berger": Message.of("Sonneborn Berger"),
    "buchholz": Message.of("Buchholz"),
    "difference": Message.of("difference"),
    "score": Message.of("score"),
    "per_game": Message.of("per game"),
    "forfeits": Message.of("forfeits"),
    "against": Message.of("against"),
    "day": Message.of("day"),
    "round": Message.of("round"),
    "place": Message.of("place"),
    "against_place": Message.of("place of the other"),
    "people": Message.of("people"),
    "result": Message.of("result"),
    "form": Message.of("form"),
    "analysed": Message.of("analysed games"),
    "share": Message.of("share of wins in them"),
    "adjusted": Message.of("without luck"),
}
"""The headings of the columns that a table on a terminal can have."""

_RESULTS = {
    "play": Message.of("play"),
    "resignation": Message.of("resignation"),
    "agreement": Message.of("agreement"),
    "ruling": Message.of("ruling"),
    "walkover": Message.of("walkover"),
    "forfeit": Message.of("forfeit"),
    "result": Message.of("decided"),
}
"""The origins of results in words."""

_FORM = {"W": Message.of("W"), "D": Message.of("D"), "L": Message.of("L")}
"""The letters for a win, a draw and a loss."""


def _parts(show: _Show, file: LeagueFile, answer: Answer) -> Parts:
    """Return the columns of a table on a terminal. Results less luck are shown if there are any."""
    from gamelog.archive import all_questions

    names = [name for _, (name,) in all_questions()[f"league_{show}"].table]
    if show == "standings":
        names = [*names[:3], *file.league.tie_breaks, *names[3:]]
        if any(row["adjusted"] is not None for row in answer.dicts()):
            names += ["analysed", "share", "adjusted"]
    short = {"wins": _FORM["W"], "draws": _FORM["D"], "losses": _FORM["L"]} if show == "standings" else {}
    return [(short.get(name, _HEADINGS[name]), (name,)) for name in dict.fromkeys(names)]


def _translated(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return rows with results and form in the language in use."""
    words = {
        "result": lambda text: text_of(_RESULTS.get(text, text)),
        "form": lambda text: "".join(text_of(_FORM[letter]) for letter in text),
    }
    return [
        [words[name](cell) if name in words else cell for name, cell in zip(columns, row, strict=True)]
        for row in rows
    ]


def _reason_for_no_rows(show: _Show, file: LeagueFile) -> Message:
    if show != "to_play":
        return Message.of("No game counts in the league yet.")
    if file.league.meetings is None and not any(round.pairings for round in file.league.rounds):
        text = (
            "The league does not list the games to be played. Add pairings to its rounds, or the number of "
            "meetings."
        )
        return Message.of(text)
    return Message.of("All games of the league are played.")
