"""The proof of a record: the checks of its chain, signatures, seals and parents.

A record is proved only if all checks were made and none failed. A check that was not possible is an objection
too. Its code ends in ``unchecked``, or in ``doubt`` if only the owner of a key is unknown. The proof does not
cover the rules of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.dispute.parents import ParentCheck, compare_parents
from gamelog.errors import MissingExtra, clause
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.fold.common_events import Substitute
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.replacements import is_play
from gamelog.play.fold.session import Signature
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.record import strict_json
from gamelog.record.reading import Record
from gamelog.record.seal import Key, Seal
from gamelog.record.seal_checks import find_objections

_LINE_CODES = ("seal.cut", "seal.differs")
"""Codes of objections about the lines of the record. The other codes are about the seal or its key."""

_EVENT_CODES = frozenset({"record.json", "record.members", "record.sequence", "record.time"})
"""Codes of lines that are part of the chain and are not valid events."""

_SIGN_TAG = "@sign"

_SIGNED_IN_PARENT = "the signature is from record {=id}, which this record continues"

_UNKNOWN_KEY = "the owner of the key {=key} is unknown here; if you know the owner, give the key"

_members: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])


class CheckedSeal(Struct, frozen=True):
    """The check of a seal. Without objections, the record extends the seal, and the key is known.

    Attributes:
        seal: Path of the seal.
        time: Time of the signature, as RFC 3339.
        named: Whether the header names the key for the seat.
        objection: First of the objections.
        objections: All reasons against the seal.
        undone: Sealed events that counted at the seal and that were taken back or corrected later.
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
    undone: list[int] = []


class CheckedSignature(Struct, frozen=True):
    """The check of a signature in a record.

    Attributes:
        n: Number of the event, or None for signatures in lines that were not read.
        doubt: Limit of a valid signature, for example that the owner of its key is unknown.
        objection: Reason against the signature.
        undone: Signed events that were taken back or corrected later.
    """

    n: int | None
    seat: str | None = None
    key: str | None = None
    doubt: Message | None = None
    objection: Finding | None = None
    undone: list[int] = []


class Proof(Struct, frozen=True):
    """All checks of one record.

    Attributes:
        parents: Checks of the records that this one continues.
    """

    problem: Finding | None
    seals: list[CheckedSeal]
    signatures: list[CheckedSignature]
    parents: list[ParentCheck]

    @property
    def objections(self) -> list[Finding]:
        """The objections of all checks."""
        parents = [
            Finding.of(parent.code, parent.objection)
            for parent in self.parents
            if parent.code and parent.objection
        ]
        return [
            *(objection for seal in self.seals for objection in seal.objections),
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
    """Check `record` against seals and parents. No check raises an error: what fails is in the result.

    Args:
        record: The record, as far as it can be read.
        seals: The seals, each with its path, under which the result lists it.
        trusted: If there are any, only these keys count. Otherwise a key counts if the record names it for
            the seat.
        parents: The records from which `record` may continue or be merged. A parent in the header that is not
            here is an objection.
    """
    folded = fold_record(record)
    checked = compare_parents(record, parents)
    return Proof(
        record.problem,
        [_judge_seal(folded, name, seal, trusted) for name, seal in seals],
        [*_judge_signatures(folded, trusted, checked), *_unread_signatures(folded)],
        [parent for parent, _ in checked],
    )


def _judge_seal(folded: FoldedRecord, name: str, seal: Seal, trusted: Sequence[Key]) -> CheckedSeal:
    """Return the checked seal, with all objections to it."""
    header = folded.record.header
    seats = header.seats if header else ()
    is_named = any(person.seat == seal.seat and person.key == str(seal.key) for person in seats)
    try:
        objections = find_objections(folded.record, seal, trusted)
    except MissingExtra as error:
        objections = [Finding.of("seal.unchecked", clause(error))]
    else:
        if not trusted and all(objection.code in _LINE_CODES for objection in objections):
            objections += _unknown_signer(folded, seal, is_named)
    return CheckedSeal(
        name,
        seal.seat,
        seal.n,
        seal.head,
        seal.time,
        str(seal.key),
        is_named,
        next(iter(objections), None),
        objections,
        []
        if any(found_objection.code in _LINE_CODES for found_objection in objections)
        else _undone_since(folded.fold, seal.n),
    )


def _undone_since(fold: Fold | None, n: int) -> list[int]:
    """Return the events of play that counted after event `n` and do not count any more."""
    if fold is None or n > fold.n:
        return []
    undone = {*fold.main_line_numbers(n)} - {*fold.main_line_numbers()}
    return [number for number in sorted(undone) if is_play(fold.events[number - 1])]


def _unknown_signer(folded: FoldedRecord, seal: Seal, is_named: bool) -> list[Finding]:
    """Return the objection that the owner of the key is unknown, if the header does not name the key."""
    if not is_named:
        return [Finding.of("seal.doubt", Message.of(_UNKNOWN_KEY, key=str(seal.key)))]
    substitutions = (
        event.n
        for event in folded.readable_events
        if isinstance(event, Substitute) and event.seat == seal.seat and event.n <= seal.n
    )
    n = next(substitutions, None)
    if n is None:
        return []
    text = "another person took the seat in event {n}, but the header names the key of the person who left"
    return [Finding.of("seal.doubt", Message.of(text, n=n))]


def _judge_signatures(
    folded: FoldedRecord, trusted: Sequence[Key], parents: Sequence[tuple[ParentCheck, Record | None]]
) -> Iterator[CheckedSignature]:
    """Yield the checks of the signatures in the events that were folded."""
    fold = folded.fold
    keys = set(map(str, trusted))
    in_parents = _ParentSignatures(parents)
    for signature in fold.signatures if fold else ():
        unchecked = signature.is_unchecked
        doubt = signature.doubt or None
        if fold and unchecked and in_parents.contain(fold, signature):
            unchecked, doubt = False, Message.of(_SIGNED_IN_PARENT, id=_origin(fold, signature.n))
        undone = _undone_since(fold, signature.n)
        yield CheckedSignature(
            signature.n, signature.seat, signature.key, doubt, _objection(signature, unchecked, keys), undone
        )


def _objection(signature: Signature, unchecked: bool, trusted: set[str]) -> Finding | None:
    """Return the finding against a signature, or None if its key is trusted or in the header.

    `unchecked` says that the signature could not be checked.
    """
    seat, key = signature.seat, signature.key
    if unchecked:
        text = Message.of("{=seat} has signed, but {doubt}", seat=seat, doubt=signature.doubt)
        return Finding.of("sign.unchecked", text)
    if trusted and key not in trusted:
        text = Message.of(
            "{=seat} signed with {=key}, which is not one of the keys that you trust", seat=seat, key=key
        )
        return Finding.of("sign.key", text)
    if not trusted and not signature.is_key_named:
        unknown = Message.of(_UNKNOWN_KEY, key=key)
        return Finding.of(
            "sign.doubt", Message.of("{=seat} has signed, but {doubt}", seat=seat, doubt=unknown)
        )
    return None


def _origin(fold: Fold, n: int) -> str | None:
    """Return the id of the record that event `n` was recorded in first, cut for output."""
    parent = fold.ancestry.origin(n)
    return parent.id[:100] if parent else None


class _ParentSignatures:
    """The valid signatures in the given parents that share lines with the record."""

    def __init__(self, parents: Sequence[tuple[ParentCheck, Record | None]]) -> None:
        self._parents = {
            (descent.id, descent.n, descent.head): record for descent, record in parents if record
        }
        self._valid: dict[str, list[Signature]] = {}

    def contain(self, fold: Fold, signature: Signature) -> bool:
        """Return whether the parent in which `signature` was recorded is given and has a valid one there."""
        parent = fold.ancestry.origin(signature.n)
        record = self._parents.get((parent.id, parent.n, parent.head)) if parent else None
        if parent is None or record is None:
            return False
        if parent.head not in self._valid:
            folded = fold_record(record)
            self._valid[parent.head] = list(folded.fold.signatures) if folded.fold else []
        return any(
            known.n == signature.n
            and known.seat == signature.seat
            and known.key == signature.key
            and not known.is_unchecked
            for known in self._valid[parent.head]
        )


def _unread_signatures(folded: FoldedRecord) -> Iterator[CheckedSignature]:
    """Yield an objection if signatures may be in lines that were not folded."""
    error = next(
        (
            finding
            for finding in folded.findings
            if finding.severity == "error"
            and (finding.code.startswith("sign.") or finding.code in _EVENT_CODES)
        ),
        None,
    )
    if error:
        yield CheckedSignature(error.n, objection=error)
        return
    last = folded.fold.n if folded.fold else 0
    for n, body in enumerate(folded.record.bodies[last:], last + 1):
        problem = strict_json.line_problem(body)
        if problem:
            text = Message.of(
                "this event cannot be read, so it may be a signature that was not checked: {problem}",
                problem=problem,
            )
            yield CheckedSignature(n, objection=Finding.of("sign.unchecked", text))
            return
        if _members.decode(b"{" + body).get("do") == _SIGN_TAG:
            text = Message.of(
                "signatures after event {last} are not checked, because the valid events end "
                "there; to see why, validate the record",
                last=last,
            )
            yield CheckedSignature(None, objection=Finding.of("sign.unchecked", text))
            return
