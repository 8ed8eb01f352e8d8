"""`gamelog verify`: a check of the chain, seals, signatures and parents of a record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, cast

import msgspec
import typer
from msgspec import Struct

from gamelog.dispute.parents import ParentCheck
from gamelog.dispute.tampering import find_tampering
from gamelog.dispute.verification import CheckedSeal, CheckedSignature, prove
from gamelog.errors import Damaged
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.record.reading import Record, read_bytes, read_record
from gamelog_cli.arguments import ChosenLanguage, File, Json
from gamelog_cli.exits import NOT_VALID
from gamelog_cli.printing.language import counted_events, text_of
from gamelog_cli.printing.output import emit, print_line
from gamelog_cli.secrets.seal_files import read_key, read_seal

_KEY_CODES = ("seal.key", "seal.doubt")
"""Codes of seals whose key is wrong or unknown, although the record may extend them."""

_NOT_CHECKED = (".unchecked", ".doubt")
"""Endings of the codes of objections that do not prove anything false."""

_MAX_LISTED = 10
"""Maximum number of undone events that a line lists."""


class _Answer(Struct, frozen=True):
    """The answer of the command.

    Attributes:
        events: Number of good events.
        head: Head after the last of them.
        parents: Parents that were given.
        tampering: If the chain is broken, the change as far as the lines show it.
    """

    path: str
    id: str | None
    events: int
    head: str | None
    holds: bool
    problem: Finding | None
    seals: list[CheckedSeal]
    signatures: list[CheckedSignature]
    parents: list[ParentCheck]
    tampering: Message | None


def verify(
    file: File,
    against: Annotated[
        list[Path], typer.Option("--against", help="A seal that the record must extend.", metavar="SEAL")
    ] = [],
    key: Annotated[
        list[Path],
        typer.Option(
            "--key", help="A public key that you trust, instead of the keys in the header.", metavar="KEY.pub"
        ),
    ] = [],
    parent: Annotated[
        list[Path],
        typer.Option(
            "--parent",
            help="A parent of this record: the record that it continues, or one that was merged into it.",
            metavar="RECORD",
        ),
    ] = [],
    _language: ChosenLanguage = None,
    json: Json = False,
) -> None:
    """Check the chain of FILE, its signatures, its seals and its parents.

    To check the play by the rules of the game, run gamelog validate.
    """
    trusted = [read_key(path) for path in key]
    seals = [(str(path), read_seal(path)) for path in against]
    record = read_record(file)
    done = find_tampering(read_bytes(file), record, [seal for _, seal in seals]) if record.problem else None
    proof = prove(record, seals, trusted, [_parent(path) for path in parent])
    answer = _Answer(
        str(file),
        header.id if (header := record.header) else None,
        len(record.bodies),
        record.head,
        proof.holds,
        proof.problem,
        proof.seals,
        proof.signatures,
        proof.parents,
        done,
    )
    if json:
        emit(_to_json(answer))
    else:
        _print_answer(answer, bool(trusted))
        doubtful = [objection.code for objection in proof.objections]
        if doubtful and not proof.problem and all(code.endswith(_NOT_CHECKED) for code in doubtful):
            text = "Not verified: nothing is proved false, but not everything could be checked."
            print_line(f"  {text_of(Message(text))}")
        elif not proof.holds:
            print_line(f"  {text_of(Message.of('Not verified.'))}")
    if not proof.holds:
        raise typer.Exit(NOT_VALID)


def _to_json(answer: _Answer) -> dict[str, Any]:
    """Return `answer` as plain data: its findings with the members that ``verify --json`` has always had."""
    problem = answer.problem
    data = msgspec.to_builtins(answer)
    data["problem"] = problem and {
        "kind": "unknown" if problem.code == "record.format" else problem.code.removeprefix("record."),
        "offset": problem.offset,
        "text": problem.text,
    }
    data["tampering"] = answer.tampering and str(answer.tampering)
    data["parents"] = [parent.plain() for parent in answer.parents]
    for answered, signature in zip(answer.signatures, data["signatures"], strict=True):
        signature["doubt"] = answered.doubt and str(answered.doubt)
    for checked in (*data["seals"], *data["signatures"]):
        checked["objection"] = checked["objection"] and _objection(checked["objection"])
    for seal in data["seals"]:
        seal["objections"] = [_objection(found) for found in seal["objections"]]
    return cast(dict[str, Any], data)


def _objection(finding: dict[str, Any]) -> dict[str, Any]:
    return {"code": finding["code"], "text": finding["message"]}


def _parent(path: Path) -> Record:
    record = read_record(path)
    if record.header is None:
        text = "{=path} cannot be checked as a parent, because its first line is damaged."
        raise Damaged(Message.of(text, path=str(path)))
    return record


def _print_answer(answer: _Answer, trusted: bool) -> None:
    """Print the answer as sentences; `trusted`: keys were given with --key."""
    print_line(_chain_sentence(answer))
    if answer.tampering:
        text = text_of(answer.tampering)
        print_line(f"  {text[0].upper()}{text[1:]}.")
    for sealed in answer.seals:
        head = Message.of(
            "{=seal}, event {n}, signed by {=seat} on {=time}",
            seal=sealed.seal,
            n=sealed.events,
            seat=sealed.seat,
            time=sealed.time,
        )
        print_line(
            f"  {text_of(head)}: {text_of(_seal_clause(sealed, trusted))}{_undone_later(sealed.undone)}"
        )
    for parent in answer.parents:
        shared = Message.of(
            "the record shares with its parent {=id}: {shared}", id=parent.id, shared=parent.shared
        )
        print_line(
            f"  {text_of(parent.objection)} ({parent.code})" if parent.objection else f"  {text_of(shared)}"
        )
    between = _first_difference_sentence(answer.seals)
    if between:
        print_line(f"  {text_of(between)}")
    for signed in answer.signatures:
        if signed.objection:
            text = f"{text_of(signed.objection.message)} ({signed.objection.code})"
        else:
            text = text_of(_signature_clause(signed)) + _undone_later(signed.undone)
        event = f"{text_of(Message.of('event {n}', n=signed.n))}: " if signed.n else ""
        print_line(f"  {event}{text}")


def _chain_sentence(answer: _Answer) -> Message:
    """Return the sentence on the chain of the record."""
    false = next(
        (
            signature
            for signature in answer.signatures
            if signature.objection and signature.objection.code == "sign.forged"
        ),
        None,
    )
    members: dict[str, Any] = {
        "path": answer.path,
        "events": counted_events(answer.events),
        "head": answer.head,
    }
    if answer.problem:
        text = "{=path}: byte {offset}: {problem}"
        if answer.head:
            text = "{=path}: byte {offset}: {problem}. Good before that: {events}, head {=head}"
        problem = answer.problem
        return Message.of(text, offset=problem.offset, problem=problem.message, **members)
    if false:
        text = (
            "{=path}: the chain is whole, but the signature in event {false} is false; {events}, head {=head}"
        )
        return Message.of(text, false=false.n, **members)
    return Message.of("{=path}: the chain is whole; {events}, head {=head}", **members)


def _seal_clause(sealed: CheckedSeal, trusted: bool) -> Message:
    """Return the clause on a seal: its objections, or whose key it has."""
    if not sealed.objections:
        if trusted:
            text = "the record extends the seal, and you trust its key, {=key}"
            return Message.of(text, key=sealed.key)
        return Message.of("the record extends the seal, and the header names its key")
    problems = "; ".join(
        f"{text_of(objection.message)} ({objection.code})" for objection in sealed.objections
    )
    if all(objection.code in _KEY_CODES for objection in sealed.objections):
        return Message.of("the record extends the seal, but {=problems}", problems=problems)
    return Message.of("{=problems}", problems=problems)


def _undone_later(numbers: Sequence[int]) -> str:
    """Return a clause on signed events that do not count any more, or an empty text."""
    if not numbers:
        return ""
    more = ["…"] if len(numbers) > _MAX_LISTED else []
    text = "; of these events, {n:event|events} {numbers} {n:was|were} taken back or corrected later"
    return text_of(
        Message.of(text, n=len(numbers), numbers=", ".join([*map(str, numbers[:_MAX_LISTED]), *more]))
    )


def _signature_clause(signed: CheckedSignature) -> Message:
    """Return the clause on a valid signature, with its limits."""
    text = (
        "{=seat} has signed all earlier events, but {doubt}"
        if signed.doubt
        else ("{=seat} has signed all earlier events")
    )
    return Message.of(text, seat=signed.seat, doubt=signed.doubt)


def _first_difference_sentence(seals: list[CheckedSeal]) -> Message | None:
    """Return a sentence about where the record differs from its seals, or None if it extends all of them."""
    codes = [
        ({objection.code for objection in sealed.objections} - {"seal.doubt"}, sealed) for sealed in seals
    ]
    extended = [sealed for codes_found, sealed in codes if not codes_found]
    differing = [sealed for codes_found, sealed in codes if codes_found == {"seal.differs"}]
    if not differing:
        return None
    first = min(differing, key=lambda sealed: sealed.events)
    whole = [sealed for sealed in extended if sealed.events >= first.events]
    if whole:
        text = (
            "The record extends {=seal}, which covers event {n}, too, so {=other} is of another copy. To see "
            "the differences, run gamelog compare with that copy."
        )
        return Message.of(text, seal=whole[0].seal, n=first.events, other=first.seal)
    if not extended:
        text = (
            "The first difference is in the header or later, up to event {n}. To see it, run gamelog compare "
            "with another copy."
        )
        return Message.of(text, n=first.events)
    text = (
        "The first difference is after event {after}, up to event {n}. To see it, run gamelog compare with "
        "another copy."
    )
    return Message.of(text, after=max(sealed.events for sealed in extended), n=first.events)
