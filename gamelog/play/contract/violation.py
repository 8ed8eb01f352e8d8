"""Why an event is illegal: the rule that it breaks, and a message that says what is wrong."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from gamelog.message import Message


class Violation(Struct, frozen=True):
    """Why an event is illegal: the id of the rule that it breaks, and what is wrong with this event.

    ``text`` is a template, whose places ``args`` fill (`gamelog.message`); `forbids` makes both. Without
    arguments it is shown as it is.
    """

    rule: str
    text: str
    args: dict[str, Any] = {}

    @property
    def message(self) -> Message:
        """What is wrong, as a message."""
        return Message(self.text, self.args)


def forbids(rule: str, text: str, /, **args: Any) -> Violation:
    """Return the violation of `rule` that the template `text` tells, with `args` in its places.

    >>> forbids("SW-12", "the defence rolls {n} {n:die|dice}, not {found}", n=2, found=3).message.text
    'the defence rolls {n} {n:die|dice}, not {found}'
    """
    return Violation(rule, text, args)
