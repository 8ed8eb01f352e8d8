"""Tests that an interrupted recovery can be run again and reaches the same end."""

from __future__ import annotations

import itertools
import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from gamelog.errors import (
    RecordError,
)
from gamelog.record.reading import read_record
from gamelog.record.recovery import recover
from tests.record.torn_records import GOOD, STEPS, TAIL, aside, beside, sha256

DEAD = 42


def die_at(step: int) -> None:
    """Kill this process at the `step`-th call that changes a file. A write is half done."""
    left = itertools.count(step, -1)

    def dying(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def instead(*arguments: Any, **more: Any) -> Any:
            if next(left) == 0:
                if name == "write":
                    call(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
                os._exit(DEAD)
            return call(*arguments, **more)

        return instead

    for name in STEPS:
        setattr(os, name, dying(name, getattr(os, name)))


def dies(path: Path, step: int) -> bool:
    """Recover in a process that dies at `step`. Return False if the recovery finished first."""
    child = os.fork()
    if child == 0:
        try:
            die_at(step)
            recover(path, aside)
        except RecordError as error:
            os._exit(0 if "is not torn" in str(error) else 1)
        except BaseException:
            os._exit(1)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, DEAD), code
    return code == DEAD


def settle(path: Path) -> int:
    """Recover without interruption and check that every tail is saved and recorded once; return their
    number.
    """
    try:
        recover(path, aside)
    except RecordError as error:
        assert "is not torn" in str(error)  # noqa: PT017 - the other way is right as well
    record = read_record(path)
    assert record.problem is None
    assert path.read_bytes().startswith(GOOD)
    tails = beside(path)
    assert tails.pop(".torn") == TAIL
    told = b"".join(record.bodies[3:])
    assert told.count(sha256(TAIL).encode()) == 1
    for name, tail in tails.items():  # the event's own line, cut while it was written
        assert name.startswith(".torn.")
        assert tail.startswith(b'{"h":"')
        assert told.count(sha256(tail).encode()) == 1
    assert len(record.bodies) == 3 + 1 + len(tails)
    return 1 + len(tails)


def fresh(folder: Path) -> Path:
    for entry in folder.iterdir():
        entry.unlink()
    path = folder / "game.jsonl"
    path.write_bytes(GOOD + TAIL)
    return path


def interrupt_everywhere(folder: str) -> tuple[int, int]:
    """Return the number of steps, and of interruptions after which a second tail had to be recorded."""
    twice = step = 0
    while dies(path := fresh(Path(folder)), step):
        twice += settle(path) == 2
        step += 1
    assert settle(path) == 1
    return step, twice


def interrupt_twice_everywhere(folder: str) -> int:
    """Return the number of pairs of interruptions."""

    def pairs() -> Iterator[Path]:
        for first in itertools.count():
            for second in itertools.count():
                path = fresh(Path(folder))
                if not dies(path, first):
                    return
                if not dies(path, second):
                    break
                yield path

    return sum(1 <= settle(path) <= 3 for path in pairs())


def in_a_process_of_its_own(work: Callable[[str], Any], folder: Path) -> Any:
    """Run a function in a process without threads, which can be forked."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, str(folder)).result()


def test_a_recovery_interrupted_at_any_step_can_be_repeated(tmp_path: Path) -> None:
    steps, twice = in_a_process_of_its_own(interrupt_everywhere, tmp_path)
    assert steps >= 12
    assert twice == 1  # killed while the event was half written: that is a torn end like any other


def test_a_recovery_interrupted_twice_can_be_repeated(tmp_path: Path) -> None:
    assert in_a_process_of_its_own(interrupt_twice_everywhere, tmp_path) >= 100
