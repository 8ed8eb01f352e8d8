"""The site of all records in a folder or a pack."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from html import unescape
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from gamelog.errors import RecordError
from gamelog.message import Message, many
from gamelog.record.discovery import ENDINGS, find_records
from gamelog_cli.exits import usage
from gamelog_cli.named_record import is_whole_pack
from gamelog_cli.printing.output import print_first_warnings, print_warnings, save, warn, with_progress

if TYPE_CHECKING:
    from gamelog_reports.players import Players
    from gamelog_reports.site import Entry

    from gamelog.question_limits import QuestionLimits


_REPORT = "report.html"
"""The report in the site of a league."""

_REPLAY_LINK = re.compile(r'href="(games/[^"#?]+)')
"""A link from the report to a replay page."""


class _SiteRecord(NamedTuple):
    """A record of a site.

    Attributes:
        file: The file, unpacked if the record is in a pack.
        name: The name of the record in the folder or pack.
        path: The path in an archive: the absolute path of the file, or of the pack with the name in it.
    """

    file: Path
    name: str
    path: str


def site(
    place: Path,
    out: Path,
    anonymous: bool = False,
    language: str = "en",
    title: str = "",
    jobs: int | None = None,
    single: bool = False,
    reveal: bool = True,
    people: Path | None = None,
) -> int:
    """Write the site of all records in a folder or pack to `out`, and return the number of its pages.

    Args:
        place: The folder or the pack.
        out: The folder of the site.
        anonymous: Whether to replace people by their seats.
        language: The language of the pages.
        title: The title of the site; the name of `place` by default.
        jobs: The number of processes.
        single: Whether each page is one file. Otherwise the pages share files.
        reveal: Whether to include hidden information of games that are not over.
        people: A file that lists the names and ids of each person. By default, ``people.toml`` in the folder
            of the records.
    """
    from gamelog_reports.players import read_players
    from gamelog_reports.site import write_index

    from gamelog.archive import people_file

    with TemporaryDirectory(prefix="gamelog-") as workspace:
        records = _records_outside(place, Path(workspace), out, anonymous)
        players = read_players(
            [record.file for record in records],
            Path(workspace),
            jobs=jobs,
            people=people_file([place], people),
            anonymous=anonymous,
        )
        records = [record._replace(path=os.path.abspath(record.file)) for record in records]
        entries = _write_pages(
            records,
            players,
            out,
            jobs,
            anonymous=anonymous,
            language=language,
            single=single,
            reveal=reveal,
        )
    write_index(
        entries,
        out,
        heading=title or _heading(place, anonymous),
        language=language,
    )
    print_warnings(players.notes)
    _print_omissions(entries)
    return sum(bool(entry.href) for entry in entries)


def league_site(
    place: Path,
    archive: Path,
    out: Path,
    *,
    anonymous: bool,
    language: str,
    title: str,
    as_of: str | None,
    jobs: int | None,
    people: Path | None,
    limits: QuestionLimits,
    league_file: Path,
    renew_report: bool,
) -> int:
    """Write the site of a league to `out`, and return the number of its pages.

    Pages that are the same as before are not written, except in an anonymous site. The report takes longer
    than all other pages together, so it is kept if only records have changed since.

    Args:
        place: The folder of the records.
        archive: The archive of these records, with the league.
        out: The folder of the site.
        anonymous: Whether people get pseudonyms.
        language: The language of the pages.
        title: The name of the league.
        as_of: The last day whose games count in the tables, or None.
        jobs: The number of processes.
        people: A file of aliases, or None for the usual one.
        limits: The limits of each question of the report.
        league_file: The file of the league.
        renew_report: Whether to make the report again if records have changed.
    """
    from gamelog_reports.league_site.pages import read_league_pages, write_league_pages
    from gamelog_reports.players import players_in
    from gamelog_reports.report.page import report
    from gamelog_reports.site import GAMES_FOLDER, page_names, write_index

    from gamelog.archive import Pseudonyms, Reader, people_file

    pseudonyms = Pseudonyms() if anonymous else None
    with TemporaryDirectory(prefix="gamelog-") as workspace:
        records = _records_outside(place, Path(workspace), out, anonymous)
        names = page_names((record.name for record in records), anonymous)
        hrefs = {record.path: f"{GAMES_FOLDER}/{name}" for record, name in zip(records, names, strict=True)}
        read = partial(read_league_pages, language=language, as_of=as_of, pseudonyms=pseudonyms)
        with Reader(archive, people=people) as reader:  # closed before processes start
            players, league = players_in(reader, anonymous=anonymous), read(reader, hrefs)
        entries = _write_pages(
            records,
            players,
            out,
            jobs,
            anonymous=anonymous,
            language=language,
            reveal=False,
            of_league=True,
            people=[league.people.get(record.path, {}) for record in records],
        )
    made = {record.path: entry.href for record, entry in zip(records, entries, strict=True) if entry.href}
    if made != hrefs:  # a record has no page, so nothing may lead to it
        with Reader(archive, people=people) as reader:
            league = read(reader, made, files=league.files)
    make_report = partial(
        report,
        archive,
        anonymous=anonymous,
        language=language,
        people=people,
        site=out,
        home=out,
        title=title,
        limits=limits,
        of_league=True,
        pseudonyms=pseudonyms,
    )
    if anonymous:
        save(out / _REPORT, make_report())
    else:
        settings = [language, title, _text(league_file), _text(people_file([archive, league_file], people))]
        _write_report(out, settings, make_report, made.values(), renew_report)
    write_index(entries, out, heading=title, language=language, of_league=True)
    pages = write_league_pages(league, out, language=language, anonymous=anonymous)
    _print_omissions(entries)
    return len(made) + pages + 2


def _write_report(
    out: Path, settings: Sequence[str], make: Callable[[], str], pages: Collection[str], renew: bool
) -> None:
    """Write the report of a league's site, unless only records were added or changed since it was made.

    Args:
        out: The folder of the site.
        settings: Everything that the report depends on, except the records.
        make: A function that returns the report.
        pages: The replay pages. A report with a link to another page is made again.
        renew: Whether to make the report again in any case.
    """
    from gamelog_reports.publishing import keep_page, made_pages

    report, earlier = out / _REPORT, made_pages(out).get(_REPORT)
    linked = set[str]()
    if earlier and report.is_file():
        linked = {unquote(unescape(href)) for href in _REPLAY_LINK.findall(report.read_text("utf-8"))}
    kept = earlier if not renew and linked <= {*pages} else None
    is_kept = keep_page(out, _REPORT, "\n".join(settings), make, kept)
    if is_kept and any((out / page).stat().st_mtime_ns > report.stat().st_mtime_ns for page in pages):
        warn(Message.of("The report does not have the latest records. To renew it, add --report."))


def _text(file: Path | None) -> str:
    """Return the text of a file, or an empty text without one."""
    return file.read_text("utf-8", "replace") if file and file.is_file() else ""


def _records_outside(place: Path, workspace: Path, out: Path, anonymous: bool) -> list[_SiteRecord]:
    """Return the records that are not in the site `out`, in random order for an anonymous site."""
    records = [record for record in _records(place, workspace) if not record.file.is_relative_to(out)]
    if not records:
        usage(f"There are no records in {place}.")
    if anonymous:  # the numbers of pages must not follow the names of files
        SystemRandom().shuffle(records)
    return records


def _write_pages(
    records: list[_SiteRecord],
    players: Players,
    out: Path,
    jobs: int | None,
    *,
    anonymous: bool,
    language: str,
    reveal: bool,
    single: bool = False,
    of_league: bool = False,
    people: Sequence[dict[str, str]] = (),
) -> list[Entry]:
    """Write the pages of records, and return their entries for the list of games."""
    from gamelog_reports.publishing import publish_all
    from gamelog_reports.site import page_links, page_names

    files = [record.file for record in records]
    names = page_names((record.name for record in records), anonymous)
    around = page_links(files, names, anonymous, of_league, people)
    pages = publish_all(
        files,
        names,
        around,
        out,
        jobs,
        anonymous=anonymous,
        language=language,
        single=single,
        reveal=reveal,
        keep_journal=of_league,
    )
    written = with_progress("writing pages", pages, len(files))
    return [players.complete(entry, record.path) for entry, record in zip(written, records, strict=True)]


def _print_omissions(entries: list[Entry]) -> None:
    """Print what the pages leave out."""
    print_first_warnings([*dict.fromkeys(entry.incompleteness for entry in entries if entry.incompleteness)])
    print_first_warnings([entry.ignored for entry in entries if entry.ignored])
    running = sum(bool(entry.withheld) and not entry.incompleteness for entry in entries)
    if running:
        print_warnings(
            [
                f"{many(running, 'game is', 'games are')} not over, so hidden information and seeds of dice "
                "are left out of their pages. To include them, add --reveal."
            ]
        )
    unknown = sum(bool(entry.withheld) and bool(entry.incompleteness) for entry in entries)
    if unknown:
        print_warnings(
            [
                f"{many(unknown, 'record')} could not be replayed, so their events, hidden information and "
                "seeds of dice are left out of their pages. To include them, add --reveal."
            ]
        )


def _heading(place: Path, anonymous: bool) -> str:
    """Return the title of a site; empty for the usual title, because a folder may have a person's name."""
    if anonymous:
        return ""
    return place.name if place.is_dir() else place.name.partition(".")[0]


def _records(place: Path, workspace: Path) -> Iterator[_SiteRecord]:
    """Yield the records in a folder or pack. Unpack packs into `workspace`."""
    from gamelog.archive import ENDING

    for number, file in enumerate(find_records([place], (*ENDINGS, ENDING))):
        name = file.relative_to(place).as_posix() if file != place else ""
        if not is_whole_pack(file):
            yield _SiteRecord(file, name, os.path.abspath(file))
            continue
        for unpacked in _unpack(file, workspace / str(number), alone=file == place):
            within = unpacked.relative_to(workspace / str(number)).as_posix()
            inside = f"{name.removesuffix(ENDING)}/{within}".removeprefix("/")
            yield _SiteRecord(unpacked, inside, f"{os.path.abspath(file)}:{within}")


def _unpack(pack: Path, folder: Path, alone: bool) -> list[Path]:
    """Unpack a pack into `folder` and return the files.

    Raises:
        RecordError: The file is not a pack, and it is the only file (`alone`).
    """
    from gamelog.archive import unpack

    try:
        command = f"gamelog validate {shlex.quote(str(pack))}"
        print_first_warnings(unpack(pack, folder).unreadable, command=command)
    except RecordError as error:
        if alone:
            raise
        print_warnings([error.message])
    return sorted(path for path in folder.rglob("*") if path.is_file())
