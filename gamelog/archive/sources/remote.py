"""Records and packs in remote stores, named by URL: whatever fsspec reaches (s3://, sftp://, https://, …).

What a store wants to know besides the URL (keys, regions) it takes from its own configuration; an
archive remembers URLs as they are given.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gamelog.errors import ArchiveError, MissingExtra, NotReadable, RecordError
from gamelog.record.reading import decompress

if TYPE_CHECKING:
    import duckdb

DIGESTS = ("ETag", "etag", "md5Hash", "content_md5")
"""What stores call their digest of a file's content.
It is the same however one asks; the rest of what they say is not.
"""

PATTERN = frozenset("*?[")
"""What fsspec takes for a pattern where it is given several paths."""


def is_remote(path: object) -> bool:
    """Whether a path is a URL."""
    return "://" in str(path)


def remote_root(url: str) -> str | None:
    """The beginning of the URLs of all in a folder; None for another thing. Raises like `find_files`."""
    store, path = _store(url)
    return f"{store.unstrip_protocol(path).rstrip('/')}/" if store.isdir(path) else None


def find_files(url: str, endings: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    """The files under a URL, in order: their URLs, bytes, and a fingerprint of what the store says of each.

    In folders, those with one of the `endings`. Raises `NotReadable` when there is nothing or the
    store does not answer, `MissingExtra`.
    """
    store, path = _store(url)
    store.invalidate_cache()  # what this process has seen before may have changed
    try:
        found = {path: store.info(path)} if store.isfile(path) else store.find(path, detail=True)
    except Exception as error:  # every store raises errors of its own kind
        raise NotReadable(f"{url} cannot be searched: {error}.") from None
    if not found:
        raise NotReadable(f"There is nothing at {url}.")
    for name, told in sorted(found.items()):
        if name == path or name.endswith(endings):
            yield store.unstrip_protocol(name), int(told.get("size") or 0), _fingerprint(told)


def _fingerprint(told: dict[str, Any]) -> int:
    """What a store says of a file as a number: its digest of the content, or else all that it says."""
    digest = next((told[name] for name in DIGESTS if told.get(name)), sorted(told.items(), key=str))
    return int.from_bytes(sha256(repr(digest).encode()).digest()[:7], "big")


def fetch_contents(urls: Sequence[str]) -> Iterator[bytes | RecordError]:
    """The bytes at some URLs of one store, fetched together and decompressed; each, or why there are none."""
    paths = [(url, *_store(url)) for url in urls]
    fetched = _together(paths[0][1], [path for _, _, path in paths]) if len(paths) > 1 else {}
    for url, store, path in paths:
        try:
            data = fetched[path] if path in fetched else store.cat_file(path)
            if isinstance(data, Exception):
                raise data
            yield decompress(data, url) if url.endswith(".zst") else data
        except RecordError as error:
            yield error
        except Exception as error:  # as above
            yield NotReadable(f"{url} cannot be read: {error}.")


def _together(store: Any, paths: list[str]) -> dict[str, Any]:
    """The bytes at some paths, fetched at once, or why not. What would be taken for a pattern is left out."""
    plain = [path for path in paths if not PATTERN.intersection(path)]
    try:
        return dict(store.cat(plain, on_error="return")) if len(plain) > 1 else {}
    except Exception:  # each by itself will say why
        return {}


def size(url: str) -> int:
    """The bytes at a URL. Raises `NotReadable`."""
    store, path = _store(url)
    try:
        return int(store.size(path) or 0)
    except Exception as error:  # as above
        raise NotReadable(f"{url} cannot be read: {error}.") from None


def begins(url: str, magic: bytes) -> bool:
    """Whether the file at a URL can be read and begins with `magic`."""
    store, path = _store(url)
    try:
        return bool(store.cat_file(path, start=0, end=len(magic)) == magic)
    except Exception:  # as above
        return False


def lend(connection: duckdb.DuckDBPyConnection, url: str) -> str:
    """Let a connection read at `url`, and say what the file is called there. Nothing is fetched ahead.

    Raises `NotReadable` when there is no such file, `MissingExtra`.
    """
    store, path = _store(url)
    try:
        there = store.isfile(path)
    except Exception as error:  # as above
        raise NotReadable(f"{url} cannot be read: {error}.") from None
    if not there:
        raise NotReadable(f"There is nothing at {url}.")
    own = type(store)(*store.storage_args, **store.storage_options, skip_instance_cache=True)
    own.open = partial(own.open, cache_type="none")
    connection.register_filesystem(own)
    return str(store.unstrip_protocol(path))


def put(file: str | os.PathLike[str], url: str) -> None:
    """Store a file at `url`. Raises `FileExistsError` where something is, `ArchiveError`, `MissingExtra`."""
    store, path = _store(url)
    try:
        if store.exists(path):
            raise FileExistsError(url)
        store.put_file(os.fspath(file), path)
    except FileExistsError:
        raise
    except Exception as error:  # as above
        raise ArchiveError(f"{url} cannot be written: {error}.") from None


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
