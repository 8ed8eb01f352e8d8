"""The run that brings an archive up to date with its files.

If the size and time of a file are unchanged, and no newer judge is there, only its directory entry is read.
If only the time changed, its chain is read, and the file is judged if it has a new head. If a record could
not be read, or its judge died or ran out of time, every run tries the record again. Until one succeeds, an
older version of the record stays in the archive. Analyses beside records are read after all records.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress

from msgspec import Struct

from gamelog.analysis.analysis_path import ANALYSIS_ENDING
from gamelog.archive.indexing import marks
from gamelog.archive.indexing.analyses import update_analyses
from gamelog.archive.indexing.commits import Commits
from gamelog.archive.indexing.planning import Plan, first_plan, folder_root, make_plan, store_found
from gamelog.archive.indexing.store import Store, sole_writer
from gamelog.archive.sources.analysis_files import analyses_beside, split_analyses
from gamelog.archive.sources.items import FILE_ENDINGS, absolute_paths, scan
from gamelog.archive.workers.batch_workers import RecordLimits, Workers
from gamelog.archive.workers.judge_batch import CRASHED, FAILED, STRANGE_NAME, judge, judge_failure
from gamelog.errors import Damaged, GamelogError, Stopped
from gamelog.play.contract.registry import find
from gamelog.play.fold.game_errors import BROKEN

_Progress = Callable[[int, int], None]
"""A function that gets the number of judged records and the number of all records."""

RunLog = Callable[[str, dict[str, object]], None]
"""A function that gets the name and the details of each action of a run."""

_MAX_LISTED = 10
"""Largest number of files that are listed because they could not be indexed."""

_UNINDEXED_SQL = """
SELECT findings.path, findings.member, first(code ORDER BY code),
  first(message ORDER BY code), count(*) OVER () AS number
FROM findings JOIN found USING (path) LEFT JOIN files ON files.path = findings.path
  AND files.member = findings.member
WHERE code IN (SELECT unnest($codes::VARCHAR[])) OR (severity = 'error' AND files.id IS NULL)
GROUP BY findings.path, findings.member ORDER BY findings.path, findings.member LIMIT $first
"""
"""The files that could not be indexed.

They are unreadable or damaged, have no header, exceed a limit, or are of a game that fails.
"""

_FINDINGS = "SELECT code, count(*) FROM findings JOIN found USING (path) GROUP BY code ORDER BY code"

_UNFINISHED = "SELECT game, count(*) FROM games WHERE finished = false AND turns IS NOT NULL GROUP BY game"
"""The number of unfinished games whose play is in the archive, by the id of their rules."""

_NOT_VALID = "SELECT count(*) FROM files JOIN found USING (path) WHERE files.status NOT IN ('ok', 'ruled')"


class Unindexed(Struct, frozen=True):
    """A file, or a record in a pack, that could not be indexed, and the reason.

    Attributes:
        member: Name of the record in its pack; empty for a record in a file of its own.
        message: English sentence that says why.
    """

    path: str
    member: str
    code: str
    message: str


NotTaken = Unindexed
"""The former name of `Unindexed`."""


class Update(Struct, frozen=True):
    """The result of a run.

    Attributes:
        new: Files that were new.
        changed: Files that had changed.
        same: Files that were unchanged.
        gone: Files that were removed from the archive.
        records: Records in the archive now.
        counted: Records that count.
        copies: Records that are copies of others.
        forks: Records that do not count because two files of one id differ.
        findings: The number of findings of each code, in the files under the given paths.
        not_taken: The number of these files that could not be indexed.
        first_not_taken: The first few files that could not be indexed.
        not_valid: The number of records in these files that are not valid.
        others: Games whose records keep the verdict of other code with the same version.
        hidden: Unfinished games with hidden information, of which the archive has only what all players see.
        analyses: Analyses in the archive now.
    """

    new: int
    changed: int
    same: int
    gone: int
    records: int
    counted: int
    copies: int = 0
    forks: int = 0
    findings: dict[str, int] = {}
    not_taken: int = 0
    first_not_taken: tuple[Unindexed, ...] = ()
    not_valid: int = 0
    others: tuple[str, ...] = ()
    hidden: int = 0
    analyses: int = 0


def _no_log(_action: str, _details: dict[str, object]) -> None:
    pass


def index(
    paths: Sequence[str | os.PathLike[str]],
    archive: str | os.PathLike[str],
    *,
    jobs: int | None = 1,
    force: bool = False,
    executor: Executor | None = None,
    progress: _Progress | None = None,
    limits: RecordLimits | None = None,
    prune: bool = False,
    allow_empty: bool = False,
    log: RunLog = _no_log,
) -> Update:
    """Bring the archive up to date with the records under `paths`, and create it if it does not exist.

    Records that are missing from a folder among `paths` are removed from the archive. Records from elsewhere
    stay. The run commits from time to time and when it is interrupted, and the next run continues from there.
    After an error, the archive is as it was after the last commit.

    Args:
        paths: Files and folders, or URLs that fsspec understands.
        archive: The path of the archive.
        jobs: The number of processes that judge. 1: this process; None: one for each core from 200 records
            on.
        force: Whether to judge unchanged files too.
        executor: An executor that judges instead, with twice `jobs` batches at a time.
        progress: A function that gets the number of judged records and of all records.
        limits: Limits for each record (see `Workers`).
        prune: Whether more than a tenth of the archive's records may be removed.
        allow_empty: Whether all records of a folder may be removed because the folder is empty.
        log: A function that gets the name and the details of each action.

    Raises:
        NotReadable: A path is missing.
        ArchiveError: The archive cannot be written, or records would be removed without permission.
    """
    full_paths = absolute_paths(paths)
    beside = analyses_beside(full_paths)
    items, analyses = split_analyses(scan((*full_paths, *beside), (*FILE_ENDINGS, ANALYSIS_ENDING)))
    roots = [begin for begin in map(folder_root, full_paths) if begin]
    with sole_writer(archive), Workers(jobs, executor, limits) as workers:
        if os.path.lexists(archive):
            with Store(archive, make=False) as store:
                due = make_plan(store, items, roots, force=force, prune=prune, allow_empty=allow_empty)
        else:
            due = first_plan(items)
        due.find_touched()
        changed = len(due.files_to_judge) - due.new_count
        counts = due.new_count, changed, len(items) - due.new_count - changed, len(due.removed_paths)
        log("plan", dict(zip(("new", "changed", "same", "gone"), counts, strict=True)))
        commits = _judge(archive, due, workers, progress, log)
        with commits.store() as store:
            if (
                due.files_to_judge
                or due.removed_paths
                or due.touched_files
                or not due.is_complete
                or commits.committed_count
            ):
                commits.commit(store, last=True)
            store_found(store, items)
            analysed = update_analyses(store, analyses)
            counted = marks.count_records(store), _count_findings(store)
            hidden = _count_hidden_games(store)
            update = Update(*counts, *counted[0], *counted[1], due.other_games, hidden, analysed)
        log("end", {"not_taken": update.not_taken, "records": update.records})
        return update


def _judge(
    archive: str | os.PathLike[str], due: Plan, workers: Workers, progress: _Progress | None, log: RunLog
) -> Commits:
    """Judge the records of the plan, and commit from time to time. The rest waits for the last commit."""
    records, packs = due.records()
    commits = Commits(archive, due, len(records), packs, workers)
    judged_count = 0
    try:
        for judged in workers.work(judge, judge_failure, records):
            committed = commits.add(judged)
            judged_count += len(judged.files)
            log(
                "batch",
                {
                    "records": len(judged.files),
                    "failed": len(judged.failed_records),
                    "done": judged_count,
                    "of": len(records),
                },
            )
            if committed:
                log("commit", {"records": commits.committed_count})
            if progress:
                progress(judged_count, len(records))
    except (KeyboardInterrupt, Stopped):  # the user ends the run, which keeps the records judged so far
        commits.keep_finished()
        raise
    return commits


def _count_hidden_games(store: Store) -> int:
    """Return the number of unfinished games with hidden information."""
    hidden = 0
    for name, number in store.sql(_UNFINISHED):
        with suppress(GamelogError):
            hidden += number if find(name).hides else 0
    return hidden


def _count_findings(store: Store) -> tuple[dict[str, int], int, tuple[Unindexed, ...], int]:
    """Return counts for the files of the scan.

    These are the number of findings by code, the number of files that could not be indexed, the first of
    these files, and the number of records that are not valid.
    """
    rows = store.sql(
        _UNINDEXED_SQL, first=_MAX_LISTED, codes=[*FAILED, STRANGE_NAME, CRASHED, BROKEN, Damaged.code]
    )
    ((not_valid,),) = store.sql(_NOT_VALID)
    first = tuple(Unindexed(*row[:4]) for row in rows)
    return dict(store.sql(_FINDINGS)), rows[0][4] if rows else 0, first, not_valid
