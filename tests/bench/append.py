"""The cost of an append, which must not be higher in a long record.

    python -m tests.bench.append [--folder DIR]

The cost includes a whole session: lock, read the new lines of others, one line, sync. Most of it is the
disk's. In a folder in memory (``--folder /dev/shm``) it is the cost of this package.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median

from gamelog.record.record_file import RecordFile, compose
from tests.record.sample import HEADER, Move, moves

LENGTHS = (100, 20_000)
ROUNDS = 1_000


def cost(folder: Path, length: int) -> float:
    """Return the median time of `ROUNDS` appends to a record of `length` events, in microseconds."""
    path = folder / f"{length}.jsonl"
    path.write_bytes(compose(HEADER, moves(length))[0])
    log = RecordFile.open(path)
    times = []
    for _ in range(ROUNDS):
        event = Move(log.n + 1, log.t, "red", "xxxx")
        begin = time.perf_counter()
        with log.lock() as locked:
            locked.append([event])
        times.append(time.perf_counter() - begin)
    path.unlink()
    return median(times) * 1e6


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.append", description=__doc__.split("\n")[0])
    parser.add_argument("--folder", help="on the disk that is to be measured")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        costs = [cost(Path(folder), length) for length in LENGTHS]
    told = ", ".join(f"{us:.0f} us at n = {length:,}" for length, us in zip(LENGTHS, costs, strict=True))
    print(f"append: {told}; ratio {costs[1] / costs[0]:.2f}")


if __name__ == "__main__":
    main()
