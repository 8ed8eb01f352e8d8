"""Files that are made to be expensive: the peak memory and time of judging n and 2n bytes of each kind.

    python -m tests.bench.reading

For each kind, the run prints the memory of `gamelog validate` beyond that for a record of one line, as a
multiple of the file's size. For a compressed file, the size of its content counts. It also prints the
processor time. A multiple beyond `BUDGET` plus `ONE_LINE`, or a time that grows by more than `GROWTH`, is
marked, and the status is then 1.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import zstandard

from gamelog.play.fold.session import MAX_TAGS
from gamelog.record import chain, envelope
from gamelog.record.envelope import MAX_LINE, DiceSpec, Header, Seat

BUDGET = 12
"""Memory that reading may take, in multiples of the size of the content."""

ONE_LINE = 48 << 20
"""Bytes in addition: one decoded line of the longest kind."""

GROWTH = 3.0
"""Largest ratio of the times for twice the bytes (two, and noise)."""

NOISE = 0.3
"""Seconds below which times are not compared."""

MIB = 1 << 20

HEADER = Header(
    id="cost",
    game="slicewars",
    rules="1.0",
    started="2026-01-01T00:00:00Z",
    seats=(Seat("red", "Ana"), Seat("blue", "Rui")),
    options={},
    board="hex50@reJkCX15JPEiFNv8HFMm30GFbN5y__HQbwVymo3hX4o",
    dice=DiceSpec("table"),
)


def chain_record(bodies: Iterator[bytes], size: int) -> bytes:
    """Return a record of about `size` bytes with a good chain, from a header and these bodies."""
    line, head = chain.chained_line(chain.GENESIS, envelope.encode_body(HEADER))
    out = bytearray(line)
    for body in bodies:
        line, head = chain.chained_line(head, body)
        out += line
        if len(out) >= size:
            break
    return bytes(out)


def repeated_lines(body: bytes) -> Callable[[int], bytes]:
    """Return a maker of records whose lines are all alike."""
    return lambda size: chain_record(iter(lambda: body, None), size)


def numbered_records(body: bytes) -> Callable[[int], bytes]:
    """Return a maker of records whose events have their numbers."""

    def bodies() -> Iterator[bytes]:
        for n in count(1):
            yield body % n

    return lambda size: chain_record(bodies(), size)


def long_headers(member: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """Return a maker of headers as long as a line may be, or half of it, with an additional member."""
    plain = envelope.encode_body(HEADER)[:-2]
    return lambda size: chain.chained_line(
        chain.GENESIS, plain + b',"x":' + member(size - len(plain) - 100) + b"}\n"
    )[0]


def compressed(make: Callable[[int], bytes]) -> Callable[[int], bytes]:
    return lambda size: zstandard.ZstdCompressor().compress(make(size))


def frames(content: bytes) -> Callable[[int], bytes]:
    """Return a compressed file of `size` bytes with frames that contain almost nothing."""
    frame = zstandard.ZstdCompressor(write_content_size=False).compress(content)
    return lambda size: frame * (size // len(frame))


def members(size: int) -> bytes:
    """Return an object of as many members as fit, the last of them twice."""
    names = [b'"%06d":0' % k for k in range(size // 11)]
    return b"{" + b",".join([*names, names[-1]]) + b"}"


def distinct(size: int) -> bytes:
    return b"{" + b",".join(b'"%06d":0' % k for k in range(size // 11)) + b"}"


def many(piece: bytes) -> Callable[[int], bytes]:
    return lambda size: b"[" + b",".join([piece] * (size // (len(piece) + 1))) + b"]"


def retagged_records(most: int) -> Callable[[int], bytes]:
    """Return a maker of records that give all their tags new texts again and again."""

    def bodies() -> Iterator[bytes]:
        for n in count(1):
            tags = b",".join(b'"%06d":"%d"' % (at % most, n) for at in range(n * 100, n * 100 + 100))
            yield b'"do":"@amend","n":%d,"t":0,"by":"table","tags":{%b}}\n' % (n, tags)

    return lambda size: chain_record(bodies(), size)


NOTE = b'"do":"@note","n":%d,"t":0,"by":"red","text":""}\n'
CLAIM = b'"do":"@claim","n":%%d,"t":0,"by":"red","text":"","intended":{"do":"x","a":[%s]}}\n'

LAND = b'"do":"remove","n":%%d,"t":0,"by":"red","at":%b}\n'
RESULT = b'"do":"@result","n":%%d,"t":0,"by":"table","outcome":{"winners":%b,"reason":"x"}}\n'

KINDS: dict[str, tuple[str, Callable[[int], bytes], int]] = {
    "line ends": (".jsonl", lambda size: b"\n" * size, 8 * MIB),
    "line ends, compressed": (".jsonl.zst", compressed(lambda size: b"\n" * size), 8 * MIB),
    "zeros": (".jsonl", bytes, 8 * MIB),
    "carriage returns": (".jsonl", lambda size: b"\r" * size, 8 * MIB),
    "no line end": (".jsonl", lambda size: chain.OPEN + b"a" * size, 8 * MIB),
    "lines of nothing but a digest": (".jsonl", repeated_lines(b"\n"), 8 * MIB),
    "digests without a chain": (
        ".jsonl",
        lambda size: (chain.OPEN + b"A" * 43 + chain.CLOSE + b"\n") * (size // 52),
        8 * MIB,
    ),
    "the shortest events": (".jsonl", numbered_records(NOTE), 8 * MIB),
    "events out of order": (".jsonl", repeated_lines(NOTE % 7), 8 * MIB),
    "spaced events": (".jsonl", numbered_records(NOTE.replace(b":", b": ")), 8 * MIB),
    "lines of 1 MiB": (
        ".jsonl",
        numbered_records(NOTE.replace(b'""', b'"' + b"a" * (MAX_LINE - 200) + b'"')),
        8 * MIB,
    ),
    "events of 1 MiB, nested as deep as may be": (
        ".jsonl",
        numbered_records(CLAIM % many(b"[" * 58 + b"]" * 58)(900_000)),
        8 * MIB,
    ),
    "lists in events": (".jsonl", numbered_records(CLAIM % many(b"300")(900_000)), 8 * MIB),
    "short claims of brackets": (".jsonl", numbered_records(CLAIM % (b"[" * 50 + b"]" * 50)), 8 * MIB),
    "claims of mappings": (
        ".jsonl",
        numbered_records(CLAIM % many(b'{"a":' * 55 + b"0" + b"}" * 55)(20_000)),
        8 * MIB,
    ),
    "claims of letters": (".jsonl", numbered_records(CLAIM % many(b'"a"')(20_000)), 8 * MIB),
    "letters in a game's events": (".jsonl", numbered_records(LAND % many(b'"a"')(20_000)), 8 * MIB),
    "results with many winners": (".jsonl", numbered_records(RESULT % many(b'"red"')(20_000)), 8 * MIB),
    "tags": (".jsonl", retagged_records(MAX_TAGS), 8 * MIB),
    "more tags than a record has": (".jsonl", retagged_records(MAX_LINE * 64), 8 * MIB),
    "unknown members": (
        ".jsonl",
        numbered_records(NOTE.replace(b'"do"', b'"' + b"k" * 900_000 + b'":0,"do"')),
        8 * MIB,
    ),
    "events that are not UTF-8": (".jsonl", numbered_records(NOTE.replace(b'""', b'"\xff"')), 8 * MIB),
    "a member twice": (".jsonl", long_headers(members), MIB // 2),
    "many members": (".jsonl", long_headers(distinct), MIB // 2),
    "many empty lists": (".jsonl", long_headers(many(b"[]")), MIB // 2),
    "a long number": (".jsonl", long_headers(lambda size: b"9" * size), MIB // 2),
    "a long fraction": (".jsonl", long_headers(lambda size: b"0." + b"9" * size), MIB // 2),
    "a string that never ends": (
        ".jsonl",
        long_headers(lambda size: b"[" * 40 + b'"' + b'\\"' * (size // 2)),
        MIB // 2,
    ),
    "empty frames": (".jsonl.zst", frames(b""), 8 * MIB),
    "frames of two bytes": (".jsonl.zst", frames(b"ab"), 8 * MIB),
}
"""For each kind, the ending, the maker, and the smaller of the two sizes."""

JUDGE = """
import sys
from time import process_time
from gamelog.play.judging.verdict import validate
begin = process_time()
validate(sys.argv[1])
took = process_time() - begin
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(peak, took)
"""
"""A program that prints its peak memory in KiB. (The system's figure of a child includes its parent's.)"""


def cost(path: Path) -> tuple[int, float]:
    """Return the peak memory in bytes and the processor seconds of a process that judges the file."""
    done = subprocess.run(
        [sys.executable, "-c", JUDGE, str(path)], check=True, capture_output=True, text=True
    )
    peak, took = done.stdout.split()
    return int(peak) << 10, float(took)


def main() -> int:
    marked = 0
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder, "small.jsonl")
        small.write_bytes(chain_record(iter([b"\n"]), 0))
        base, _ = cost(small)
        print(f"{'kind':45}{'MiB':>6}{'peak':>8}{'times':>7}{'s at n':>8}{'at 2n':>7}")
        for kind, (ending, make, size) in KINDS.items():
            took: list[float] = []
            for length in (size, 2 * size - 300 * (size < MIB)):
                path = Path(folder, f"file{ending}")
                path.write_bytes(make(length))
                peak, seconds = cost(path)
                took.append(seconds)
            over = peak - base - ONE_LINE > BUDGET * length or (
                took[1] > NOISE and took[1] > GROWTH * max(took[0], NOISE / 2)
            )
            marked += over
            times = (peak - base) / length
            print(
                f"{kind:45}{length / MIB:6.1f}{(peak - base) / MIB:8.1f}{times:7.1f}{took[0]:8.2f}{took[1]:7.2f}",
                "  <- beyond" * over,
                flush=True,
            )
    return 1 if marked else 0


if __name__ == "__main__":
    sys.exit(main())
