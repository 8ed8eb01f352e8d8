"""Traces of tampering in a record whose chain is broken: removed, doubled, moved and edited lines.

Lines carry their numbers and digests along when somebody moves them, so that a line that was
removed, doubled or moved gives itself away. Anyone who recomputes the chain leaves no such trace: then
seals say that something was changed (`gamelog.record.seal`), and another copy says what
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
    """A line of the file: its digest, right or wrong, its body, and the number it says, if any."""

    said: str
    body: bytes
    n: int | None

    @property
    def head(self) -> bytes:
        """The digest of the line, as bytes."""
        return self.said.encode()


class _Numbered(Struct, frozen=True):
    n: int


_number = msgspec.json.Decoder(_Numbered)


def tampering(data: bytes, record: Record, seals: Sequence[Seal] = ()) -> Message | None:
    """Return what was done at the first bad line of `record`, with bytes `data`; None if that is unknown.

    `seals` at hand distinguish an edited line, behind which the sealed ones follow, from lines of another
    record.
    """
    if record.header is None or record.problem is None or record.problem.code != "record.damaged":
        return None
    at = len(record.bodies) + 1
    lines = [_line(text) for text in data[record.good :].splitlines(keepends=True)]
    first = lines[0]
    if first is None:
        return Message.of("where event {n} should stand is not a line of a record", n=at)
    before = [record.first.decode(), *(head.decode() for head in record.heads)]
    if first.said in before:
        text = "the line of event {twice} stands a second time, where event {n} should"
        return Message.of(text, twice=before.index(first.said), n=at)
    if first.n is not None and first.n > at:
        if at in {line.n for line in lines[1:] if line}:
            text = "lines were moved: event {moved} stands where event {n} should, which comes further down"
            return Message.of(text, moved=first.n, n=at)
        if first.n == at + 1:
            return Message.of("event {n} is missing: lines were removed", n=at)
        return Message.of("events {n} to {last} are missing: lines were removed", n=at, last=first.n - 1)
    if first.n is None:
        return Message.of("a line that does not say its number stands where event {n} should", n=at)
    if first.n != at:
        return Message.of(
            "a line that says it is event {says} stands where event {n} should", says=first.n, n=at
        )
    return _changed(at, lines, seals)


def _changed(at: int, lines: Sequence[_Line | None], seals: Sequence[Seal]) -> Message:
    """Return what happened if the bad line says that it is the right one, `at`."""
    carried = {line.n: line.said for line in lines if line}
    kept = next((seal for seal in seals if seal.n >= at and carried.get(seal.n) == seal.head), None)
    if kept:
        text = "event {n} was edited: what {=seat} sealed at event {sealed} still stands there"
        return Message.of(text, n=at, seat=kept.seat, sealed=kept.n)
    first, after = lines[0], lines[1] if len(lines) > 1 else None
    follows = first is not None and after is not None and chain.link(first.head, after.body) == after.head
    if any(seal.n >= at for seal in seals) or (not follows and after is not None):
        text = "from event {n} on stand other lines than were written: edited, or out of another record"
    else:
        text = (
            "event {n} was edited, or from there on stand lines out of another record; a seal of a later "
            "event tells which"
        )
    return Message.of(text, n=at)


def _line(text: bytes) -> _Line | None:
    said, body = text[len(chain.OPEN) : len(chain.OPEN) + 43], text[chain.PREFIX :]
    if not text.startswith(chain.OPEN) or not body.endswith(b"\n") or not said.isascii():
        return None
    try:
        n: int | None = _number.decode(b"{" + body).n
    except (msgspec.DecodeError, RecursionError):
        n = None
    return _Line(said.decode(), body, n)
