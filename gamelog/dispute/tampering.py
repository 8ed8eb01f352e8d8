"""Traces of tampering in a record with a broken chain: removed, repeated, moved and edited lines.

Lines contain their numbers and digests. So if a person removes, repeats or moves lines, the remaining lines
show the change. A person who computes the chain again leaves no such trace. Then only a seal shows that the
record was changed (`gamelog.record.seal`), and another copy shows the differences
(`gamelog.dispute.compare`).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from gamelog.message import Message
from gamelog.record import chain
from gamelog.record.reading import Record
from gamelog.record.seal import Seal


class _Line(Struct, frozen=True):
    """A line of the file: its digest, which may be wrong, its body, and the number in it, if any."""

    digest: str
    body: bytes
    n: int | None

    @property
    def head(self) -> bytes:
        """The digest of the line, as bytes."""
        return self.digest.encode()


class _Numbered(Struct, frozen=True):
    """The number of a line."""

    n: int


_number = msgspec.json.Decoder(_Numbered)


def find_tampering(data: bytes, record: Record, seals: Sequence[Seal] = ()) -> Message | None:
    """Return a description of the change at the first bad line of `record`, or None if the change is unknown.

    `data` are the bytes of the record. The `seals` show whether a line was edited (the sealed lines follow
    it) or comes from another record.
    """
    if record.header is None or record.problem is None or record.problem.code != "record.damaged":
        return None
    number = len(record.bodies) + 1
    lines = [_line(text) for text in data[record.valid_size :].splitlines(keepends=True)]
    first = lines[0]
    if first is None:
        return Message.of("the line where event {n} should be is not a line of a record", n=number)
    before = [record.header_head.decode(), *(head.decode() for head in record.heads)]
    if first.digest in before:
        text = "the line of event {twice} is repeated where event {n} should be"
        return Message.of(text, twice=before.index(first.digest), n=number)
    if first.n is not None and first.n > number:
        if number in {line.n for line in lines[1:] if line}:
            text = "lines were moved: event {moved} is where event {n} should be, and event {n} comes later"
            return Message.of(text, moved=first.n, n=number)
        if first.n == number + 1:
            return Message.of("event {n} is missing: lines were removed", n=number)
        return Message.of("events {n} to {last} are missing: lines were removed", n=number, last=first.n - 1)
    if first.n is None:
        return Message.of("the line where event {n} should be has no number", n=number)
    if first.n != number:
        return Message.of("the line where event {n} should be has the number {says}", says=first.n, n=number)
    return _describe_change(number, lines, seals)


def _describe_change(number: int, lines: Sequence[_Line | None], seals: Sequence[Seal]) -> Message:
    """Return the change if the bad line has the right number, `number`."""
    digests = {line.n: line.digest for line in lines if line}
    matching_seal = next(
        (seal for seal in seals if seal.n >= number and digests.get(seal.n) == seal.head), None
    )
    if matching_seal:
        text = "event {n} was edited: event {later} is still as {=seat} sealed it"
        return Message.of(text, n=number, seat=matching_seal.seat, later=matching_seal.n)
    first, after = lines[0], lines[1] if len(lines) > 1 else None
    follows = (
        first is not None and after is not None and chain.chained_digest(first.head, after.body) == after.head
    )
    if any(seal.n >= number for seal in seals) or (not follows and after is not None):
        text = "from event {n} on, lines were edited or come from another record"
    else:
        text = (
            "event {n} was edited, or all lines from event {n} on come from another record; a "
            "seal of a later event can show which of the two is true"
        )
    return Message.of(text, n=number)


def _line(text: bytes) -> _Line | None:
    digest, body = text[len(chain.OPEN) : len(chain.OPEN) + 43], text[chain.PREFIX_BYTES :]
    if not text.startswith(chain.OPEN) or not body.endswith(b"\n") or not digest.isascii():
        return None
    try:
        n: int | None = _number.decode(b"{" + body).n
    except (msgspec.DecodeError, RecursionError):
        n = None
    return _Line(digest.decode(), body, n)
