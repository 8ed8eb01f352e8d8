"""What valid JSON may still get wrong: duplicate members, NaN, integers beyond 53 bits.

Every JSON reader resolves these differently, so a record that holds one would mean different
things to different people. `check` looks at one body with the standard library's parser; it is
slow, and only asked about lines that are not byte for byte what Gamelog itself would have written.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from gamelog.record.envelope import MAX_INT


class _Unsound(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Unsound(f'the member "{twice}" stands twice in one object')
    return members


def _constant(text: str) -> NoReturn:
    raise _Unsound(f"{text} is not a JSON number")


def _integer(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > MAX_INT:
        raise _Unsound(f"the integer {text[:24]} is beyond 53 bits, where JSON readers lose digits")
    return int(text)


def check(body: bytes) -> str | None:
    """What is unsound about `body` (a line without its first 51 bytes), or None."""
    try:
        json.loads("{" + body.decode(), object_pairs_hook=_unique, parse_constant=_constant, parse_int=_integer)
    except UnicodeDecodeError as error:
        return f"byte {error.start} of the line's body is not UTF-8"
    except RecursionError:
        return "the JSON is nested too deeply"
    except _Unsound as error:
        return str(error)
    except ValueError as error:
        return f"the line is not JSON ({error})"
    return None
