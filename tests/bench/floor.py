"""The floor under verifying: chain, decode and play, as a program does it that was written for one game and knows of no house.

It says the status (``ok``, ``illegal`` or ``damaged``) and the outcome of a whole record, the same as the house does
(`tests.play.test_floor`), and nothing else: it keeps no state but the last, finds no rule that is broken, computes no play
digest, and takes no common event (``illegal`` stands for all that it does not know).
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
    """The bytes are not those that were written."""


def bodies(data: bytes) -> list[bytes]:
    """What stands behind the digests. Raises `Damaged`."""
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
    """The status and the outcome of the record in `data`."""
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
