"""What speaks against a seal: whose key signed it, and whether the record still extends what was sealed."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from gamelog.errors import BadSeal
from gamelog.record.envelope import Header
from gamelog.record.reading import Record
from gamelog.record.seal import Key, Seal, named_key


class Objection(Struct, frozen=True):
    """What is wrong with a seal or a signature: one of the codes ``seal.*``, and in words."""

    code: str
    text: str


def check_seal(record: Record, seal: Seal, trusted: Collection[Key] = ()) -> Objection | None:
    """The first reason why `record` does not extend what `seal` says, or None: see `objections`."""
    return next(iter(objections(record, seal, trusted)), None)


def objections(record: Record, seal: Seal, trusted: Collection[Key] = ()) -> list[Objection]:
    """Why `record` does not extend what `seal` says: whose key it is, and what was sealed, each by itself.

    The key has to be one of `trusted`, or, where none are given, the one that the header names for
    the seat. A record whose header names none passes: then nobody has said whose key it is. What
    stands behind the sealed event is not judged, nor are the rules. Raises `MissingExtra`.
    """
    header = record.header
    if not seal.is_valid:
        return [
            Objection(
                "seal.forged",
                "the signature is not that of the key which the seal names, or the seal was changed",
            )
        ]
    if header is None:
        return [Objection("seal.differs", "the record's first line is damaged, so it is not what was sealed")]
    if header.id != seal.id:
        return [_other(header, seal)]
    return [found for found in (_of_key(header, seal, trusted), _of_head(record, seal)) if found]


def _of_key(header: Header, seal: Seal, trusted: Collection[Key]) -> Objection | None:
    expected = set(trusted)
    if not expected:
        try:
            named = named_key(header, seal.seat)
        except BadSeal as error:
            return Objection("seal.key", f"the header's key of {seal.seat} is not a key: {error}".rstrip("."))
        expected = {named} if named else {seal.key}
    if seal.key not in expected:
        meant = "one that is trusted" if trusted else f"the one that the header names for {seal.seat}"
        return Objection(
            "seal.key", f"it was signed with {seal.key}, which is not {meant}: an old key, or somebody else's"
        )
    return None


def _of_head(record: Record, seal: Seal) -> Objection | None:
    n = seal.n
    if n > len(record.bodies):
        what = "is good up to" if record.problem else "ends with"
        return Objection(
            "seal.cut", f"event {n} was sealed, but the record {what} event {len(record.bodies)}"
        )
    if record.head_at(n) != seal.head:
        return Objection(
            "seal.differs",
            f"something up to event {n} is not what was sealed: the sealed head is {seal.head[:8]}…, "
            f"the record's is {record.head_at(n)[:8]}…",
        )
    return None


def _other(header: Header, seal: Seal) -> Objection:
    if seal.id in {parent.id for parent in header.parents}:
        text = f"it seals record {seal.id}, which this one only goes on from; verify it against that record"
    else:
        text = f"it seals another game, record {seal.id}; this is {header.id}"
    return Objection("seal.other_game", text)
