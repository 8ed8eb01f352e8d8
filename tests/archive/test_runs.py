"""Tests for operators: failures are reported and tried again, limits hold, runs continue, and no records are lost."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from gamelog_cli.app import app
from typer.testing import CliRunner

from gamelog.archive import RecordLimits, Update, find_items, index, pack, verdicts
from gamelog.archive.indexing import commits
from gamelog.archive.indexing.planning import Plan
from gamelog.archive.schema.tables import FileRow
from gamelog.archive.sources import items as sources
from gamelog.archive.sources.packed_list import PackedList
from gamelog.archive.workers import judge_batch
from gamelog.archive.workers.batch_workers import Workers
from gamelog.archive.workers.judge_batch import Judged
from gamelog.errors import ArchiveError, NotReadable
from gamelog.record import reading
from tests.record.sample import nobody

from .conftest import EVEN, PLUGIN, Table, dump, numbers, rebuilt

Ask = Callable[..., list[tuple[Any, ...]]]
Run = Callable[..., Update]


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that makes files with these names unreadable, as on a lost network share."""

    def run(*names: str) -> None:
        def load(path: str) -> bytes:
            if os.path.basename(path) in names:
                raise NotReadable(f"{path} cannot be read: Permission denied.")
            return reading.read_bytes(path)

        monkeypatch.setattr(sources, "read_bytes", load)

    return run


def test_unread_files_are_tried_again(
    table: Table, indexed: Run, refuse: Callable[..., None], archive: Path, shelf: Path, tmp_path: Path
) -> None:
    table(*EVEN, id="a")
    table(*EVEN, id="b")
    refuse("b.jsonl")
    done = indexed()
    assert numbers(done) == (2, 0, 0, 0, 1, 1)
    assert (done.findings, done.not_taken, done.first_not_taken[0].code) == (
        {"record.unreadable": 1},
        1,
        "record.unreadable",
    )
    assert numbers(indexed()) == (0, 1, 1, 0, 1, 1)
    refuse()
    done = indexed()
    assert (numbers(done), done.not_taken, done.findings) == ((0, 1, 1, 0, 2, 2), 0, {})
    assert dump(archive) == rebuilt(shelf, tmp_path)
    assert indexed().same == 2


def test_a_record_that_is_there_stays_until_it_can_be_read_again(
    table: Table,
    indexed: Run,
    ask: Ask,
    refuse: Callable[..., None],
    archive: Path,
    shelf: Path,
    tmp_path: Path,
) -> None:
    table(("left", 6, 1), id="a")
    indexed()
    table(("left", 6, 1), ("left", 2, 2), id="a")
    refuse("a.jsonl")
    for _ in range(2):
        assert indexed().not_taken == 1
        assert ask("SELECT events, counted FROM games") == [(2, True)]
        assert ask("SELECT code FROM findings") == [("record.unreadable",)]
    refuse()
    assert indexed().not_taken == 0
    assert ask("SELECT events FROM games") == [(4,)]
    assert dump(archive) == rebuilt(shelf, tmp_path)


def test_a_record_in_the_archive_survives_a_pack_that_cannot_be_read(
    table: Table, archive: Path, tmp_path: Path, ask: Ask
) -> None:
    for at in range(3):
        table(*EVEN, id=f"game-{at}")
    packed = tmp_path / "packs" / "all.gamelog.parquet"
    packed.parent.mkdir()
    pack([table.folder], packed)
    index([packed.parent], archive)
    whole = packed.read_bytes()
    packed.unlink()
    packed.symlink_to("/nowhere")
    assert index([packed.parent], archive).not_taken == 1
    assert ask("SELECT count(*) FROM events") == [(12,)]
    packed.unlink()
    packed.write_bytes(whole)
    assert index([packed.parent], archive).not_taken == 0
    assert ask("SELECT count(*) FROM events") == [(12,)]
    assert ask("SELECT count(*) FROM findings") == [(0,)]


def test_a_folder_that_cannot_be_searched_is_reported_and_keeps_its_records(
    table: Table, indexed: Run, archive: Path, shelf: Path, tmp_path: Path
) -> None:
    shut = shelf / "shut"
    table(*EVEN, id="a")
    for at in range(3):
        table(*EVEN, id=f"in-{at}", file=f"shut/{at}.jsonl")
    indexed()
    table(*EVEN, id="b")
    shut.chmod(0)
    archive.parent.chmod(0o777)
    archive.chmod(0o666)
    try:
        with nobody(tmp_path):
            done = indexed()
            told = done.first_not_taken[0]
            assert numbers(done) == (2, 0, 1, 0, 5, 5)
            assert (done.not_taken, told.path, told.code) == (1, f"{shut}/", "record.unreadable")
            assert told.message.startswith(f"Cannot search the folder {shut}/: Permission denied. Check")
            assert [verdict.status for verdict in verdicts(find_items([shelf]))] == ["ok", "ok", None]
    finally:
        shut.chmod(0o700)
    done = indexed()
    assert (numbers(done), done.not_taken, done.findings) == ((0, 0, 5, 1, 5, 5), 0, {})
    assert dump(archive) == rebuilt(shelf, tmp_path)


def test_the_status_shows_that_files_were_not_indexed(table: Table, archive: Path) -> None:
    runner, words = CliRunner(), ["index", str(table.folder), "--archive", str(archive)]
    table(*EVEN, id="a")
    table(("middle", 6, 1), id="illegal")
    assert runner.invoke(app(["index"]), words).exit_code == 0
    assert runner.invoke(app(["index"]), [*words, "--strict"]).exit_code == 1
    (table.folder / "noise.jsonl").write_bytes(b"noise\n")
    done = runner.invoke(app(["index"]), words)
    assert done.exit_code == 1
    assert "Findings: 1 play.illegal, 1 record.damaged.\nNot indexed: 1.\n" in done.stdout
    assert "noise.jsonl: " in done.stdout
    assert runner.invoke(app(["index"]), words).exit_code == 1  # as long as it lies there


@pytest.mark.parametrize(("fault", "code"), [("loop", "archive.timeout"), ("kill", "archive.killed")])
def test_one_record_that_never_ends_is_a_finding_and_the_others_go_on(
    fault: str, code: str, table: Table, indexed: Run, ask: Ask
) -> None:
    for at in range(5):
        table(*EVEN, id=f"game-{at}")
    table(*EVEN, id="game-2b", options={"fault": fault})
    done = indexed(limits=RecordLimits(timeout=3.0))
    assert numbers(done) == (6, 0, 0, 0, 5, 5)
    assert [(Path(one.path).name, one.code) for one in done.first_not_taken] == [("game-2b.jsonl", code)]
    assert "comes with tug" in done.first_not_taken[0].message
    assert ask("SELECT count(*) FROM events") == [(20,)]


def test_no_process_is_left_if_the_caller_wants_no_more_verdicts(table: Table) -> None:
    for at in range(8):
        table(*EVEN, id=f"game-{at}")
    judged = verdicts(find_items([table.folder]), jobs=2)
    assert next(judged).status == "ok"
    assert active_children()
    del judged
    assert active_children() == []


def test_memory_is_bounded(table: Table) -> None:
    table(*EVEN, id="a")
    table(*EVEN, id="greedy", options={"fault": "fill"})
    judged = verdicts(find_items([table.folder]), limits=RecordLimits(memory=1 << 30))
    assert [(verdict.status, [found.code for found in verdict.findings]) for verdict in judged] == [
        ("ok", []), ("unknown", ["play.broken_game"]),
    ]  # fmt: skip


def test_a_full_memory_is_not_a_finding_as_long_as_another_worker_may_have_more(
    table: Table, monkeypatch: pytest.MonkeyPatch, indexed: Run, ask: Ask
) -> None:
    def fill(_record: object) -> None:
        raise MemoryError

    table(*EVEN)
    monkeypatch.setattr(judge_batch, "assess", fill)
    with pytest.raises(MemoryError):
        judge_batch.judge(list(find_items([table.folder])))
    assert indexed(jobs=2).not_taken == 1  # no other worker has more
    assert ask("SELECT code FROM findings") == [("archive.memory",)]


def test_an_empty_mount_does_not_empty_an_archive(table: Table, archive: Path, ask: Ask) -> None:
    files = [table(*EVEN, id=f"game-{at}") for at in range(5)]
    index([table.folder], archive)
    for file in files:
        file.unlink()
    with pytest.raises(
        ArchiveError, match=r"is mounted\. To remove its records from the archive, allow empty folders"
    ):
        index([table.folder], archive, prune=True)
    assert ask("SELECT count(*) FROM games") == [(5,)]
    assert numbers(index([table.folder], archive, allow_empty=True)) == (0, 0, 0, 5, 0, 0)


def test_much_leaves_only_when_it_is_asked_for(table: Table, archive: Path, ask: Ask) -> None:
    files = [table(*EVEN, id=f"game-{at}") for at in range(5)]
    index([table.folder], archive)
    files[0].unlink()
    assert index([table.folder], archive).gone == 1
    files[1].unlink()
    files[2].unlink()
    with pytest.raises(
        ArchiveError, match=r"The files of 2 of the 4 records in .* are missing\. .* allow it"
    ):
        index([table.folder], archive)
    assert ask("SELECT count(*) FROM games") == [(4,)]
    assert index([table.folder], archive, prune=True).gone == 2


STOPPED = """
import os, signal, sys
from gamelog.archive import index
from gamelog.archive.indexing import commits
from gamelog.archive.indexing.planning import Plan
from gamelog.archive.workers.judge_batch import Judged
from gamelog.archive.workers.batch_workers import Workers
from gamelog.archive.schema.tables import FileRow
from gamelog.archive.workers import batch_workers
commits.COMMIT_SECONDS = 0
batch_workers.RECORDS = 10
def tell(done, total):
    if done >= 30:
        os.kill(os.getpid(), int(sys.argv[3]))
index(sys.argv[1:2], sys.argv[2], progress=tell)
"""


@pytest.mark.grid
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_was_stopped_is_gone_on_with(
    way: signal.Signals, packed: bool, table: Table, archive: Path, ask: Ask, tmp_path: Path
) -> None:
    for at in range(60):
        table(*EVEN, id=f"game-{at:02}")
    shutil.copy(table.folder / "game-05.jsonl", table.folder / "game-55b.jsonl")
    folder = table.folder
    if packed:
        folder = tmp_path / "packs"
        folder.mkdir()
        pack([table.folder], folder / "all.gamelog.parquet")
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join((str(PLUGIN), *sys.path))}
    step = [sys.executable, "-c", STOPPED, str(folder), str(archive), str(int(way))]
    assert subprocess.run(step, env=surroundings, capture_output=True).returncode == -way
    (held,) = ask("SELECT count(*) FROM games")
    assert 20 <= held[0] <= 40
    judged: list[tuple[int, int]] = []
    index([folder], archive, progress=lambda *step: judged.append(step))
    assert judged[-1][1] == 61 - held[0]
    assert dump(archive) == rebuilt(folder, tmp_path)


def test_others_read_while_a_run_goes_on(
    table: Table, archive: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(300):
        table(*EVEN, id=f"game-{at}")
    monkeypatch.setattr(commits, "COMMIT_SECONDS", 0.0)
    seen: list[int] = []
    index([table.folder], archive, progress=lambda *_: seen.extend(ask("SELECT count(*) FROM games")[0]))
    assert seen == [100, 200, 200]
    assert ask("SELECT count(*) FROM games") == [(300,)]


def test_the_last_records_wait_for_the_last_commit(
    table: Table, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(*EVEN)
    monkeypatch.setattr(commits, "_MAX_WAITING_ROWS", 0)
    told: dict[str, dict[str, object]] = {}
    seen: list[tuple[int, int]] = []
    index([table.folder], archive, log=told.__setitem__, progress=lambda *step: seen.append(step))
    assert [*told] == ["plan", "batch", "end"], "one commit is enough for one batch"
    assert told["batch"] == {"records": 1, "failed": 0, "done": 1, "of": 1}
    assert seen[-1] == (1, 1)


def test_a_commit_takes_as_many_short_records_as_wait(archive: Path, ask: Ask) -> None:
    files = [
        FileRow(path=f"/club/{at}.jsonl", size=900, mtime_ns=1, status="ok", judge="") for at in range(10_000)
    ]
    commit = commits.Commits(archive, Plan(PackedList(), [], [], 0, set(), True, {}), 0, [], Workers(2))
    with commit.store() as store:
        commit.add(Judged(files, []))
        commit.commit(store, last=True)
    assert ask("SELECT count(*) FROM files") == [(10_000,)]


def test_a_journal_has_an_object_for_each_action(table: Table, archive: Path, tmp_path: Path) -> None:
    import json

    table(*EVEN)
    log = tmp_path / "log.jsonl"
    words = ["index", str(table.folder), "--archive", str(archive), "--log", str(log)]
    assert CliRunner().invoke(app(["index"]), words).exit_code == 0
    told = [json.loads(line) for line in log.read_text().splitlines()]
    assert [one["action"] for one in told] == ["start", "plan", "batch", "end"]
    assert len({one["run"] for one in told}) == 1
    assert (told[2]["records"], told[2]["failed"]) == (1, 0)
