"""What speaks against a seal: whose key signed it, and whether the record still extends what was sealed."""

from __future__ import annotations

from collections.abc import Collection

from gamelog.errors import BadSeal
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.record.envelope import Header
from gamelog.record.reading import Record
from gamelog.record.seal import Key, Seal, named_key


def check_seal(record: Record, seal: Seal, trusted: Collection[Key] = ()) -> Finding | None:
    """The first reason why `record` does not extend what `seal` says, or None: see `objections`."""
    return next(iter(objections(record, seal, trusted)), None)


def objections(record: Record, seal: Seal, trusted: Collection[Key] = ()) -> list[Finding]:
    """Why `record` does not extend what `seal` says: whose key it is, and what was sealed, each by itself.

    The key has to be one of `trusted`, or, where none are given, the one that the header names for
    the seat. A record whose header names none passes: then nobody has said whose key it is. What
    stands behind the sealed event is not judged, nor are the rules. Raises `MissingExtra`.
    """
    header = record.header
    if not seal.is_valid:
        return [
            Finding.of(
                "seal.forged",
                "the signature is not that of the key which the seal names, or the seal was changed",
            )
        ]
    if header is None:
        return [
            Finding.of("seal.differs", "the record's first line is damaged, so it is not what was sealed")
        ]
    if header.id != seal.id:
        return [_other(header, seal)]
    return [found for found in (_of_key(header, seal, trusted), _of_head(record, seal)) if found]


def _of_key(header: Header, seal: Seal, trusted: Collection[Key]) -> Finding | None:
    expected = set(trusted)
    if not expected:
        try:
            named = named_key(header, seal.seat)
        except BadSeal as error:
            return Finding.of(
                "seal.key",
                Message.of(
                    "the header's key of {=seat} is not a key: {why}", seat=seal.seat, why=error.clause
                ),
            )
        expected = {named} if named else {seal.key}
    if seal.key not in expected:
        text = (
            "it was signed with {=key}, which is not the one that the header names for {=seat}: an old key, "
            "or somebody else's"
        )
        if trusted:
            text = (
                "it was signed with {=key}, which is not one that is trusted: an old key, or somebody else's"
            )
        return Finding.of("seal.key", Message.of(text, key=str(seal.key), seat=seal.seat))
    return None


def _of_head(record: Record, seal: Seal) -> Finding | None:
    n = seal.n
    if n > len(record.bodies):
        text = "event {n} was sealed, but the record ends with event {last}"
        if record.problem:
            text = "event {n} was sealed, but the record is good up to event {last}"
        return Finding.of("seal.cut", Message.of(text, n=n, last=len(record.bodies)))
    if record.head_at(n) != seal.head:
        return Finding.of(
            "seal.differs",
            Message.of(
                "something up to event {n} is not what was sealed: the sealed head is {=sealed}…, "
                "the record's is {=head}…",
                n=n,
                sealed=seal.head[:8],
                head=record.head_at(n)[:8],
            ),
        )
    return None


def _other(header: Header, seal: Seal) -> Finding:
    text = "it seals another game, record {=sealed}; this is {=id}"
    if seal.id in {parent.id for parent in header.parents}:
        text = "it seals record {=sealed}, which this one only goes on from; verify it against that record"
    return Finding.of("seal.other_game", Message.of(text, sealed=seal.id, id=header.id))
