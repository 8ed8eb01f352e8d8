"""Tests of failures during a run: games, workers, disks, and users who stop it in the middle."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from pebble import ProcessExpired

from gamelog.archive import TABLES, Reader, Update, index
from gamelog.archive.indexing import commits
from gamelog.archive.indexing.store import Store
from gamelog.archive.querying.reader import INCOMPLETE_NOTE
from gamelog.archive.rows.arrow import batch
from gamelog.archive.rows.columns import as_columns
from gamelog.archive.schema import connecting, tables
from gamelog.archive.sources import items as sources
from gamelog.archive.workers import batch_workers, judge_batch
from gamelog.archive.workers.batch_workers import Workers
from gamelog.archive.workers.process_pool import start_pool, terminate
from gamelog.errors import ArchiveError

from .conftest import EVEN, PLUGIN, Parent, Table, dump, numbers, rebuilt

Ask = Callable[..., list[tuple[Any, ...]]]
Run = Callable[..., Update]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_game_that_crashes_is_a_finding(jobs: int, table: Table, indexed: Run, ask: Ask) -> None:
    for at in range(120):
        table(*EVEN, id=f"game-{at:03}")
    table(*EVEN, id="bad", options={"fault": "crash"})
    assert numbers(indexed(jobs=jobs)) == (121, 0, 0, 0, 121, 120)
    assert ask("SELECT id, code, message FROM findings") == [
        (
            "bad",
            "play.broken_game",
            "the code of the game Tug, from the package tug, failed in tug.apply, line 87: "
            'KeyError: "a bug of the game\'s"',
        )
    ]
    assert ask("SELECT status, valid, counted FROM games WHERE id = 'bad'") == [("unknown", False, False)]


def test_a_game_that_crashes_after_the_judgement_is_a_finding_too(
    table: Table, indexed: Run, ask: Ask
) -> None:
    table(*EVEN, id="bystander")
    table(*EVEN, id="bad", options={"fault": "effects"})
    assert indexed().not_taken == 1
    ((code, message),) = ask("SELECT code, message FROM findings WHERE id = 'bad'")
    assert code == "play.broken_game"
    assert message.startswith("the code of the game Tug, from the package tug, failed in tug.effects, line ")
    assert message.endswith("KeyError: 'a bug of the effects'")
    assert ask("SELECT status FROM games WHERE id = 'bad'") == [("unknown",)]


@pytest.mark.parametrize(("gone", "code"), [(False, "archive.crashed"), (True, "record.unreadable")])
def test_values_that_no_column_holds_are_a_finding_of_one_record(
    gone: bool, code: str, table: Table, indexed: Run, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(*EVEN, id="bystander")
    bad = table(("left", 2**64 - 1, 1), id="bad")

    def records(batch: Sequence[sources.Item]) -> Iterator[tuple[sources.Item, Any]]:
        yield from sources.read_records(batch)
        if gone:  # before anybody reads it again
            bad.unlink(missing_ok=True)

    monkeypatch.setattr(judge_batch, "read_records", records)
    assert indexed().new == 2
    assert ask("SELECT parse_filename(path), code FROM findings") == [("bad.jsonl", code)]
    assert ask("SELECT id, count(*) FROM events GROUP BY id") == [("bystander", 4)]


def test_a_record_that_kills_its_worker_is_a_finding(table: Table, indexed: Run, ask: Ask) -> None:
    for at in range(230):
        table(*EVEN, id=f"game-{at:03}")
    for name in ("game-030b", "game-150b"):
        table(*EVEN, id=name, options={"fault": "kill"})
    done: list[tuple[int, int]] = []
    update = indexed(jobs=2, progress=lambda *step: done.append(step))
    assert numbers(update) == (232, 0, 0, 0, 230, 230), update
    assert ask("SELECT parse_filename(path), code FROM findings ORDER BY path") == [
        ("game-030b.jsonl", "archive.killed"), ("game-150b.jsonl", "archive.killed"),
    ]  # fmt: skip
    assert done[-1] == (232, 232)


def test_a_pool_that_has_ended_before_it_gets_work_is_replaced(
    table: Table, indexed: Run, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(40):
        table(*EVEN, id=f"game-{at}")
    started: list[Any] = []

    def start(jobs: int, memory: int) -> Any:
        """Return a pool, the first time one that has ended."""
        started.append(start_pool(jobs, memory))
        if len(started) == 1:
            terminate(started[0])
        return started[-1]

    monkeypatch.setattr(batch_workers, "start_pool", start)
    assert numbers(indexed(jobs=2)) == (40, 0, 0, 0, 40, 40)
    assert ask("SELECT * FROM findings") == []
    assert len(started) == 2


def test_no_record_is_blamed_for_another_whose_process_died(
    table: Table, indexed: Run, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(6):
        table(*EVEN, id=f"game-{at}")
    table(*EVEN, id="killer", options={"fault": "kill"})
    schedule = Workers._schedule

    def blaming_pool(self: Workers, task: Any, part: Any) -> Future[Any]:
        """Return a pool that blames each of these records for the death of its process."""
        if "game-3.jsonl" not in str(part):
            return schedule(self, task, part)
        blamed: Future[Any] = Future()
        blamed.set_exception(ProcessExpired("Abnormal termination"))
        return blamed

    monkeypatch.setattr(Workers, "_schedule", blaming_pool)
    assert numbers(indexed(jobs=2)) == (7, 0, 0, 0, 6, 6)
    assert ask("SELECT parse_filename(path), code FROM findings") == [("killer.jsonl", "archive.killed")]


def test_a_script_that_would_start_itself_again_is_reported(
    table: Table, archive: Path, tmp_path: Path
) -> None:
    for at in range(4):
        table(*EVEN, id=f"game-{at}")
    script = tmp_path / "careless.py"
    script.write_text(
        "from threading import Event, Thread\n"
        "Thread(target=Event().wait, daemon=True).start()\n"  # so that the processes are fresh ones everywhere
        f"from gamelog.archive import index\nindex([{str(table.folder)!r}], {str(archive)!r}, jobs=2)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.returncode == 1
    assert 'In a script, put the work under: if __name__ == "__main__":' in done.stderr.splitlines()[-1]
    assert not archive.exists()


class Weak(ThreadPoolExecutor):
    """An executor that loses every second batch, like a cluster whose machines are switched off."""

    lost = 0

    def submit(self, fn: Any, /, *given: Any, **named: Any) -> Future[Any]:
        self.lost += 1
        return super().submit(fn, *given, **named) if self.lost % 2 else super().submit(int, "lost")


def test_an_executor_of_ones_own_may_lose_its_workers(table: Table, indexed: Run, ask: Ask) -> None:
    for at in range(250):
        table(*EVEN, id=f"game-{at}")
    shutil.copy(table.folder / "game-7.jsonl", table.folder / "copy.jsonl")
    with Weak(2) as executor:
        assert numbers(indexed(executor=executor)) == (251, 0, 0, 0, 250, 250)
    assert executor.lost == 4
    assert ask("SELECT count(*) FROM events") == [(1000,)]


class Growing(ThreadPoolExecutor):
    """An executor that gets new workers during its work."""

    jobs = 1
    waiting = most = 0

    def submit(self, fn: Any, /, *given: Any, **named: Any) -> Future[Any]:
        self.jobs = min(8, self.jobs + 1)
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        sent = super().submit(fn, *given, **named)
        sent.add_done_callback(self.gone)
        return sent

    def gone(self, _: Future[Any]) -> None:
        self.waiting -= 1


def test_workers_that_come_later_are_kept_busy_too(
    table: Table, indexed: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(40):
        table(*EVEN, id=f"game-{at}")
    monkeypatch.setattr(batch_workers, "RECORDS", 1)
    with Growing(1) as executor:
        assert indexed(executor=executor, jobs=1).new == 40
    assert executor.most > 4


def test_rows_that_do_not_fit_undo_everything(
    table: Table, indexed: Run, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(*EVEN, id="a")
    indexed()
    before = dump(archive)
    table(("left", 6, 1), id="b")
    broken = as_columns([tables.RollRow(id="b", n=1, stands=True, seat=None, sides=6, faces=(1,))])
    judged = judge_batch.Judged([], [{"facts": batch(TABLES["rolls"], broken)}])
    monkeypatch.setattr("gamelog.archive.workers.batch_workers.Workers.work", lambda *_: [judged])
    with pytest.raises(ArchiveError, match="Cannot write"):
        indexed()
    assert dump(archive) == before


INDEX = """
import sys
from gamelog.archive import index
from gamelog.errors import ArchiveError
try:
    index(sys.argv[1:2], sys.argv[2])
except ArchiveError as error:
    sys.exit(str(error))
"""


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.grid
@pytest.mark.parametrize("size", [2_000, 100_000, 400_000])
def test_a_disk_that_is_full_is_named_and_undoes_everything(
    size: int, table: Table, indexed: Run, archive: Path
) -> None:
    def full() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    step = [sys.executable, "-c", INDEX, str(table.folder), str(archive)]
    surroundings = {**os.environ, "PYTHONPATH": str(PLUGIN)}
    for first in (0, 300):
        for at in range(first, first + 300):
            table(*EVEN * 3, id=f"game-{at}")
        before = dump(archive) if archive.exists() else None
        done = subprocess.run(step, capture_output=True, text=True, preexec_fn=full, env=surroundings)
        assert done.returncode == 1
        assert re.fullmatch(r".*Cannot (write|create).*File too large.*free some disk space.*\n", done.stderr)
        assert list(archive.parent.glob("games*")) == ([archive] if before else [])
        assert (dump(archive) if before else None) == before
        assert indexed().new == 300


def stop(*_: int) -> None:
    raise KeyboardInterrupt


def test_an_interrupted_update_keeps_the_judged_records(
    table: Table, indexed: Run, archive: Path, ask: Ask, shelf: Path, tmp_path: Path
) -> None:
    for number, id in enumerate(("a", "b"), 1):
        table(*EVEN, id=id)
        with pytest.raises(KeyboardInterrupt):
            index([table.folder], archive, progress=stop)
        assert ask("SELECT count(*) FROM games") == [(number,)]
        with Reader(archive) as reader:
            assert reader.notes("FROM games") == (INCOMPLETE_NOTE,)
    assert numbers(indexed()) == (0, 0, 2, 0, 2, 2)
    assert dump(archive) == rebuilt(shelf, tmp_path)


@pytest.mark.parametrize("moment", ["load", "forget"])
def test_an_interrupted_commit_leaves_the_archive_as_it_was(
    moment: str, table: Table, indexed: Run, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(*EVEN, id="a")
    indexed()
    before = dump(archive)
    table(("left", 6, 1), id="b")
    table(("left", 6, 2), id="c")
    monkeypatch.setattr(batch_workers, "RECORDS", 1)
    monkeypatch.setattr(commits, "_MAX_WAITING_ROWS", 0)
    with monkeypatch.context() as patch:
        patch.setattr(Store, moment, stop)
        with pytest.raises(KeyboardInterrupt):
            indexed()
    assert dump(archive) == before
    assert numbers(indexed()) == (2, 0, 1, 0, 3, 3)


SLOW = """
import sys
from gamelog.archive import index
def tell(done, total):
    print(done, flush=True)
    sys.stdin.readline()
index(sys.argv[1:2], sys.argv[2], jobs=int(sys.argv[3]), progress=tell)
"""


def children(pid: int) -> list[int]:
    """Return the child processes of a process."""
    return [
        int(child)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]


@pytest.mark.grid
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_stopped_before_its_first_commit_leaves_no_process_and_a_whole_archive(
    way: signal.Signals, jobs: int, table: Table, indexed: Run, archive: Path
) -> None:
    table(*EVEN, id="first")
    indexed()
    before = dump(archive)
    for at in range(230):
        table(*EVEN, id=f"game-{at}")
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join((str(PLUGIN), *sys.path))}
    step = [sys.executable, "-c", SLOW, str(table.folder), str(archive), str(jobs)]
    pipe = subprocess.PIPE
    with subprocess.Popen(step, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=surroundings) as run:
        assert run.stdout
        assert int(run.stdout.readline()) > 0
        workers = children(run.pid) if sys.platform == "linux" else []
        with pytest.raises(ArchiveError, match=rf"in use by another process \(PID {run.pid}\)"):
            indexed()
        run.send_signal(way)
        run.communicate(timeout=60)
    assert run.returncode == -way
    assert len(workers) >= 2 or jobs == 1 or sys.platform != "linux"
    for _ in range(200):
        workers = [
            pid
            for pid in workers
            if Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().split()
        ]
        if not workers:
            break
        time.sleep(0.05)
    assert workers == []
    assert list(archive.parent.glob("games*")) == [archive] or way == signal.SIGKILL
    kept = len(dump(archive)["games"]) - len(before["games"])
    assert kept == 0 if way == signal.SIGKILL else kept > 0, "judged records are kept if there is time"
    assert indexed().new == 230 - kept


COMMITTING = """
import sys
from gamelog.archive import index
from gamelog.archive.indexing import commits
from gamelog.archive.indexing.store import Store
commits._MAX_WAITING_ROWS = 0
def tell(done, total):
    print(done, flush=True)
    sys.stdin.readline()
index(sys.argv[1:2], sys.argv[2], progress=tell)
"""


@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_stopped_keeps_whole_commits_and_the_next_goes_on(
    way: signal.Signals, table: Table, indexed: Run, archive: Path, ask: Ask, shelf: Path, tmp_path: Path
) -> None:
    for at in range(130):
        table(*EVEN, id=f"game-{at:03}")
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join((str(PLUGIN), *sys.path))}
    step = [sys.executable, "-c", COMMITTING, str(table.folder), str(archive)]
    pipe = subprocess.PIPE
    with subprocess.Popen(step, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=surroundings) as run:
        assert run.stdout
        done = int(run.stdout.readline())
        run.send_signal(way)
        run.communicate(timeout=60)
    assert run.returncode == -way
    assert 0 < done < 130
    assert ask("SELECT count(*) FROM games") == [(done,)]
    assert ask("SELECT count(*), count(DISTINCT id) FROM events") == [(4 * done, done)], "every record whole"
    with Reader(archive) as reader:
        assert reader.notes("FROM games") == (INCOMPLETE_NOTE,)
    assert numbers(indexed()) == (130 - done, 0, done, 0, 130, 130)
    with Reader(archive) as reader:
        assert reader.notes("FROM games") == ()
    assert dump(archive) == rebuilt(shelf, tmp_path)


def test_a_reader_between_two_commits_sees_consistent_figures(
    table: Table, indexed: Run, archive: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit without settlement adds a copy, a branch and a new most frequent spelling. A reader settles them."""
    played = [("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]
    table(*played, id="b-sheet", names=("ANA", "Rui"))
    indexed()
    table(*played, id="a-copy", names=("Ana", "Rui"))
    table(*played[:1], id="branch", names=("Ana", "Mei"), parents=[Parent("b-sheet", 1, "A" * 43)])
    table(*EVEN, id="other", names=("Ana", "Zé"), started="2026-03-02T20:00:00Z")
    seen: list[Any] = []
    questions = (
        "SELECT id, copy_of, counted FROM games ORDER BY id",
        "SELECT DISTINCT player FROM seats WHERE person = 'name:ana'",
    )

    def look(*_: int) -> None:
        with Reader(archive) as reader:
            seen.append(
                (
                    [reader.ask(question).rows for question in questions],
                    reader.ask("overview").rows,
                    reader.notes("SELECT 1"),
                )
            )

    (table.folder / "z.jsonl").write_text("the last item waits for the end of the run\n")
    monkeypatch.setattr(batch_workers, "RECORDS", 1)
    monkeypatch.setattr(commits, "_MAX_WAITING_ROWS", 0)
    monkeypatch.setattr(commits, "_SETTLEMENT_PAUSE", 10**9)
    indexed(progress=look)
    settled = [ask(question) for question in questions], ask("overview"), ()
    assert settled[0][0] == [
        ("a-copy", None, True),
        ("b-sheet", "a-copy", False),
        ("branch", None, False),
        ("other", None, True),
    ]
    assert seen[-1] == (*settled[:2], (INCOMPLETE_NOTE,)), "all are there, nothing is settled in the file"


@pytest.mark.parametrize("who", ["/usr/bin/python3.11 (PID 4711)", "PID 4711"], ids=["running", "just ended"])
def test_the_process_that_has_a_file_open_is_named(who: str) -> None:
    said = f'IO Error: Could not set lock on file "/club (PID 1)/a.duckdb": Conflicting lock is held in {who}. See also https://duckdb.org'
    found = connecting.HOLDING_PROCESS.search(said)
    assert found
    assert found[1] == "4711"


HOLDING = (
    "import duckdb, sys; held = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.readline()"
)


def test_another_process_that_uses_the_archive_is_waited_for(
    table: Table, indexed: Run, archive: Path
) -> None:
    table(*EVEN, id="a")
    indexed()
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, archive], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as run:
        assert run.stdin and run.stdout and run.stdout.readline() == b"held\n"
        with pytest.raises(ArchiveError, match="other process"):
            connecting.connect(archive, write=True, patience=0)
        done = Timer(0.7, run.stdin.close)
        done.start()
        with connecting.connect(archive, write=True, patience=30) as connection:
            assert connection.execute("SELECT count(*) FROM games").fetchone() == (1,)
        done.join()
