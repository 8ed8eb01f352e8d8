"""Tests that Ctrl-C and SIGTERM end a command even if a store never answers, and keep only finished work."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest

from gamelog.archive import pack

from .conftest import EVEN, PLUGIN, Table
from .faulty_store import Fault, FaultyStore, needs_s3
from .test_accidents import children

Ask = Callable[..., list[tuple[Any, ...]]]

pytestmark = [needs_s3, pytest.mark.filterwarnings("default")]  # those of the S3 client and server

GAMELOG = [sys.executable, "-c", "from gamelog_cli.app import main; main()"]

PATIENCE = 60
"""Seconds after which a command counts as hanging. On an idle machine it takes one second."""

WAYS = [signal.SIGINT, signal.SIGTERM]


@contextmanager
def start_command(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Start a command as a process of its own."""
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join((str(PLUGIN), *sys.path))}
    pipe = subprocess.PIPE
    with subprocess.Popen([*GAMELOG, *words], stdout=pipe, stderr=pipe, text=True, env=surroundings) as run:
        try:
            yield run
        finally:
            run.kill()


def end_by_signal(run: subprocess.Popen[str], way: signal.Signals) -> None:
    """Send the signal, and check that the command ends without output."""
    run.send_signal(way)
    said, complained = run.communicate(timeout=PATIENCE)
    assert run.returncode == 128 + way, complained
    assert complained == ""
    assert "KeyboardInterrupt" not in said


def hanging(part: str, after: int) -> Callable[[str, str], Fault]:
    """Return a fault function: no answer for content with `part` in its path, `after` a number of answers."""
    seen = 0

    def fault(method: str, path: str) -> Fault:
        nonlocal seen
        seen += method == "GET" and part in path and "list-type" not in path
        return "hang" if seen > after else None

    return fault


CASES: dict[str, tuple[list[str], str, int]] = {
    "validate records": (["validate", "s3://club/slow/records"], ".jsonl", 0),
    "validate records in processes": (["validate", "s3://club/slow/records", "--jobs", "2"], ".jsonl", 0),
    "validate a pack while it is opened": (["validate", "s3://club/slow/packs"], "club.gamelog", 1),
    "validate a pack while it is read": (["validate", "s3://club/slow/packs"], "club.gamelog", 2),
    "index records": (["index", "s3://club/slow/records", "--archive", "{out}"], ".jsonl", 0),
    "index a pack": (["index", "s3://club/slow/packs", "--archive", "{out}"], "club.gamelog", 2),
    "pack": (["pack", "s3://club/slow/records", "-o", "{out}"], ".jsonl", 0),
    "unpack": (["unpack", "s3://club/slow/packs/club.gamelog.parquet", "-o", "{out}"], "club.gamelog", 1),
}


@pytest.fixture
def slow(s3: Any, table: Table, tmp_path: Path) -> None:
    """Store some records and a pack."""
    for at in range(3):
        path = table(*EVEN, id=f"game-{at}")
        s3.put_file(str(path), f"club/slow/records/{path.name}")
    pack([table.folder], tmp_path / "made.gamelog.parquet")
    s3.put_file(str(tmp_path / "made.gamelog.parquet"), "club/slow/packs/club.gamelog.parquet")


@pytest.mark.grid
@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", CASES)
def test_a_command_ends_while_a_store_hangs(
    case: str, way: signal.Signals, faulty: FaultyStore, tmp_path: Path
) -> None:
    words, part, after = CASES[case]
    faulty.fault = hanging(part, after)
    out = tmp_path / "out" / "made.gamelog.parquet"
    out.parent.mkdir()
    with start_command(*(word.format(out=out) for word in words)) as run:
        assert faulty.hung.wait(PATIENCE)
        end_by_signal(run, way)
    assert [path.name for path in out.parent.iterdir() if path.suffix != ".lock"] == []


@pytest.mark.parametrize("way", WAYS)
def test_records_judged_before_a_store_hung_are_in_the_archive(
    way: signal.Signals, s3: Any, faulty: FaultyStore, table: Table, archive: Path, ask: Ask, tmp_path: Path
) -> None:
    far = table(*EVEN, id="far")
    s3.put_file(str(far), f"club/far-{way.name}/far.jsonl")
    far.unlink()
    for at in range(100):  # as many as are judged together
        table(*EVEN, id=f"game-{at:03}")
    paths, log = [str(table.folder), f"s3://club/far-{way.name}"], tmp_path / "log.jsonl"
    faulty.fault = hanging("far.jsonl", 0)
    with start_command("index", *paths, "--archive", str(archive), "--jobs", "1", "--log", str(log)) as run:
        assert faulty.hung.wait(PATIENCE)
        until = time.monotonic() + PATIENCE
        while '"batch"' not in log.read_text() and time.monotonic() < until:
            time.sleep(0.02)
        end_by_signal(run, way)
    assert ask("SELECT count(*) FROM games") == [(100,)]
    assert ask("SELECT * FROM findings") == []
    faulty.released.set()
    faulty.behave()
    with start_command("index", *paths, "--archive", str(archive), "--jobs", "1") as run:
        assert (
            "1 new, 0 changed, 100 unchanged, 0 removed; 101 records" in run.communicate(timeout=PATIENCE)[0]
        )


@pytest.mark.grid
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="Linux says there what a process does")
@pytest.mark.parametrize("way", WAYS)
def test_a_question_that_never_ends_is_ended(way: signal.Signals, untouched: Path, tmp_path: Path) -> None:
    shutil.copy(untouched, tmp_path / "games.archive")
    endless = "SELECT count(*) FROM range(1000000000000) a WHERE hash(a.range) = 7"
    with start_command("query", endless, "--archive", str(tmp_path / "games.archive")) as run:
        until = time.monotonic() + PATIENCE
        while processor_time(run.pid) < 4 and time.monotonic() < until:
            time.sleep(0.05)
        end_by_signal(run, way)


ASKING: dict[str, list[str]] = {
    "people": ["people", "{archive}"],
    "query": ["query", "players", "--archive", "{archive}"],
    "report": ["report", "--archive", "{archive}", "-o", "{out}"],
}


@pytest.mark.grid(keeps=("report-2", "people-15"))
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="Linux says there what a process does")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("command", ASKING)
def test_a_command_that_waits_for_an_archive_is_ended(
    command: str, way: signal.Signals, untouched: Path, tmp_path: Path
) -> None:
    """Without the signal, the command would wait for ten seconds and end with a message."""
    archive, out = tmp_path / "games.archive", tmp_path / "report.html"
    shutil.copy(untouched, archive)
    with (
        duckdb.connect(str(archive)),
        start_command(*(word.format(archive=archive, out=out) for word in ASKING[command])) as run,
    ):
        until = time.monotonic() + PATIENCE
        while not children(run.pid) and time.monotonic() < until:
            time.sleep(0.02)
        end_by_signal(run, way)
    assert not out.exists()


def processor_time(pid: int) -> float:
    """Return the processor time of a process and its child processes, in seconds."""
    own = sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))
    return own / os.sysconf("SC_CLK_TCK") + sum(map(processor_time, children(pid)))
