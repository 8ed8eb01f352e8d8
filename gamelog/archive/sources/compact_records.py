"""Records without the digests of their lines and the numbers of their events, which can be restored."""

from __future__ import annotations

import re
from io import BytesIO

from gamelog.record import chain
from gamelog.record.reading import Record

_TAG = re.compile(rb'"do":"[^"\\]*",')
"""The bytes before the number of an event."""


def compact_record(data: bytes, record: Record) -> str | None:
    """Return the bodies without event numbers, or None if `restore_record` could not restore the record."""
    parts = [body.partition(b'"n":%d,' % n) for n, body in enumerate(record.bodies, 1)]
    if not all(map(_TAG.fullmatch, {before for before, _, _ in parts})):
        return None
    header = data[chain.PREFIX_BYTES : data.index(b"\n") + 1]
    try:
        return (header + b"".join([before + after for before, _, after in parts])).decode()
    except UnicodeDecodeError:
        return None


def restore_record(lines: str) -> tuple[bytes, str]:
    """Return the bytes and the head of a record from the result of `compact_record`.

    Raises:
        ValueError: `lines` is other text.
    """
    head = chain.GENESIS
    record = BytesIO()
    for n, line in enumerate(BytesIO(lines.encode())):
        begin = line.index(b'",', 6) + 2 if n else 0
        text, head = chain.chained_line(head, line[:begin] + (b'"n":%d,' % n if n else b"") + line[begin:])
        record.write(text)
    return record.getvalue(), head.decode()
