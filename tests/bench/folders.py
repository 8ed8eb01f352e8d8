"""Whole folders with two jobs and with one: `simulate`, `validate`, `index`, `pack` and `export`.

    python -m tests.bench.folders [GAME] [--games N] [--pages N] [--rounds N]

The run starts each command with one job and with two in turn. It prints the ratio of the times on the clock,
of the best round of each. All five commands take less than six minutes on a quiet machine with two cores.

On a busy machine these times say little. So the table also has the processor time, the share of the first
process while two others work, and the limit that follows from both. With two cores, nothing is faster than
half of all work, or than the work of the first process alone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

import msgspec

from gamelog.play.contract.registry import names

STEP = """
import json, sys, time
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from pathlib import Path
from gamelog_cli.app import main
told = Path(sys.argv.pop(1))
if __name__ == "__main__":
    begin = time.perf_counter()
    try:
        main()
    finally:
        used = [usage.ru_utime + usage.ru_stime for usage in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN))]
        told.write_text(json.dumps([time.perf_counter() - begin, *used]))
"""
"""A program that runs a command and writes its cost to a file; processes that it starts import the file."""

COMMANDS = {
    "simulate": "simulate {game} --games {games} -o {out}",
    "validate": "validate {records}",
    "index": "index {records} --archive {out}",
    "pack": "pack {records} -o {out}",
    "export": "export {few} -o {out}",
}

WANTED = 1.7


class Took(NamedTuple):
    """Seconds: on the clock, of processor time in the first process, and in the processes that it started."""

    wall: float
    first: float
    others: float


def run(room: Path, words: str, jobs: int) -> Took:
    """Run a command with the given number of jobs, and remove its output."""
    made, told = room / "made", room / "told"
    command = [
        sys.executable,
        str(room / "step.py"),
        str(told),
        *words.format(out=made).split(),
        "--jobs",
        str(jobs),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{words}: {done.stderr}")
    if made.is_dir():
        shutil.rmtree(made)
    made.unlink(missing_ok=True)
    return Took(*msgspec.json.decode(told.read_bytes(), type=tuple[float, float, float]))


def bound(one: Took, two: Took) -> float:
    """Return the largest possible gain of a second core, by the processor time of both runs."""
    return (one.first + one.others) / max((two.first + two.others) / 2, two.first)


def compare(room: Path, name: str, words: str, rounds: int) -> float:
    """Print a line of the table; return the ratio on the clock."""
    runs: dict[int, list[Took]] = {1: [], 2: []}
    for at in range(2 * rounds):
        runs[1 + at % 2].append(run(room, words, 1 + at % 2))
    one, two = (min(took, key=lambda took: took.wall) for took in runs.values())
    least = [min(took, key=lambda took: took.first + took.others) for took in runs.values()]
    ratio, most = one.wall / two.wall, bound(*least)
    print(
        f"{name:9} {one.wall:7.2f} s {two.wall:7.2f} s {ratio:5.2f} {'met' if ratio >= WANTED else 'MISSED':6}  processor "
        f"{least[0].first + least[0].others:6.2f} s, {least[1].first + least[1].others:6.2f} s, of it the first process "
        f"{least[1].first:5.2f} s; at most {most:.2f}",
        flush=True,
    )
    return ratio


def main() -> None:
    """Measure and print."""
    wanted = argparse.ArgumentParser(
        prog="python -m tests.bench.folders", description=(__doc__ or "").split("\n")[0]
    )
    wanted.add_argument("game", nargs="?", default="slicewars", choices=names())
    wanted.add_argument("--games", type=int, default=1_600)
    wanted.add_argument("--pages", type=int, default=250, help="of the site")
    wanted.add_argument("--rounds", type=int, default=3)
    asked = wanted.parse_args()
    begin = perf_counter()
    print(
        f"{asked.game}, {asked.games:,} games, {asked.pages:,} pages, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    with TemporaryDirectory() as folder:
        room = Path(folder)
        (room / "step.py").write_text(STEP)
        given = {
            "game": asked.game,
            "games": asked.games,
            "records": room / "records",
            "few": room / "few",
            "out": "{out}",
        }
        for place, count in (("records", asked.games), ("few", asked.pages)):
            made = f"simulate {asked.game} --games {count} -o {room / place}".split()
            subprocess.run(
                [sys.executable, str(room / "step.py"), str(room / "told"), *made],
                check=True,
                stdout=subprocess.DEVNULL,
            )
        ratios = {
            name: compare(room, name, words.format(**given), asked.rounds) for name, words in COMMANDS.items()
        }
    print("two cores over one:", ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items()))
    print(f"{perf_counter() - begin:.0f} s in all, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
