"""What a run has to do: which files are to be judged, which have left,
and what it must not do without being told.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from gamelog.archive.indexing.store import Store
from gamelog.archive.judging.judge_versions import JUDGE_OF_NONE, conflict, is_outdated, judge_of
from gamelog.archive.judging.worker import FAILED
from gamelog.archive.sources import remote
from gamelog.archive.sources.items import Item, members, records
from gamelog.errors import ArchiveError, RecordError

DUE = """
SELECT found.position, remembered.path IS NOT NULL, remembered.head
FROM found LEFT JOIN (
  SELECT files.path, min(size) AS size, any_value(mtime_ns) AS mtime_ns,
    bool_or(stale.judge IS NOT NULL) AS old,
    CASE WHEN count(*) = 1 AND NOT old AND any_value(status) NOT IN ('torn', 'damaged')
      THEN any_value(files.head) END AS head
  FROM files LEFT JOIN stale ON stale.judge = files.judge AND stale.game = coalesce(files.game, '')
    GROUP BY files.path
) AS remembered USING (path)
WHERE $force OR remembered.path IS NULL OR old OR remembered.size <> found.size
  OR remembered.mtime_ns <> found.mtime_ns
  OR path IN (SELECT path FROM findings WHERE code IN (SELECT unnest($failed::VARCHAR[])))
ORDER BY found.position
"""
"""What has to be looked at: its place in the scan, whether it is known, and the head it had,
where the same head would do.
"""

GONE = """
SELECT path, count(*) FROM files ANTI JOIN found USING (path)
WHERE len(list_filter($roots::VARCHAR[], lambda root: starts_with(path, root))) > 0
  AND len(list_filter($closed::VARCHAR[], lambda folder: starts_with(path, folder))) = 0
GROUP BY path ORDER BY path
"""
"""Files that were under the folders given and are not any more, and how many records were in each. What lies
in folders that cannot be searched has not gone."""

BEGUN = """
SELECT files.path, files.member
FROM files JOIN found ON found.path = files.path AND found.mtime_ns = files.mtime_ns
WHERE files.size = -found.size
  AND (files.judge, coalesce(files.game, '')) NOT IN (SELECT (judge, game) FROM stale)
"""
"""Records of packs that a run did not come to the end of, which it has judged."""

_SHARE = 10
"""A run that would remove more than one in so many of an archive's records needs leave."""


class Found(Struct, frozen=True):
    """A file as the scan saw it. ``position`` is its place in the scan."""

    position: Annotated[int, "place in the scan"]
    path: Annotated[str, "the file"]
    size: Annotated[int, "bytes"]
    mtime_ns: Annotated[int, "nanoseconds since 1970"]


class Stale(Struct, frozen=True):
    """What was judged by somebody whose judgement is not the last word."""

    game: Annotated[str, "the game's id; empty where the header cannot be read"]
    judge: Annotated[str, "who judged"]


class Plan(Struct):
    """What is to be done.

    ``fresh`` files are judged, ``touched`` ones remembered with their new time, ``gone`` paths leave. ``new``
    files the archive does not know, ``begun`` are records that a run before has judged, ``heads`` the heads
    that files had, and ``complete`` says whether that run came to its end. ``judges`` are those who have
    judged for the archive as they came, those of a run with ``force`` anew, and ``others`` the games of which
    records stay as other code of the same version has judged them.
    """

    fresh: list[Item]
    touched: list[Item]
    gone: list[str]
    new: int
    begun: set[tuple[str, str]]
    complete: bool
    heads: dict[str, str]
    force: bool = False
    judges: list[str] = []
    others: tuple[str, ...] = ()

    def look(self) -> None:
        """Take for touched the files whose head is the one it was; each costs a walk along its chain."""
        self.touched = [
            item for item in self.fresh if item.path in self.heads and _head(item) == self.heads[item.path]
        ]
        same = {item.path for item in self.touched}
        self.fresh = [item for item in self.fresh if item.path not in same]

    def items(self) -> list[Item]:
        """The records to judge, one by one."""
        return [
            item
            for file in self.fresh
            for item in members(file)
            if (item.name, item.member) not in self.begun
        ]


def note_found(store: Store, items: Sequence[Item]) -> None:
    """Make the table ``found`` of the scan."""
    store.temporary(
        "found", Found, [Found(at, item.name, item.size, item.mtime_ns) for at, item in enumerate(items)]
    )


def plan(
    store: Store, items: Sequence[Item], roots: Sequence[str], *, force: bool, prune: bool, allow_empty: bool
) -> Plan:
    """Return what is to be done to an archive for the files `items`, found under folders that begin like
    `roots`.

    Raises `ArchiveError` if more would leave than is plausible.
    """
    if store.empty:
        return first_plan(items)
    note_found(store, items)
    judged = store.sql("SELECT DISTINCT coalesce(game, ''), judge FROM files")
    ((complete, came),) = store.sql("SELECT complete, judges FROM archive")
    ours = {game: judge_of(game) if game else JUDGE_OF_NONE for game, _ in judged}
    rows = [Stale(game, judge) for game, judge in judged if is_outdated(judge, ours[game], came)]
    store.temporary("stale", Stale, rows)
    kept = {game for game, judge in judged if conflict(judge, ours[game]) and Stale(game, judge) not in rows}
    closed = [item.name for item in items if item.path.endswith(os.sep)]
    gone = store.sql(GONE, roots=roots, closed=closed)
    _guard(store, gone, [item.name for item in items], roots, prune=prune, allow_empty=allow_empty)
    due = [(items[at], known, head) for at, known, head in store.sql(DUE, force=force, failed=FAILED)]
    begun = set() if force else {(path, member) for path, member in store.sql(BEGUN)}
    heads = {item.path: head for item, _, head in due if head is not None and not force}
    new = sum(not known for _, known, _ in due)
    fresh, gone_paths = [item for item, _, _ in due], [path for path, _ in gone]
    return Plan(
        fresh, [], gone_paths, new, begun, complete, heads, force, came, () if force else tuple(sorted(kept))
    )


def first_plan(items: Sequence[Item]) -> Plan:
    """Return what is to be done for an archive that holds nothing yet."""
    return Plan([*items], [], [], len(items), set(), True, {})


def _guard(
    store: Store,
    gone: list[tuple[str, int]],
    found: list[str],
    roots: Sequence[str],
    *,
    prune: bool,
    allow_empty: bool,
) -> None:
    """Raise `ArchiveError` where a folder that is empty now, or much of an archive,
    would leave without leave being given.
    """
    empty = tuple(root for root in roots if not any(path.startswith(root) for path in found))
    lost = [path for path, _ in gone if path.startswith(empty)]
    if lost and not allow_empty:
        root = next(root for root in empty if lost[0].startswith(root))
        raise ArchiveError(
            f"{root} holds no records any more, but {store.path} has some from there; is it mounted? "
            "If they are to leave the archive, add --allow-empty."
        )
    ((held,),) = store.sql("SELECT count(*) FROM files")
    others = sum(number for path, number in gone if not path.startswith(empty))
    if others > max(1, held / _SHARE) and not prune:
        raise ArchiveError(
            f"{others:,} of the {held:,} records in {store.path} have vanished from where they were; "
            "if they are to leave the archive, add --prune."
        )


def _head(item: Item) -> str | None:
    """The head of a file that is whole to its end."""
    ((_, record),) = records([item])
    return None if isinstance(record, RecordError) or record.problem else record.head


def folder_root(path: str) -> str | None:
    """How everything in a folder begins; None for a file."""
    if remote.is_remote(path):
        return remote.remote_root(path)
    return os.path.join(path, "") if os.path.isdir(path) else None
