"""The limits of a device: size and time of a request, events and guesses per second, bytes of a record."""

from __future__ import annotations

from collections import OrderedDict
from math import ceil
from time import monotonic

import anyio
from starlette.requests import ClientDisconnect, Request

from gamelog.message import Message
from gamelog_table.net.denied import Denied

_MAX_BYTES = 64 * 1024
"""Maximum size of a request's body, in bytes."""

BODY_SECONDS = 10.0
"""Time limit for the body of a request, in seconds."""

_MAX_KNOWN = 10_000
"""Maximum number of links and addresses that are counted. The least recently used one is forgotten."""


class Bucket:
    """A token bucket for each key: `burst` at once, then `rate` per second."""

    def __init__(self, burst: float, rate: float) -> None:
        self._burst, self._rate = burst, rate
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, amount: float = 1) -> int:
        """Take `amount` for `key` and return 0, or return the seconds until that is possible."""
        now = monotonic()
        left, since = self._left.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        lacks = max(0.0, amount - left)
        self._left[key] = (left if lacks else left - amount, now)
        if len(self._left) > _MAX_KNOWN:
            self._left.popitem(last=False)
        return ceil(lacks / self._rate)


async def body_of(request: Request) -> bytes:
    """Return the body of `request`.

    Raises:
        Denied: The body is too long or takes too long.
    """
    too_long = Denied(
        "table.too_long",
        Message.of(
            "The request is too large. The limit is {=bytes} bytes. Shorten your text and send it again.",
            bytes=f"{_MAX_BYTES:,}",
        ),
    )
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > _MAX_BYTES:
        raise too_long
    data = bytearray()
    try:
        with anyio.fail_after(BODY_SECONDS):
            async for piece in request.stream():
                data += piece
                if len(data) > _MAX_BYTES:
                    raise too_long
    except TimeoutError:
        raise Denied(
            "table.too_slow",
            Message.of(
                "The request did not arrive completely within {=seconds} seconds. Send the request again.",
                seconds=f"{BODY_SECONDS:g}",
            ),
        ) from None
    except ClientDisconnect:
        raise Denied("table.gone", "The request ended before its body was complete. Send it again.") from None
    return bytes(data)
