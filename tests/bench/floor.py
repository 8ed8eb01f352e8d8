"""The minimum cost of verifying: chain, decoding and play in a program for one game, without any framework.

The program returns the status (``ok``, ``illegal`` or ``damaged``) and the outcome of a whole record, the
same as Gamelog does (`tests.play.test_floor`). It keeps only the last state, does not name the broken rule
and computes no play digest. It knows no common events, which are ``illegal`` here.
"""

from __future__ import annotations

from binascii import b2a_base64
from hashlib import sha256
from typing import Any

import msgspec

from tests.bench import floor_connect_four, floor_slicewars
from tests.bench.floor_play import Header, Illegal, Outcome

PLAYS: dict[str, tuple[Any, Any]] = {
    "slicewars": (floor_slicewars.DECODER, floor_slicewars.play),
    "connect_four": (floor_connect_four.DECODER, floor_connect_four.play),
}
URLSAFE = bytes.maketrans(b"+/", b"-_")
_header = msgspec.json.Decoder(Header)


class Damaged(Exception):
    """The bytes were changed after they were written."""


def bodies(data: bytes) -> list[bytes]:
    """Return the bodies after the digests. Raises `Damaged`."""
    found = []
    head = b"A" * 43
    *rows, rest = data.split(b"\n")
    if rest:
        raise Damaged
    for row in rows:
        body = row[51:]
        digest = sha256(b"gamelog/1\n%b%b\n" % (head, body)).digest()
        head = b2a_base64(digest, newline=False).translate(URLSAFE)[:43]
        if row[:51] != b'{"h":"%b",' % head:
            raise Damaged
        found.append(body)
    return found


def judge(data: bytes) -> tuple[str, Outcome | None]:
    """Return the status and the outcome of the record in `data`."""
    try:
        opening, *lines = bodies(data)
        header = _header.decode(b"{" + opening)
        decoder, play = PLAYS[header.game]
        events = decoder.decode_lines(b"{" + b"\n{".join(lines)) if lines else []
    except (Damaged, ValueError):
        return "damaged", None
    try:
        return "ok", play(header, events)
    except Illegal:
        return "illegal", None
