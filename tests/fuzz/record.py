"""Hard use of the record layer: many writers, kills, every bit.

    python -m tests.fuzz.record writers --processes 8 --events 20000
    python -m tests.fuzz.record kills --kills 500 --seed 1
    python -m tests.fuzz.record flips --events 85

Each command prints its figures, and ends with an AssertionError if a promise is broken. The test suite runs
small shares of the first two.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import signal
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
from msgspec import Struct

from gamelog.errors import Conflict
from gamelog.record.envelope import Event
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import RecordFile, compose, create_record
from gamelog.record.recovery import recover
from tests.record.sample import HEADER, Move, moves

SPAWN = multiprocessing.get_context("spawn")

ROTATE = 8 << 20
"""Bytes after which killed writers get a new record, so that reading it does not take all the time."""


# --- many writers ---


class Writers(Struct):
    """`events` recorded by several processes in `seconds`, after `conflicts` that were tried again."""

    events: int
    conflicts: int
    seconds: float


def write_share(path: str, worker: int, count: int) -> int:
    """Append `count` events, each decided after the last read; return the number of conflicts."""
    log = RecordFile.open(path)
    conflicts = 0
    for k in range(count):
        while True:
            event = Move(log.n + 1, log.t, "red", f"{worker}:{k}")
            try:
                with log.lock() as locked:
                    [ack] = locked.append([event])
                break
            except Conflict:
                assert log.n >= event.n  # the session has read the new events
                conflicts += 1
        assert ack.n == event.n
    return conflicts


def writers(folder: Path, processes: int, events: int) -> Writers:
    """Append to one record from several processes, and check that each event is there once, in its order."""
    path = folder / "writers.jsonl"
    create_record(path, HEADER)
    shares = [events // processes + (worker < events % processes) for worker in range(processes)]
    begin = time.monotonic()
    with ProcessPoolExecutor(processes, SPAWN) as pool:
        conflicts = sum(pool.map(write_share, [str(path)] * processes, range(processes), shares))
    seconds = time.monotonic() - begin
    record = read_record(path)
    assert record.problem is None, record.problem
    written = decode_events(record.bodies)
    assert [event.n for event in written] == list(range(1, events + 1))
    for worker, share in enumerate(shares):
        mine = [event.text for event in written if event.text.startswith(f"{worker}:")]
        assert mine == [f"{worker}:{k}" for k in range(share)]
    return Writers(events, conflicts, seconds)


def decode_events(bodies: list[bytes]) -> list[Move]:
    """Return the events in `bodies`."""
    return [msgspec.json.decode(b"{" + body, type=Move) for body in bodies]


# --- kills ---


class Kills(Struct):
    """Writers that were killed. All `acknowledged` events were found again.

    Of the batches without a confirmation, ``torn`` ended in the middle of a line. Only some events of ``partial`` were in the
    record.
    """

    kills: int
    acknowledged: int
    torn: int
    partial: int
    records: int
    seconds: float


def batch(number: int, seed: int) -> list[Move]:
    """Return the events that a client sends together, the same each time.

    A few are long, so that a kill can cut a write.
    """
    rng = random.Random(f"{seed} {number}")
    sizes = [rng.choice((0, 10, 100)) for _ in range(rng.choice((1, 1, 1, 3)))]
    if rng.random() < 0.3:
        sizes = [900_000, 10, 900_000]
    return [Move(0, 0, "red", "x" * size, id=f"{number}:{k}") for k, size in enumerate(sizes)]


def recovery_event(log: RecordFile, size: int, digest: str) -> Event:
    """Return the event that records the removal of a torn end."""
    return Move(log.n + 1, log.t, "table", f"{size} torn bytes {digest}")


def send(path: str, first: int, seed: int, acks: Connection) -> None:
    """Append batch after batch, and print each confirmation, until the process is killed."""
    log = RecordFile.open(path)
    number = first
    while True:
        with log.lock() as locked:
            done = []
            events: list[Event] = []
            for event in batch(number, seed):
                ack = locked.find_ack(event)
                if ack:
                    done.append(ack)
                else:
                    events.append(msgspec.structs.replace(event, n=log.n + len(events) + 1, t=log.t))
            done += locked.append(events)
        acks.send((number, {ack.n: ack.head for ack in done}))
        number += 1


def kill_one(path: Path, first: int, seed: int, delay: float) -> list[tuple[int, dict[int, str]]]:
    """Kill a writer `delay` seconds after its first confirmation; return the confirmed batches' heads."""
    here, there = SPAWN.Pipe(duplex=False)
    writer = SPAWN.Process(target=send, args=(str(path), first, seed, there))
    writer.start()
    there.close()
    told = [here.recv()]
    deadline = time.monotonic() + delay
    while (left := deadline - time.monotonic()) > 0:
        if here.poll(left):
            told.append(here.recv())
    assert writer.pid is not None
    os.kill(writer.pid, signal.SIGKILL)
    writer.join()
    assert writer.exitcode == -signal.SIGKILL
    try:
        while True:
            told.append(here.recv())
    except (EOFError, OSError):  # the pipe may end inside a message, which no one has received
        here.close()
    return told


def kills(folder: Path, count: int, seed: int) -> Kills:
    """Kill writers, one after the other. Each first sends the batches without a confirmation again.

    After each kill, every confirmed event is at its place, and the record is whole or torn, never damaged. In
    the end, every event of every batch is there exactly once.
    """
    rng = random.Random(seed)
    done = Kills(count, 0, 0, 0, 0, 0.0)
    begin = time.monotonic()
    path = folder / "none"
    for _ in range(count):
        if not path.exists() or path.stat().st_size > ROTATE:
            done.records += 1
            path = folder / f"{done.records}.jsonl"
            create_record(path, HEADER)
            told: dict[int, str] = {}
            number = 0
        for acknowledged, acks in kill_one(path, number, seed, rng.random() * 0.03):
            told |= acks
            done.acknowledged += len(acks)
            number = acknowledged + 1
        record = read_record(path)
        for n, head in told.items():
            assert record.head_at(n) == head, n
        if record.problem:
            assert record.problem.code == "record.torn", record.problem
            recover(path, recovery_event)
            done.torn += 1
            record = read_record(path)
            assert record.problem is None
        keys = [event.id for event in decode_events(record.bodies) if event.id]
        sure = [event.id for k in range(number) for event in batch(k, seed)]
        due = sure + [event.id for event in batch(number, seed)]
        assert keys == due[: len(keys)]
        assert len(keys) >= len(sure)
        done.partial += len(sure) < len(keys) < len(due)
    done.seconds = time.monotonic() - begin
    return done


# --- every bit ---


def flips(events: int) -> int:
    """Flip each bit of a record and read it from the start; return the number of bits."""
    data, _ = compose(HEADER, moves(events))
    flipped = bytearray(data)
    for place in range(8 * len(data)):
        flipped[place // 8] ^= 1 << place % 8
        record = parse_record(bytes(flipped))
        assert record.problem is not None, place
        assert record.problem.code == ("record.torn" if place // 8 == len(data) - 1 else "record.damaged"), (
            place
        )
        assert record.valid_size <= place // 8
        flipped[place // 8] ^= 1 << place % 8
    return 8 * len(data)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.record", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    many = commands.add_parser("writers", help="several processes append to one record")
    many.add_argument("--processes", type=int, default=8)
    many.add_argument("--events", type=int, default=20_000)
    killed = commands.add_parser("kills", help="writers are killed while they append")
    killed.add_argument("--kills", type=int, default=500)
    killed.add_argument("--seed", type=int, default=1)
    bits = commands.add_parser("flips", help="every bit of a record is flipped")
    bits.add_argument("--events", type=int, default=85)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        match given.command:
            case "writers":
                print(writers(Path(folder), given.processes, given.events))
            case "kills":
                print(kills(Path(folder), given.kills, given.seed))
            case _:
                print(f"{flips(given.events):,} flipped bits, all found")


if __name__ == "__main__":
    main()
