"""Description of errors in JSON that people typed."""

from __future__ import annotations

import re

from gamelog.message import Message

_BYTE = re.compile(r"\(byte (\d+)\)")


def json_problem(error: Exception) -> Message:
    """Return what is wrong with a JSON text that raised `error` (one of `NO_JSON`)."""
    place = _BYTE.search(str(error))
    if place:
        return Message.of("the JSON is not valid at byte {n}", n=int(place[1]))
    return Message.of("the JSON is not a complete object")
