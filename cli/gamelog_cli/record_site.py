"""The site of all records in a folder or a pack."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory

from gamelog.errors import RecordError
from gamelog.message import many
from gamelog.record.discovery import ENDINGS, find_records
from gamelog_cli.exits import usage
from gamelog_cli.named_record import is_whole_pack
from gamelog_cli.printing.output import print_first_warnings, print_warnings, with_progress


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
    from gamelog_reports.publishing import publish_all
    from gamelog_reports.site import page_links, page_names, write_index

    from gamelog.archive import people_file

    with TemporaryDirectory(prefix="gamelog-") as workspace:
        records = [
            (file, name) for file, name in _records(place, Path(workspace)) if not file.is_relative_to(out)
        ]
        if not records:
            usage(f"There are no records in {place}.")
        if anonymous:  # the numbers of pages must not follow the names of files
            SystemRandom().shuffle(records)
        files = [file for file, _ in records]
        players = read_players(
            files, Path(workspace), jobs=jobs, people=people_file([place], people), anonymous=anonymous
        )
        names = page_names((name for _, name in records), anonymous)
        around = page_links(files, names, anonymous)
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
        )
        written = with_progress("writing pages", pages, len(files))
        entries = [players.complete(entry, file) for entry, file in zip(written, files, strict=True)]
    write_index(
        entries,
        out,
        heading=title or _heading(place, anonymous),
        language=language,
    )
    print_warnings(players.notes)
    print_first_warnings([*dict.fromkeys(entry.incompleteness for entry in entries if entry.incompleteness)])
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
    return sum(bool(entry.href) for entry in entries)


def _heading(place: Path, anonymous: bool) -> str:
    """Return the title of a site; empty for the usual title, because a folder may have a person's name."""
    if anonymous:
        return ""
    return place.name if place.is_dir() else place.name.partition(".")[0]


def _records(place: Path, workspace: Path) -> Iterator[tuple[Path, str]]:
    """Yield the records in a folder or pack with their names in it. Unpack packs into `workspace`."""
    from gamelog.archive import ENDING

    for number, file in enumerate(find_records([place], (*ENDINGS, ENDING))):
        name = file.relative_to(place).as_posix() if file != place else ""
        if not is_whole_pack(file):
            yield file, name
            continue
        for unpacked in _unpack(file, workspace / str(number), alone=file == place):
            within = unpacked.relative_to(workspace / str(number)).as_posix()
            yield unpacked, f"{name.removesuffix(ENDING)}/{within}".removeprefix("/")


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
