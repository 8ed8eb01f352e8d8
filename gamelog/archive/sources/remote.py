"""Records and packs in remote stores, named by URL: whatever fsspec reaches (s3://, sftp://, https://, …).

What a store wants to know besides the URL (keys, regions) it takes from its own configuration; an
archive remembers URLs as they are given.

A store may refuse, cut an answer short, change a bit or go away. That says nothing of a record, so each
request is repeated a few times, and content that is not a whole record is fetched again: only what came
twice with the same checksum is given as it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from importlib import import_module
from time import monotonic, sleep
from typing import Any, TypeVar

from gamelog.errors import ArchiveError, MissingExtra, NotReadable, ReadFailed, RecordError, own_words
from gamelog.record.reading import decompress, parse_record

_T = TypeVar("_T")

DIGESTS = ("ETag", "etag", "md5Hash", "content_md5")
"""What stores call their digest of a file's content.
It is the same however one asks; the rest of what they say is not.
"""

PATTERN = frozenset("*?[")
"""What fsspec takes for a pattern where it is given several paths."""

ATTEMPTS = 5
"""How often a store is asked for the same thing. Clients of some stores repeat requests, too."""

PAUSE = 0.1
"""Seconds before the second attempt; each pause is twice the one before."""

PATIENCE = 10.0
"""Seconds after which a request that has failed is not repeated."""


def is_remote(path: object) -> bool:
    """Whether a path is a URL."""
    return "://" in str(path)


def remote_root(url: str) -> str | None:
    """The beginning of the URLs of all in a folder; None for another thing. Raises like `find_files`."""
    store, path = _store(url)
    told = _ask(url, lambda: store.info(path))
    return f"{store.unstrip_protocol(path).rstrip('/')}/" if told["type"] == "directory" else None


def find_files(url: str, endings: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    """The files under a URL, in order: their URLs, bytes, and a fingerprint of what the store says of each.

    In folders, those with one of the `endings`. Raises `NotReadable` when there is nothing, `ReadFailed` when
    the store does not answer, `MissingExtra`.
    """
    store, path = _store(url)
    store.invalidate_cache()  # what this process has seen before may have changed
    told = _ask(url, lambda: store.info(path))
    found = _ask(url, lambda: store.find(path, detail=True)) if told["type"] == "directory" else {path: told}
    if not found:
        raise _nothing(url)
    for name, told in sorted(found.items()):
        if name == path or name.endswith(endings):
            yield store.unstrip_protocol(name), int(told.get("size") or 0), _fingerprint(told)


def file_facts(url: str) -> tuple[int, int]:
    """The bytes of the file at a URL, and the fingerprint that `find_files` gives. Raises like it."""
    store, path = _store(url)

    def look() -> dict[str, Any]:
        store.invalidate_cache()
        return dict(store.info(path))

    told = _ask(url, look)
    if told["type"] == "directory":
        raise _nothing(url)
    return int(told.get("size") or 0), _fingerprint(told)


def _fingerprint(told: dict[str, Any]) -> int:
    """What a store says of a file as a number: its digest of the content, or else all that it says."""
    digest = next((told[name] for name in DIGESTS if told.get(name)), sorted(told.items(), key=str))
    return int.from_bytes(sha256(repr(digest).encode()).digest()[:7], "big")


def fetch_range(url: str, start: int, end: int) -> bytes:
    """The bytes from `start` to `end` of the file at a URL. Raises `NotReadable` and `ReadFailed`."""
    store, path = _store(url)

    def fetch() -> bytes:
        data = bytes(store.cat_file(path, start=start, end=end))
        if len(data) != end - start:
            raise _Short(len(data), end - start)
        return data

    return _ask(url, fetch)


def begins(url: str, magic: bytes) -> bool:
    """Whether the file at a URL begins with `magic`. Raises `NotReadable` and `ReadFailed`."""
    size, _ = file_facts(url)
    return size >= len(magic) and fetch_range(url, 0, len(magic)) == magic


def fetch_contents(wanted: Sequence[tuple[str, int]]) -> Iterator[bytes | RecordError]:
    """The bytes at some URLs of one store, decompressed, or why there are none, each with the bytes it has.

    They are fetched together, and those that failed or are no whole record again. What came twice with the
    same checksum is given as it came.
    """
    came: dict[str, bytes | RecordError] = {}
    seen: dict[str, set[bytes]] = {}
    waiting = dict(wanted)
    begin, pause = monotonic(), PAUSE
    for attempt in range(ATTEMPTS):
        for url, data in _together([*waiting]).items():
            taken = _taken(url, data, waiting[url], seen.setdefault(url, set()))
            came[url] = taken
            if not isinstance(taken, ReadFailed):
                del waiting[url]
        if not waiting or monotonic() - begin > PATIENCE:
            break
        if attempt and attempt < ATTEMPTS - 1:  # a changed bit needs no pause
            sleep(pause)
            pause *= 2
    for url, _ in wanted:
        yield came[url]


def _taken(url: str, data: bytes | Exception, size: int, seen: set[bytes]) -> bytes | RecordError:
    """What came of fetching a file of `size` bytes. `seen` are the checksums of what came of it before."""
    if isinstance(data, FileNotFoundError):
        return _nothing(url)
    if isinstance(data, PermissionError):
        return NotReadable(f"{url} cannot be read: {own_words(data)}.")
    if isinstance(data, Exception):
        return _failed(url, data)
    if len(data) < size:  # or it has become smaller since it was listed
        try:
            size = min(size, file_facts(url)[0])
        except RecordError as error:
            return error
        if len(data) < size:
            return _failed(url, _Short(len(data), size))
    content: bytes | RecordError
    try:
        content = decompress(data, url) if url.endswith(".zst") else data
    except RecordError as error:
        content = error
    if isinstance(content, bytes) and parse_record(content).problem is None:
        return content
    if isinstance(content, NotReadable):
        return content
    digest = sha256(data).digest()
    if digest in seen:
        return content
    seen.add(digest)
    return _failed(url, OSError("it came differently each time it was fetched"))


def _together(urls: list[str]) -> dict[str, bytes | Exception]:
    """The bytes at some URLs of one store, fetched at once, or why not."""
    paths = {url: _store(url) for url in urls}
    plain = [path for _, path in paths.values() if not PATTERN.intersection(path)]
    came: dict[str, Any] = {}
    if len(plain) > 1:
        try:
            came = dict(paths[urls[0]][0].cat(plain, on_error="return"))
        except Exception as error:  # every store raises errors of its own kind
            came = dict.fromkeys(plain, error)
    for store, path in paths.values():
        if path not in came:
            try:
                came[path] = store.cat_file(path)
            except Exception as error:  # as above
                came[path] = error
    return {url: came[path] for url, (_, path) in paths.items()}


def upload(file: str | os.PathLike[str], url: str) -> None:
    """Store a file at `url`. Raises `FileExistsError` where something is, `ArchiveError`, `MissingExtra`."""
    store, path = _store(url)
    try:
        if store.exists(path):
            raise FileExistsError(url)
        store.put_file(os.fspath(file), path)
    except FileExistsError:
        raise
    except Exception as error:  # as above
        raise ArchiveError(f"{url} cannot be written: {own_words(error)}.") from None


class _Short(OSError):
    """Less came than there is."""

    def __init__(self, came: int, size: int) -> None:
        super().__init__(f"{came:,} of {size:,} bytes came")


def _ask(url: str, question: Callable[[], _T]) -> _T:
    """What a store answers, asked again when it fails. Raises `NotReadable` and `ReadFailed`."""
    begin, pause = monotonic(), PAUSE
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _asked(question)
        except FileNotFoundError:
            raise _nothing(url) from None
        except PermissionError as error:
            raise NotReadable(f"{url} cannot be read: {own_words(error)}.") from None
        except Exception as error:  # every store raises errors of its own kind
            if attempt == ATTEMPTS or monotonic() - begin > PATIENCE:
                raise _failed(url, error) from None
        sleep(pause)
        pause *= 2
    raise AssertionError("the last attempt returns or raises")


def _asked(question: Callable[[], _T]) -> _T:
    """Return what a store answers.

    The client of web servers says of everything that it asks a server about that the file is missing. Raises
    what went wrong instead: PermissionError, and OSError if the server failed or did not answer.
    """
    try:
        return question()
    except FileNotFoundError as error:
        cause = error.__cause__
        status = getattr(cause, "status", None)
        if isinstance(status, int) and status not in (404, 410):
            kind = PermissionError if status in (401, 403) else OSError
            raise kind(f"the server answers {status} {getattr(cause, 'message', '')}".rstrip()) from None
        if isinstance(cause, OSError) and not isinstance(cause, FileNotFoundError):
            raise cause from None
        raise


def _failed(url: str, error: Exception) -> ReadFailed:
    return ReadFailed(f"{url} was not read: {own_words(error)}. Nothing is known of its content; try again.")


def _nothing(url: str) -> NotReadable:
    return NotReadable(f"There is nothing at {url}.")


def _store(url: str) -> tuple[Any, str]:
    try:
        core = import_module("fsspec.core")
    except ImportError:
        raise MissingExtra("Reading from a URL", "remote") from None
    try:
        store, path = core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise NotReadable(f"{url} cannot be reached: {error}.") from None
    return store, str(path)
