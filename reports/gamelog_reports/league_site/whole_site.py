"""The whole site of a league: its pages, the list of games, the replay pages, and a report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote, urlsplit

from gamelog.archive import Pseudonyms, Reader, people_file
from gamelog.league.league_file import LeagueFile
from gamelog.question_limits import USUAL, QuestionLimits
from gamelog.record.atomic_files import write_atomically
from gamelog_reports.league_site.pages import read_league_pages, write_league_pages
from gamelog_reports.league_site.records_in_league import RecordInLeague
from gamelog_reports.players import players_in
from gamelog_reports.publishing import MadePage, keep_page, made_pages
from gamelog_reports.record_site import Progress, WrittenSite, write_replay_pages
from gamelog_reports.report.page import report
from gamelog_reports.site import GAMES_FOLDER, page_names, write_index
from gamelog_reports.site_records import find_site_records

_REPORT = "report.html"
"""The report in the site of a league."""


def write_league_site(
    place: Path,
    league: LeagueFile,
    archive: Path,
    out: Path,
    *,
    anonymous: bool = False,
    language: str = "en",
    as_of: str | None = None,
    jobs: int | None = None,
    people: Path | None = None,
    limits: QuestionLimits = USUAL,
    renew_report: bool = False,
    progress: Progress | None = None,
) -> WrittenSite:
    """Write the site of a league.

    Pages that are the same as before are not written, except in an anonymous site. The report takes longer
    than all other pages together, so it is kept if records were only added or changed since.

    Args:
        place: The folder of the records.
        league: The league and its file.
        archive: The archive of these records (`gamelog.archive.index`), to which the league was applied
            (`gamelog.league.applying.apply_league`).
        out: The folder of the site.
        anonymous: Whether people get pseudonyms.
        language: The language of the pages.
        as_of: The last day whose games count in the tables, or None.
        jobs: The number of processes; None for all processors.
        people: A file of aliases, or None for the usual one.
        limits: The limits of each question of the report.
        renew_report: Whether to make the report again if records have changed.
        progress: A function that gets the number of written replay pages and of all replay pages.

    Raises:
        NotReadable: There are no records, or `place` cannot be read.
        ArchiveError: The archive cannot be read.
        WriteFailed: A page cannot be written.
    """
    pseudonyms = Pseudonyms() if anonymous else None
    with TemporaryDirectory(prefix="gamelog-") as workspace:
        found = find_site_records(place, out, Path(workspace), anonymous=anonymous)
        records = found.records
        names = page_names((record.name for record in records), anonymous)
        hrefs = {record.path: f"{GAMES_FOLDER}/{name}" for record, name in zip(records, names, strict=True)}
        read = partial(read_league_pages, language=language, as_of=as_of, pseudonyms=pseudonyms)
        with Reader(archive, people=people) as reader:  # closed before processes start
            players, pages = players_in(reader, anonymous=anonymous), read(reader, hrefs)
        in_league = [pages.records.get(record.path, RecordInLeague()) for record in records]
        entries = write_replay_pages(
            records,
            players,
            out,
            anonymous=anonymous,
            language=language,
            reveal=False,
            jobs=jobs,
            of_league=True,
            links=[ours.links for ours in in_league],
            progress=progress,
        )
    made = {record.path: entry.href for record, entry in zip(records, entries, strict=True) if entry.href}
    if made != hrefs:  # a record has no page, so nothing may lead to it
        with Reader(archive, people=people) as reader:
            pages = read(reader, made, files=pages.files)
    title, is_old, earlier = league.league.name, False, made_pages(out)
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
        write_atomically(out / _REPORT, make_report().encode())
    else:
        settings = [language, title, league.text, _text(people_file([archive, league.path], people))]
        is_old = _keep_report(
            out, settings, make_report, made.values(), None if renew_report else earlier.get(_REPORT)
        )
    entries = [ours.complete(entry) for ours, entry in zip(in_league, entries, strict=True)]
    write_index(entries, out, language=language, of_league=True)
    count = write_league_pages(pages, out, earlier, language=language, anonymous=anonymous)
    return WrittenSite(len(made) + count + 2, entries, (), found.unreadable, is_old)


def _keep_report(
    out: Path,
    settings: Sequence[str],
    make: Callable[[], str],
    pages: Collection[str],
    earlier: MadePage | None,
) -> bool:
    """Write the report, unless records were only added or changed since, and return whether it is old.

    Args:
        out: The folder of the site.
        settings: Everything that the report depends on, except the records.
        make: A function that returns the report.
        pages: The replay pages. A report with a link to another page is made again.
        earlier: The report in the journal, or None to make it again in any case.
    """
    target = out / _REPORT
    if earlier and target.is_file() and not _linked_pages(target.read_text("utf-8")) <= {*pages}:
        earlier = None
    is_kept = keep_page(out, _REPORT, "\n".join(settings), make, earlier)
    return is_kept and any((out / page).stat().st_mtime_ns > target.stat().st_mtime_ns for page in pages)


def _linked_pages(html: str) -> set[str]:
    """Return the replay pages to which a page of the site leads, as seen from the site."""
    links = _Links()
    links.feed(html)
    return {page for page in links.paths if page.startswith(f"{GAMES_FOLDER}/")}


class _Links(HTMLParser):
    """A reader of a page that collects the paths of its links."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the path of a link."""
        if tag == "a" and (href := dict(attrs).get("href")):
            self.paths.add(unquote(urlsplit(href).path))


def _text(file: Path | None) -> str:
    """Return the text of a file, or an empty text without one."""
    return file.read_text("utf-8", "replace") if file and file.is_file() else ""
