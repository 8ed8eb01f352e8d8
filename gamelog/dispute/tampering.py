"""What was done to a record whose chain is broken, as far as the lines behind the break tell.

Lines carry their numbers and digests along when somebody moves them, so that a line that was
removed, doubled or moved gives itself away. Who recomputes the chain leaves no such trace: then
seals say that something was changed (`gamelog.record.seal`), and another copy says what
(`gamelog.dispute.compare`).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from gamelog.record import chain
from gamelog.record.reading import Record
from gamelog.record.seal import Seal


class _Line(Struct, frozen=True):
    """A line as it lies there: its digest, right or wrong, its body, and the number it says, if any."""

    said: str
    body: bytes
    n: int | None

    @property
    def head(self) -> bytes:
        """The digest it carries, as bytes."""
        return self.said.encode()


class _Numbered(Struct, frozen=True):
    n: int


_number = msgspec.json.Decoder(_Numbered)


def tampering(data: bytes, record: Record, seals: Sequence[Seal] = ()) -> str | None:
    """What was done at the first bad line of `record`, with bytes `data`; None where nothing can be told.

    `seals` at hand tell an edited line, behind which the sealed ones follow, from another record's lines.
    """
    if record.header is None or record.problem is None or record.problem.kind != "damaged":
        return None
    at = len(record.bodies) + 1
    lines = [_line(text) for text in data[record.good :].splitlines(keepends=True)]
    first = lines[0]
    if first is None:
        return f"where event {at} should stand is not a line of a record"
    before = [record.first.decode(), *(head.decode() for head in record.heads)]
    if first.said in before:
        return f"the line of event {before.index(first.said)} stands a second time, where event {at} should"
    numbers = {line.n for line in lines[1:] if line}
    if first.n is not None and first.n > at:
        missing = f"event {at}" if first.n == at + 1 else f"events {at} to {first.n - 1}"
        if at in numbers:
            return (
                f"lines were moved: event {first.n} stands where event {at} should, which comes further down"
            )
        return f"{missing} {'is' if first.n == at + 1 else 'are'} missing: lines were removed"
    if first.n != at:
        says = "does not say its number" if first.n is None else f"says it is event {first.n}"
        return f"a line that {says} stands where event {at} should"
    return _changed(at, lines, seals)


def _changed(at: int, lines: Sequence[_Line | None], seals: Sequence[Seal]) -> str:
    """What happened where the bad line says that it is the right one, `at`."""
    carried = {line.n: line.said for line in lines if line}
    kept = next((seal for seal in seals if seal.n >= at and carried.get(seal.n) == seal.head), None)
    if kept:
        return f"event {at} was edited: what {kept.seat} sealed at event {kept.n} still stands there"
    first, after = lines[0], lines[1] if len(lines) > 1 else None
    follows = first is not None and after is not None and chain.link(first.head, after.body) == after.head
    if any(seal.n >= at for seal in seals) or (not follows and after is not None):
        return f"from event {at} on stand other lines than were written: edited, or out of another record"
    return (
        f"event {at} was edited, or from there on stand lines out of another record; a seal of a later "
        "event tells which"
    )


def _line(text: bytes) -> _Line | None:
    said, body = text[len(chain.OPEN) : len(chain.OPEN) + 43], text[chain.PREFIX :]
    if not text.startswith(chain.OPEN) or not body.endswith(b"\n") or not said.isascii():
        return None
    try:
        n: int | None = _number.decode(b"{" + body).n
    except (msgspec.DecodeError, RecursionError):
        n = None
    return _Line(said.decode(), body, n)
