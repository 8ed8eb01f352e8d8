"""Bytes inside an HTML page: deflated, and written with 85 characters that HTML leaves alone.

Four bytes take five characters (base64: five and a third). The alphabet is RFC 1924's without
``<``, for which a comma stands, so that nothing in it can end or open an element.

What the page has already can serve as a dictionary. Browsers know of none when they inflate, so the
page's `embedded_text.js` puts it before the stream as a block of its own, stored as it is.
"""

from __future__ import annotations

import zlib
from base64 import b85encode

_SAFE = bytes.maketrans(b"<", b",")


_WINDOW = 1 << 15
"""Bytes before it that a deflate stream can refer to."""


def deflate(data: bytes, known: bytes = b"") -> bytes:
    """Return `data` as the shortest raw deflate stream: columns want small blocks, a script large ones.

    `known` is the dictionary.
    """
    return min((_deflated(data, memory, known[-_WINDOW:]) for memory in (4, 5, 7)), key=len)


def _deflated(data: bytes, memory: int, known: bytes) -> bytes:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15, memory, zdict=known)
    return squeeze.compress(data) + squeeze.flush()


def embedded_text(data: bytes, known: bytes = b"") -> str:
    """`data`, deflated with the dictionary `known`, as characters that can stand in a script element."""
    return b85encode(deflate(data, known)).translate(_SAFE).decode("ascii")
