"""Commits of judged records to an archive, which readers can open between two commits.

The file of the archive is open only during a commit. After each commit the archive is consistent: it has
every record once, and replaced records are gone. Copies, spellings of names and the records that count depend
on many records. They are settled from time to time, and a reader works them out itself meanwhile. If a run
ends in the middle, the archive keeps what was committed and is marked as incomplete, and the next run
continues.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path as FilePath
from time import monotonic, time_ns
from typing import Annotated

from msgspec import Struct

from gamelog.archive.indexing import marks, repeated_files
from gamelog.archive.indexing.planning import FoundFile, PackToJudge, Plan
from gamelog.archive.indexing.store import Store
from gamelog.archive.schema import tables
from gamelog.archive.sources.items import Item
from gamelog.archive.sources.remote import is_remote
from gamelog.archive.workers.batch_workers import Workers, count_cores
from gamelog.archive.workers.judge_batch import FAILED, Judged
from gamelog.errors import ArchiveError

_MAX_WAITING_ROWS = 500_000
"""Largest number of rows that wait in memory."""

_ROWS_PER_SECOND = 100_000
"""Number of rows that can be committed within a second."""

COMMIT_SECONDS = 15.0
"""Seconds after which judged records are committed."""

_SETTLEMENT_PAUSE = 10
"""Time between two settlements, in multiples of the time that the last settlement took.

A settlement finds copies, spellings and the records that count. The end of a run always has one.
"""

_READER_WAIT_SECONDS = 600.0
"""Seconds that a commit waits for readers of the archive."""

_CREATE_KEPT = """
CREATE TEMP TABLE kept AS
SELECT DISTINCT files.path, files.member FROM files JOIN incoming USING (path)
WHERE incoming.failed AND (files.id IS NOT NULL OR files.status IN ('torn', 'damaged'))
  AND incoming.member IN ('', files.member)
"""
"""The records in the archive from files that could not be read or judged in this run. They stay."""

_CREATE_LEAVING = """
CREATE TEMP TABLE leaving AS
SELECT path, member, id FROM files WHERE (path, member) NOT IN (SELECT (path, member) FROM kept) AND (
  path IN (FROM gone) OR (path, member) IN (SELECT (path, member) FROM incoming)
  OR path IN (SELECT path FROM complete WHERE files.size >= 0 OR files.mtime_ns <> complete.mtime_ns))
"""
"""The records that are removed from the archive: their file is gone, was changed, or is judged again."""


_WITHHOLD_SIZES = """
UPDATE files SET size = NULL, mtime_ns = CASE WHEN contains(path, '://') THEN 0 ELSE mtime_ns END
WHERE path IN (SELECT path FROM complete) AND path IN (SELECT path FROM files WHERE size IS NULL)
"""
"""Withholds the size of each complete pack that has an unfinished game with hidden information."""

_RESTORE_SIZES = """
UPDATE files SET size = found.size FROM complete AS found WHERE files.path = found.path AND files.size < 0
"""
"""Ends the marks of complete packs."""

_SETTLED_NS = 3_000_000_000
"""Age of a file after which each further change also changes its time, on any file system."""


class Incoming(Struct, frozen=True):
    """A judged record. If it ``failed``, it has no rows of its own."""

    path: Annotated[str, "path of the file"]
    member: Annotated[str, "name of the record in its pack"]
    failed: Annotated[bool, "whether it could not be read or judged"]


class RemovedFile(Struct, frozen=True):
    """A file whose rows are removed."""

    path: Annotated[str, "path of the file"]


class Commits:
    """The commits of one run.

    Attributes:
        failure_count: The number of records that could not be judged.
        committed_count: The number of records that were committed.
    """

    def __init__(
        self,
        archive: str | os.PathLike[str],
        plan: Plan,
        record_count: int,
        packs: list[PackToJudge],
        workers: Workers,
    ) -> None:
        """Prepare the commits of a run.

        Args:
            archive: The path of the archive.
            plan: The plan of the run.
            record_count: The number of records to judge.
            packs: The packs with some of these records.
            workers: The workers that judge the records.
        """
        self._archive = FilePath(archive)
        self._plan = plan
        self._workers = workers
        self._remaining_count = record_count
        self._packs = {pack.file.name: pack.file for pack in packs}
        self._remaining_in_packs = {pack.file.name: pack.record_count for pack in packs}
        self._failed_names: set[tuple[str, str]] = set()
        self._waiting_results: list[Judged] = []
        self._waiting_rows = 0
        self._last_commit_time = self._last_settlement_time = monotonic()
        self._settlement_seconds = 0.0
        self._is_committing = False
        self.failure_count = 0
        self.committed_count = 0

    def add(self, judged: Judged) -> bool:
        """Add the results of some records, and return whether they were committed.

        The last results of a run are not committed here.
        """
        self._waiting_results.append(judged)
        self._waiting_rows += sum(len(rows) for batch in judged.batches for rows in batch.values())
        for file in judged.files:
            if file.path in self._packs:
                self._remaining_in_packs[file.path] -= 1
        self.failure_count += len(judged.failed_records)
        self._remaining_count -= len(judged.files)
        if not self._remaining_count or (
            self._waiting_rows < _MAX_WAITING_ROWS and monotonic() - self._last_commit_time < COMMIT_SECONDS
        ):
            return False
        with self.store() as store:
            self.commit(store)
        return True

    def store(self, patience: float = _READER_WAIT_SECONDS) -> Store:
        """Open the archive for a commit."""
        return Store(self._archive, threads=min(self._workers.jobs, count_cores()), patience=patience)

    def keep_finished(self) -> None:
        """Commit the waiting records, if that takes only a moment.

        Nothing is committed while the archive is being read, if a file would have to be read, or if a commit
        was interrupted.
        """
        if self._waiting_results and not self._is_committing and self._waiting_rows <= _ROWS_PER_SECOND:
            with suppress(ArchiveError), self.store(patience=0) as store:
                self.commit(store, at_once=True)

    def commit(self, store: Store, *, last: bool = False, at_once: bool = False) -> None:
        """Commit the waiting records.

        Args:
            store: The archive, open for writing.
            last: Whether this is the last commit of the run, after which the archive is complete.
            at_once: Whether to commit nothing if a record is in several files, which would have to be read.
        """
        self._is_committing = True
        settle = not at_once and (
            last or monotonic() - self._last_settlement_time > _SETTLEMENT_PAUSE * self._settlement_seconds
        )
        files = [_mark(file) for judged in self._waiting_results for file in judged.files]
        failed = {name for judged in self._waiting_results for name in judged.failed_records}
        self._stage_changes(store, files, failed)
        self._remove_replaced_rows(store)
        self._insert_judged_rows(store, files, failed)
        if not at_once:
            repeated_files.choose_primaries(store, self._workers)
        elif repeated_files.find_contested(store):
            store.undo_changes()
            return
        if settle:
            begin = monotonic()
            marks.mark_copies(store)
            self._last_settlement_time = monotonic()
            self._settlement_seconds = self._last_settlement_time - begin
        self._end_commit(store, files, settled=settle, last=last)

    def _stage_changes(self, store: Store, files: list[tables.FileRow], failed: set[tuple[str, str]]) -> None:
        """Create temporary tables of the files that come, are complete, have changed or are gone."""
        plan = self._plan
        complete = [file for name, file in self._packs.items() if not self._remaining_in_packs[name]]
        rows = [Incoming(file.path, file.member, (file.path, file.member) in failed) for file in files]
        store.create_temporary("incoming", Incoming, rows)
        store.create_temporary("gone", RemovedFile, [RemovedFile(path) for path in plan.removed_paths])
        for file in complete:
            del self._packs[file.name]
        store.create_temporary("complete", FoundFile, map(self._found_row, complete))
        store.create_temporary("touching", FoundFile, map(self._found_row, plan.touched_files))
        store.sql(_CREATE_KEPT)
        self._keep_failed(store)

    def _remove_replaced_rows(self, store: Store) -> None:
        """Delete the rows that this commit replaces, and list the records that it touches."""
        store.sql(_CREATE_LEAVING)
        store.sql("CREATE TEMP TABLE touched AS SELECT DISTINCT id FROM leaving WHERE id IS NOT NULL")
        for table in ("files", "findings"):
            store.sql(f"DELETE FROM {table} WHERE (path, member) IN (SELECT (path, member) FROM leaving)")
        store.sql(
            "DELETE FROM findings WHERE code IN (SELECT unnest($failed::VARCHAR[])) AND (path IN (SELECT "
            "path FROM touching) "
            "OR (path, member) IN (SELECT (path, member) FROM incoming) "
            "OR (member = '' AND path IN (SELECT path FROM incoming)))",
            failed=FAILED,
        )
        store.forget("touched")

    def _insert_judged_rows(
        self, store: Store, files: list[tables.FileRow], failed: set[tuple[str, str]]
    ) -> None:
        """Insert the rows of the waiting records. A file that cannot be read now keeps its earlier rows."""
        kept_members = {*store.sql("SELECT path, member FROM kept")}
        kept_paths = {path for path, _ in kept_members}
        for judged in self._waiting_results:
            store.add_judged(Judged([], judged.batches))
        stay = failed & (kept_members | {(path, "") for path in kept_paths})
        store.add("files", [file for file in files if (file.path, file.member) not in stay])
        store.load()
        store.sql(_WITHHOLD_SIZES)
        store.sql(_RESTORE_SIZES)
        store.sql(
            "UPDATE files SET size = t.size, mtime_ns = t.mtime_ns FROM touching AS t WHERE t.path = "
            "files.path"
        )
        store.sql(
            "INSERT INTO touched SELECT id FROM files SEMI JOIN incoming USING (path, member) WHERE id IS "
            "NOT NULL"
        )

    def _end_commit(self, store: Store, files: list[tables.FileRow], *, settled: bool, last: bool) -> None:
        """Store the state of the archive and the judges of `files`, and clear the waiting records."""
        plan = self._plan
        our_judges = {file.judge for file in files}
        plan.judges = [judge for judge in plan.judges if not (plan.force and judge in our_judges)]
        plan.judges += sorted(our_judges - set(plan.judges))
        store.sql(
            "UPDATE archive SET settled = $settled, complete = $complete, judges = $judges::VARCHAR[]",
            settled=settled,
            complete=last,
            judges=plan.judges,
        )
        self.committed_count += len(files)
        plan.removed_paths, plan.touched_files = [], []
        self._waiting_results, self._waiting_rows, self._last_commit_time = [], 0, monotonic()
        self._is_committing = False

    def _keep_failed(self, store: Store) -> None:
        """Keep the records of packs that failed earlier in this run when the pack is complete."""
        names = [Incoming(path, member, True) for path, member in self._failed_names]
        self._failed_names |= {name for judged in self._waiting_results for name in judged.failed_records}
        store.create_temporary("failing", Incoming, names)
        store.sql(
            "INSERT INTO kept SELECT path, member FROM files SEMI JOIN failing USING (path, member) WHERE "
            "id IS NOT NULL"
        )

    def _found_row(self, item: Item) -> FoundFile:
        return FoundFile(0, item.name, item.size, item.mtime_ns)


def _mark(file: tables.FileRow) -> tables.FileRow:
    """Mark the row of a pack as incomplete, and the row of a file that has to be read again each time.

    The latter has no size, and its time does not show each change or depends on its content, as for a URL.
    """
    if file.member:
        file.size = file.size and -1
    elif file.size is None and (is_remote(file.path) or time_ns() - file.mtime_ns < _SETTLED_NS):
        file.mtime_ns = 0
    return file
