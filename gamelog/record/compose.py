"""A whole record at once: what `gamelog.record.log` would have written event by event."""

from __future__ import annotations

from collections.abc import Iterable

from gamelog.record import chain
from gamelog.record.envelope import Event, Header, body


def compose(header: Header, events: Iterable[Event]) -> tuple[bytes, str]:
    """The bytes of a record and its head. `events` are stamped; nothing is checked."""
    first, head = chain.line(chain.GENESIS, body(header))
    lines = [first]
    for event in events:
        line, head = chain.line(head, body(event))
        lines.append(line)
    return b"".join(lines), head.decode()
