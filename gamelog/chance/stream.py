"""Random outcomes from a key: HMAC-SHA256 in counter mode, with rejection sampling.

Block ``i`` (from 0) of a stream is HMAC-SHA256(key, context ‖ i as eight bytes, big-endian). A uniform number
below ``m`` uses four bytes as a big-endian integer and rejects integers beyond the largest multiple of ``m``,
so that every number is equally likely.

- Each die uses one such number, in recorded order.
- Each thing drawn from a bag uses one number, which counts through the kinds as listed.
- A shuffle is a bag drawn until it is empty. Equal things are together at the place of the first in the list.
- A weighted draw uses one number for each thing. ``m`` is the sum of the weights, and nothing is removed.

If ``m`` is larger than 2^32, a number combines as many integers as necessary, the first one in front.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, reduce
from hashlib import sha256
from itertools import chain, islice
from itertools import count as integers
from struct import Struct

from gamelog.chance.draws import Dice, Draw, Results, Weighted, kinds_of

_INNER = bytes(byte ^ 0x36 for byte in range(256))
"""Translation table for the inner key of HMAC."""
_OUTER = bytes(byte ^ 0x5C for byte in range(256))
"""Translation table for the outer key of HMAC."""

_WORDS = Struct(">8I")
"""Eight words of 32 bits, as in a digest."""
_LARGEST = 1 << 32
"""Number of different words."""


@lru_cache(16)
def _blocks(key: bytes) -> Callable[[bytes, int], tuple[int, ...]]:
    """Return a function that gives the integers of a block.

    The key is hashed once for all rolls of a record. ``hmac.digest`` gives the same result but takes three
    times as long, because it calls OpenSSL.
    """
    padded = key.ljust(64, b"\0")
    keyed_inner, keyed_outer = sha256(padded.translate(_INNER)), sha256(padded.translate(_OUTER))

    def block(context: bytes, number: int) -> tuple[int, ...]:
        inner, outer = keyed_inner.copy(), keyed_outer.copy()
        inner.update(context + number.to_bytes(8, "big"))
        outer.update(inner.digest())
        return _WORDS.unpack(outer.digest())

    return block


def random_integers(key: bytes, context: bytes) -> Iterator[int]:
    """Yield 32-bit integers without end. `key` has at most 64 bytes."""
    block = _blocks(key)
    return chain(block(context, 0), _further_integers(block, context))


def _further_integers(block: Callable[[bytes, int], tuple[int, ...]], context: bytes) -> Iterator[int]:
    """Yield the integers of all blocks after the first, which is enough for most rolls."""
    for number in integers(1):
        yield from block(context, number)


def uniform_integers(stream: Iterator[int], m: int, times: int, first: int = 0) -> list[int]:
    """Return `times` uniform integers from `first` to ``first + m - 1``.

    Args:
        stream: 32-bit integers without end (`random_integers`). Integers that would favour small results are
            skipped, so the number of integers that are used varies.
        m: The number of possible results, at least 1. It can be larger than 2^32.
        times: The number of integers; 0 reads nothing from the stream.
        first: The smallest result.
    """
    if m > _LARGEST:
        return [_large_uniform_integer(stream, m) + first for _ in range(times)]
    limit = _LARGEST - _LARGEST % m
    integers: list[int] = []
    for number in stream if times else ():
        if number < limit:
            integers.append(number % m + first)
            if len(integers) == times:
                break
    return integers


def uniform_integer(stream: Iterator[int], m: int) -> int:
    """Return one uniform integer from 0 to ``m - 1``."""
    if m > _LARGEST:
        return _large_uniform_integer(stream, m)
    limit = _LARGEST - _LARGEST % m
    number = next(stream)
    while number >= limit:
        number = next(stream)
    return number % m


def _large_uniform_integer(stream: Iterator[int], m: int) -> int:
    """Return one uniform integer below `m`, which may use several integers of the stream."""
    words = -(-(m - 1).bit_length() // 32)
    limit = (1 << 32 * words) - (1 << 32 * words) % m
    while True:
        number = reduce(lambda high, low: high << 32 | low, islice(stream, words))
        if number < limit:
            return number % m


def draw_results(key: bytes, context: bytes, draws: tuple[Draw, ...]) -> Results:
    """Return the results of `draws`. They are always the same for one key and context."""
    stream = random_integers(key, context)
    results: list[tuple[int | str, ...]] = []
    for draw in draws:
        if isinstance(draw, Dice):
            results.append(tuple(uniform_integers(stream, draw.sides, draw.count, 1)))
            continue
        left = kinds_of(draw)
        if isinstance(draw, Weighted):
            results.append(
                tuple(
                    [
                        _thing_at(left, position)
                        for position in uniform_integers(stream, sum(left.values()), draw.count)
                    ]
                )
            )
        else:
            results.append(_draw_things(stream, left, draw.count))
    return tuple(results)


def _draw_things(stream: Iterator[int], left: dict[str, int], count: int) -> tuple[str, ...]:
    """Draw `count` things from the bag `left` and remove them from it."""
    taken: list[str] = []
    inside = sum(left.values())
    for m in range(inside, inside - count, -1):
        name = _thing_at(left, uniform_integer(stream, m))
        left[name] -= 1
        taken.append(name)
    return tuple(taken)


def _thing_at(weights: dict[str, int], position: int) -> str:
    """Return the thing at `position`, if each thing in turn occupies as many positions as its weight."""
    for name, count in weights.items():
        if position < count:
            return name
        position -= count
    raise AssertionError("a number below the sum lies in one of the parts")
