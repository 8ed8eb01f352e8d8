"""Where records lie: the files under the paths that people name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from gamelog.record.reading import regular, searchable

ENDINGS = (".jsonl", ".jsonl.zst")


def find_records(
    paths: Iterable[str | os.PathLike[str]], endings: tuple[str, ...] = ENDINGS
) -> Iterator[Path]:
    """The record files that `paths` name, folders searched in the order of their names.

    In folders, files with one of the `endings` are taken; a file named outright is taken whatever
    its name ends in. Symbolic links are followed, each folder once, so a loop ends. Raises
    `NotReadable` for a path that leads nowhere or a folder that cannot be listed; a folder below it that
    cannot be is among the files, so that reading it says why.
    """
    seen: set[tuple[int, int]] = set()
    for path in map(Path, paths):
        if os.path.isdir(path):
            yield from _files(path, seen, endings)
        else:
            if not os.path.lexists(path):
                regular(path)  # says why it cannot be reached
            yield path


def _files(folder: Path, seen: set[tuple[int, int]], endings: tuple[str, ...]) -> Iterator[Path]:
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        # Not Path.is_dir, which raises where the way to a link's end is forbidden.
        if not os.path.isdir(path):
            yield path
            continue
        try:
            status = path.stat()
            names = sorted(os.listdir(path), reverse=True)
        except OSError:
            if path == folder:
                searchable(path)
            yield path
            continue
        if (status.st_dev, status.st_ino) not in seen:
            seen.add((status.st_dev, status.st_ino))
            inside = [path / name for name in names]
            waiting += [place for place in inside if place.name.endswith(endings) or os.path.isdir(place)]
