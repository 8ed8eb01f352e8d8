"""Spoiled records for the reader and the judge: only typed answers, in bounded time and memory.

    python -m tests.fuzz.mutations --records 1000000 --jobs 2 --seed 1

The seeds are the recorded games of ``sample_games/``, shortened, of every game and every kind of dice. Each
case spoils one: bits, bytes, slices, numbers, names and whole lines are changed, moved, doubled or taken from
another record. Half of the cases get a new chain, so that the content of the lines is judged, not only the
fact that it was changed.

A case fails by any exception, by a verdict that contradicts itself, by more than `SECONDS`, or by more memory
than `MEMORY` allows.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import signal
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import NoReturn

import msgspec
from msgspec import Struct

from gamelog.dispute.branch import rechain
from gamelog.play.fold.common_events import COMMON
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.record.chain import PREFIX_BYTES
from gamelog.record.envelope import Event, tag_of
from gamelog.record.reading import parse_record
from tests.samples.__main__ import DIRECTORY

LINES = 40
"""Number of lines that are kept at the beginning of a sample, and of those at its end."""

SECONDS = 10
"""Maximum time of a case. The slowest take milliseconds; an endless loop takes for ever."""

MEMORY = 1 << 30
"""Bytes of address space that a worker may use in addition to those at its start."""

BATCH = 2_000

TAGS = tuple(tag_of(kind) for kind in COMMON)

WORDS = (
    *(
        b"null",
        b"true",
        b"[]",
        b"{}",
        b'""',
        b'"\\u0000"',
        b'"\\ud800"',
        b"-1",
        b"0",
        b"1e400",
        b"1.5",
        b"NaN",
    ),
    *(
        b"9007199254740993",
        b"9" * 400,
        b"[" * 100 + b"]" * 100,
        b'"' + b"x" * 5000 + b'"',
        b'"@takeback"',
        b'"@ruling"',
    ),
    *(b'"red"', b'"table"', b'"arbiter"', b'{"winners":["red"],"reason":"x"}'),
)


@cache
def seeds() -> list[list[bytes]]:
    """Return the bodies of each sample's first lines, and of its first and last lines."""
    found: list[list[bytes]] = []
    for path in sorted(DIRECTORY.glob("*/*.jsonl")):
        bodies = [
            line[PREFIX_BYTES:]
            for line in path.read_bytes().splitlines(keepends=True)
            if line.endswith(b"\n")
        ]
        if bodies[1:] and bodies[:LINES] not in found:
            found.append(bodies[:LINES])
    return found


# --- spoiling ---


def spoil_record(rng: random.Random) -> bytes:
    """Return a record with one to four faults."""
    bodies = list(rng.choice(seeds()))
    bodies = bodies[: rng.randint(2, len(bodies))]
    inside = rng.random() < 0.5
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at = rng.randrange(len(bodies))
        rng.choice((_spoil_lines, _spoil_body, _spoil_play, _spoil_play))(rng, bodies, at)
    if rng.random() < 0.5:
        bodies = [
            bodies[0],
            *(re.sub(rb'"n":\d+', b'"n":%d' % n, body, count=1) for n, body in enumerate(bodies[1:], 1)),
        ]
    data = rechain(bodies)
    if inside:
        return data
    raw = bytearray(data)
    for _ in range(rng.choice((0, 1, 1, 3))):
        at = rng.randrange(len(raw))
        match rng.randrange(5):
            case 0:
                raw[at] ^= 1 << rng.randrange(8)
            case 1:
                raw[at : at + rng.randint(1, 80)] = rng.randbytes(rng.randint(0, 80))
            case 2:
                del raw[at:]
            case 3:
                raw[at:at] = raw[rng.randrange(len(raw)) :][: rng.randint(1, 300)]
            case _:
                raw[at:at] = rng.choice((b"\n", b"\r\n", b"\0", b"\xef\xbb\xbf", b"\xff", b'{"h":"'))
        raw = raw or bytearray(b"\n")
    return bytes(raw)


def _spoil_lines(rng: random.Random, bodies: list[bytes], at: int) -> None:
    """Remove, double, move or insert whole lines."""
    match rng.randrange(5):
        case 0 if len(bodies) > 1:
            del bodies[at]
        case 1:
            bodies.insert(rng.randrange(len(bodies) + 1), bodies[at])
        case 2:
            other = rng.randrange(len(bodies))
            bodies[at], bodies[other] = bodies[other], bodies[at]
        case 3:
            bodies[at:] = rng.choice(seeds())[at:] or bodies[at:]
        case _:
            bodies.insert(at, _common(rng, len(bodies)))


def _common(rng: random.Random, n: int) -> bytes:
    """Return a common event with members that may fit."""
    members: dict[str, object] = {
        "do": rng.choice(TAGS),
        "n": rng.choice((n, n, 1, n + 1)),
        "t": rng.choice((0, 10**6, 10**12)),
        "by": rng.choice(("red", "blue", "table", "arbiter", "nobody")),
    }
    outcome = {"winners": rng.choice((["red"], [], ["nobody"])), "reason": "x"}
    maybe: dict[str, object] = {
        "text": "x",
        "running": False,
        "to": rng.choice((0, 1, n, 2**53 - 1)),
        "about": rng.choice((1, n - 1, n, 10**6)),
        "result": outcome,
        "outcome": outcome,
        "kind": rng.choice(("stands", "takeback", "penalty", "result", "forfeit", "refused", "x")),
        "reason": "x",
        "name": "x",
        "points": {"red": rng.choice((1, -(2**53)))},
        "state": rng.choice(({}, {"hand": 3}, {"x": 1})),
        "seat": rng.choice(("red", "nobody")),
        "link": "0" * 64,
        "key": "k",
        "sig": "s",
        "tags": {},
    }
    kept = {name: value for name, value in maybe.items() if rng.random() < 0.5}
    return msgspec.json.encode({**members, **kept})[1:] + b"\n"


def _spoil_play(rng: random.Random, bodies: list[bytes], at: int) -> None:
    """Give a member of an event, or a whole event, a readable but wrong value from another place."""
    try:
        event, other = (
            msgspec.json.decode(b"{" + body, type=dict[str, object])
            for body in (bodies[at], rng.choice(bodies))
        )
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return
    if rng.random() < 0.1:
        event["as_played"] = True
    shared = [name for name in event if name in other and name not in ("n", "t")]
    for name in rng.sample(shared, min(len(shared), rng.choice((1, 1, 2, 9)))):
        event[name] = other[name]
    bodies[at] = msgspec.json.encode(event)[1:] + b"\n"


def _spoil_body(rng: random.Random, bodies: list[bytes], at: int) -> None:
    """Change something inside a line."""
    body = bodies[at]
    place = rng.randrange(len(body))
    match rng.randrange(7):
        case 0:
            body = body[:place] + bytes([rng.randrange(256)]) + body[place + 1 :]
        case 1:
            body = body[:place] + body[place + rng.randint(1, 20) :]
        case 2:
            members = body[:-1].rstrip(b"}").split(b',"')
            members[rng.randrange(len(members))] = b'x":' + rng.choice(WORDS)
            body = b',"'.join(members) + b"}\n"
        case 3:
            members = body[:-1].rstrip(b"}").split(b',"')
            which = rng.randrange(len(members))
            members[which] = members[which].partition(b":")[0] + b":" + rng.choice(WORDS)
            body = b',"'.join(members) + b"}\n"
        case 4:
            members = body[:-1].rstrip(b"}").split(b',"')
            members.insert(rng.randrange(len(members)), rng.choice(members))
            body = b',"'.join(members) + b"}\n"
        case 5:
            digits = [index for index, byte in enumerate(body) if 48 <= byte <= 57]
            if digits:
                index = rng.choice(digits)
                body = body[:index] + str(rng.randrange(1000)).encode() + body[index + 1 :]
        case _:
            other = rng.choice(bodies)
            body = body[:place] + other[rng.randrange(len(other)) :]
    bodies[at] = body if body.endswith(b"\n") else body + b"\n"


# --- judging ---


def judge(data: bytes) -> str:
    """Return the status of a spoiled record, whose verdict must not contradict itself."""
    record = parse_record(data)
    assert 0 <= record.valid_size <= len(data)
    assert (record.problem is not None) == (record.valid_size < len(data) or record.header is None)
    assert len(record.heads) == len(record.bodies) == len(record.offsets)
    folded = fold_record(record)
    found = verdict(folded)
    assert msgspec.json.encode(found)
    errors = [finding for finding in found.findings if finding.severity == "error"]
    assert found.valid == (found.status in ("ok", "ruled"))
    assert bool(errors) == (found.status in ("illegal", "torn", "damaged", "unknown")), found
    for finding in found.findings:
        assert finding.code
        assert finding.text
        assert finding.offset is None or 0 <= finding.offset <= len(data)
        assert len(finding.legal) <= 20
    if folded.fold:
        assert len(folded.events) == folded.fold.n <= len(record.bodies)
        assert all(isinstance(event, Event) for event in folded.events)
    assert found.status is not None
    return found.status


class Spoiled(Struct):
    """The result: `records` by status, the slowest time, and the memory of the largest worker in MiB."""

    records: int
    status: dict[str, int]
    slowest: float
    mebibytes: int
    seconds: float


def _hung(_signal: int, _frame: object) -> NoReturn:
    raise TimeoutError(f"a record took more than {SECONDS} seconds")


def batch(seed: int, first: int, count: int) -> tuple[Counter[str], float, int]:
    """Judge part of a series; return the records by status, the slowest time, and the peak KiB."""
    seen: Counter[str] = Counter()
    slowest = 0.0
    signal.signal(signal.SIGALRM, _hung)
    for number in range(first, first + count):
        data = spoil_record(random.Random(f"{seed} {number}"))
        begin = time.perf_counter()
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            seen[judge(data)] += 1
        except BaseException as error:
            error.add_note(f"record {number} of seed {seed}: {data[:2000]!r}")
            raise
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        slowest = max(slowest, time.perf_counter() - begin)
    return seen, slowest, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _bounded() -> None:
    """Limit the memory of a worker."""
    seeds()
    batch(0, 0, 20)  # loads every game
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))


def mutations(count: int, seed: int, jobs: int) -> Spoiled:
    """Judge `count` spoiled records in `jobs` processes of bounded memory."""
    begin = time.monotonic()
    status: Counter[str] = Counter()
    slowest, peak = 0.0, 0
    with ProcessPoolExecutor(jobs, get_context("spawn"), _bounded) as pool:
        firsts = range(0, count, BATCH)
        sizes = [min(BATCH, count - first) for first in firsts]
        for seen, slow, memory in pool.map(batch, [seed] * len(firsts), firsts, sizes):
            status += seen
            slowest, peak = max(slowest, slow), max(peak, memory)
    return Spoiled(count, dict(status), round(slowest, 3), peak // 1024, time.monotonic() - begin)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz.mutations", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(arguments)
    print(mutations(given.records, given.seed, given.jobs))


if __name__ == "__main__":
    main()
