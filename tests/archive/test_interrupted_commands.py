"""Tests that Ctrl-C ends every command that uses DuckDB with status 130, without a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gamelog.archive import index, pack

from .conftest import EVEN, PLUGIN, Table

PROGRAM = [sys.executable, "-c", "from gamelog_cli.start import run; print(flush=True); run()"]
"""The program, which prints an empty line when Python has started: before that, Python answers an interrupt."""

SLOW = "SELECT count(*) FROM range(100000) a, range(100000) b WHERE a.range * b.range % 7 = 3"
"""A question that takes minutes, during which DuckDB itself notices the interrupt."""

COMMANDS = {
    "index": ["index", "{records}", "--archive", "{out}/a.duckdb"],
    "index a pack": ["index", "{pack}", "--archive", "{out}/a.duckdb"],
    "query": ["query", SLOW, "--archive", "{archive}"],
    "query into a file": ["query", SLOW, "--archive", "{archive}", "-o", "{out}/x.csv"],
    "report": ["report", "--archive", "{archive}", "-o", "{out}/r.html"],
    "people": ["people", "{archive}"],
    "pack": ["pack", "{records}", "-o", "{out}/p.gamelog.parquet"],
    "unpack": ["unpack", "{pack}", "-o", "{out}/unpacked"],
    "validate a pack": ["validate", "{pack}"],
}

MOMENTS = (0.2, 0.6, 1.2, 2.0)
"""Seconds after its start after which the command is interrupted, if it still runs."""


@pytest.mark.grid
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("name", COMMANDS)
def test_an_interrupted_command_has_status_130_and_no_traceback(
    name: str, table: Table, tmp_path: Path
) -> None:
    for at in range(20):
        table(*EVEN, id=f"game-{at}")
    places = {
        "records": table.folder,
        "pack": tmp_path / "p.gamelog.parquet",
        "archive": tmp_path / "a.duckdb",
    }
    index([table.folder], places["archive"])
    pack([table.folder], places["pack"])
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join((str(PLUGIN), *sys.path))}
    for at, seconds in enumerate(MOMENTS):
        out = tmp_path / f"out-{at}"
        out.mkdir()
        words = [word.format(out=out, **places) if "{" in word else word for word in COMMANDS[name]]
        with subprocess.Popen(
            [*PROGRAM, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=surroundings,
            start_new_session=True,
        ) as run:
            assert run.stdout is not None and run.stdout.readline() == "\n"
            time.sleep(seconds)
            if run.poll() is None:
                os.killpg(run.pid, signal.SIGINT)
            output, errors = run.communicate(timeout=120)
        assert "Traceback" not in output + errors
        after_end = -signal.SIGINT  # Python has ended and removed the handler; a shell shows 130 too
        assert run.returncode in (0, 130, after_end), errors
        assert run.returncode == 0 or not errors, errors


INTERRUPTED_IMPORT = """
import enum, signal, sys
from gamelog_cli import app

create = enum.EnumMeta.__call__

def interrupted(*names, **options):
    if sys._getframe(1).f_code.co_name == "_call_with_frames_removed":
        enum.EnumMeta.__call__ = create
        print("interrupted", flush=True)
        signal.raise_signal(signal.SIGINT)
    return create(*names, **options)

enum.EnumMeta.__call__ = interrupted
app.main()
"""
"""A program that is interrupted when the extension of DuckDB creates its first enumeration."""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no alarms")
def test_an_interrupt_waits_for_the_import_of_an_extension(table: Table, tmp_path: Path) -> None:
    table(*EVEN, id="game")
    packed = tmp_path / "p.gamelog.parquet"
    pack([table.folder], packed)
    archive = tmp_path / "a.duckdb"
    words = [sys.executable, "-c", INTERRUPTED_IMPORT, "index", str(packed), "--archive", str(archive)]
    run = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert (run.returncode, run.stderr) == (130, "")
    assert run.stdout == "interrupted\n"
