"""The plan of a run: files to judge, files that are gone, and changes that need the user's permission."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import Annotated

from msgspec import Struct

from gamelog.archive.indexing.store import Store
from gamelog.archive.sources import remote
from gamelog.archive.sources.items import Item, read_records, records_in
from gamelog.archive.sources.packed_list import PackedList
from gamelog.archive.workers.judge_batch import FAILED
from gamelog.archive.workers.judge_versions import JUDGE_OF_NONE, has_conflict, is_outdated, judge_version_of
from gamelog.errors import ArchiveError, RecordError
from gamelog.message import Message

_DUE_SQL = """
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
"""The files to read: place in the scan, whether the archive has them, and the old head.

The old head is null if the file has to be judged even with the same head. If the archive does not have the
size of a file, the time alone is compared.
"""

_GONE_SQL = """
SELECT path, count(*) FROM files ANTI JOIN found USING (path)
WHERE len(list_filter($roots::VARCHAR[], lambda root: starts_with(path, root))) > 0
  AND len(list_filter($closed::VARCHAR[], lambda folder: starts_with(path, folder))) = 0
GROUP BY path ORDER BY path
"""
"""Files of the archive that are missing under the given folders, with their numbers of records.

Files in folders that cannot be searched are not reported as missing.
"""

_BEGUN_SQL = """
SELECT files.path, files.member
FROM files JOIN found ON found.path = files.path AND found.mtime_ns = files.mtime_ns
WHERE files.size < 0
  AND (files.judge, coalesce(files.game, '')) NOT IN (SELECT (judge, game) FROM stale)
"""
"""Records that an unfinished run judged, in packs that are not complete."""

_SHARE = 10
"""A run may remove at most one in this number of an archive's records without the user's permission."""


class FoundFile(Struct, frozen=True):
    """A file from the scan."""

    position: Annotated[int, "place in the scan"]
    path: Annotated[str, "path or URL of the file"]
    size: Annotated[int, "size in bytes"]
    mtime_ns: Annotated[int, "time of the last change, in ns since 1970"]


class StaleJudge(Struct, frozen=True):
    """A judge of a game whose records have to be judged again."""

    game: Annotated[str, "id of the game; empty if the header cannot be read"]
    judge: Annotated[str, "the judge"]


class PackToJudge(Struct, frozen=True):
    """A pack to judge, and the number of its records to judge."""

    file: Item
    record_count: int


class Plan(Struct):
    """The plan of a run.

    Attributes:
        files_to_judge: Files to judge.
        touched_files: Files with the same content, whose new time has to be stored.
        removed_paths: Paths of files to remove from the archive.
        new_count: The number of files that the archive does not have.
        judged_records: Path and member of records that an unfinished run has judged.
        is_complete: Whether the last run reached its end.
        heads: The old heads of files, by path.
        force: Whether unchanged files are judged too.
        judges: The judges of the archive, in the order in which they came.
        other_games: Games whose records keep the verdict of other code with the same version.
    """

    files_to_judge: PackedList[Item]
    touched_files: list[Item]
    removed_paths: list[str]
    new_count: int
    judged_records: set[tuple[str, str]]
    is_complete: bool
    heads: dict[str, str]
    force: bool = False
    judges: list[str] = []
    other_games: tuple[str, ...] = ()

    def find_touched(self) -> None:
        """Move files to judge with an unchanged head to ``touched_files``, after reading their chains."""
        if not self.heads:
            return
        self.touched_files = [
            item
            for item in self.files_to_judge
            if item.path in self.heads and _read_head(item) == self.heads[item.path]
        ]
        same = {item.path for item in self.touched_files}
        self.files_to_judge = PackedList(item for item in self.files_to_judge if item.path not in same)

    def records(self) -> tuple[PackedList[Item], list[PackToJudge]]:
        """Return the records to judge, and the packs with some of them."""
        records: PackedList[Item] = PackedList()
        packs: list[PackToJudge] = []
        for file in self.files_to_judge:
            inside = records_in(file)
            due = [item for item in inside if (item.name, item.member) not in self.judged_records]
            for item in due:
                records.append(item)
            if inside != [file]:
                packs.append(PackToJudge(file, len(due)))
        return records, packs


def store_found(store: Store, items: Collection[Item]) -> None:
    """Create the temporary table ``found`` with the files of the scan."""
    store.create_temporary(
        "found",
        FoundFile,
        (FoundFile(position, item.name, item.size, item.mtime_ns) for position, item in enumerate(items)),
    )


def make_plan(
    store: Store,
    items: PackedList[Item],
    roots: Sequence[str],
    *,
    force: bool,
    prune: bool,
    allow_empty: bool,
) -> Plan:
    """Return the plan of a run.

    Args:
        store: The archive.
        items: The files of the scan.
        roots: The beginnings of all paths in the folders of the scan.
        force: Whether to judge unchanged files too.
        prune: Whether many records may be removed from the archive.
        allow_empty: Whether all records of an empty folder may be removed.

    Raises:
        ArchiveError: The run would remove more records than it may.
    """
    if store.is_empty:
        return first_plan(items)
    store_found(store, items)
    judged = store.sql("SELECT DISTINCT coalesce(game, ''), judge FROM files")
    ((complete, earlier_judges),) = store.sql("SELECT complete, judges FROM archive")
    our_judges = {game: judge_version_of(game) if game else JUDGE_OF_NONE for game, _ in judged}
    rows = [
        StaleJudge(game, judge)
        for game, judge in judged
        if is_outdated(judge, our_judges[game], earlier_judges)
    ]
    store.create_temporary("stale", StaleJudge, rows)
    conflicting_games = {
        game
        for game, judge in judged
        if has_conflict(judge, our_judges[game]) and StaleJudge(game, judge) not in rows
    }
    closed = [item.name for item in items if item.path.endswith(os.sep)]
    gone = store.sql(_GONE_SQL, roots=roots, closed=closed)
    _check_removals(store, gone, items, roots, prune=prune, allow_empty=allow_empty)
    started = set() if force else {(path, member) for path, member in store.sql(_BEGUN_SQL)}
    due: PackedList[Item] = PackedList()
    heads: dict[str, str] = {}
    new_count = 0
    numbered = enumerate(items)
    for position, is_known, head in store.read(_DUE_SQL, force=force, failed=FAILED):
        item = next(item for number, item in numbered if number == position)
        due.append(item)
        new_count += not is_known
        if head is not None and not force:
            heads[item.path] = head
    return Plan(
        due,
        [],
        [path for path, _ in gone],
        new_count,
        started,
        complete,
        heads,
        force,
        earlier_judges,
        () if force else tuple(sorted(conflicting_games)),
    )


def first_plan(items: PackedList[Item]) -> Plan:
    """Return the plan of the first run for an archive."""
    return Plan(items, [], [], len(items), set(), True, {})


def _check_removals(
    store: Store,
    gone: list[tuple[str, int]],
    items: Collection[Item],
    roots: Sequence[str],
    *,
    prune: bool,
    allow_empty: bool,
) -> None:
    """Raise `ArchiveError` if too many records would be removed without permission.

    These are all records of an empty folder, or more than one in `_SHARE` of the archive's records.
    """
    empty = tuple(root for root in roots if not any(item.name.startswith(root) for item in items))
    lost_paths = [path for path, _ in gone if path.startswith(empty)]
    if lost_paths and not allow_empty:
        root = next(root for root in empty if lost_paths[0].startswith(root))
        raise ArchiveError(
            Message.of(
                "The folder {=folder} has no records any more, but {=archive} has records from there. Check "
                "that the folder is mounted. To remove its records from the archive, allow empty folders.",
                folder=root,
                archive=store.path,
            )
        )
    ((record_count,),) = store.sql("SELECT count(*) FROM files")
    missing_count = sum(number for path, number in gone if not path.startswith(empty))
    if missing_count > max(1, record_count / _SHARE) and not prune:
        raise ArchiveError(
            Message.of(
                "The files of {=missing} of the {=all} records in {=archive} are missing. To remove these "
                "records from the archive, allow it.",
                missing=f"{missing_count:,}",
                all=f"{record_count:,}",
                archive=store.path,
            )
        )


def _read_head(item: Item) -> str | None:
    """Return the head of a file, or None if it is damaged or cannot be read."""
    ((_, record),) = read_records([item])
    return None if isinstance(record, RecordError) or record.problem else record.head


def folder_root(path: str) -> str | None:
    """Return the common prefix of all paths in a folder, or None for a file."""
    if remote.is_remote(path):
        return remote.remote_root(path)
    return os.path.join(path, "") if os.path.isdir(path) else None
