"""Records without what follows from the rest of them: digests of lines, numbers of events."""

from __future__ import annotations

import re
from io import BytesIO

from gamelog.record import chain
from gamelog.record.reading import Record

_TAG = re.compile(rb'"do":"[^"\\]*",')
"""What stands before an event's number."""


def strip(data: bytes, record: Record) -> str | None:
    """The bodies of a whole record without event numbers; None if the numbers would not come back."""
    parts = [body.partition(b'"n":%d,' % n) for n, body in enumerate(record.bodies, 1)]
    if not all(map(_TAG.fullmatch, {before for before, _, _ in parts})):
        return None
    header = data[chain.PREFIX : data.index(b"\n") + 1]
    try:
        return (header + b"".join([before + after for before, _, after in parts])).decode()
    except UnicodeDecodeError:
        return None


def restore(lines: str) -> tuple[bytes, str]:
    """The bytes of a record, and its head, of what `strip` made of it. Raises ValueError for all else."""
    head = chain.GENESIS
    whole = BytesIO()
    for n, line in enumerate(BytesIO(lines.encode())):
        at = line.index(b'",', 6) + 2 if n else 0
        text, head = chain.line(head, line[:at] + (b'"n":%d,' % n if n else b"") + line[at:])
        whole.write(text)
    return whole.getvalue(), head.decode()
