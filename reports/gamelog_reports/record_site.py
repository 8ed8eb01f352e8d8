"""The site of all records in a folder or a pack: their replay pages, and the list of games."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct, structs

from gamelog.archive import people_file
from gamelog.message import Message
from gamelog_reports.players import Players, read_players
from gamelog_reports.publishing import publish_all
from gamelog_reports.replay_page.page import PageLinks
from gamelog_reports.site import Entry, page_links, page_names, write_index
from gamelog_reports.site_records import SiteRecord, find_site_records

Progress = Callable[[int, int], None]
"""A function that gets the number of written replay pages and of all replay pages."""


class WrittenSite(Struct, frozen=True):
    """A site that has been written, and everything that its author may want to know.

    Attributes:
        pages: The number of its pages, without the list of games of a site that has no league.
        entries: The entries of all records. A record without a page has no address.
        notes: Notes about the file of aliases.
        unreadable: For each pack with records that cannot be read, the reasons.
        is_report_old: Whether the site has a report that does not have the latest records.
    """

    pages: int
    entries: Sequence[Entry]
    notes: Sequence[str] = ()
    unreadable: Mapping[Path, Sequence[str | Message]] = {}
    is_report_old: bool = False


def write_site(
    place: Path,
    out: Path,
    *,
    anonymous: bool = False,
    language: str = "en",
    title: str = "",
    jobs: int | None = None,
    single: bool = False,
    reveal: bool = True,
    people: Path | None = None,
    progress: Progress | None = None,
) -> WrittenSite:
    """Write the site of all records in a folder or pack.

    Args:
        place: The folder or the pack.
        out: The folder of the site.
        anonymous: Whether to replace people by their seats.
        language: The language of the pages.
        title: The title of the site; the name of `place` by default.
        jobs: The number of processes; None for all processors.
        single: Whether each page is one file. Otherwise the pages share files.
        reveal: Whether to include hidden information of games that are not over.
        people: A file that lists the names and ids of each person. By default, ``people.toml`` in the folder
            of the records.
        progress: A function that gets the number of written replay pages and of all replay pages.

    Raises:
        NotReadable: There are no records, or `place` cannot be read.
        RecordError: `place` is not a pack.
        ArchiveError: The file of aliases cannot be used.
        WriteFailed: A page cannot be written.
    """
    with TemporaryDirectory(prefix="gamelog-") as workspace:
        found = find_site_records(place, out, Path(workspace), anonymous=anonymous)
        players = read_players(
            [record.file for record in found.records],
            Path(workspace),
            jobs=jobs,
            people=people_file([place], people),
            anonymous=anonymous,
        )
        records = [
            structs.replace(record, path=os.path.abspath(record.file))  # as in the archive of the players
            for record in found.records
        ]
        entries = write_replay_pages(
            records,
            players,
            out,
            anonymous=anonymous,
            language=language,
            jobs=jobs,
            single=single,
            reveal=reveal,
            progress=progress,
        )
    write_index(entries, out, heading=title or _heading(place, anonymous), language=language)
    return WrittenSite(sum(bool(entry.href) for entry in entries), entries, players.notes, found.unreadable)


def write_replay_pages(
    records: Sequence[SiteRecord],
    players: Players,
    out: Path,
    *,
    anonymous: bool,
    language: str,
    reveal: bool,
    jobs: int | None = None,
    single: bool = False,
    of_league: bool = False,
    links: Sequence[PageLinks] = (),
    progress: Progress | None = None,
) -> list[Entry]:
    """Write the replay pages of records, and return their entries for the list of games.

    Args:
        records: The records.
        players: The players of the records by their paths.
        out: The folder of the site.
        anonymous: Whether to replace people by their seats.
        language: The language of the pages.
        reveal: Whether to include hidden information of games that are not over.
        jobs: The number of processes; None for all processors.
        single: Whether each page is one file. Otherwise the pages share files.
        of_league: Whether it is the site of a league, in which pages that are the same as before are kept.
        links: For each record, its links besides those to the list of games and its neighbours, or nothing.
        progress: A function that gets the number of written pages and of all pages.

    Raises:
        WriteFailed: A page cannot be written.
    """
    files = [record.file for record in records]
    names = page_names((record.name for record in records), anonymous)
    pages = publish_all(
        files,
        names,
        page_links(files, names, anonymous, of_league, links),
        out,
        jobs,
        anonymous=anonymous,
        language=language,
        single=single,
        reveal=reveal,
        keep_journal=of_league,
    )
    entries: list[Entry] = []
    for record, entry in zip(records, pages, strict=True):
        entries.append(players.complete(entry, record.path))
        if progress:
            progress(len(entries), len(records))
    return entries


def _heading(place: Path, anonymous: bool) -> str:
    """Return the title of a site; empty for the usual title, because a folder may have a person's name."""
    if anonymous:
        return ""
    return place.name if place.is_dir() else place.name.partition(".")[0]
