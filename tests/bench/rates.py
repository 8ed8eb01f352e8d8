"""How fast games are indexed against how fast they are validated: every game, dice from a seed and dice typed at the table.

``python -m tests.bench.rates [--events N]`` plays about N events of each between bots, and then validates and indexes the same
records in one process of its own, on one core. Counted is processor time, DuckDB's start included.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from gamelog.play.contract.registry import names
from tests.bench.played import play

DICE = {"seeded": "dice from a seed, as simulate writes them", "table": "dice typed at the table"}

BOTH = """
import json, sys, time
from pathlib import Path
from gamelog.archive import index
from gamelog.play.judging.verdict import validate
folder = Path(sys.argv[1])
begin = time.process_time()
events = sum(validate(path).events for path in sorted(folder.iterdir()))
between = time.process_time()
index([folder], folder.with_suffix(".duckdb"))
print(json.dumps({"events": events, "validate": between - begin, "index": time.process_time() - between}))
"""


class Rate(Struct):
    """How many events, and s of processor that validating and indexing them took."""

    events: int
    validate: float
    index: float


def measure(here: Path, events: int) -> dict[str, dict[str, Rate]]:
    """By source of dice and game."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for played in [pool.submit(play, game, here / dice / game, count(), dice, events) for dice in DICE for game in names()]:
            played.result()
    found: dict[str, dict[str, Rate]] = {dice: {} for dice in DICE}
    for dice in DICE:
        for game in names():
            done = subprocess.run([sys.executable, "-c", BOTH, str(here / dice / game)], capture_output=True, text=True)
            if done.returncode:
                sys.exit(done.stderr)
            rate = found[dice][game] = msgspec.json.decode(done.stdout, type=Rate)
            each = [1e6 * seconds / rate.events for seconds in (rate.validate, rate.index)]
            print(f"  {dice:7} {game:16} validate {each[0]:6.2f} us an event, index {each[1]:6.2f}", flush=True)
    return found


def ratio(rates: dict[str, Rate]) -> float:
    """The index rate as a share of the validate rate, each game with the same number of events."""
    validate = sum(rate.validate / rate.events for rate in rates.values())
    return validate / sum(rate.index / rate.events for rate in rates.values())


def by_game(rates: dict[str, Rate]) -> str:
    """The share of each game."""
    return ", ".join(f"{game} {rate.validate / rate.index:.0%}" for game, rate in rates.items())


def main() -> None:
    """Measure and print."""
    wanted = argparse.ArgumentParser(prog="python -m tests.bench.rates", description=(__doc__ or "").split("\n")[0])
    wanted.add_argument("--events", type=int, default=500_000)
    events = wanted.parse_args().events
    with TemporaryDirectory() as folder:
        for dice, rates in measure(Path(folder), events).items():
            print(f"index rate against validate rate, {DICE[dice]}: {ratio(rates):.0%} ({by_game(rates)})")


if __name__ == "__main__":
    main()
