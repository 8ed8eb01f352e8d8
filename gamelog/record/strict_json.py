"""What valid JSON may still get wrong, so that two readers would make two different things of it.

Duplicate members, NaN, integers beyond 53 bits, numbers too large for a float, halves of
surrogate pairs, line ends within a line, and nesting that some readers have no stack for: every
reader resolves these differently. `check_line` looks at one body with the standard library's parser, which is
slow (3 us for a short line), unless it is byte for byte what Gamelog itself would have written.
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

MAX_DEPTH = 64
"""How deep arrays and objects may nest. Fixed,
so that no judgement depends on how much stack the reader has left.
"""

_strings = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""Strings, and the beginning of one that never ends:
looking for its end from each of its quotes would take for ever.
"""

_DIGITS = bytes(48 if 48 <= byte < 58 else 32 for byte in range(256))
"""Every digit as a nought, everything else as a space."""

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder()
_encoder = msgspec.json.Encoder()

_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
"""A step down and a step up, as signed bytes."""

NO_BRACKET = bytes(set(range(256)) - set(b"[{]}"))


class _Unsound(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        times = Counter(name for name, _ in pairs)
        twice = next(name for name, _ in pairs if times[name] > 1)
        raise _Unsound(
            Message.of("the member {=name} is listed twice in one object", name=json.dumps(twice[:40]))
        )
    return members


def _constant(text: str) -> NoReturn:
    raise _Unsound(Message.of("{=text} is not a JSON number", text=text))


def _integer(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > MAX_INT:
        raise _Unsound(
            Message.of(
                "the integer {=text} is beyond 53 bits, where JSON readers lose digits", text=text[:24]
            )
        )
    return int(text)


def _float(text: str) -> float:
    if isinf(float(text)):
        raise _Unsound(Message.of("the number {=text} is too large", text=text[:24]))
    return float(text)


def _too_deep(body: bytes) -> bool:
    # A body with few brackets cannot nest deeply, and nearly all have few.
    if body.count(b"[") + body.count(b"{") < MAX_DEPTH:
        return False
    brackets = _strings.sub(b"", body).translate(_STEPS, NO_BRACKET)
    return max(accumulate(memoryview(brackets).cast("b"), initial=1)) > MAX_DEPTH


def _as_written(body: bytes) -> bool:
    """Whether `body` comes out the same decoded and encoded again, with at most 15 digits in a row.

    Nothing that `check_line` refuses does: members that are listed twice come out once, and half a surrogate
    pair not at all.
    """
    if b"0" * 16 in body.translate(_DIGITS) or _too_deep(body):
        return False
    try:
        members = _decoder.decode(b"{" + body)
        return "h" not in members and _encoder.encode(members)[1:] + b"\n" == body
    except (msgspec.DecodeError, UnicodeError):
        return False


def check_line(body: bytes) -> Message | None:
    """What is unsound about `body` (a line without its first 51 bytes), or None."""
    if _as_written(body):
        return None
    if b"\r" in body:
        return Message.of(
            "the line holds a carriage return, at which other readers end a line; records end lines "
            "with LF alone"
        )
    if _too_deep(body):
        return Message.of("the JSON is nested more than {n} deep", n=MAX_DEPTH)
    try:
        members = json.loads(
            "{" + body.decode(),
            object_pairs_hook=_unique,
            parse_constant=_constant,
            parse_int=_integer,
            parse_float=_float,
        )
        if b"\\u" in body:
            json.dumps(members, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        return Message.of("byte {n} of the line's body is not UTF-8", n=error.start)
    except UnicodeEncodeError:
        return Message.of("a string holds half of a surrogate pair, which is not a character")
    except _Unsound as error:
        return reason_of(error)
    except ValueError as error:
        return Message.of("the line is not JSON ({=error})", error=str(error))
    return Message.of('the member "h" is listed twice') if "h" in members else None
