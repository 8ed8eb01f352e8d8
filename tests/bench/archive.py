"""Archives: memory, bytes, growth, every stock question on many rows, and the costs of `tests.bench.index`.

    python -m tests.bench.archive [GAME] [--games N] [--rows N] [--folder DIR]

The run plays N games between bots into a temporary folder in DIR. From real games of every kind, it makes an
archive with at least the given number of event rows. Each step has a process of its own. Processor time is
the sum over all processes and threads. On a busy machine it means more than the time on the clock.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.play.contract.registry import names
from tests.bench import index
from tests.bench.played import play

SAMPLES = Path(__file__).parents[2] / "sample_games"
"""Sample records of every status, so that questions about findings have answers."""

OF_EACH = 100
"""Number of games of each kind in the archive that is replicated."""

STEP = """
import json, resource, sys, time
def used():
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both), max(one.ru_maxrss for one in both) / 1024
def main():
    from filecmp import cmp
    from pathlib import Path
    from gamelog.archive import QuestionLimits, Reader, all_questions, index, pack, unpack
    here = Path(sys.argv[1])
    found = {{}}
    (before, _), begin = used(), time.perf_counter()
    {code}
    wall, (after, memory) = time.perf_counter() - begin, used()
    print(json.dumps({{"wall": wall, "processor": after - before, "memory": memory, "found": found}}))
if __name__ == "__main__":
    main()
"""

STEPS = {
    "index few": "index([here / 'shelf/few'], here / 'few.duckdb')",
    "index all": "index([here / 'shelf'], here / 'all.duckdb')",
    "index again": "index([here / 'shelf'], here / 'all.duckdb')",
    "index all, two": "index([here / 'shelf'], here / 'two.duckdb', jobs=2)",
    "pack": "pack([here / 'shelf/few'], here / 'few.gamelog.parquet')",
    "unpack": """
    unpack(here / 'few.gamelog.parquet', here / 'unpacked')
    for path in (here / 'shelf/few').rglob('*.jsonl'):
        assert cmp(path, here / 'unpacked' / path.relative_to(here / 'shelf/few'), shallow=False), path""",
    "parquet": """
    with Reader(here / 'few.duckdb', out=here / 'events.parquet') as reader:
        reader.save('FROM events', 'parquet')""",
    "index samples": "index([here / 'samples', {samples!r}], here / 'samples.duckdb')",
    "replicate": """
    from tests.bench.replica import replicate
    replicate(here / 'samples.duckdb', here / 'many.duckdb', {rows})""",
    "ask": """
    with Reader(here / 'many.duckdb', QuestionLimits(threads=2)) as reader:
        found['rows'] = reader.ask('SELECT count(*) FROM events').rows[0][0]
        for name in all_questions():
            start = time.perf_counter()
            reader.ask(name)
            found[name] = time.perf_counter() - start""",
}
"""The code of each process, in this order."""


class Used(Struct):
    """The cost of a step (seconds on the clock and of processor time, MB at most), and its result."""

    wall: float
    processor: float
    memory: float
    found: dict[str, Any]


def play_all(game_id: str, here: Path, games: int) -> tuple[int, int]:
    """Play a tenth of the games into the folder few, the others into folders of 500 each.

    Return the numbers of events in few and in all folders.
    """
    few = games // 10
    parts = [range(at, min(at + 500, games)) for at in range(few, games, 500)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        asked = pool.submit(play, game_id, here / "shelf/few", range(few))
        rest = [pool.submit(play, game_id, here / f"shelf/{part.start:06}", part) for part in parts]
        list(pool.map(partial(play, folder=here / "samples", numbers=range(OF_EACH)), names()))
        return asked.result(), asked.result() + sum(part.result() for part in rest)


def run(name: str, here: Path, rows: int) -> Used:
    """Run a step in a process of its own."""
    code = STEPS[name].format(samples=str(SAMPLES), rows=rows)
    done = subprocess.run(
        [sys.executable, "-c", STEP.format(code=code), str(here)], capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{name}: {done.stderr}")
    used = msgspec.json.decode(done.stdout, type=Used)
    print(
        f"  {name:16} {used.wall:8.2f} s {used.processor:8.2f} s of processor {used.memory:6.0f} MB",
        flush=True,
    )
    return used


def aim(what: str, asked: str, measured: str, met: bool) -> None:
    """Print a line of the table."""
    print(f"{what:84} {asked:>7} {measured:>20} {'met' if met else 'MISSED'}")


def table(took: dict[str, Used], here: Path, few: int, total: int) -> None:
    """Print the goals and the measurements."""
    for dice in ("table", "seeded"):
        cost = index.mean([index.measure(game, dice) for game in names()])
        over = cost.pack / cost.judge
        aim(
            f"index beside judging, chess moves an event, {dice} dice",
            f"<= {index.OWN}",
            f"{cost.own:.2f}",
            cost.own <= index.OWN,
        )
        aim(
            f"pack over judging, {dice} dice",
            f"<= {index.PACK_TABLE}",
            f"{over:.2f}",
            over <= index.PACK_TABLE,
        )
    one, ten, two, again = (
        took[name] for name in ("index few", "index all", "index all, two", "index again")
    )
    faster = ten.wall / two.wall
    aim("two processes against one, index", ">= 1.5", f"{faster:.2f}", faster >= 1.5)
    aim(
        "unchanged archive against the first time",
        "< 1/50",
        f"1/{ten.wall / again.wall:.0f}",
        again.wall * 50 < ten.wall,
    )
    more = ten.memory / one.memory
    aim("peak memory, all against a tenth", "<= 1.3", f"{more:.2f} ({ten.memory:.0f} MB)", more <= 1.3)
    packed, events = (
        (here / name).stat().st_size / few for name in ("few.gamelog.parquet", "events.parquet")
    )
    aim("bytes an event in a pack, unpacked byte for byte", "< 8", f"{packed:.2f}", packed < 8)
    aim("bytes an event of the event table as Parquet, payload included", "< 6", f"{events:.2f}", events < 6)
    seconds = {name: found for name, found in took["ask"].found.items() if name != "rows"}
    slowest = max(seconds, key=lambda name: seconds[name])
    what = f"the slowest stock question on {took['ask'].found['rows']:,} event rows, two cores"
    aim(what, "< 2 s", f"{slowest} {seconds[slowest]:.2f} s", seconds[slowest] < 2)
    growth = ten.processor / one.processor / (total / few)
    aim(
        "growth of processor time, ten times the games, an event",
        "+- 15 %",
        f"{growth - 1:+.0%}",
        abs(growth - 1) <= 0.15,
    )
    print(
        "stock questions, s:",
        ", ".join(f"{name} {seconds[name]:.2f}" for name in sorted(seconds, key=lambda name: -seconds[name])),
    )


def main() -> None:
    """Measure and print."""
    wanted = argparse.ArgumentParser(
        prog="python -m tests.bench.archive", description=(__doc__ or "").split("\n")[0]
    )
    wanted.add_argument("game", nargs="?", default="slicewars", choices=names())
    wanted.add_argument("--games", type=int, default=10_000)
    wanted.add_argument(
        "--rows", type=int, default=50_000_000, help="number of event rows for the stock questions"
    )
    wanted.add_argument(
        "--folder", help="folder with free space: 64 bytes for each event row, and the records"
    )
    asked = wanted.parse_args()
    begin = perf_counter()
    print(f"{asked.game}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with TemporaryDirectory(dir=asked.folder) as folder:
        few, total = play_all(asked.game, Path(folder), asked.games)
        print(
            f"{asked.games:,} games, {total:,} events; a tenth of them has {few:,}; {perf_counter() - begin:.0f} s to play"
        )
        took = {name: run(name, Path(folder), asked.rows) for name in STEPS}
        table(took, Path(folder), few, total)
    print(f"{perf_counter() - begin:.0f} s in all, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
