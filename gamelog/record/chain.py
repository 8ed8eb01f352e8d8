"""The chain: the digest of each line covers the line and all lines before it.

``h`` of a line is a SHA-256 digest as unpadded base64url. The digest covers ``gamelog/1`` and a line feed,
the 43 characters of the previous line's ``h``, and the line's body (its bytes from the 51st on, including the
line feed). The ``h`` before the header is 43 times ``A``.

The digest covers the stored bytes, never a re-encoding. The 43 characters are compared as text, because the
last one has two spare bits that a decoder would ignore.
"""

from __future__ import annotations

import re
from binascii import b2a_base64
from hashlib import sha256
from itertools import accumulate

from msgspec import Struct, structs

from gamelog.message import Message
from gamelog.record.envelope import MAX_LINE

DOMAIN = b"gamelog/1\n"
"""Bytes hashed before each line's data, so that its digest fits no other format."""
GENESIS = b"A" * 43
"""Head before the first line."""
PREFIX_BYTES = 51
"""Number of bytes before a line's body: ``{"h":"``, 43 characters, ``",``."""

_STRETCH_BYTES = 1 << 18
"""Number of bytes verified at a time: fast enough, and small compared with a record."""

OPEN, CLOSE = b'{"h":"', b'",'
URLSAFE = bytes.maketrans(b"+/", b"-_")
"""Translation from the standard alphabet of Base64 to the URL-safe alphabet."""
_LINE = re.compile(OPEN + b"(.{43})" + CLOSE + b"(.*\n)")
"""A line's head and body."""


class ValidLines(Struct, frozen=True):
    """The valid first lines of some bytes, and the reason why they end.

    Attributes:
        offsets: First byte of each line (absolute, including the `base` of `verify_lines`).
        bodies: Bodies of the lines.
        heads: Stored heads of the lines.
        valid_size: Offset after the last valid line.
        problem: ``torn`` or ``damaged``, or None if nothing follows.
        reason: Explanation of the problem.
    """

    offsets: list[int]
    bodies: list[bytes]
    heads: list[bytes]
    valid_size: int
    problem: str | None = None
    reason: Message | None = None


ONLY_LINE_END_MISSING = Message.of("only the line ending of the last line is missing")
"""Reason for a torn end at which only the line ending is missing."""
_UNFINISHED = Message.of("the last line is incomplete: the program or the computer stopped while writing it")


def chained_digest(previous: bytes, body: bytes) -> bytes:
    """Return the 43 characters for a line with `body` that follows a line with head `previous`."""
    return b2a_base64(sha256(DOMAIN + previous + body).digest(), newline=False).translate(URLSAFE)[:43]


def chained_line(previous: bytes, body: bytes) -> tuple[bytes, bytes]:
    """Return a whole line with `body` (which ends in a line feed) and its head."""
    head = chained_digest(previous, body)
    return OPEN + head + CLOSE + body, head


def verify_lines(
    data: bytes, previous: bytes = GENESIS, base: int = 0, max_line: int = MAX_LINE
) -> ValidLines:
    """Verify the lines of `data`.

    Nothing is decoded: a line may verify and still be invalid. For any `data`, the time is proportional to
    its length, and the memory is four times its length.

    Args:
        data: Bytes that begin with a line.
        previous: The head of the line before, as 43 ASCII characters; for the first line of a file,
            `GENESIS`.
        base: The offset of `data` in the file, in bytes.
        max_line: The largest length of a line in bytes, line feed included.
    """
    valid = ValidLines([], [], [], base)
    while valid.valid_size - base < len(data):
        start = valid.valid_size - base
        # One stretch at a time bounds the memory for verification.
        end = (
            data.rfind(b"\n", start, start + _STRETCH_BYTES) + 1
            or data.find(b"\n", start, start + max_line) + 1
        )
        stretch = _verify_together(data[start:end], previous, valid.valid_size, max_line) or _verify_singly(
            data[start:], previous, valid.valid_size, max_line
        )
        valid.offsets.extend(stretch.offsets)
        valid.bodies.extend(stretch.bodies)
        valid.heads.extend(stretch.heads)
        valid = structs.replace(
            valid, valid_size=stretch.valid_size, problem=stretch.problem, reason=stretch.reason
        )
        if valid.problem:
            break
        previous = valid.heads[-1]
    return valid


def _verify_together(data: bytes, previous: bytes, base: int, max_line: int) -> ValidLines | None:
    """Return all lines if all are valid, or None if any line is invalid.

    Each digest uses the head stored in the previous line, so one call can write all digests as base64. A
    digest with a zero byte after it has 33 bytes, which are 44 characters: the 43 of the line and an ``A``.
    This takes half the time of `_verify_singly`.
    """
    lines = _LINE.findall(data)
    if not lines:
        return None
    heads, bodies = map(list, zip(*lines, strict=True))
    offsets = list(accumulate((PREFIX_BYTES + len(body) for body in bodies), initial=base))
    if offsets[-1] != base + len(data) or PREFIX_BYTES + len(max(bodies, key=len)) > max_line:
        return None  # other bytes are between the lines, or a line is too long
    digests = [
        sha256(b"%b%b%b" % (DOMAIN, head, body)).digest()
        for head, body in zip((previous, *heads), bodies, strict=False)
    ]
    if b2a_base64(b"\0".join(digests) + b"\0", newline=False).translate(URLSAFE) != b"A".join(heads) + b"A":
        return None
    return ValidLines(offsets[:-1], bodies, heads, offsets[-1])


def _verify_singly(data: bytes, previous: bytes, base: int, max_line: int) -> ValidLines:
    """Return the valid lines, checked one by one, and the reason why the first invalid line is invalid."""
    offsets: list[int] = []
    bodies: list[bytes] = []
    heads: list[bytes] = []
    start, head = 0, previous
    while start < len(data):
        end = data.find(b"\n", start) + 1
        if not end:
            why = ONLY_LINE_END_MISSING if with_line_end(data[start:], head) else _UNFINISHED
            return ValidLines(offsets, bodies, heads, base + start, "torn", why)
        body = data[start + PREFIX_BYTES : end]
        expected, head = chained_line(head, body)
        if data[start:end] != expected or end - start > max_line:
            return ValidLines(
                offsets,
                bodies,
                heads,
                base + start,
                "damaged",
                damage_reason(data[start:end], max_line),
            )
        offsets.append(base + start)
        bodies.append(body)
        heads.append(head)
        start = end
    return ValidLines(offsets, bodies, heads, base + start)


def with_line_end(tail: bytes, previous: bytes) -> bytes | None:
    """Return `tail`, an unfinished line, completed with a line feed, or None if no completion verifies.

    The line feed is added at the end or replaces the last byte. `previous` is the head before the line. If
    the result verifies, only the line end was lost.
    """
    for start in (tail, tail[:-1]) if len(tail) <= MAX_LINE else ():
        expected, _ = chained_line(previous, start[PREFIX_BYTES:] + b"\n")
        if expected == start + b"\n":
            return expected
    return None


def damage_reason(line: bytes, max_line: int = MAX_LINE) -> Message:
    """Return the likeliest reason why `line` does not verify."""
    if line.startswith(b"\xef\xbb\xbf"):
        return Message.of("the line begins with a byte order mark. Make a repaired copy of the record")
    if len(line) > max_line:
        return Message.of(
            "the line has {n} bytes, but a line can have at most {most} bytes",
            n=f"{len(line):,}",
            most=f"{max_line:,}",
        )
    if not line.startswith(OPEN) or line[49:51] != CLOSE:
        return Message.of(
            'the line does not begin with {"h":" and a digest of 43 characters, so it is not a line'
            " of a record"
        )
    if line.endswith(b"\r\n"):
        return Message.of(
            "the line ends in CR LF, but a record uses LF only: another program has changed "
            "the line endings. Make a repaired copy of the record"
        )
    # without the digests, because they could confirm a guess of hidden content
    return Message.of(
        "this line or the line before it was changed, removed, inserted or moved: the digest in the"
        " line does not fit the content"
    )
