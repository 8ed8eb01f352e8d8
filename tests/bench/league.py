"""A league of mixed games: simulated, validated, indexed, packed, queried and reported.

    python -m tests.bench.league [--games N] [--folder DIR]

The run does this with a tenth of N games (100,000 by default) and then with all, on the command line. It
prints the cost of each step: seconds on the clock and of processor time (of all its processes, including the
system's part), the most memory of one process, and the bytes of the result. It also prints how much more
processor time a game takes among ten times as many.

`SHARES` has the kinds of games, most of them short. Connect Four comes from ``examples``.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from msgspec import Struct

from tests.examples.conftest import register

EXAMPLE = Path(__file__).parents[2] / "examples" / "connect_four"
GAMELOG = Path(sys.executable).parent / "gamelog"

SHARES = {
    "connect_four": 80,
    "zone_s": 8,
    "slicewars": 4,
    "zone_control": 4,
    "gp02a_territory": 3,
    "dice_flags": 1,
}
"""Number of games of each kind in a hundred."""

USUAL: tuple[str, ...] = ("--bot", "greedy", "--bot", "random")
BOTS: dict[str, tuple[str, ...]] = {"connect_four": ()}

ASK = """
import json, sys, time
from gamelog.archive import QuestionLimits, Reader, all_questions
took = {}
with Reader(sys.argv[1], QuestionLimits(threads=2)) as reader:
    for name in all_questions():
        begin = time.perf_counter()
        reader.ask(name)
        took[name] = time.perf_counter() - begin
    print(json.dumps([took, reader.ask("SELECT count(*) FROM events").rows[0][0]]))
"""


class Took(Struct):
    """Seconds on the clock and of processor time, and the most MB of one process."""

    wall: float
    processor: float
    memory: float
    said: bytes = b""


def run(*words: object) -> Took:
    """Run a command in a process of its own."""
    begin = perf_counter()
    with TemporaryDirectory() as folder, Path(folder, "said").open("w+b") as said:
        process = subprocess.Popen(list(map(str, words)), stdout=said)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{' '.join(map(str, words))} ended with {process.returncode}")
        said.seek(0)
        told = said.read()
    return Took(perf_counter() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, told)


def size(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder.

    The files are read one by one. The memory of this process is the least that the system counts for the next
    command.
    """
    if path.is_file():
        return path.stat().st_size
    with os.scandir(path) as entries:
        return sum(size(Path(entry)) if entry.is_dir() else entry.stat().st_size for entry in entries)


def league(room: Path, games: int) -> dict[str, Took]:
    """Run all steps with the given number of games, and print each when it ends."""
    records, archive = room / "records", room / "league.duckdb"
    took: dict[str, Took] = {}

    def step(name: str, made: Path | None, *words: object) -> Took:
        took[name] = one = run(*words)
        bytes_made = f"{size(made) / games:10,.0f} bytes a game" if made else ""
        print(
            f"  {name:24} {one.wall:8.1f} s {one.processor:8.1f} s of processor {one.processor / games * 1000:7.2f} ms a game "
            f"{one.memory:6.0f} MB{bytes_made}",
            flush=True,
        )
        return one

    for kind, share in SHARES.items():
        words = ("--games", games * share // 100, *BOTS.get(kind, USUAL), "-o", records / kind)
        step(f"simulate {kind}", records / kind, GAMELOG, "simulate", kind, *words)
    step("validate", records, GAMELOG, "validate", records)
    step("index", archive, GAMELOG, "index", records, "--archive", archive)
    step("index again", None, GAMELOG, "index", records, "--archive", archive)
    step(
        "pack",
        room / "league.gamelog.parquet",
        GAMELOG,
        "pack",
        records,
        "-o",
        room / "league.gamelog.parquet",
    )
    asked, rows = json.loads(step("ask every stock question", None, sys.executable, "-c", ASK, archive).said)
    slowest = max(asked, key=lambda name: asked[name])
    print(
        f"  {rows:,} events, {rows / games:.0f} a game; the slowest question: {slowest}, {asked[slowest]:.2f} s",
        flush=True,
    )
    step("report", room / "report.html", GAMELOG, "report", "--archive", archive, "-o", room / "report.html")
    return took


def main() -> None:
    """Measure and print."""
    wanted = argparse.ArgumentParser(
        prog="python -m tests.bench.league", description=(__doc__ or "").split("\n")[0]
    )
    wanted.add_argument("--games", type=int, default=100_000)
    wanted.add_argument("--folder", type=Path, help="folder with free space: 15 kB for each game")
    asked = wanted.parse_args()
    with TemporaryDirectory(dir=asked.folder) as folder:
        room = Path(folder)
        register(room, EXAMPLE)
        os.environ["PYTHONPATH"] = os.pathsep.join(map(str, (EXAMPLE, room)))
        took = []
        for games in (asked.games // 10, asked.games):
            begin = perf_counter()
            print(f"{games:,} games, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
            (room / str(games)).mkdir()
            took.append(league(room / str(games), games))
            shutil.rmtree(room / str(games))
            print(f"  {perf_counter() - begin:.0f} s in all, load {os.getloadavg()[0]:.1f}", flush=True)
    print("processor time a game among ten times as many")
    for name, few in took[0].items():
        print(f"  {name:24} {took[1][name].processor / few.processor / 10 - 1:+7.1%}")
    few_all, all_all = (sum(one.processor for one in some.values()) for some in took)
    print(f"  {'everything':24} {all_all / few_all / 10 - 1:+7.1%}")


if __name__ == "__main__":
    main()
