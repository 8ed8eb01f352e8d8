"""Signatures inside a record: the event ``@sign`` signs all lines before it, like a seal."""

from __future__ import annotations

from msgspec import structs

from gamelog.errors import BadSeal, MissingExtra, RecordError
from gamelog.finding import Finding
from gamelog.message import Message, with_names
from gamelog.play.fold.common_events import Sign
from gamelog.play.fold.history import History
from gamelog.play.fold.session import Signature
from gamelog.record.envelope import ARBITER, Header
from gamelog.record.seal import Key, Seal, unsigned_seal


def seal_in(header: Header, head: str, event: Sign) -> Seal:
    """Return the seal in `event`, which follows a line with `head`.

    Raises:
        BadSeal: The key is invalid.
        RecordError: The record cannot be sealed.
    """
    unsigned = unsigned_seal(header, event.n - 1, head, event.seat, event.t, Key.parse(event.key))
    return structs.replace(unsigned, sig=event.sig)


def signature_finding(history: History, event: Sign) -> Finding | None:
    """Return the finding that says why the signature is not valid, or None.

    If the header names a key for the seat, and the person is still the same, that key must be used.
    Signatures that a branch shares were made for its parent. They are checked if the branch proves the
    parent's lines.
    """
    seat, n = event.seat, event.n
    if seat not in (*history.header.seat_ids, ARBITER):
        return Finding.of("play.common", Message.of('there is no seat "{=seat}"', seat=seat), n=n)
    parent = history.ancestry.origin(n)
    head = _head_before(history, n)
    if parent and head is None:
        return None
    problem = other_key_problem(history, seat, event.key)
    if problem:
        return Finding.of("sign.key", problem, n=n)
    if head is None:
        return Finding.of(
            "sign.unchecked", "a signature cannot be checked without the digests of the lines before it", n=n
        )
    header = structs.replace(history.header, id=parent.id) if parent else history.header
    try:
        genuine = seal_in(header, head.decode(), event).is_valid
    except (BadSeal, RecordError) as error:
        return Finding.of(
            "sign.forged", Message.of("the signature is invalid: {problem}", problem=error.clause), n=n
        )
    except MissingExtra as error:
        return Finding.of("sign.unchecked", error.clause, n=n)
    if genuine:
        return None
    text = Message.of(
        "the signature of {@name} does not match the lines before the signature: someone changed these "
        "lines later, or the signature is forged",
        name=seat,
    )
    return Finding.of("sign.forged", text, n=n)


def signature(history: History, event: Sign) -> Signature:
    """Return the signature in `event`, with its doubt if there is one.

    `signature_finding` must have accepted the event.
    """
    doubt, parent = None, history.ancestry.origin(event.n)
    is_named = _key_of_seat(history, event.seat) == event.key
    if parent and _head_before(history, event.n) is None:
        text = Message.of(
            "the signature is from record {=id}; this record claims to continue that record, "
            "but does not prove it; check the signature in that record",
            id=parent.id[:100],
        )
        return Signature(event.n, event.seat, event.key, text, is_unchecked=True, is_key_named=is_named)
    if parent:
        doubt = Message.of(
            "the signature is from record {=id}, which this record continues", id=parent.id[:100]
        )
    elif not is_named:
        doubt = Message.of(
            "the record names no key for {@name}, so someone you trust must tell you whose key it is",
            name=event.seat,
        )
        doubt = with_names(doubt, history.session.name_of)
    return Signature(event.n, event.seat, event.key, doubt, is_key_named=is_named)


def _head_before(history: History, n: int) -> bytes | None:
    """Return the head that a signature in event `n` must cover, in the record for which it was made."""
    if history.ancestry.origin(n):
        return history.ancestry.head_before(n)
    return history.line_heads[n - 1] if len(history.line_heads) >= n else None


def _key_of_seat(history: History, seat: str) -> str | None:
    """Return the key of the person who sits at `seat` now."""
    return next((person.key for person in history.session.seats if person.seat == seat), None)


def other_key_problem(history: History, seat: str, key: str) -> Message | None:
    """Return the message that `key` is not the key named for the person at `seat`, or None.

    It is also None if no key is named.
    """
    named_key = _key_of_seat(history, seat)
    name = history.session.name_of(seat)
    if named_key and named_key != key:
        return Message.of(
            "{=name} signs with the key {=key}, but the record names the key {=named}",
            name=name,
            key=key[:100],
            named=named_key[:100],
        )
    return None
