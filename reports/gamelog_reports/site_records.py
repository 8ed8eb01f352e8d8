"""The records of a site: the files in a folder, and the records in packs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import SystemRandom

from msgspec import Struct

from gamelog.archive import ENDING, unpack
from gamelog.errors import NotReadable, RecordError
from gamelog.message import Message
from gamelog.record.discovery import ENDINGS, find_records

_PARQUET = ".parquet"
"""Ending of a pack that is named directly."""


class SiteRecord(Struct, frozen=True):
    """A record of a site.

    Attributes:
        file: The file, unpacked if the record is in a pack.
        name: The name of the record in the folder or pack.
        path: The path in an archive: the absolute path of the file, or of the pack with the name in it.
    """

    file: Path
    name: str
    path: str


class SiteRecords(Struct, frozen=True):
    """The records of a site.

    Attributes:
        records: The records in the order of their names, or in random order for an anonymous site.
        unreadable: For each pack with records that cannot be read, the reasons.
    """

    records: Sequence[SiteRecord]
    unreadable: Mapping[Path, Sequence[str | Message]]


def find_site_records(place: Path, out: Path, workspace: Path, *, anonymous: bool = False) -> SiteRecords:
    """Return the records in a folder or pack that are not in the site itself.

    Args:
        place: The folder or the pack.
        out: The folder of the site.
        workspace: A folder for the records in packs. It must exist.
        anonymous: Whether the order must not follow the names of files.

    Raises:
        NotReadable: There are no records, or `place` cannot be read.
        RecordError: `place` is not a pack.
    """
    records: list[SiteRecord] = []
    unreadable: dict[Path, Sequence[str | Message]] = {}
    for number, file in enumerate(find_records([place], (*ENDINGS, ENDING))):
        name = file.relative_to(place).as_posix() if file != place else ""
        if not file.name.endswith(_PARQUET):
            if not file.is_relative_to(out):
                records.append(SiteRecord(file, name, os.path.abspath(file)))
            continue
        folder = workspace / str(number)
        try:
            problems: Sequence[str | Message] = unpack(file, folder).unreadable
        except RecordError as error:
            if file == place:
                raise
            problems = [error.message]
        if problems:
            unreadable[file] = problems
        for unpacked in sorted(path for path in folder.rglob("*") if path.is_file()):
            within = unpacked.relative_to(folder).as_posix()
            inside = f"{name.removesuffix(ENDING)}/{within}".removeprefix("/")
            records.append(SiteRecord(unpacked, inside, f"{os.path.abspath(file)}:{within}"))
    if not records:
        raise NotReadable(Message.of("There are no records in {=path}.", path=str(place)))
    if anonymous:  # the numbers of pages must not follow the names of files
        SystemRandom().shuffle(records)
    return SiteRecords(records, unreadable)
