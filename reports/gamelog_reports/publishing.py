"""The pages of a site, made by several processes with the same bytes and in the same order.

Until all pages are written, a journal in the site lists the finished pages that leave nothing out, with the
digests of their sources and their entries for the index. A run that was stopped can then be continued. The
site of a league keeps the journal, so that the next run writes only the pages that have changed.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from gamelog.analysis.analysis_path import analysis_path
from gamelog.archive import Item, Workers, judge_versions
from gamelog.errors import RecordError, WriteFailed
from gamelog.message import Message
from gamelog.record.atomic_files import shared_temporary_folder, write_atomically
from gamelog.record.escaping import escape_invisible
from gamelog.record.reading import read_bytes
from gamelog_reports.replay_page.page import PageLinks
from gamelog_reports.site import GAMES_FOLDER, Entry, publish

JOURNAL = ".gamelog-pages.jsonl.gz"
"""The name of the journal in a site. Each note is a gzip member; at the end, all notes are one member."""

_FAST = 3
"""Level of compression of the whole journal. The usual level takes four times as long and saves a quarter."""

_MAX_NOTE = 1 << 20
"""Maximum size of a note in the journal, in bytes."""


class PageTask(Item, frozen=True):
    """The file of a record, the name of its page, and the links of the page."""

    page: str = ""
    links: PageLinks = PageLinks()


class MadePage(Struct, frozen=True):
    """A finished page with its entry in the index.

    Attributes:
        source_digest: The digest of everything in the page: record, analysis, options, software.
        page_digest: The digest of the bytes of the page.
        entry: The entry of the page in the index.
    """

    source_digest: str
    page_digest: str
    entry: Entry


def publish_all(
    files: Sequence[Path],
    names: Sequence[str],
    page_links: Sequence[PageLinks],
    site: Path,
    jobs: int | None,
    *,
    anonymous: bool,
    language: str,
    single: bool = False,
    reveal: bool = True,
    keep_journal: bool = False,
) -> Iterator[Entry]:
    """Write the page of each record into a site, and yield the entries of the index in the same order.

    Pages that a stopped run has written from the same bytes, with the same options and software, are kept. If
    a record ends the process that writes its page, it has no page.

    Args:
        files: The records.
        names: The file name of each page in the folder ``games`` of the site.
        page_links: The links of each page to the index and its neighbours.
        site: The folder of the site. It is made if necessary.
        jobs: The number of processes; None for all processors.
        anonymous: Whether people are left out.
        language: The language of the pages.
        single: Whether each page works without the shared files of the site.
        reveal: Whether pages of unfinished games show hidden information and the seed of the dice.
        keep_journal: Whether the next run keeps pages whose sources are the same. Pages of the journal
            without a record are then deleted.

    Raises:
        WriteFailed: A page cannot be written.
    """
    tasks = [
        PageTask(str(file), _size(file), 0, page=name, links=leads)
        for file, name, leads in zip(files, names, page_links, strict=True)
    ]
    options = {"anonymous": anonymous, "language": language, "single": single, "reveal": reveal}
    try:
        site.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        text = "{=path} cannot be made: {=error}."
        raise WriteFailed(Message.of(text, path=str(site), error=str(error.strerror))) from None
    journal = [*_read_journal(site)]
    existing = _existing_entries(journal, tasks, site, options)
    with shared_temporary_folder(site) as temp_folder, Workers(jobs) as workers:
        write = partial(_publish, site=site, temp_folder=temp_folder, options=options)
        results = workers.map_items(
            write,
            partial(_unfinished_entry, anonymous=anonymous),
            [task for task in tasks if task.page not in existing],
        )
        for task in tasks:
            yield existing[task.page] if task.page in existing else next(results)
    if keep_journal:
        _delete_pages(journal, site, set(names))
    if anonymous or not keep_journal:  # the journal has names
        (site / JOURNAL).unlink(missing_ok=True)
    else:
        _compact_journal(site)


def _publish(
    batch: Sequence[Item], *, site: Path, temp_folder: Path, options: dict[str, Any]
) -> Iterator[Entry]:
    for task in batch:
        assert isinstance(task, PageTask)
        source = _source_digest(task, options)
        entry = publish(task.path, site, name=task.page, links=task.links, within=temp_folder, **options)
        hides = entry.withheld or options["anonymous"]  # a digest could confirm a guess of what is hidden
        if entry.href and not entry.incompleteness and not entry.ignored and not hides:
            made = MadePage(source, _page_digest(site / entry.href), structs.replace(entry, path=""))
            _add_note(site, made)
        yield entry


def _source_digest(task: PageTask, options: dict[str, Any]) -> str:
    """Return a digest of everything that goes into a page, or an empty text if the record cannot be read."""
    with suppress(RecordError):
        settings = msgspec.json.encode([options, task.page, task.links, _software_versions()], order="sorted")
        analysis = analysis_path(task.path)
        beside = sha256(read_bytes(analysis)).digest() if analysis.is_file() else b""
        return sha256(sha256(settings).digest() + beside + read_bytes(task.path)).hexdigest()
    return ""


@cache
def _software_versions() -> tuple[str, dict[str, str]]:
    return version("gamelog"), judge_versions()


def made_pages(site: Path) -> dict[str, MadePage]:
    """Return the pages in the journal of a site by their addresses."""
    return {made.entry.href: made for made in _read_journal(site)}


def keep_page(site: Path, href: str, source: str, make: Callable[[], str], earlier: MadePage | None) -> bool:
    """Write a page that does not show a record, unless it is the same as before, and return whether it is.

    Args:
        site: The folder of the site.
        href: The page, as seen from the site.
        source: Everything that goes into the page.
        make: A function that returns the page.
        earlier: The page in the journal, or None.

    Raises:
        WriteFailed: The page cannot be written.
    """
    digest = sha256(msgspec.json.encode([source, _software_versions()], order="sorted")).hexdigest()
    target = site / href
    if earlier and earlier.source_digest == digest and _page_digest(target) == earlier.page_digest:
        return True
    data = make().encode()
    write_atomically(target, data)
    _add_note(site, MadePage(digest, sha256(data).hexdigest(), Entry("", href)))
    return False


def _compact_journal(site: Path) -> None:
    """Write the notes of the pages that exist again, as one member, without notes that later ones replace."""
    latest = [page for page in made_pages(site).values() if (site / page.entry.href).is_file()]
    notes = b"".join(msgspec.json.encode(page) + b"\n" for page in latest)
    write_atomically(site / JOURNAL, gzip.compress(notes, _FAST, mtime=0))
    (site / JOURNAL).chmod(0o600)


def _page_digest(page: Path) -> str:
    try:
        return sha256(page.read_bytes()).hexdigest()
    except OSError:
        return "?"


def _add_note(site: Path, result: MadePage) -> None:
    with suppress(OSError):  # without a note, a continued run writes the page again
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        with open(os.open(site / JOURNAL, flags, 0o600), "wb", buffering=0) as journal:
            journal.write(gzip.compress(msgspec.json.encode(result) + b"\n", mtime=0))


def _existing_entries(
    journal: Sequence[MadePage], tasks: Sequence[PageTask], site: Path, options: dict[str, Any]
) -> dict[str, Entry]:
    """Return the entries of the pages that exist already, by their names.

    Args:
        journal: The notes of earlier runs.
        tasks: The pages to write.
        site: The folder of the site.
        options: The options of the pages.
    """
    results = {result.source_digest: result for result in journal}
    existing: dict[str, Entry] = {}
    for task in tasks:
        earlier = results.get(_source_digest(task, options))
        if (
            earlier
            and earlier.entry.href == f"{GAMES_FOLDER}/{task.page}"
            and _page_digest(site / earlier.entry.href) == earlier.page_digest
        ):
            existing[task.page] = structs.replace(
                earlier.entry, path="" if options["anonymous"] else escape_invisible(task.path)
            )
    return existing


def _read_journal(site: Path) -> Iterator[MadePage]:
    """Yield the notes of the journal up to the first that is damaged or too long."""
    with suppress(OSError, EOFError, zlib.error), gzip.open(site / JOURNAL) as journal:
        while line := journal.readline(_MAX_NOTE):
            with suppress(msgspec.DecodeError, UnicodeDecodeError):
                yield msgspec.json.decode(line, type=MadePage)


def _delete_pages(journal: Sequence[MadePage], site: Path, names: set[str]) -> None:
    """Delete the pages in the journal that are not among `names`."""
    for result in journal:
        folder, _, name = result.entry.href.partition("/")
        if folder == GAMES_FOLDER and name not in names:
            (site / result.entry.href).unlink(missing_ok=True)


def _unfinished_entry(item: Item, _: Exception, *, anonymous: bool) -> Entry:
    problem = "the process ended while it wrote the page"
    return Entry(
        "" if anonymous else item.path,
        problem="" if anonymous else problem,
        incompleteness=f"{item.name}: {problem}.",
    )


def _size(file: Path) -> int:
    try:
        return os.stat(file).st_size
    except OSError:  # reading it reports the problem
        return 0
