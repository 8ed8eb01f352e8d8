"""Encoding of lines, with checks that every line can be read back as the same event."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from gamelog.errors import AppendError, RecordError
from gamelog.message import Message
from gamelog.record import chain, envelope, strict_json
from gamelog.record.envelope import MAX_LINE, Event, Header
from gamelog.record.reading import read_header


class Line(Struct, frozen=True):
    """An event as a line of a record, not yet in a file.

    Attributes:
        event: The event.
        body: Body of the line.
        previous: Digest of the line before.
        head: Digest of the line.
    """

    event: Event
    body: bytes
    previous: bytes
    head: bytes

    @property
    def data(self) -> bytes:
        """The whole line."""
        return b"".join((chain.OPEN, self.head, chain.CLOSE, self.body))


def encode_line(event: Event, previous: bytes) -> Line:
    """Return the line of `event` that follows a line with head `previous`.

    Raises:
        AppendError: The event would not be read back as the same event.
    """
    try:
        body = envelope.encode_body(event)
        trouble = strict_json.line_problem(body)
        if trouble is None and body.count(b"\n") != 1:
            trouble = Message.of("the event contains a raw line ending")
        if trouble:
            raise ValueError(trouble)
        msgspec.json.decode(b"{" + body, type=type(event))
    except (TypeError, ValueError, RecursionError) as error:  # msgspec's own errors are ValueErrors
        raise AppendError(
            Message.of("Event {n} cannot be recorded: {=error}.", n=event.n, error=str(error))
        ) from None
    if chain.PREFIX_BYTES + len(body) > MAX_LINE:
        raise AppendError(
            Message.of(
                "Event {n} needs a line of {=size} bytes, but a line can have at most {=most} "
                "bytes. Shorten the text of the event.",
                n=event.n,
                size=f"{chain.PREFIX_BYTES + len(body):,}",
                most=f"{MAX_LINE:,}",
            )
        )
    return Line(event, body, previous, chain.chained_digest(previous, body))


def header_line(header: Header) -> bytes:
    """Return the first line of a record, with its head.

    Raises:
        RecordError: The header is invalid.
    """
    try:
        body = envelope.encode_body(header)
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(
            Message.of("The header cannot be written as JSON: {=error}.", error=str(error))
        ) from None
    problem = read_header(body)[2]
    if problem:
        raise RecordError(Message.of("The header is invalid: {problem}.", problem=problem.message))
    data, _ = chain.chained_line(chain.GENESIS, body)
    if len(data) > MAX_LINE:
        raise RecordError(
            Message.of(
                "The header needs a line of {=size} bytes, but a line can have at most {=most} "
                "bytes. Use a smaller board.",
                size=f"{len(data):,}",
                most=f"{MAX_LINE:,}",
            )
        )
    return data
