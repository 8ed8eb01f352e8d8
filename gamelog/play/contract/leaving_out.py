"""Events of which a part is left out, for `Game.seen`."""

from __future__ import annotations

from typing import Any

import msgspec

from gamelog.record.envelope import Event


def without(event: Event, *members: str) -> dict[str, Any]:
    """`event` as plain data without these `members`: what a seat sees of it that does not see them."""
    told: dict[str, Any] = msgspec.to_builtins(event)
    for member in members:
        del told[member]
    return told
