"""Checks of valid JSON that two readers could understand differently.

Readers disagree on duplicate members, NaN, integers beyond 53 bits, numbers too large for a float, halves of
surrogate pairs, line ends within a line, and deep nesting. `line_problem` checks one body with the standard
library's parser. That parser is slow (3 us for a short line), so bodies that are byte for byte what Gamelog
writes skip it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import accumulate
from math import isinf
from typing import Any, NoReturn

import msgspec

from gamelog.message import Message, reason_of
from gamelog.record.envelope import MAX_INT

_MAX_DEPTH = 64
"""Maximum nesting of arrays and objects. It is fixed so that no verdict depends on the reader's stack size.
"""

_strings = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""Strings, and the beginning of a string that never ends. Without the second case, a search for the end from
each quote would take very long.
"""

_DIGITS = bytes(48 if 48 <= byte < 58 else 32 for byte in range(256))
"""Translation of every digit to a zero and everything else to a space."""

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder()
_encoder = msgspec.json.Encoder()

_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
"""Translation of brackets to a step down or a step up, as signed bytes."""

_WITHOUT_BRACKETS = bytes(set(range(256)) - set(b"[{]}"))


class _AmbiguousJson(ValueError):
    """The error if readers of JSON could read a text differently."""


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        times = Counter(name for name, _ in pairs)
        twice = next(name for name, _ in pairs if times[name] > 1)
        raise _AmbiguousJson(
            Message.of("the member {=name} is listed twice in one object", name=json.dumps(twice[:40]))
        )
    return members


def _refuse_constant(text: str) -> NoReturn:
    raise _AmbiguousJson(Message.of("{=text} is not a JSON number", text=text))


def _checked_integer(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > MAX_INT:
        raise _AmbiguousJson(
            Message.of(
                "the integer {=text} has more than 53 bits, so some JSON readers would lose digits",
                text=text[:24],
            )
        )
    return int(text)


def _checked_float(text: str) -> float:
    if isinf(float(text)):
        raise _AmbiguousJson(Message.of("the number {=text} is too large", text=text[:24]))
    return float(text)


def _is_too_deep(body: bytes) -> bool:
    # Nearly all bodies have few brackets, and such bodies cannot nest deeply.
    if body.count(b"[") + body.count(b"{") < _MAX_DEPTH:
        return False
    brackets = _strings.sub(b"", body).translate(_STEPS, _WITHOUT_BRACKETS)
    return max(accumulate(memoryview(brackets).cast("b"), initial=1)) > _MAX_DEPTH


def _is_canonical(body: bytes) -> bool:
    """Return whether `body` stays the same if decoded and encoded, with at most 15 digits in a row.

    `line_problem` accepts every such body: duplicate members would be written once, and half a surrogate pair
    not at all.
    """
    if b"0" * 16 in body.translate(_DIGITS) or _is_too_deep(body):
        return False
    try:
        members = _decoder.decode(b"{" + body)
        return "h" not in members and _encoder.encode(members)[1:] + b"\n" == body
    except (msgspec.DecodeError, UnicodeError):
        return False


def line_problem(body: bytes) -> Message | None:
    """Return the problem with `body` (a line without its first 51 bytes), or None."""
    if _is_canonical(body):
        return None
    if b"\r" in body:
        return Message.of(
            "the line contains a carriage return, which other programs read as a line ending; "
            "a record uses LF only"
        )
    if _is_too_deep(body):
        return Message.of("the JSON is nested more than {n} levels deep", n=_MAX_DEPTH)
    try:
        members = json.loads(
            "{" + body.decode(),
            object_pairs_hook=_unique_members,
            parse_constant=_refuse_constant,
            parse_int=_checked_integer,
            parse_float=_checked_float,
        )
        if b"\\u" in body:
            json.dumps(members, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        return Message.of("the line is not valid UTF-8 at byte {n} of its body", n=error.start)
    except UnicodeEncodeError:
        return Message.of("a string contains half of a surrogate pair, which is not a character")
    except _AmbiguousJson as error:
        return reason_of(error)
    except ValueError as error:
        return Message.of("the line is not JSON ({=error})", error=str(error))
    return Message.of('the member "h" is listed twice') if "h" in members else None
