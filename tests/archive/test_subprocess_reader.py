"""Tests of limits inside a single SQL function and for rows in Python, where the process has to be ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer

import pytest

from gamelog.archive import QuestionLimits, Reader, SubprocessReader, Update
from gamelog.errors import ArchiveError

from .conftest import Table

GAMELOG = Path(sys.executable).parent / "gamelog"
ENDLESS = "SELECT levenshtein(repeat('a', 200000), repeat('b', 200000))"


@pytest.fixture(autouse=True)
def _one_game(table: Table, indexed: Callable[..., Update]) -> None:
    table(("left", 6, 1), ("right", 2, 2), ("right", 5, 4), id="a")
    indexed()


@pytest.fixture
def seconds() -> float:
    """Return the time limit of a question in seconds."""
    return 30


@pytest.fixture
def confined(archive: Path, tmp_path: Path, seconds: float) -> Iterator[SubprocessReader]:
    limits = QuestionLimits(timeout=seconds, memory="100MB")
    with SubprocessReader(archive, limits, out=tmp_path / "out.csv") as reader:
        yield reader


def test_it_answers_as_a_reader_does(confined: SubprocessReader, archive: Path, tmp_path: Path) -> None:
    with Reader(archive) as reader:
        for question in (
            "FROM games",
            "seats",
            "SELECT now() > '2026-01-01', 1.5::DECIMAL(4,1), DATE '2026-01-01'",
        ):
            assert confined.ask(question) == reader.ask(question)
        assert confined.notes("seats") == reader.notes("seats")
    with pytest.raises(ArchiveError, match="Did you mean"):
        confined.ask("FROM gams")
    confined.save("SELECT id, now()::DATE > '2026-01-01' AS later FROM games", "csv")
    assert (tmp_path / "out.csv").read_text() == "id,later\na,true\n"
    assert len(confined.ask("FROM range(1000000)", limit=3).rows) == 3


@pytest.mark.parametrize(
    ("question", "seconds", "said"),
    [
        (ENDLESS, 2, "exceeded the time limit of 2 s"),
        ("SELECT repeat('x', 2000000000)", 30, "memory"),
        ("SELECT list_reduce(range(20000000), lambda x, y: x + y)", 30, "memory"),
        ("SELECT repeat('x', 1000) || range FROM range(300000000)", 3, "memory|time limit"),
    ],
)
def test_a_function_and_rows_are_bounded_and_the_next_question_is_answered(
    question: str, said: str, confined: SubprocessReader
) -> None:
    begun = time.monotonic()
    with pytest.raises(ArchiveError, match=said) as caught:
        confined.ask(question)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - begun < 30
    assert confined.ask("SELECT count(*) FROM games").rows == [(1,)]


@pytest.mark.parametrize("seconds", [2])
def test_an_answer_that_is_not_finished_leaves_nothing(confined: SubprocessReader, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    with pytest.raises(ArchiveError, match="exceeded the time limit"):
        confined.save(ENDLESS, "csv")
    assert sorted(tmp_path.iterdir()) == before


def test_a_process_that_dies_is_named(confined: SubprocessReader) -> None:
    assert confined._process
    assert confined._process.pid
    os.kill(confined._process.pid, signal.SIGKILL)
    with pytest.raises(ArchiveError, match=r"The process that answered the question ended \(status -9\)"):
        confined.ask("SELECT 1")
    assert confined.ask("SELECT 1").rows == [(1,)]


@pytest.mark.parametrize("seconds", [1])
def test_a_process_that_does_not_answer_in_time_is_replaced(confined: SubprocessReader) -> None:
    assert confined._process
    assert confined._process.pid
    stopped = confined._process.pid
    os.kill(stopped, signal.SIGSTOP)
    going_on = Timer(60, os.kill, (stopped, signal.SIGCONT))
    going_on.start()
    try:
        with pytest.raises(ArchiveError, match="exceeded the time limit of 1 s"):
            confined.ask("SELECT 1")
    finally:
        going_on.cancel()
    assert confined.ask("SELECT 1").rows == [(1,)]


RESERVING = """
import mmap, sys
from gamelog.archive import QuestionLimits, SubprocessReader

reserved = mmap.mmap(-1, 16 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
with SubprocessReader(sys.argv[1], QuestionLimits(memory="100MB", timeout=60)) as reader:
    print(reader.ask("SELECT count(*) FROM games").rows)
"""
"""Asks a question in a process that has reserved addresses without using them."""


def test_addresses_that_the_asking_process_has_reserved_do_not_count_as_memory(archive: Path) -> None:
    done = subprocess.run([sys.executable, "-c", RESERVING, archive], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[(1,)]\n", "")


@pytest.mark.parametrize(("ended", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_the_process_of_the_question(
    archive: Path, ended: signal.Signals, status: int
) -> None:
    asked = subprocess.Popen(
        [GAMELOG, "query", ENDLESS, "--archive", archive], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    children: list[str] = []
    while not children or not Path(f"/proc/{children[0]}/statm").read_text().split()[1] > "1000":
        time.sleep(0.1)
        children = Path(f"/proc/{asked.pid}/task/{asked.pid}/children").read_text().split()
    time.sleep(1)
    asked.send_signal(ended)
    _, said = asked.communicate(timeout=30)
    assert asked.returncode == status
    assert b"Traceback" not in said
    assert not Path(f"/proc/{children[0]}").exists()


def test_bounds_have_defaults_that_the_help_prints() -> None:
    said = subprocess.run(
        [GAMELOG, "query", "--help"], capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"}
    ).stdout
    assert "[default: 4GB]" in said
    assert "[default: 600" in said


def test_an_archive_that_cannot_be_opened_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    with pytest.raises(ArchiveError, match="There is no archive"):
        SubprocessReader(tmp_path / "missing.duckdb")
    assert list(room.iterdir()) == []
