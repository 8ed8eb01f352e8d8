"""Violations: the broken rule of an illegal event, and a message."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from gamelog.message import Message


class Violation(Struct, frozen=True):
    """The reason why an event is illegal.

    Attributes:
        rule: Id of the broken rule.
        text: Template of the problem with the event (`gamelog.message`). Text without arguments is shown
            verbatim.
        args: Arguments that fill its placeholders; `forbids` makes both.
    """

    rule: str
    text: str
    args: dict[str, Any] = {}

    @property
    def message(self) -> Message:
        """The problem with the event, as a message."""
        return Message(self.text, self.args)


def forbids(rule: str, text: str, /, **args: Any) -> Violation:
    """Return the violation of `rule` with the template `text` and the arguments `args`.

    >>> forbids("SW-12", "the defence rolls {n} {n:die|dice}, not {found}", n=2, found=3).message.text
    'the defence rolls {n} {n:die|dice}, not {found}'
    """
    return Violation(rule, text, args)
