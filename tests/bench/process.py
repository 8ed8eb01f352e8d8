"""Whole processes: the time of ``gamelog validate`` for one record, and its memory for a folder.

    python -m tests.bench.process

The run prints the time of judging a record of about 1,000 events as a multiple of importing msgspec and
typer, run in turn. It also prints the cost of importing gamelog, and the peak memory of judging folders of
250 and 1,000 games. Last comes the cost of judging in a process that can be ended, as with a foreign game.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from gamelog.play.contract.registry import find
from gamelog.play.recording.series import simulate_game
from gamelog.record.record_file import compose

PROGRAM = str(Path(sys.executable).parent / "gamelog")
GAME = "slicewars"
ROUNDS = 11


def seconds(*command: str) -> float:
    """Return the time of a process."""
    begin = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - begin


def measure_process(*command: str) -> tuple[float, float]:
    """Return the seconds of processor time of a process, and the most memory that it uses, in MiB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) in (0, 1), f"{command} ended with {status}"
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


CAREFULLY = """
import sys
from pathlib import Path
from time import process_time
from gamelog_cli.app import main
told = Path(sys.argv.pop(1))
try:
    main()
finally:
    held = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
    told.write_text(f"{held} {process_time()}")
"""
"""A program that runs a command and writes its peak memory in KiB and its processor time to a file."""


class Answered(NamedTuple):
    """The answer of a command, its status, and the cost of its process: MiB and seconds of processor time."""

    status: int
    said: str
    mib: float
    seconds: float


def run_command(*words: str, timeout: float = 300, **surroundings: str) -> Answered:
    """Run ``gamelog`` with `words` in a process of its own, on Linux.

    The system's figures of a child include its parent's memory, so the process measures itself.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "told")
        command = [sys.executable, "-c", CAREFULLY, str(file), *words]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
            env=os.environ | surroundings,
        )
        held, seconds = file.read_text().split()
    return Answered(done.returncode, done.stdout + done.stderr, int(held) / 1024, float(seconds))


def peak(*command: str) -> float:
    """Return the most memory of a process in MiB."""
    return measure_process(*command)[1]


def record_of(events: int, path: Path) -> int:
    """Write a game of about the given number of events; return their exact number."""
    game = find(GAME)
    made = (simulate_game(game, "process", index, players=4, dice="table") for index in range(100))
    header, played = min(made, key=lambda one: abs(len(one[1]) - events))
    path.write_bytes(compose(header, played)[0])
    return len(played)


def import_cost() -> float:
    """Return the processor time of importing gamelog, as a multiple of importing msgspec."""
    both = [
        [measure_process(sys.executable, "-c", f"import {name}")[0] for name in ("gamelog", "msgspec")]
        for _ in range(ROUNDS)
    ]
    return statistics.median(ours / theirs for ours, theirs in both)


def main() -> None:
    print(f"import gamelog: {import_cost():.2f} times the processor time of import msgspec")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.jsonl"
        events = record_of(1_000, path)
        bare = (sys.executable, "-c", "import msgspec, typer")
        judging, importing = [], []
        for _ in range(ROUNDS):
            importing.append(seconds(*bare))
            judging.append(seconds(PROGRAM, "validate", str(path)))
        ratio = statistics.median(a / b for a, b in zip(judging, importing, strict=True))
        print(f"validate a record of {events} events: {statistics.median(judging):.3f} s; ", end="")
        print(f"import msgspec, typer: {statistics.median(importing):.3f} s; ratio {ratio:.2f}")
        for games in (250, 1_000):
            out = str(Path(folder) / f"club-{games}")
            seconds(PROGRAM, "simulate", GAME, "--games", str(games), "--dice", "table", "-o", out)
            print(f"validate {games} games: peak {peak(PROGRAM, 'validate', out):.0f} MiB")
            print(
                f"the same where a stranger's game is installed: {bounds_cost(out):.2f} times the processor time"
            )


def bounds_cost(folder: str) -> float:
    """Return the time of `validate` with a foreign game, for which it has bounds, over the time without."""
    plugin = str(Path(__file__).parents[1] / "archive" / "plugin")
    ratios = []
    for _ in range(ROUNDS // 2):
        without = measure_process(PROGRAM, "validate", folder)[0]
        ratios.append(
            measure_process("env", f"PYTHONPATH={plugin}", PROGRAM, "validate", folder)[0] / without
        )
    return statistics.median(ratios)


if __name__ == "__main__":
    main()
