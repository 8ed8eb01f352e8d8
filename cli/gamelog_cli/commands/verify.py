"""`gamelog verify`: a check of the chain, seals, signatures and parents of a record."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast

import msgspec
import typer
from msgspec import Struct

from gamelog.dispute.parents import Descent
from gamelog.dispute.tampering import find_tampering
from gamelog.dispute.verification import CheckedSeal, CheckedSignature, prove
from gamelog.errors import Damaged
from gamelog.finding import Finding
from gamelog.message import many
from gamelog.record.reading import Record, read_bytes, read_record
from gamelog_cli.arguments import File, Json
from gamelog_cli.exits import NOT_VALID
from gamelog_cli.language import text_of
from gamelog_cli.output import emit, print_line
from gamelog_cli.seal_files import read_key, read_seal

_OF_THE_KEY = ("seal.key", "seal.doubt")
"""Codes of seals whose key is wrong or unknown, although the record may extend them."""

_NOT_CHECKED = (".unchecked", ".doubt")
"""Endings of the codes of objections that do not prove anything false."""


class _Answer(Struct, frozen=True):
    """The answer of the command.

    ``events`` is the number of good events, and ``head`` is the head after the last of them. ``parents`` are
    the parents that were given. If the chain is broken, ``tampering`` describes the change as far as the
    lines show it.
    """

    path: str
    id: str | None
    events: int
    head: str | None
    holds: bool
    problem: Finding | None
    seals: list[CheckedSeal]
    signatures: list[CheckedSignature]
    parents: list[Descent]
    tampering: str | None


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
        str(done) if done else None,
    )
    if json:
        emit(_plain(answer))
    else:
        _print_answer(answer, bool(trusted))
        doubtful = [one.code for one in proof.objections]
        if doubtful and not proof.problem and all(code.endswith(_NOT_CHECKED) for code in doubtful):
            print_line("  Not verified: nothing is proved false, but not everything could be checked.")
        elif not proof.holds:
            print_line("  Not verified.")
    if not proof.holds:
        raise typer.Exit(NOT_VALID)


def _plain(answer: _Answer) -> dict[str, Any]:
    """Return `answer` as plain data: its findings with the members that ``verify --json`` has always had."""
    problem = answer.problem
    data = msgspec.to_builtins(answer)
    data["problem"] = problem and {
        "kind": "unknown" if problem.code == "record.format" else problem.code.removeprefix("record."),
        "offset": problem.offset,
        "text": problem.message,
    }
    data["parents"] = [parent.plain() for parent in answer.parents]
    for one in (*data["seals"], *data["signatures"]):
        one["objection"] = one["objection"] and _objection(one["objection"])
    for seal in data["seals"]:
        seal["objections"] = [_objection(one) for one in seal["objections"]]
    return cast(dict[str, Any], data)


def _objection(finding: dict[str, Any]) -> dict[str, Any]:
    return {"code": finding["code"], "text": finding["message"]}


def _parent(path: Path) -> Record:
    record = read_record(path)
    if record.header is None:
        raise Damaged(f"{path} cannot be checked as a parent, because its first line is damaged.")
    return record


def _print_answer(answer: _Answer, trusted: bool) -> None:
    """Print the answer as sentences; `trusted`: keys were given with --key."""
    problem = answer.problem
    false = next(
        (one for one in answer.signatures if one.objection and one.objection.code == "sign.forged"), None
    )
    events = many(answer.events, "event")
    if problem:
        state = f"byte {problem.offset}: {text_of(problem.sentence)}"
        good = f". Good before that: {events}, head {answer.head}" if answer.head else ""
    elif false:
        state, good = (
            f"the chain is whole, but the signature in event {false.n} is false; {events}",
            f", head {answer.head}",
        )
    else:
        state, good = f"the chain is whole; {events}", f", head {answer.head}"
    print_line(f"{answer.path}: {state}{good}")
    if answer.tampering:
        print_line(f"  {answer.tampering[0].upper()}{answer.tampering[1:]}.")
    for sealed in answer.seals:
        if sealed.objections:
            text = "; ".join(f"{text_of(one.sentence)} ({one.code})" for one in sealed.objections)
            if all(one.code in _OF_THE_KEY for one in sealed.objections):
                text = f"the record extends the seal, but {text}"
        elif trusted:
            text = f"the record extends the seal, and you trust its key, {sealed.key}"
        else:
            text = "the record extends the seal, and the header names its key"
        print_line(
            f"  {sealed.seal}, event {sealed.events}, signed by {sealed.seat} on {sealed.time}: {text}"
        )
    for parent in answer.parents:
        shared = f"the record shares with its parent {parent.id}: {parent.shared}"
        print_line(f"  {f'{text_of(parent.objection)} ({parent.code})' if parent.objection else shared}")
    between = _between(answer.seals)
    if between:
        print_line(f"  {between}")
    for signed in answer.signatures:
        where = f"event {signed.n}: " if signed.n else ""
        if signed.objection:
            print_line(f"  {where}{text_of(signed.objection.sentence)} ({signed.objection.code})")
        else:
            doubt = f", but {signed.doubt}" if signed.doubt else ""
            print_line(f"  {where}{signed.seat} has signed all earlier events{doubt}")


def _between(seals: list[CheckedSeal]) -> str | None:
    """Return a sentence about where the record differs from its seals, or None if it extends all of them."""
    codes = [({one.code for one in sealed.objections} - {"seal.doubt"}, sealed) for sealed in seals]
    extended = [sealed for found, sealed in codes if not found]
    differing = [sealed for found, sealed in codes if found == {"seal.differs"}]
    if not differing:
        return None
    first = min(differing, key=lambda sealed: sealed.events)
    whole = [sealed for sealed in extended if sealed.events >= first.events]
    if whole:
        return (
            f"The record extends {whole[0].seal}, which covers event {first.events}, too, so {first.seal} is "
            "of another copy. To see the differences, run gamelog compare with that copy."
        )
    after = (
        f"after event {max(sealed.events for sealed in extended)}" if extended else "in the header or later"
    )
    return (
        f"The first difference is {after}, up to event {first.events}. To see it, run gamelog compare with "
        "another copy."
    )
