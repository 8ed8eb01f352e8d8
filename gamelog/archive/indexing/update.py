"""Bringing an archive up to date with the files it is made from.

A file whose size and time are the ones remembered, and which no newer judge judges, costs a look at its
directory entry. One that was only touched costs a walk along its chain; a new head is judged. What failed for
no fault of the record's (it could not be read, its judge died or ran out of time) is tried again by every
run, and until then a record that is there stays.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress

from msgspec import Struct

from gamelog.archive.indexing import copies
from gamelog.archive.indexing.commits import Commits
from gamelog.archive.indexing.planning import Plan, first_plan, folder_root, note_found, plan
from gamelog.archive.indexing.store import Store, sole_writer
from gamelog.archive.judging.worker import CRASHED, FAILED, STRANGE_NAME, failed, judge
from gamelog.archive.judging.workers import Bounds, Workers
from gamelog.archive.sources.items import absolute, scan
from gamelog.errors import Damaged, GamelogError, Stopped
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.game_errors import BROKEN

_Progress = Callable[[int, int], None]
"""Is told how many records have been judged, of how many."""

RunLog = Callable[[str, dict[str, object]], None]
"""Is told of each action of a run, with what there is to say of it."""

FIRST = 10
"""So many of the findings are told by name."""

NOT_TAKEN = """
SELECT findings.path, findings.member, first(code ORDER BY code),
  first(message ORDER BY code), count(*) OVER () AS number
FROM findings JOIN found USING (path) LEFT JOIN files ON files.path = findings.path
  AND files.member = findings.member
WHERE code IN (SELECT unnest($codes::VARCHAR[])) OR (severity = 'error' AND files.id IS NULL)
GROUP BY findings.path, findings.member ORDER BY findings.path, findings.member LIMIT $first
"""
"""The files found that could not be taken: unreadable, damaged, out of bounds, without a header,
or of a game that fails.
"""

FINDINGS = "SELECT code, count(*) FROM findings JOIN found USING (path) GROUP BY code ORDER BY code"

_HIDDEN = """
SELECT count(*) FROM games
WHERE finished = false AND turns IS NOT NULL AND game IN (SELECT unnest($games::VARCHAR[]))
"""
"""Games that go on in which players hide something; of what does not fold nothing is in the archive."""

_NOT_VALID = "SELECT count(*) FROM files JOIN found USING (path) WHERE files.status NOT IN ('ok', 'ruled')"


class NotTaken(Struct, frozen=True):
    """A file, or a record in a pack, that the archive could not take, and why."""

    path: str
    member: str
    code: str
    message: str


class Update(Struct, frozen=True):
    """What an update did, in files; what the archive holds now: records, how many count, are copies, have
    forked.

    Of the files under the paths given: how many findings of each code the archive has, what it could not take
    (how much, and the first few), and how many records are not valid. ``others`` are games of which records
    stay as other code of the same version has judged them, which came to the archive later. ``hidden``
    counts the games that go on in which players hide something: the archive has only what all of them see.
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
    first_not_taken: tuple[NotTaken, ...] = ()
    not_valid: int = 0
    others: tuple[str, ...] = ()
    hidden: int = 0


def _no_log(_action: str, _told: dict[str, object]) -> None:
    pass


def index(
    paths: Sequence[str | os.PathLike[str]],
    archive: str | os.PathLike[str],
    *,
    jobs: int | None = 1,
    force: bool = False,
    executor: Executor | None = None,
    progress: _Progress | None = None,
    bounds: Bounds | None = None,
    prune: bool = False,
    allow_empty: bool = False,
    log: RunLog = _no_log,
) -> Update:
    """Bring the archive up to date with the records under `paths`, and create it if there is none.

    A path may be a URL that fsspec understands. Records that have vanished from a folder among
    `paths` leave the archive; what lies elsewhere stays as it is. If more than a tenth of the archive's would
    leave, that needs `prune`, and if a folder is empty now that was not, `allow_empty`. `force` judges
    unchanged files too. `jobs` processes judge (1: this one does; None: on all cores from 200 due records
    on), or `executor` does, with twice `jobs` batches under way, each record within `bounds` (see `Workers`).
    What is judged is committed from time to time, and when the run is interrupted: the next run continues
    from there. Raises `NotReadable` for a path that is missing, and `ArchiveError`; the archive is then what
    it was at the last commit.
    """
    named = absolute(paths)
    items = list(scan(named))
    roots = [begin for begin in map(folder_root, named) if begin]
    with sole_writer(archive), Workers(jobs, executor, bounds) as workers:
        if os.path.lexists(archive):
            with Store(archive, make=False) as store:
                due = plan(store, items, roots, force=force, prune=prune, allow_empty=allow_empty)
        else:
            due = first_plan(items)
        due.look()
        changed = len(due.fresh) - due.new
        told = due.new, changed, len(items) - due.new - changed, len(due.gone)
        log("plan", dict(zip(("new", "changed", "same", "gone"), told, strict=True)))
        commits = _judge(archive, due, workers, progress, log)
        with commits.store() as store:
            if due.fresh or due.gone or due.touched or not due.complete or commits.committed:
                commits.commit(store, last=True)
            note_found(store, items)
            update = Update(*told, *copies.held(store), *_findings(store), due.others, _hidden(store))
        log("end", {"not_taken": update.not_taken, "records": update.records})
        return update


def _judge(
    archive: str | os.PathLike[str], due: Plan, workers: Workers, progress: _Progress | None, log: RunLog
) -> Commits:
    """Judge what is due, and commit it from time to time; the rest waits for the last commit."""
    items = due.items()
    commits = Commits(archive, due, items, workers)
    done = 0
    try:
        for judged in workers.work(judge, failed, items):
            committed = commits.take(judged)
            done += len(judged.files)
            log(
                "batch",
                {"records": len(judged.files), "failed": len(judged.failed), "done": done, "of": len(items)},
            )
            if committed:
                log("commit", {"records": commits.committed})
            if progress:
                progress(done, len(items))
    except (KeyboardInterrupt, Stopped):  # somebody wants it to end: what is done is kept
        commits.keep_finished()
        raise
    return commits


def _hidden(store: Store) -> int:
    """Return the number of games that go on in which players hide something from each other."""
    hiding = []
    for name in names():
        with suppress(GamelogError):
            hiding += [name] if find(name).hides else []
    ((number,),) = store.sql(_HIDDEN, games=hiding)
    return int(number)


def _findings(store: Store) -> tuple[dict[str, int], int, tuple[NotTaken, ...], int]:
    """Of the files that were found: findings by code, what was not taken,
    and how many records are not valid.
    """
    rows = store.sql(NOT_TAKEN, first=FIRST, codes=[*FAILED, STRANGE_NAME, CRASHED, BROKEN, Damaged.code])
    ((not_valid,),) = store.sql(_NOT_VALID)
    first = tuple(NotTaken(*row[:4]) for row in rows)
    return dict(store.sql(FINDINGS)), rows[0][4] if rows else 0, first, not_valid
