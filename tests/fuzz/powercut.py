"""Power cuts while lines are being written that no disk has confirmed: the confirmed lines are safe.

    python -m tests.fuzz.powercut --cuts 20000 --seed 1

A file system may keep any part of the unsynced bytes. In each case, some lines are synced and others follow
that are not. Of these, the case keeps all up to some byte (*cut*), the same and zeros up to the old length or
beyond (*zeroed*), the same and random bytes (*junk*), or all but some blocks of 512 bytes, which become zeros
(*holes*). Then:

- every synced line is read, and of the others only an unbroken run of true ones from the first;
- the end is whole, torn or damaged;
- `recover` or `salvage` makes a record of it that accepts events and has lost nothing synced.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from gamelog.record.envelope import Event
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import RecordFile, compose
from gamelog.record.recovery import SavedTail, recover, salvage
from tests.record.sample import HEADER, Move

SECTOR = 512
LOSSES = ("cut", "zeroed", "junk", "holes")


def recovery_event(log: RecordFile, size: int, digest: str) -> Event:
    """Return the event that records the removal of a torn end."""
    return Move(log.n + 1, log.t, "table", f"{size} torn bytes {digest}")


class Cuts(Struct):
    """Power cuts by the bytes that were `lost` and by the state in which the record `ended`."""

    cuts: int
    mended: int
    lost: dict[str, int]
    ended: dict[str, int]
    seconds: float


def records(rng: random.Random) -> tuple[list[bytes], int]:
    """Return the lines of a record, and how many of them are synced: the header at least."""
    sizes = [rng.choice((0, 20, 300, 1500)) for _ in range(rng.randint(2, 8))]
    moves = [Move(n, n, "red", "x" * size) for n, size in enumerate(sizes, 1)]
    lines = compose(HEADER, moves)[0].splitlines(keepends=True)
    return lines, rng.randint(1, len(lines) - 1)


def remaining_bytes(rng: random.Random, loss: str, good: bytes, unsynced: bytes) -> bytes:
    """Return the bytes after `good` that are left of the unsynced ones."""
    kept = unsynced[: rng.randint(0, len(unsynced))]
    match loss:
        case "cut":
            return kept
        case "zeroed":
            return kept + bytes(rng.choice((len(unsynced) - len(kept), rng.randint(1, 2 * SECTOR))))
        case "junk":
            return kept + rng.randbytes(rng.randint(1, SECTOR))
        case _:
            whole = bytearray(good + unsynced)
            blocks = range(len(good) // SECTOR, len(whole) // SECTOR + 1)
            for block in rng.sample(blocks, rng.randint(1, len(blocks))):
                # The synced bytes do not change, though their last block is written again.
                start, end = max(block * SECTOR, len(good)), min((block + 1) * SECTOR, len(whole))
                whole[start:end] = bytes(max(0, end - start))
            return bytes(whole[len(good) :])


def judge(data: bytes, lines: list[bytes], synced: int) -> str:
    """Read the bytes that are left, check the promise, and return the state of the end."""
    record = parse_record(data)
    true = b"".join(lines)
    count = len(record.bodies) + (record.header is not None)
    assert count >= synced, "a synced line is lost"
    assert record.valid_size == len(b"".join(lines[:count]))
    assert data[: record.valid_size] == true[: record.valid_size], "a line is read that was never written"
    return record.problem.code.removeprefix("record.") if record.problem else "whole"


def repair(folder: Path, data: bytes, ended: str, lines: list[bytes], synced: int) -> None:
    """Repair the record as a person would, and continue it."""
    path = folder / "game.jsonl"
    path.write_bytes(data)
    if ended == "torn":
        for aside in recover(path, recovery_event):
            if isinstance(aside, SavedTail):
                Path(aside.path).unlink()
    elif ended == "damaged":
        salvaged = folder / "salvaged.jsonl"
        salvage(path, salvaged)
        path.unlink()
        salvaged.rename(path)
    log = RecordFile.open(path)
    with log.lock() as locked:
        locked.append([Move(log.n + 1, log.t, "red", "after the power cut")])
    record = read_record(path)
    assert record.problem is None
    assert path.read_bytes().startswith(b"".join(lines[:synced]))
    path.unlink()


def cuts(folder: Path, count: int, seed: int, mend_every: int = 1) -> Cuts:
    """Make `count` power cuts. Each `mend_every`-th record is repaired and continued, which is slow."""
    begin = time.monotonic()
    lost, ended = Counter[str](), Counter[str]()
    mended = 0
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        lines, synced = records(rng)
        loss = LOSSES[number % len(LOSSES)]
        good = b"".join(lines[:synced])
        data = good + remaining_bytes(rng, loss, good, b"".join(lines[synced:]))
        how = judge(data, lines, synced)
        lost[loss] += 1
        ended[how] += 1
        if number // len(LOSSES) % mend_every == 0:
            repair(folder, data, how, lines, synced)
            mended += 1
    return Cuts(count, mended, dict(lost), dict(ended), time.monotonic() - begin)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.powercut", description=__doc__.split("\n")[0])
    parser.add_argument("--cuts", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        print(cuts(Path(folder), given.cuts, given.seed))


if __name__ == "__main__":
    main()
