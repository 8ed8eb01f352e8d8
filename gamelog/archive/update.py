"""Bringing an archive up to date with the files it is made from.

A file whose size and time are the ones remembered, and which the same software judged, costs a
look at its directory entry. One that was only touched costs a walk along its chain; a new head is
judged. Everything happens in one transaction.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Annotated

from msgspec import Struct

from gamelog.archive import copies, holders, remote
from gamelog.archive.judging import judge, judge_of_none, judges, killed
from gamelog.archive.sources import Item, absolute, members, records, scan
from gamelog.archive.store import Store
from gamelog.archive.workers import work
from gamelog.errors import RecordError

Watch = Callable[[int, int], None]
"""Is told how many records have been judged, of how many."""

DUE = """
SELECT found.position, remembered.path IS NOT NULL, remembered.head
FROM found LEFT JOIN (
  SELECT files.path, any_value(size) AS size, any_value(mtime_ns) AS mtime_ns,
    bool_or(files.judge <> coalesce(judges.judge, $nobody)) AS stale,
    CASE WHEN count(*) = 1 AND NOT stale AND any_value(status) NOT IN ('torn', 'damaged') THEN any_value(head) END AS head
  FROM files LEFT JOIN judges USING (game) GROUP BY files.path
) AS remembered USING (path)
WHERE $again OR remembered.path IS NULL OR stale OR remembered.size <> found.size OR remembered.mtime_ns <> found.mtime_ns
ORDER BY found.position
"""
"""What has to be looked at: its place in the scan, whether it is known, and the head it had, where the same head would do."""

GONE = """
SELECT DISTINCT path FROM files ANTI JOIN found USING (path)
WHERE len(list_filter($roots::VARCHAR[], lambda root: starts_with(path, root))) > 0
"""
"""Files that were under the folders given and are not any more."""


class Update(Struct, frozen=True):
    """What an update did, in files; and what the archive holds now: records, how many count, are copies, have forked."""

    new: int
    changed: int
    same: int
    gone: int
    records: int
    counted: int
    copies: int = 0
    forks: int = 0


class Found(Struct):
    """A file as the scan saw it. ``position`` is its place in the scan."""

    position: Annotated[int, "place in the scan"]
    path: Annotated[str, "the file"]
    size: Annotated[int, "bytes"]
    mtime_ns: Annotated[int, "nanoseconds since 1970"]


class Judge(Struct):
    """Who judges a game's records now."""

    game: Annotated[str, "the game's id"]
    judge: Annotated[str, "the software"]


class Path(Struct):
    """A file whose rows leave."""

    path: Annotated[str, "the file"]


def index(
    paths: Sequence[str | os.PathLike[str]],
    archive: str | os.PathLike[str],
    *,
    jobs: int = 1,
    again: bool = False,
    executor: Executor | None = None,
    watch: Watch | None = None,
) -> Update:
    """Bring the archive up to date with the records under `paths`, and create it if there is none.

    A path may be a URL that fsspec understands. Records that have vanished from a folder among
    `paths` leave the archive; what lies elsewhere stays as it is. `again` judges unchanged files
    too. `jobs` processes judge (1: this one does), or `executor` does, with twice `jobs` batches
    under way. Raises `NotReadable` for a path that is missing, and `ArchiveError`; the archive is
    then what it was.
    """
    named = absolute(paths)
    items = list(scan(named))
    roots = [root for root in map(_root, named) if root]
    with Store(archive, threads=min(jobs, os.cpu_count() or 1)) as store:
        store.temporary("judges", Judge, [Judge(game, judge) for game, judge in judges().items()])
        store.temporary("found", Found, [Found(at, item.name, item.size, item.mtime_ns) for at, item in enumerate(items)])
        due = [(items[at], known, head) for at, known, head in store.sql(DUE, again=again, nobody=judge_of_none())]
        touched = {item.path for item, _, head in due if head is not None and not again and _head(item) == head}
        fresh = [item for item, _, _ in due if item.path not in touched]
        gone = [path for (path,) in store.sql(GONE, roots=roots)]
        if touched:
            store.sql("UPDATE files SET size = found.size, mtime_ns = found.mtime_ns FROM found WHERE found.path = files.path")
        if fresh or gone:
            _leave(store, [*gone, *(item.name for item in fresh)])
            done = 0
            items_due = [item for file in fresh for item in members(file)]
            for judged in work(judge, killed, items_due, jobs, executor):
                store.take(judged)
                done += len(judged.files)
                if watch:
                    watch(done, len(items_due))
            store.load()
            store.sql("INSERT INTO touched SELECT id FROM files SEMI JOIN leaving USING (path) WHERE id IS NOT NULL")
            holders.settle(store, jobs, executor)
            copies.settle(store)
        new = sum(not known for _, known, _ in due)
        changed = len(fresh) - new
        return Update(new, changed, len(items) - new - changed, len(gone), *copies.held(store))


def _head(item: Item) -> str | None:
    """The head of a file that is whole to its end."""
    ((_, record),) = records([item])
    return None if isinstance(record, RecordError) or record.problem else record.head


def _leave(store: Store, paths: list[str]) -> None:
    """Take everything that came from `paths` out of the archive, and remember in ``touched`` whose records they were."""
    store.temporary("leaving", Path, [Path(path) for path in paths])
    store.sql("CREATE TEMP TABLE touched AS SELECT DISTINCT id FROM files SEMI JOIN leaving USING (path) WHERE id IS NOT NULL")
    for table in ("files", "findings"):
        store.sql(f"DELETE FROM {table} WHERE path IN (FROM leaving)")
    store.forget("touched")


def _root(path: str) -> str | None:
    """How everything in a folder begins; None for a file."""
    if remote.is_remote(path):
        return remote.root(path)
    return os.path.join(path, "") if os.path.isdir(path) else None
