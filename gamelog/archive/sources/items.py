"""Items: records in files, packs and remote stores, in a form that any worker can read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from itertools import chain, groupby

from msgspec import Struct

from gamelog.archive.sources import remote
from gamelog.archive.sources.packs import ENDING, Pack, is_pack
from gamelog.errors import ReadFailed, RecordError
from gamelog.record import discovery
from gamelog.record.reading import Record, parse_record, read_bytes

FILE_ENDINGS = (*discovery.ENDINGS, ENDING)
"""Endings of the files with records that are read from folders."""

NAMELESS = "the file's name is not UTF-8, so no archive and no pack can store it; rename the file"
"""The reason why a record is not read whose `Item.name` is not its path."""

_Paths = Iterable[str | os.PathLike[str]]


class Item(Struct, frozen=True):
    """A record to read. A folder that cannot be searched is an item too: its path ends with a separator.

    Attributes:
        path: The path or URL of the file.
        size: The size of the file in bytes.
        mtime_ns: The time of the last change of the file in ns, or a fingerprint for a URL.
        member: The name of the record in its pack.
        weight: The size of the record in bytes, if it differs from the size of the file.
    """

    path: str
    size: int
    mtime_ns: int
    member: str = ""
    weight: int = 0

    @property
    def name(self) -> str:
        """The path as text, with escapes for bytes that are not UTF-8."""
        return os.fsencode(self.path).decode("utf-8", "backslashreplace")

    @property
    def place(self) -> str:
        """The file and, in a pack, the name of the record, for messages."""
        return f"{self.name}:{self.member}" if self.member else self.name


def absolute_paths(paths: _Paths) -> list[str]:
    """Return `paths` as absolute paths and URLs, which other processes and machines can read."""
    return [str(path) if remote.is_remote(path) else os.path.abspath(path) for path in paths]


def scan(paths: _Paths, endings: tuple[str, ...] = FILE_ENDINGS) -> Iterator[Item]:
    """Yield the files that `paths` name, and those with these `endings` in folders, each once.

    Raises:
        NotReadable: A path cannot be read.
        MissingExtra: The package for object stores is not installed.
    """
    several = [*paths]
    items = chain.from_iterable(_scan(path, endings) for path in several)
    if len(several) == 1:  # which has each file once
        yield from items
        return
    seen: set[str] = set()
    for item in items:
        if item.path not in seen:
            seen.add(item.path)
            yield item


def _scan(path: str | os.PathLike[str], endings: tuple[str, ...]) -> Iterator[Item]:
    """Yield the files under one path, in order. A path that cannot be read has size 0."""
    if remote.is_remote(path):
        for url, size, fingerprint in remote.find_files(str(path), endings):
            yield Item(url, size, fingerprint)
        return
    for file in map(os.fspath, discovery.find_records([path], endings)):
        try:
            status = os.stat(file)
        except OSError:  # a broken link, which reading it reports
            yield Item(file, 0, 0)
        else:
            if stat.S_ISDIR(status.st_mode):  # a folder that cannot be searched, which reading it reports
                yield Item(os.path.join(file, ""), 0, 0)
            else:
                yield Item(file, status.st_size, status.st_mtime_ns)


def records_in(file: Item) -> list[Item]:
    """Return the records in a file: each record of a pack, or the file itself."""
    try:
        if not is_pack(file.path):
            return [file]
        with Pack(file.path) as pack:
            return [
                Item(file.path, file.size, file.mtime_ns, name, size if isinstance(size, int) else 0)
                for name, size in pack.index.items()
            ]
    except RecordError:  # reading the file reports the reason
        return [file]


def find_items(paths: _Paths) -> list[Item]:
    """Return the records under `paths`.

    Raises:
        NotReadable: A path cannot be read.
        MissingExtra: The package for object stores is not installed.
    """
    return [item for file in scan(paths) for item in records_in(file)]


def read_contents(items: Iterable[Item]) -> Iterator[tuple[Item, bytes | RecordError]]:
    """Yield each item with its bytes, or with the reason why it cannot be read.

    A pack is opened once for consecutive items. Records that cannot be read from the pack come last.
    """
    for (kind, path), group in groupby(items, _reading_group):
        items_of_group = list(group)
        if kind == _STORE:
            urls_and_sizes = [(item.path, item.size) for item in items_of_group]
            yield from zip(items_of_group, remote.fetch_contents(urls_and_sizes), strict=True)
        elif kind == _PACK:
            yield from _read_pack(path, items_of_group)
        else:
            for item in items_of_group:
                try:
                    yield item, read_bytes(path)
                except RecordError as error:
                    yield item, error


def read_records(items: Iterable[Item]) -> Iterator[tuple[Item, Record | RecordError]]:
    """Yield each item with its record, or with the reason why it cannot be read.

    A file on this machine that is not a whole record may be being written. It is read again until it has the
    same bytes twice.
    """
    for item, data in read_contents(items):
        if isinstance(data, RecordError):
            yield item, data
            continue
        record = parse_record(data, item.place)
        if record.problem and not item.member and not remote.is_remote(item.path):
            yield item, _read_again(item, data, record)
        else:
            yield item, record


def _read_again(item: Item, data: bytes, record: Record) -> Record | RecordError:
    """Return the record once two reads give the same bytes or it has no problem, or the error."""
    for _ in range(remote.MAX_ATTEMPTS):
        try:
            now = read_bytes(item.path)
        except RecordError as error:
            return error
        if now == data:
            return record
        data, record = now, parse_record(now, item.place)
        if not record.problem:
            return record
    return ReadFailed(f"{item.place} was not read: its content changed at each attempt. Try again.")


_PACK, _STORE, _FILE = "pack", "store", "file"


def _reading_group(item: Item) -> tuple[str, str]:
    """Return the group of items that are read together: the records of one pack or of one remote store."""
    try:
        if item.member or is_pack(item.path):
            return _PACK, item.path
    except RecordError:  # reading the file reports the reason
        return _PACK, item.path
    return (_STORE, item.path.partition("://")[0]) if remote.is_remote(item.path) else (_FILE, item.path)


def _read_pack(path: str, items: list[Item]) -> Iterator[tuple[Item, bytes | RecordError]]:
    waiting = {item.member: item for item in items}
    try:
        with Pack(path) as pack:
            for name, data in pack.items(list(waiting)):
                yield waiting.pop(name), data
    except RecordError as error:
        for item in waiting.values():
            yield item, error
