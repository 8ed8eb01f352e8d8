"""Checks of a seal: its key, and whether the record still extends what was sealed."""

from __future__ import annotations

from collections.abc import Collection

from gamelog.errors import BadSeal
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.record.envelope import Header
from gamelog.record.reading import Record
from gamelog.record.seal import Key, Seal, header_key


def seal_finding(record: Record, seal: Seal, trusted: Collection[Key] = ()) -> Finding | None:
    """Return the first finding of `find_objections`, or None if `record` extends what `seal` states."""
    return next(iter(find_objections(record, seal, trusted)), None)


def find_objections(record: Record, seal: Seal, trusted: Collection[Key] = ()) -> list[Finding]:
    """Return why `record` does not extend what `seal` states: first the key, then the content.

    The key must be one of `trusted`. If `trusted` is empty, the key must be the one that the header names for
    the seat. If the header names no key, any key passes. Events after the sealed one and the rules of the
    game are not judged.

    Raises:
        MissingExtra: PyNaCl is not installed.
    """
    header = record.header
    if not seal.is_valid:
        return [
            Finding.of(
                "seal.forged",
                "the seal was changed, or its signature was not made with the key in the seal",
            )
        ]
    if header is None:
        return [
            Finding.of(
                "seal.differs", "the record's first line is damaged, so it differs from what was sealed"
            )
        ]
    if header.id != seal.id:
        return [_other_game_objection(header, seal)]
    return [
        objection
        for objection in (_key_objection(header, seal, trusted), _head_objection(record, seal))
        if objection
    ]


def _key_objection(header: Header, seal: Seal, trusted: Collection[Key]) -> Finding | None:
    """Return the finding that the seal has an unexpected key, or None if the key is expected.

    The expected keys are the `trusted` keys, or without them the header's key for the seat.
    """
    expected = set(trusted)
    if not expected:
        try:
            named_key = header_key(header, seal.seat)
        except BadSeal as error:
            return Finding.of(
                "seal.key",
                Message.of(
                    "the header's key for {=seat} is not a valid key: {problem}",
                    seat=seal.seat,
                    problem=error.clause,
                ),
            )
        expected = {named_key} if named_key else {seal.key}
    if seal.key not in expected:
        text = (
            "the seal was signed with {=key}, but the header names another key for {=seat}; "
            "{=key} is an old key or another person's key"
        )
        if trusted:
            text = (
                "the seal was signed with {=key}, which is not one of the trusted keys; {=key} "
                "is an old key or another person's key"
            )
        return Finding.of("seal.key", Message.of(text, key=str(seal.key), seat=seal.seat))
    return None


def _head_objection(record: Record, seal: Seal) -> Finding | None:
    """Return the finding that the record no longer extends what was sealed, or None if it does."""
    n = seal.n
    if n > len(record.bodies):
        text = "event {n} was sealed, but the record ends with event {last}"
        if record.problem:
            text = "event {n} was sealed, but the record is undamaged only up to event {last}"
        return Finding.of("seal.cut", Message.of(text, n=n, last=len(record.bodies)))
    if record.head_at(n) != seal.head:
        return Finding.of(
            "seal.differs",
            Message.of(
                "one of the lines up to event {n} has changed since the seal was made: the "
                "sealed head is {=sealed}…, but the record's head is {=head}…",
                n=n,
                sealed=seal.head[:8],
                head=record.head_at(n)[:8],
            ),
        )
    return None


def _other_game_objection(header: Header, seal: Seal) -> Finding:
    text = "the seal is for another game, record {=sealed}; this is record {=id}"
    if seal.id in {parent.id for parent in header.parents}:
        text = (
            "the seal is for record {=sealed}, which this record continues; verify the seal against "
            "that record"
        )
    return Finding.of("seal.other_game", Message.of(text, sealed=seal.id, id=header.id))
