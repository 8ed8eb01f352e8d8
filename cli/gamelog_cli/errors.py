"""Errors in what people type on the command line."""

from __future__ import annotations

import re

from gamelog.errors import GamelogError
from gamelog.message import Message


class Misread(GamelogError):
    """Typed text that cannot be read. The message says what to type."""

    code = "usage"


_BYTE = re.compile(r"\(byte (\d+)\)")


def json_problem(error: Exception) -> Message:
    """Return the problem with a JSON text that raised `error` (one of `JSON_ERRORS`)."""
    place = _BYTE.search(str(error))
    if place:
        return Message.of("the JSON is not valid at byte {n}", n=int(place[1]))
    return Message.of("the JSON is not a complete object")
