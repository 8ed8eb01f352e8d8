"""Where records lie: the files under the paths that people name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from gamelog.errors import NotReadable

ENDINGS = (".jsonl", ".jsonl.zst")


def records(paths: Iterable[str | os.PathLike[str]], endings: tuple[str, ...] = ENDINGS) -> Iterator[Path]:
    """The record files that `paths` name, folders searched in the order of their names.

    In folders, files with one of the `endings` are taken; a file named outright is taken whatever
    its name ends in. Symbolic links are followed, each
    folder once, so a loop ends. Raises `NotReadable` for a path that is missing or a folder that
    cannot be listed.
    """
    seen: set[tuple[int, int]] = set()
    for path in map(Path, paths):
        if path.is_dir():
            yield from _folder(path, seen, endings)
        elif path.exists() or path.is_symlink():
            yield path
        else:
            raise NotReadable(f"{path} does not exist.")


def _folder(folder: Path, seen: set[tuple[int, int]], endings: tuple[str, ...]) -> Iterator[Path]:
    try:
        status = folder.stat()
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise NotReadable(f"{folder} cannot be searched: {error.strerror}.") from None
    if (status.st_dev, status.st_ino) in seen:
        return
    seen.add((status.st_dev, status.st_ino))
    for entry in entries:
        if (folder / entry.name).is_dir():
            yield from _folder(folder / entry.name, seen, endings)
        elif entry.name.endswith(endings):
            yield folder / entry.name
