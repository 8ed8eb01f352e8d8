"""The chain: each line's digest covers the line and, through its predecessor, all before it.

``h`` of a line is SHA-256 over ``gamelog/1`` and a line feed, the 43 characters of the line
before, and the line's body (its bytes from the 51st on, line feed included), written as
unpadded base64url. Before the header stand 43 times ``A``.

The stored bytes are hashed, never a re-encoding, and the 43 characters are compared as text:
the last of them carries two spare bits that a decoder would ignore.
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
GENESIS = b"A" * 43
PREFIX = 51
"""Bytes before a line's body: ``{"h":"``, 43 characters, ``",``."""

_STRETCH = 1 << 18
"""Bytes of lines that are verified at once: enough to be quick, little beside a record."""

OPEN, CLOSE = b'{"h":"', b'",'
URLSAFE = bytes.maketrans(b"+/", b"-_")
_LINE = re.compile(OPEN + b"(.{43})" + CLOSE + b"(.*\n)")
"""A line's head and its body."""


class Links(Struct, frozen=True):
    """The good prefix of some bytes, and why it ends where it does.

    ``offsets`` are the lines' first bytes (absolute: `base` of `walk` included), ``bodies`` their
    bodies, ``heads`` what stands in each; ``good`` is the offset behind the last good line.
    ``problem`` is None when nothing follows, else ``torn`` or ``damaged``, and ``why`` says it.
    """

    offsets: list[int]
    bodies: list[bytes]
    heads: list[bytes]
    good: int
    problem: str | None = None
    why: Message | None = None


WHOLE = Message("the last line is whole but for its line end")
UNFINISHED = Message("the last line has no line end: it was being written when something stopped")


def link(previous: bytes, body: bytes) -> bytes:
    """The 43 characters that a line with `body` carries after a line that carries `previous`."""
    return b2a_base64(sha256(DOMAIN + previous + body).digest(), newline=False).translate(URLSAFE)[:43]


def line(previous: bytes, body: bytes) -> tuple[bytes, bytes]:
    """A whole line with `body` (which ends in a line feed), and its head."""
    head = link(previous, body)
    return OPEN + head + CLOSE + body, head


def walk(data: bytes, previous: bytes = GENESIS, base: int = 0, max_line: int = MAX_LINE) -> Links:
    """Verify the lines of `data`, which stand at offset `base` of a file behind a line with head `previous`.

    Nothing is decoded: a line may verify and still hold nonsense. Whatever stands in `data`, this
    takes time in proportion to its length, and four times its length in memory.
    """
    found = Links([], [], [], base)
    while found.good - base < len(data):
        start = found.good - base
        # What is needed to verify many lines at once is needed for one stretch of them at a time.
        end = data.rfind(b"\n", start, start + _STRETCH) + 1 or data.find(b"\n", start, start + max_line) + 1
        stretch = _at_once(data[start:end], previous, found.good, max_line) or _singly(
            data[start:], previous, found.good, max_line
        )
        found.offsets.extend(stretch.offsets)
        found.bodies.extend(stretch.bodies)
        found.heads.extend(stretch.heads)
        found = structs.replace(found, good=stretch.good, problem=stretch.problem, why=stretch.why)
        if found.problem:
            break
        previous = found.heads[-1]
    return found


def _at_once(data: bytes, previous: bytes, base: int, max_line: int) -> Links | None:
    """All lines, if all are good; None if any is not, without saying which.

    Each digest is computed from the head that stands in the line before, so that all can be
    written as base64 in one call: with a zero byte behind it a digest is 33 bytes, which are 44
    characters, the 43 of the line and an ``A``. This takes half of the time of `_singly`.
    """
    lines = _LINE.findall(data)
    if not lines:
        return None
    heads, bodies = map(list, zip(*lines, strict=True))
    offsets = list(accumulate((PREFIX + len(body) for body in bodies), initial=base))
    if offsets[-1] != base + len(data) or PREFIX + len(max(bodies, key=len)) > max_line:
        return None  # something stands between what looks like lines, or one is too long
    digests = [
        sha256(b"%b%b%b" % (DOMAIN, head, body)).digest()
        for head, body in zip((previous, *heads), bodies, strict=False)
    ]
    if b2a_base64(b"\0".join(digests) + b"\0", newline=False).translate(URLSAFE) != b"A".join(heads) + b"A":
        return None
    return Links(offsets[:-1], bodies, heads, offsets[-1])


def _singly(data: bytes, previous: bytes, base: int, max_line: int) -> Links:
    """The good lines one by one, and why the first that is not good is not."""
    offsets: list[int] = []
    bodies: list[bytes] = []
    heads: list[bytes] = []
    start, head = 0, previous
    while start < len(data):
        end = data.find(b"\n", start) + 1
        if not end:
            why = WHOLE if ended(data[start:], head) else UNFINISHED
            return Links(offsets, bodies, heads, base + start, "torn", why)
        body = data[start + PREFIX : end]
        expected, head = line(head, body)
        if data[start:end] != expected or end - start > max_line:
            return Links(
                offsets, bodies, heads, base + start, "damaged", explain(data[start:end], head, max_line)
            )
        offsets.append(base + start)
        bodies.append(body)
        heads.append(head)
        start = end
    return Links(offsets, bodies, heads, base + start)


def ended(tail: bytes, previous: bytes) -> bytes | None:
    """The line that `tail`, which has no line end, is with one: behind it, or in its last byte's place. None
    if neither verifies.

    `previous` is the head before it. A line that verifies so is whole: nothing but its line end was lost.
    """
    for start in (tail, tail[:-1]) if len(tail) <= MAX_LINE else ():
        expected, _ = line(previous, start[PREFIX:] + b"\n")
        if expected == start + b"\n":
            return expected
    return None


def explain(line: bytes, expected: bytes, max_line: int = MAX_LINE) -> Message:
    """Why `line`, which does not verify, does not: the likeliest accident first."""
    if line.startswith(b"\xef\xbb\xbf"):
        return Message.of(
            "the line begins with a byte order mark, which gamelog recover FILE --salvage -o NEW "
            "puts right in a "
            "copy"
        )
    if len(line) > max_line:
        return Message.of(
            "the line is {n} bytes long, the longest allowed has {most}",
            n=f"{len(line):,}",
            most=f"{max_line:,}",
        )
    if not line.startswith(OPEN) or line[49:51] != CLOSE:
        return Message.of(
            'the line does not begin with {"h":" and a digest of 43 characters, so it is not a line '
            "of a record"
        )
    if line.endswith(b"\r\n"):
        return Message.of(
            "the line ends in CR LF: something rewrote the file's line ends (records end lines with "
            "LF alone), "
            "which gamelog recover FILE --salvage -o NEW puts right in a copy"
        )
    stored = ascii(line[6:14])[2:-1]  # whatever stands there must not command a terminal
    return Message.of(
        "something was changed, removed, inserted or moved here or just before: the line says "
        "{=stored}…, its bytes and all before them give {=expected}…",
        stored=stored,
        expected=expected[:8].decode(),
    )
