"""Finding record files under the paths that people name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from gamelog.record.reading import check_listable, check_regular_file

ENDINGS = (".jsonl", ".jsonl.zst")
"""Endings of the file names of records."""


def find_records(
    paths: Iterable[str | os.PathLike[str]], endings: tuple[str, ...] = ENDINGS
) -> Iterator[Path]:
    """Yield the record files that `paths` name. Folders are searched in order of their names.

    In a folder, only files with one of the `endings` are found. A file that is named directly is always
    included. Symbolic links are followed, but each folder is searched once, so loops end. A subfolder that
    cannot be listed is included like a file, so that reading it reports the reason.

    Raises:
        NotReadable: A path does not exist, or a named folder cannot be listed.
    """
    seen: set[tuple[int, int]] = set()
    for path in map(Path, paths):
        if os.path.isdir(path):
            yield from _files(path, seen, endings)
        else:
            if not os.path.lexists(path):
                check_regular_file(path)  # raises an error with the reason
            yield path


def _files(folder: Path, seen: set[tuple[int, int]], endings: tuple[str, ...]) -> Iterator[Path]:
    """Yield the record files in `folder`, and add each searched folder to `seen` (device and inode).

    Raises:
        NotReadable: `folder` itself cannot be listed.
    """
    waiting: list[tuple[Path, list[str]]] = []  # folders, each with the names that follow, the next one last
    path = folder
    while True:
        # Path.is_dir would raise if the target of a link is forbidden.
        if os.path.isdir(path):
            try:
                status = path.stat()
                names = os.listdir(path)
            except OSError:
                if path == folder:
                    check_listable(path)
                yield path
            else:
                if (status.st_dev, status.st_ino) not in seen:
                    seen.add((status.st_dev, status.st_ino))
                    names.sort(reverse=True)
                    waiting.append((path, names))
        elif path.name.endswith(endings):
            yield path
        while waiting and not waiting[-1][1]:
            waiting.pop()
        if not waiting:
            return
        parent, names = waiting[-1]
        path = parent / names.pop()
