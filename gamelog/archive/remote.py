"""Records in remote stores, named by URL: whatever fsspec reaches (s3://, gs://, sftp://, https://, …).

Packs are not looked for there. What a store wants to know besides the URL (keys, regions) it takes
from its own configuration; an archive remembers URLs as they are given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib import import_module
from typing import Any

from gamelog.errors import MissingExtra, NotReadable, RecordError
from gamelog.record.reading import Record, decompress, parse
from gamelog.record.shelf import ENDINGS


def is_remote(path: object) -> bool:
    """Whether a path is a URL."""
    return "://" in str(path)


def root(url: str) -> str | None:
    """The beginning of the URLs of everything in a folder; None for what is no folder. Raises like `find`."""
    store, path = _store(url)
    return f"{store.unstrip_protocol(path).rstrip('/')}/" if store.isdir(path) else None


def find(url: str) -> Iterator[tuple[str, int, int]]:
    """The records under a URL, in order: their URLs, bytes, and a fingerprint of what the store says of each.

    Raises `NotReadable` when there is nothing or the store does not answer, `MissingExtra`.
    """
    store, path = _store(url)
    try:
        found = {path: store.info(path)} if store.isfile(path) else store.find(path, detail=True)
    except Exception as error:  # every store raises errors of its own kind
        raise NotReadable(f"{url} cannot be searched: {error}.") from None
    if not found:
        raise NotReadable(f"There is nothing at {url}.")
    for name, told in sorted(found.items()):
        if name == path or name.endswith(ENDINGS):
            fingerprint = sha256(repr(sorted(told.items(), key=str)).encode()).digest()
            yield store.unstrip_protocol(name), int(told.get("size") or 0), int.from_bytes(fingerprint[:7], "big")


def read(urls: Sequence[str]) -> Iterator[Record | RecordError]:
    """The records at some URLs of one store, fetched together, each or why it cannot be read."""
    store, _ = _store(urls[0])
    paths = {url: _store(url)[1] for url in urls}
    contents = store.cat(list(paths.values()), on_error="return") if len(paths) > 1 else {}
    for url, path in paths.items():
        try:
            data = contents[path] if path in contents else store.cat_file(path)
            if isinstance(data, Exception):
                raise data
            yield parse(decompress(data, url) if url.endswith(".zst") else data, url)
        except RecordError as error:
            yield error
        except Exception as error:  # as above
            yield NotReadable(f"{url} cannot be read: {error}.")


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
