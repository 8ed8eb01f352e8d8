"""What is judged comes into the archive by the commit, and between two of them anybody can read it.

The archive's file is open for the time of a commit alone. At each one it is whole: every record is there
once, and what was replaced is gone. What is found out about many records together (copies, spellings, which
count) is settled when it is due, and until then a reader works it out for itself. A run that ends in the
middle leaves what it has committed, and the next goes on from there; until one has come to its end the
archive says that it is not complete.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from pathlib import Path as FilePath
from time import monotonic
from typing import Annotated

from msgspec import Struct

from gamelog.archive.indexing import copies, repeated_files
from gamelog.archive.indexing.planning import Found, Plan
from gamelog.archive.indexing.store import Store
from gamelog.archive.judging.worker import FAILED, Judged
from gamelog.archive.judging.workers import Workers, cores
from gamelog.archive.schema import tables as schema
from gamelog.archive.sources.items import Item
from gamelog.errors import ArchiveError

ROWS = 500_000
"""So many rows wait in memory at most."""

ROWS_IN_A_MOMENT = 100_000
"""So many rows are committed within a second."""

COMMIT_SECONDS = 15.0
"""What was judged waits no longer than this."""

RESPITE = 10
"""What many records say together is settled at the end of a run,
and before when so many times its last time have passed.
"""

READERS = 600.0
"""Seconds that a commit waits for those who read the archive."""

_KEPT = """
CREATE TEMP TABLE kept AS
SELECT DISTINCT files.path, files.member FROM files JOIN incoming USING (path)
WHERE incoming.failed AND (files.id IS NOT NULL OR files.status IN ('torn', 'damaged'))
  AND incoming.member IN ('', files.member)
"""
"""What is in the archive of files that could not be read or judged now."""

LEAVING = """
CREATE TEMP TABLE leaving AS
SELECT path, member, id FROM files WHERE (path, member) NOT IN (SELECT (path, member) FROM kept) AND (
  path IN (FROM gone) OR (path, member) IN (SELECT (path, member) FROM incoming)
  OR path IN (SELECT path FROM complete WHERE files.size <> -complete.size
    OR files.mtime_ns <> complete.mtime_ns))
"""


class Incoming(Struct, frozen=True):
    """A record that was judged; of one that ``failed`` nothing is known but that."""

    path: Annotated[str, "the file"]
    member: Annotated[str, "the record's name inside a pack"]
    failed: Annotated[bool, "it could not be read or judged"]


class Path(Struct, frozen=True):
    """A file whose rows leave."""

    path: Annotated[str, "the file"]


class Commits:
    """Takes in what comes of records, and commits it from time to time."""

    def __init__(
        self, archive: str | os.PathLike[str], plan: Plan, items: list[Item], workers: Workers
    ) -> None:
        self._archive = FilePath(archive)
        self._plan = plan
        self._workers = workers
        self._left = Counter(item.name for item in items)
        self._due = len(items)
        self._packs = {file.name: file for file in plan.fresh if self._left[file.name] != 1}
        self._packs |= {item.name: item for item in items if item.member}
        self._failed: set[tuple[str, str]] = set()
        self._waiting: list[Judged] = []
        self._rows = 0
        self._since = self._settled = monotonic()
        self._cost = 0.0
        self._committing = False
        self.failures = 0
        self.committed = 0

    def take(self, judged: Judged) -> bool:
        """Take in what came of some records, and say whether it was committed; what comes last is not."""
        self._waiting.append(judged)
        self._rows += sum(len(rows) for tables in judged.batches for rows in tables.values())
        self._left.subtract(file.path for file in judged.files)
        self.failures += len(judged.failed)
        self._due -= len(judged.files)
        if not self._due or (self._rows < ROWS and monotonic() - self._since < COMMIT_SECONDS):
            return False
        with self.store() as store:
            self.commit(store)
        return True

    def store(self, patience: float = READERS) -> Store:
        """The archive, open for a commit."""
        return Store(self._archive, threads=min(self._workers.jobs, cores()), patience=patience)

    def keep_finished(self) -> None:
        """Commit what waits, if that takes a moment: no one reads the archive, and no file has to be read.

        A commit that was interrupted itself is not tried again.
        """
        if self._waiting and not self._committing and self._rows <= ROWS_IN_A_MOMENT:
            with suppress(ArchiveError), self.store(patience=0) as store:
                self.commit(store, at_once=True)

    def commit(self, store: Store, *, last: bool = False, at_once: bool = False) -> None:
        """Put what waits into the archive; with the `last` of a run it is complete.

        A commit `at_once` leaves the archive as it was if records lie in several files, which would be read.
        """
        self._committing = True
        plan = self._plan
        settle = not at_once and (last or monotonic() - self._settled > RESPITE * self._cost)
        files = [self._marked(file) for judged in self._waiting for file in judged.files]
        failed = {name for judged in self._waiting for name in judged.failed}
        complete = [path for path, file in self._packs.items() if not self._left[path]]
        rows = [Incoming(file.path, file.member, (file.path, file.member) in failed) for file in files]
        store.temporary("incoming", Incoming, rows)
        store.temporary("gone", Path, [Path(path) for path in plan.gone])
        store.temporary("complete", Found, [self._found(self._packs.pop(path)) for path in complete])
        store.temporary("touching", Found, [self._found(item) for item in plan.touched])
        store.sql(_KEPT)
        self._keep_failed(store)
        store.sql(LEAVING)
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
        kept = {*store.sql("SELECT path, member FROM kept")}
        whole = {path for path, _ in kept}
        for judged in self._waiting:
            store.take(Judged([], judged.batches))
        stay = failed & (kept | {(path, "") for path in whole})
        store.add("files", [file for file in files if (file.path, file.member) not in stay])
        store.load()
        store.sql("UPDATE files SET size = abs(files.size) FROM complete WHERE files.path = complete.path")
        store.sql(
            "UPDATE files SET size = t.size, mtime_ns = t.mtime_ns FROM touching AS t WHERE t.path = "
            "files.path"
        )
        store.sql(
            "INSERT INTO touched SELECT id FROM files SEMI JOIN incoming USING (path, member) WHERE id IS "
            "NOT NULL"
        )
        if not at_once:
            repeated_files.choose_primaries(store, self._workers)
        elif repeated_files.are_contested(store):
            store.undo()
            return
        if settle:
            now = monotonic()
            copies.mark_copies(store)
            self._settled = monotonic()
            self._cost = self._settled - now
        self._end_commit(store, files, settled=settle, last=last)

    def _end_commit(self, store: Store, files: list[schema.FileRow], *, settled: bool, last: bool) -> None:
        """Write down how far the archive is, who judged `files` for it, and that nothing waits."""
        plan = self._plan
        ours = {file.judge for file in files}
        plan.judges = [judge for judge in plan.judges if not (plan.force and judge in ours)]
        plan.judges += sorted(ours - set(plan.judges))
        store.sql(
            "UPDATE archive SET settled = $settled, complete = $complete, judges = $judges::VARCHAR[]",
            settled=settled,
            complete=last,
            judges=plan.judges,
        )
        self.committed += len(files)
        plan.gone, plan.touched = [], []
        self._waiting, self._rows, self._since = [], 0, monotonic()
        self._committing = False

    def _keep_failed(self, store: Store) -> None:
        """Records of packs that failed before in this run stay when the pack is complete."""
        names = [Incoming(path, member, True) for path, member in self._failed]
        self._failed |= {name for judged in self._waiting for name in judged.failed}
        store.temporary("failing", Incoming, names)
        store.sql(
            "INSERT INTO kept SELECT path, member FROM files SEMI JOIN failing USING (path, member) WHERE "
            "id IS NOT NULL"
        )

    def _marked(self, file: schema.FileRow) -> schema.FileRow:
        """Records of a pack say that it is not all in by a negative size, until it is."""
        if file.member:
            file.size = -file.size
        return file

    def _found(self, item: Item) -> Found:
        return Found(0, item.name, item.size, item.mtime_ns)
