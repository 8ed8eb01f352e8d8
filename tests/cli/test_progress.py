"""Progress bars on a terminal: count, rate and remaining time; nothing in a pipe."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from tests.cli.conftest import Gamelog

SAMPLES = Path(__file__).parents[2] / "sample_games" / "dice_flags"
PROGRAM = [sys.executable, "-c", "from gamelog_cli.app import main; main()"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are made otherwise there")


def seen(*words: str) -> str:
    """Return the output of ``gamelog WORDS`` on a terminal with 100 columns, without escape sequences."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal_output(*words))


def terminal_output(*words: str, out: IO[bytes] | None = None) -> str:
    """Return what ``gamelog WORDS`` writes to a terminal with 100 columns. `out` is its standard output."""
    master, slave = os.openpty()
    surroundings = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen(
        [*PROGRAM, *words], stdin=slave, stdout=out or slave, stderr=slave, env=surroundings
    )
    os.close(slave)
    text = b""
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:  # on Linux, if the other end is closed
            break
        if not piece:
            break
        text += piece
    process.wait()
    os.close(master)
    return text.decode()


@pytest.mark.grid
@pytest.mark.parametrize("command", ["validate", "index", "pack"])
def test_progress_has_count_rate_and_time_left(command: str, tmp_path: Path) -> None:
    more = {"index": ("--archive", str(tmp_path / "a")), "pack": ("-o", str(tmp_path / "p"))}.get(command, ())
    count = len(list(SAMPLES.glob("*.jsonl")))
    assert re.search(
        rf"ing \S* {count}/{count} [\d,]+ a second \d:\d\d:\d\d", seen(command, str(SAMPLES), *more)
    )


def test_simulated_games_and_pages_have_a_progress_bar(tmp_path: Path) -> None:
    club, site = str(tmp_path / "club"), str(tmp_path / "site")
    shown = seen(
        "simulate", "slicewars", "--games", "50", "--option", "max_rounds=1", "-o", club, "--jobs", "2"
    )
    assert re.search(r"playing \S* 50/50 [\d,]+ a second \d:\d\d:\d\d", shown)
    assert re.search(
        r"writing pages \S* 50/50 [\d,]+ a second \d:\d\d:\d\d",
        seen("export", club, "-o", site, "--jobs", "2"),
    )


def test_one_game_of_a_searching_bot_shows_that_its_evaluator_is_fitted(tmp_path: Path) -> None:
    game = ("simulate", "zone_s", "--games", "1", "--max-events", "20", "-o", str(tmp_path / "club"))
    assert "fitting the search, then playing" in seen(*game, "--bot", "search:10")
    assert "playing" not in seen(*game, "--bot", "random")


def test_a_pipe_gets_no_progress_bar(gamelog: Gamelog) -> None:
    assert gamelog("validate", SAMPLES).err == ""


def test_lines_about_records_are_printed_after_the_bar_is_removed(tmp_path: Path) -> None:
    for at in range(3):
        (tmp_path / f"bad{at}.jsonl").write_bytes(
            (SAMPLES.parent / "slicewars/illegal-reach.jsonl").read_bytes()
        )
    shown = terminal_output("validate", str(tmp_path), "--jobs", "1")
    assert len(re.findall(r"(?<=[\r\n])(?:\x1b\[[0-9;?]*[A-Za-z])*\S*bad\d\.jsonl: ", shown)) == 3
    assert re.search(r"2/3.*bad1\.jsonl: ", shown, re.DOTALL), "the bar counts the records that are reported"
    assert "SW-11: 3 records" in shown


def test_the_output_of_a_command_with_a_bar_can_go_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "verdicts.jsonl"
    with file.open("wb") as out:
        terminal_output("validate", str(SAMPLES), "--json", out=out)
    assert len(file.read_bytes().splitlines()) == len(list(SAMPLES.glob("*.jsonl")))
