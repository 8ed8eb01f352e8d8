"""Random outcomes out of a key: HMAC-SHA256 in counter mode, with rejection sampling.

Block ``i`` (from 0) of a stream is HMAC-SHA256(key, context ‖ i as eight bytes, big-endian). A
uniform number below ``m`` takes four bytes as a big-endian integer and throws away those beyond
the largest multiple of ``m``, so that no face is favoured. Dice take one such number each, in
recorded order; a bag takes one for each thing drawn, counting through the kinds as listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import count as integers
from struct import Struct

from gamelog.chance.draws import Dice, Draw, Results

INNER = bytes(byte ^ 0x36 for byte in range(256))
OUTER = bytes(byte ^ 0x5C for byte in range(256))
"""What HMAC makes of the bytes of its key. `hmac.digest` says the same, and asks OpenSSL for three times as long."""

_WORDS = Struct(">8I")


def random_integers(key: bytes, context: bytes) -> Iterator[int]:
    """32-bit integers, endlessly. `key` has at most 64 bytes."""
    padded = key.ljust(64, b"\0")
    inner, outer = padded.translate(INNER) + context, padded.translate(OUTER)
    for block in integers():
        yield from _WORDS.unpack(sha256(outer + sha256(inner + block.to_bytes(8, "big")).digest()).digest())


def below(stream: Iterator[int], m: int, times: int) -> list[int]:
    """So many uniform integers in 0 … m - 1."""
    limit = (1 << 32) - (1 << 32) % m
    found: list[int] = []
    for _ in range(times):
        number = next(stream)
        while number >= limit:
            number = next(stream)
        found.append(number % m)
    return found


def draw_results(key: bytes, context: bytes, draws: tuple[Draw, ...]) -> Results:
    """The results of `draws`, the same for the same key and context for ever."""
    stream = random_integers(key, context)
    results: list[tuple[int | str, ...]] = []
    for draw in draws:
        if isinstance(draw, Dice):
            results.append(tuple([number + 1 for number in below(stream, draw.sides, draw.count)]))
            continue
        left = dict(draw.things)
        results.append(tuple(_take(stream, left) for _ in range(draw.count)))
    return tuple(results)


def _take(stream: Iterator[int], left: dict[str, int]) -> str:
    """One thing out of the bag `left`, which holds one less of it afterwards."""
    [at] = below(stream, sum(left.values()), 1)
    for name, count in left.items():
        if at < count:
            left[name] = count - 1
            return name
        at -= count
    raise AssertionError("a number below the sum lies in one of the parts")
