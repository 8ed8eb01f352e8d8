"""A full disk, a closed pipe and an interrupt: no confirmed event is lost, and no traceback is printed."""

import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import validate
from gamelog.play.recording.recorder import recover_record
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog
from tests.cli.terminal import Terminal

PROGRAM = str(Path(sys.executable).parent / "gamelog")


def run(*args: object, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True, timeout=60, **options)


def test_a_closed_pipe_is_not_an_error(gamelog: Gamelog) -> None:
    gamelog("simulate", "slicewars", "-o", "club", "--option", "max_rounds=3")
    path = next(Path("club").iterdir())
    done = subprocess.run(
        f"{PROGRAM} replay {path} --every | head -n 3", shell=True, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.count("\n") == 3
    assert done.stderr == ""


def test_interrupting_long_work_leaves_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command = [PROGRAM, "simulate", "slicewars", "--games", "100000", "-o", "club"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(300):
            if Path("club").exists() and any(Path("club").iterdir()):
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode not in (0, None)
    assert "Traceback" not in err
    assert all(validate(path).status == "ok" for path in list(Path("club").glob("*.jsonl"))[:5])


@pytest.mark.usefixtures("unmeasured")
def test_a_full_disk_loses_no_confirmed_event(gamelog: Gamelog, game: Path) -> None:
    before = game.read_bytes()
    limit = len(before) + 40

    def small() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = run("append", game, '{"do":"claim","at":"A1"}', preexec_fn=small)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1, done.stderr
    assert "was not written completely" in done.stderr
    assert game.read_bytes()[: len(before)] == before
    assert gamelog("recover", game).status in (0, 2)
    assert gamelog("append", game, '{"do":"claim","at":"A1"}').status == 0


@pytest.mark.usefixtures("unmeasured")
def test_the_recorder_keeps_a_line_that_a_full_disk_did_not_take(game: Path) -> None:
    before = game.read_bytes()
    with Terminal("record", game) as screen:
        screen.sees("Rui: claim>")
        screen.limit_files(len(before) + 40)
        screen.types("A1\r")
        screen.sees("was not written completely", 'Not recorded: "A1". The line is kept.', "Rui: claim> A1")
        screen.types("\r")
        screen.sees('Not recorded: "A1". The line is kept.', "Rui: claim> A1")
        screen.limit_files(-1)
        screen.types("\r")
        screen.sees("A torn end of 40 bytes was moved", "Rui claims A1.", "Ana: claim>")
        screen.limit_files(game.stat().st_size + 60)
        screen.types("B2\r")
        screen.sees("The line is kept.", "Ana: claim> B2")
        screen.types("\x03")
        screen.types("list\r")
        screen.sees("Rui claims A1.", "Ana: claim>")
        screen.types("quit\r")
        assert screen.ends() == 0
        assert "Traceback" not in screen.text
    assert game.read_bytes().startswith(before)
    recover_record(game)
    kinds = [type(event).__name__ for event in fold_record(read_record(game)).events]
    assert kinds.count("ClaimLand") == 2 and validate(game).status == "ok"


@pytest.mark.usefixtures("unmeasured")
def test_an_answer_or_a_pack_on_a_full_disk_is_reported(gamelog: Gamelog) -> None:
    gamelog("simulate", "slicewars", "--games", 4, "-o", "club", "--option", "max_rounds=2")
    gamelog("index", "club", "--archive", "a.duckdb")

    def small() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))

    many = "SELECT range, uuid() AS id FROM range(100000)"
    for out, words in (
        ("a.csv", ("query", many, "--archive", "a.duckdb", "--format", "csv")),
        ("a.parquet", ("query", many, "--archive", "a.duckdb", "--format", "parquet")),
        ("a.gamelog.parquet", ("pack", "club")),
    ):
        done = run(*words, "-o", out, preexec_fn=small)
        assert re.fullmatch(
            rf"gamelog: Cannot write {re.escape(out)}: [^{{]*File too large; free some disk space and try again\.\n",
            done.stderr,
        ), done.stderr
        assert done.returncode == 2
    assert {path.name for path in Path().iterdir()} >= {"club", "a.duckdb"}
    assert not [*Path().glob(".gamelog-*"), *Path().glob("*.csv"), *Path().glob("*.parquet")]
