"""Bytes inside an HTML page: deflated, and written with 85 characters that HTML leaves alone.

Four bytes take five characters (base64: five and a third). The alphabet is RFC 1924's without
``<``, for which a comma stands, so that nothing in it can end or open an element.
"""

from __future__ import annotations

import zlib
from base64 import b85encode

_SAFE = bytes.maketrans(b"<", b",")


def deflate(data: bytes) -> bytes:
    """`data` as a raw deflate stream, in blocks so small that each fits the column it holds."""
    return min((_deflated(data, memory) for memory in (4, 5)), key=len)


def _deflated(data: bytes, memory: int) -> bytes:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15, memory)
    return squeeze.compress(data) + squeeze.flush()


def text(data: bytes) -> str:
    """`data`, deflated, as characters that can stand in a script element."""
    return b85encode(deflate(data)).translate(_SAFE).decode("ascii")
