"""Records and packs in remote stores, by URL: all stores that fsspec supports (s3://, sftp://, https://, …).

Keys, regions and other settings of a store come from its own configuration. An archive stores URLs as they
were given.

A store may refuse a request, cut an answer short, change a bit or become unreachable. That says nothing about
a record, so each request is repeated a few times. Content that is not a whole record is fetched again, and is
accepted only if it came twice with the same checksum.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from importlib import import_module
from time import monotonic, sleep
from typing import Any, TypeVar

from gamelog.errors import (
    ArchiveError,
    MissingExtra,
    NotReadable,
    ReadFailed,
    RecordError,
    foreign_error_text,
)
from gamelog.message import Message
from gamelog.record.reading import decompress, parse_record

_T = TypeVar("_T")

_DIGEST_NAMES = ("ETag", "etag", "md5Hash", "content_md5")
"""Names under which the metadata of a file has a digest of its content.

The digest is the same in every answer of a store; other metadata may differ.
"""

_PATTERN = frozenset("*?[")
"""Characters that fsspec reads as a pattern in a list of paths."""

MAX_ATTEMPTS = 5
"""Number of attempts for each request to a store. The clients of some stores repeat requests too."""

FIRST_PAUSE_SECONDS = 0.1
"""Seconds before the second attempt. Each pause is twice as long as the pause before."""

_RETRY_SECONDS = 10.0
"""Seconds after which a failed request is not repeated."""


def is_remote(path: object) -> bool:
    """Return whether a path is a URL."""
    return "://" in str(path)


def remote_root(url: str) -> str | None:
    """Return the beginning of all URLs in a folder, or None if it is not a folder.

    Raises:
        NotReadable: There is nothing at the URL.
        ReadFailed: The store does not answer.
        MissingExtra: Fsspec is not installed.
    """
    store, path = _store(url)
    facts = _request(url, lambda: store.info(path))
    return f"{store.unstrip_protocol(path).rstrip('/')}/" if facts["type"] == "directory" else None


def find_files(url: str, endings: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    """Yield the URL, size and fingerprint of each file under a URL, in order.

    Raises:
        NotReadable: There is nothing at the URL.
        ReadFailed: The store does not answer.
        MissingExtra: Fsspec is not installed.

    Args:
        url: The URL of a file or folder.
        endings: The endings of the files to find in a folder.
    """
    store, path = _store(url)
    store.invalidate_cache()  # the store may have changed since the last request of this process
    facts = _request(url, lambda: store.info(path))
    is_folder = facts["type"] == "directory"
    files = _request(url, lambda: store.find(path, detail=True)) if is_folder else {path: facts}
    if not files:
        raise _not_found(url)
    for name, facts in sorted(files.items()):
        if name == path or name.endswith(endings):
            yield store.unstrip_protocol(name), int(facts.get("size") or 0), _fingerprint(facts)


def file_facts(url: str) -> tuple[int, int]:
    """Return the size and fingerprint of the file at a URL, as `find_files` does.

    Raises:
        NotReadable: There is no file at the URL.
        ReadFailed: The store does not answer.
        MissingExtra: Fsspec is not installed.
    """
    store, path = _store(url)

    def info() -> dict[str, Any]:
        store.invalidate_cache()
        return dict(store.info(path))

    facts = _request(url, info)
    if facts["type"] == "directory":
        raise _not_found(url)
    return int(facts.get("size") or 0), _fingerprint(facts)


def _fingerprint(facts: dict[str, Any]) -> int:
    """Return a number for the content of a file, from the store's digest or, if none, from all metadata."""
    digest = next((facts[name] for name in _DIGEST_NAMES if facts.get(name)), sorted(facts.items(), key=str))
    return int.from_bytes(sha256(repr(digest).encode()).digest()[:7], "big")


def fetch_range(url: str, start: int, end: int) -> bytes:
    """Return the bytes from `start` to `end` of the file at a URL.

    Raises:
        NotReadable: The store has no such file, or refuses to give it.
        ReadFailed: The store failed.
    """
    store, path = _store(url)

    def fetch() -> bytes:
        data = bytes(store.cat_file(path, start=start, end=end))
        if len(data) != end - start:
            raise _ShortAnswer(len(data), end - start)
        return data

    return _request(url, fetch)


def begins_with(url: str, magic: bytes) -> bool:
    """Return whether the file at a URL begins with `magic`.

    Raises:
        NotReadable: The store has no such file, or refuses to give it.
        ReadFailed: The store failed.
    """
    size, _ = file_facts(url)
    return size >= len(magic) and fetch_range(url, 0, len(magic)) == magic


def fetch_contents(urls_and_sizes: Sequence[tuple[str, int]]) -> Iterator[bytes | RecordError]:
    """Yield the decompressed bytes at some URLs of one store, or the reason why they cannot be read.

    All are fetched together. Files that failed or are not whole records are fetched again, until they come
    twice with the same checksum.

    Args:
        urls_and_sizes: Each URL, with the size of its file in bytes.
    """
    contents: dict[str, bytes | RecordError] = {}
    received_by_url: dict[str, set[bytes]] = {}
    waiting = dict(urls_and_sizes)
    begin, pause = monotonic(), FIRST_PAUSE_SECONDS
    for attempt in range(MAX_ATTEMPTS):
        for url, data in _fetch_together([*waiting]).items():
            contents[url] = _content_or_error(url, data, waiting[url], received_by_url.setdefault(url, set()))
            if not isinstance(contents[url], ReadFailed):
                del waiting[url]
        if not waiting or monotonic() - begin > _RETRY_SECONDS:
            break
        if (
            attempt and attempt < MAX_ATTEMPTS - 1
        ):  # no pause before the second attempt, in case a bit was changed
            sleep(pause)
            pause *= 2
    for url, _ in urls_and_sizes:
        yield contents[url]


def _content_or_error(url: str, data: bytes | Exception, size: int, seen: set[bytes]) -> bytes | RecordError:
    """Return the content of a fetched file of `size` bytes, or the reason why it cannot be used.

    `seen` are the checksums of its bytes at earlier attempts.
    """
    if isinstance(data, FileNotFoundError):
        return _not_found(url)
    if isinstance(data, PermissionError):
        return NotReadable(
            f"Cannot read {url}: {foreign_error_text(data)}. Check the address and your "
            "access to it, then try again."
        )
    if isinstance(data, Exception):
        return _read_failure(url, data)
    if len(data) < size:  # the answer was cut short, or the file has become smaller since it was listed
        try:
            size = min(size, file_facts(url)[0])
        except RecordError as error:
            return error
        if len(data) < size:
            return _read_failure(url, _ShortAnswer(len(data), size))
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
    return _read_failure(url, OSError("its content differed at each attempt"))


def _fetch_together(urls: list[str]) -> dict[str, bytes | Exception]:
    """Return the bytes at some URLs of one store, fetched at once, or the errors."""
    paths = {url: _store(url) for url in urls}
    plain_paths = [path for _, path in paths.values() if not _PATTERN.intersection(path)]
    contents: dict[str, Any] = {}
    if len(plain_paths) > 1:
        try:
            contents = dict(paths[urls[0]][0].cat(plain_paths, on_error="return"))
        except Exception as error:  # stores raise errors of many types
            contents = dict.fromkeys(plain_paths, error)
    for store, path in paths.values():
        if path not in contents:
            try:
                contents[path] = store.cat_file(path)
            except Exception as error:  # as above
                contents[path] = error
    return {url: contents[path] for url, (_, path) in paths.items()}


def upload(file: str | os.PathLike[str], url: str) -> None:
    """Store a file at `url`.

    Raises:
        FileExistsError: The URL is in use.
        ArchiveError: The store refuses the file or does not answer.
        MissingExtra: Fsspec is not installed.
    """
    store, path = _store(url)
    try:
        if store.exists(path):
            raise FileExistsError(url)
        store.put_file(os.fspath(file), path)
    except FileExistsError:
        raise
    except Exception as error:  # as above
        raise ArchiveError(
            f"Cannot write {url}: {foreign_error_text(error)}. Check the address and your "
            "access to it, then try again."
        ) from None


class _ShortAnswer(OSError):
    """The error for an answer with too few bytes."""

    def __init__(self, came: int, size: int) -> None:
        super().__init__(f"only {came:,} of {size:,} bytes were received")


def _request(url: str, question: Callable[[], _T]) -> _T:
    """Return the answer of a store, after several attempts.

    Raises:
        NotReadable: The store has no such file, or refuses to give it.
        ReadFailed: The store failed.
    """
    begin, pause = monotonic(), FIRST_PAUSE_SECONDS
    for attempt in range(1, MAX_ATTEMPTS + 1):
        try:
            return _request_once(question)
        except FileNotFoundError:
            raise _not_found(url) from None
        except PermissionError as error:
            text = "Cannot read {=url}: {=error}. Check the address and your access to it, then try again."
            raise NotReadable(Message.of(text, url=url, error=foreign_error_text(error))) from None
        except Exception as error:  # stores raise errors of many types
            if attempt == MAX_ATTEMPTS or monotonic() - begin > _RETRY_SECONDS:
                raise _read_failure(url, error) from None
        sleep(pause)
        pause *= 2
    raise AssertionError("the last attempt returns or raises")


def _request_once(question: Callable[[], _T]) -> _T:
    """Return the answer of a store.

    The client for web servers raises FileNotFoundError for every error. This function raises the cause.

    Raises:
        PermissionError: The server refused the request.
        OSError: The server failed or did not answer.
    """
    try:
        return question()
    except FileNotFoundError as error:
        cause = error.__cause__
        status = getattr(cause, "status", None)
        if isinstance(status, int) and status not in (404, 410):
            kind = PermissionError if status in (401, 403) else OSError
            raise kind(f"the server answered {status} {getattr(cause, 'message', '')}".rstrip()) from None
        if isinstance(cause, OSError) and not isinstance(cause, FileNotFoundError):
            raise cause from None
        raise


def _read_failure(url: str, error: Exception) -> ReadFailed:
    text = "{=url} was not read: {=error}. The content may be in order. Try again."
    return ReadFailed(Message.of(text, url=url, error=foreign_error_text(error)))


def _not_found(url: str) -> NotReadable:
    return NotReadable(Message.of("There is nothing at {=url}.", url=url))


def _store(url: str) -> tuple[Any, str]:
    try:
        core = import_module("fsspec.core")
    except ImportError:
        raise MissingExtra("Reading from a URL", "remote") from None
    try:
        store, path = core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise NotReadable(Message.of("Cannot reach {=url}: {=error}.", url=url, error=str(error))) from None
    return store, str(path)
