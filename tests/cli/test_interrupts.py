"""Ctrl-C at any moment: an event is recorded once, and at most the typed line is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gamelog_cli.conversation.session import RecordingSession

from gamelog.play.judging.verdict import validate
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.reading import read_record
from gamelog.record.record_file import Ack
from tests.cli.terminal import Terminal
from tests.cli.test_record import Person


def pressing(times: int, after: int) -> Callable[[EventRecorder], Iterator[Ack]]:
    """Return a function that presses Ctrl-C several times before the next prompt, after `after` events."""
    left = times

    def press(recorder: EventRecorder) -> Iterator[Ack]:
        nonlocal left
        while left and recorder.n == after:
            left -= 1
            signal.raise_signal(signal.SIGINT)
        yield from ()

    return press


@pytest.mark.parametrize(("times", "written"), [(1, 2), (2, 1)])
def test_between_two_prompts_one_ctrl_c_clears_the_line_and_two_leave(
    game: Path, times: int, written: int
) -> None:
    before, handler = len(read_record(game).bodies), signal.getsignal(signal.SIGINT)
    person = Person("A1", "B2", "quit", "n")
    RecordingSession(lambda: EventRecorder(game), pressing(times, before + 1)).run(person)
    assert len(read_record(game).bodies) == before + written
    assert signal.getsignal(signal.SIGINT) is handler


def test_ctrl_c_before_the_prompt_does_not_leave(game: Path) -> None:
    with Terminal("record", game) as screen:
        screen.sees("Rui: claim>")
        screen.types("A1\r\x03")
        screen.sees("3. Rui claims A1.", "Ana: claim>")
        screen.types("B2\r")
        screen.sees("4. Ana claims B2.", "Rui: claim>")
        screen.types("quit\r")
        screen.sees("Stop the clock")
        screen.types("n\r")
        assert screen.ends() == 0
    assert len(read_record(game).bodies) == 4


def leave(screen: Terminal, patience: float) -> None:
    """Press Ctrl-C until the recorder ends, if it has not ended. `patience` is for the first one, in seconds."""
    for _ in range(20):
        try:
            screen.sees("Stop the clock", within=patience)
            return
        except AssertionError:
            screen.types("\x03")
    raise AssertionError("it never leaves")


@pytest.mark.grid
@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.03, 0.1])
def test_ctrl_c_at_any_time_loses_and_duplicates_nothing(game: Path, seconds: float) -> None:
    with Terminal("record", game) as screen:
        screen.sees("Rui: claim>")
        screen.types("A1\r")
        time.sleep(seconds)
        typed = time.monotonic()
        screen.types("\x03")
        screen.sees("3. Rui claims A1.")
        leave(screen, max(1.0, 20 * (time.monotonic() - typed)))  # a busy machine answers late
        screen.types("n\r")
        screen.sees("3 events saved in game.jsonl")
        assert screen.ends() == 0
    assert [b'"at":"A1"' in body for body in read_record(game).bodies] == [False, False, True]
    assert validate(game).status == "ok"


def test_an_interrupt_while_the_program_loads_leaves_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    program = [sys.executable, "-c", "from gamelog_cli.start import run; run()", "games"]
    paths = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(program, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.SIGINT, "", "")
