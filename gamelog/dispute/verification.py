"""The proof of a record: its chain, its signatures, its seals and its parents, each checked or objected to.

A record is proved only if every check could be made and none failed. A check that could not be made is an
objection, too: its code ends in ``unchecked``, or in ``doubt`` if only the owner of a key is unknown. The
proof does not cover the rules of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.dispute.parents import Descent, descents
from gamelog.errors import MissingExtra, clause
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.fold.common import Substitute
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.session import Signature
from gamelog.play.judging.replay import FoldedRecord, replay
from gamelog.record import strict_json
from gamelog.record.reading import Record
from gamelog.record.seal import Key, Seal
from gamelog.record.seal_checks import objections

OF_THE_LINES = ("seal.cut", "seal.differs")
"""Codes of seals whose record differs from what was sealed; the other codes are about the seal or its key."""

_OF_EVENTS = frozenset({"record.json", "record.members", "record.sequence", "record.time"})
"""Codes of lines that are chained and are not events."""

_SIGN = "@sign"

_IN_PARENT = "in record {=id}, which this record continues"

_UNKNOWN_KEY = "nothing here says whose key this is: {=key}; if you know the owner, add --key"

_members: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])


class CheckedSeal(Struct, frozen=True):
    """A seal that the record should extend. Without ``objections`` the record does, and the key is known.

    ``seal`` is its file; ``named``: the header names the key for the seat. ``objection`` is the first.
    """

    seal: str
    seat: str
    events: int
    head: str
    time: str
    key: str
    named: bool
    objection: Finding | None
    objections: list[Finding]


class CheckedSignature(Struct, frozen=True):
    """The signature in event `n` of a record, or the objection to it.

    `n` is None for signatures in lines that were not read. ``doubt`` says how much a good signature proves.
    """

    n: int | None
    seat: str | None = None
    key: str | None = None
    doubt: str | None = None
    objection: Finding | None = None


class Proof(Struct, frozen=True):
    """All checks of one record."""

    problem: Finding | None
    seals: list[CheckedSeal]
    signatures: list[CheckedSignature]
    parents: list[Descent]

    @property
    def objections(self) -> list[Finding]:
        """The objections of all checks."""
        parents = [Finding.of(one.code, one.objection) for one in self.parents if one.code and one.objection]
        return [
            *(one for seal in self.seals for one in seal.objections),
            *(signature.objection for signature in self.signatures if signature.objection),
            *parents,
        ]

    @property
    def holds(self) -> bool:
        """Whether every check was made and none failed."""
        return self.problem is None and not self.objections


def prove(
    record: Record,
    seals: Sequence[tuple[str, Seal]] = (),
    trusted: Sequence[Key] = (),
    parents: Sequence[Record] = (),
) -> Proof:
    """Check `record` against the `seals` (with the names of their files) and its `parents`.

    If there are `trusted` keys, no other key counts. Otherwise a key counts if the record names it for the
    seat.
    """
    replayed = replay(record)
    descended = list(descents(record, parents))
    return Proof(
        record.problem,
        [_checked_seal(replayed, name, seal, trusted) for name, seal in seals],
        [*_checked_signatures(replayed, trusted, descended), *_unread(replayed)],
        [descent for descent, _ in descended],
    )


def _checked_seal(replayed: FoldedRecord, name: str, seal: Seal, trusted: Sequence[Key]) -> CheckedSeal:
    header = replayed.record.header
    seats = header.seats if header else ()
    named = any(person.seat == seal.seat and person.key == str(seal.key) for person in seats)
    try:
        found = objections(replayed.record, seal, trusted)
    except MissingExtra as error:
        found = [Finding.of("seal.unchecked", clause(error))]
    else:
        if not trusted and all(one.code in OF_THE_LINES for one in found):
            found += _unknown_signer(replayed, seal, named)
    return CheckedSeal(
        name, seal.seat, seal.n, seal.head, seal.time, str(seal.key), named, next(iter(found), None), found
    )


def _unknown_signer(replayed: FoldedRecord, seal: Seal, named: bool) -> list[Finding]:
    """The objection that nothing here says who made the seal; empty if the header names the key."""
    if not named:
        return [Finding.of("seal.doubt", Message.of(_UNKNOWN_KEY, key=str(seal.key)))]
    left = (
        event.n
        for event in replayed.readable
        if isinstance(event, Substitute) and event.seat == seal.seat and event.n <= seal.n
    )
    n = next(left, None)
    if n is None:
        return []
    text = "another person took the seat in event {n}, and the header names the key of the person who left"
    return [Finding.of("seal.doubt", Message.of(text, n=n))]


def _checked_signatures(
    replayed: FoldedRecord, trusted: Sequence[Key], descended: Sequence[tuple[Descent, Record | None]]
) -> Iterator[CheckedSignature]:
    """Yield the signatures of the events that were folded."""
    fold = replayed.fold
    keys = set(map(str, trusted))
    in_parents = _ParentSignatures(descended)
    for one in fold.signatures if fold else ():
        unchecked = one.unchecked
        doubt = str(one.doubt) if one.doubt else None
        if fold and unchecked and in_parents.confirm(fold, one):
            unchecked, doubt = False, str(Message.of(_IN_PARENT, id=_origin(fold, one.n)))
        yield CheckedSignature(one.n, one.seat, one.key, doubt, _objection(one, unchecked, keys))


def _objection(signature: Signature, unchecked: bool, trusted: set[str]) -> Finding | None:
    seat, key = signature.seat, signature.key
    if unchecked:
        text = Message.of("{=seat} has signed, but {doubt}", seat=seat, doubt=signature.doubt)
        return Finding.of("sign.unchecked", text)
    if trusted and key not in trusted:
        text = Message.of("{=seat} signed with {=key}, which is not a key that you trust", seat=seat, key=key)
        return Finding.of("sign.key", text)
    if not trusted and not signature.named:
        unknown = Message.of(_UNKNOWN_KEY, key=key)
        return Finding.of(
            "sign.doubt", Message.of("{=seat} has signed, but {doubt}", seat=seat, doubt=unknown)
        )
    return None


def _origin(fold: Fold, n: int) -> str | None:
    """Return the id of the record for which event `n` was written, cut for output."""
    parent = fold.ancestry.origin(n)
    return parent.id[:100] if parent else None


class _ParentSignatures:
    """The signatures that hold in the parents at hand whose lines the record shares."""

    def __init__(self, descended: Sequence[tuple[Descent, Record | None]]) -> None:
        self._parents = {
            (descent.id, descent.n, descent.head): record
            for descent, record in descended
            if record and not descent.objection
        }
        self._found: dict[str, list[Signature]] = {}

    def confirm(self, fold: Fold, signature: Signature) -> bool:
        """Return whether the parent for which `signature` was written is at hand and has a good one there."""
        parent = fold.ancestry.origin(signature.n)
        record = self._parents.get((parent.id, parent.n, parent.head)) if parent else None
        if parent is None or record is None:
            return False
        if parent.head not in self._found:
            replayed = replay(record)
            self._found[parent.head] = list(replayed.fold.signatures) if replayed.fold else []
        return any(
            one.n == signature.n
            and one.seat == signature.seat
            and one.key == signature.key
            and not one.unchecked
            for one in self._found[parent.head]
        )


def _unread(replayed: FoldedRecord) -> Iterator[CheckedSignature]:
    """Yield an objection for each reason why signatures may be in lines that were not folded."""
    error = next(
        (
            found
            for found in replayed.findings
            if found.severity == "error" and (found.code.startswith("sign.") or found.code in _OF_EVENTS)
        ),
        None,
    )
    if error:
        yield CheckedSignature(error.n, objection=error)
        return
    last = replayed.fold.n if replayed.fold else 0
    for n, body in enumerate(replayed.record.bodies[last:], last + 1):
        problem = strict_json.check_line(body)
        if problem:
            text = Message.of(
                "this event cannot be read, so it may be a signature: {problem}", problem=problem
            )
            yield CheckedSignature(n, objection=Finding.of("sign.unchecked", text))
            return
        if _members.decode(b"{" + body).get("do") == _SIGN:
            text = Message.of(
                "signatures behind event {last} are not checked, because the play ends there; gamelog "
                "validate says why",
                last=last,
            )
            yield CheckedSignature(None, objection=Finding.of("sign.unchecked", text))
            return
