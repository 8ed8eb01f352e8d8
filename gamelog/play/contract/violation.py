"""Why an event is illegal, in words in which the people stand who sit at the seats."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct


class Violation(Struct, frozen=True):
    """Why an event is illegal: the id of the rule it breaks, and what is wrong with this event in words.

    Seats stand in the words as `who` writes them; the fold puts the people there who sit at them (`said`).
    """

    rule: str
    text: str


_WHO = re.compile(r"\{@([^{}]*)\}")


def who(seat: str) -> str:
    """`seat` in the words of a refusal, where people read who sits there."""
    return f"{{@{seat}}}"


def said(text: str, name_of: Callable[[str], str]) -> str:
    """The words of a refusal, each seat that `who` wrote into them as the person it is to `name_of`."""
    return _WHO.sub(lambda match: name_of(match[1]), text)
