"""The chain: each line's digest covers the line and, through its predecessor, all before it.

``h`` of a line is SHA-256 over ``gamelog/1`` and a line feed, the 43 characters of the line
before, and the line's body (its bytes from the 51st on, line feed included), written as
unpadded base64url. Before the header stand 43 times ``A``.

The stored bytes are hashed, never a re-encoding, and the 43 characters are compared as text:
the last of them carries two spare bits that a decoder would ignore.
"""

from __future__ import annotations

from binascii import b2a_base64
from hashlib import sha256

from msgspec import Struct

DOMAIN = b"gamelog/1\n"
GENESIS = b"A" * 43
PREFIX = 51
"""Bytes before a line's body: ``{"h":"``, 43 characters, ``",``."""

OPEN, CLOSE = b'{"h":"', b'",'
URLSAFE = bytes.maketrans(b"+/", b"-_")


class Links(Struct, frozen=True):
    """The good prefix of some bytes, and why it ends where it does.

    ``offsets`` are the lines' first bytes (absolute: `base` of `walk` included), ``bodies`` their
    bodies, ``heads`` what stands in each; ``good`` is the offset behind the last good line.
    ``problem`` is None when nothing follows, else ``torn`` or ``damaged``, and ``why`` says it
    in words.
    """

    offsets: list[int]
    bodies: list[bytes]
    heads: list[bytes]
    good: int
    problem: str | None = None
    why: str = ""


def link(previous: bytes, body: bytes) -> bytes:
    """The 43 characters that a line with `body` carries after a line that carries `previous`."""
    return b2a_base64(sha256(DOMAIN + previous + body).digest(), newline=False).translate(URLSAFE)[:43]


def line(previous: bytes, body: bytes) -> tuple[bytes, bytes]:
    """A whole line with `body` (which ends in a line feed), and its head."""
    head = link(previous, body)
    return OPEN + head + CLOSE + body, head


def walk(data: bytes, previous: bytes = GENESIS, base: int = 0, max_line: int = 1 << 20) -> Links:
    """Verify the lines of `data`, which stand at offset `base` of a file behind a line with head `previous`.

    Nothing is decoded: a line may verify and still hold nonsense.
    """
    offsets: list[int] = []
    bodies: list[bytes] = []
    heads: list[bytes] = []
    start, size = 0, len(data)
    find, b64, digest = data.find, b2a_base64, sha256
    head = previous
    while start < size:
        end = find(b"\n", start) + 1
        if not end:
            why = "the last line has no line end: it was being written when something stopped"
            return Links(offsets, bodies, heads, base + start, "torn", why)
        text = data[start + 6 : start + 49]
        body = data[start + 51 : end]
        expected = b64(digest(DOMAIN + head + body).digest(), newline=False).translate(URLSAFE)[:43]
        if (
            text != expected
            or end - start > max_line
            or data[start : start + 6] != OPEN
            or data[start + 49 : start + 51] != CLOSE
        ):
            return Links(offsets, bodies, heads, base + start, "damaged", explain(data[start:end], expected, max_line))
        head = text
        offsets.append(base + start)
        bodies.append(body)
        heads.append(head)
        start = end
    return Links(offsets, bodies, heads, base + size)


def explain(line: bytes, expected: bytes, max_line: int) -> str:
    """Why `line`, which does not verify, does not: the likeliest accident first."""
    if line.startswith(b"\xef\xbb\xbf"):
        return "the line begins with a byte order mark; save the file as UTF-8 without one"
    if len(line) > max_line:
        return f"the line is {len(line):,} bytes long, the longest allowed has {max_line:,}"
    if not line.startswith(OPEN) or line[49:51] != CLOSE:
        return 'the line does not begin with {"h":" and a digest of 43 characters, so it is no line of a record'
    if line.endswith(b"\r\n"):
        return "the line ends in CR LF; something rewrote the file's line ends (records end lines with LF alone)"
    return (
        f"the line's digest is {line[6:49].decode('ascii', 'replace')} but its bytes and all before them give "
        f"{expected.decode()}: something was changed, removed, inserted or moved here or just before"
    )
