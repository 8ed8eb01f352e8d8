"""`gamelog verify`: is this still the record that was signed?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from gamelog.dispute.parents import Descent, descent
from gamelog.dispute.tampering import tampering
from gamelog.errors import BadSeal, Damaged
from gamelog.play.judging.replay import FoldedRecord, replay
from gamelog.record.counting import many
from gamelog.record.objections import Objection, objections
from gamelog.record.reading import Problem, Record, read_bytes, read_record
from gamelog.record.seal import Key, Seal, load_text
from gamelog_cli.arguments import File, Json
from gamelog_cli.exits import NOT_VALID
from gamelog_cli.output import emit, say

FALSE = ("sign.forged", "sign.key")
"""Codes of signatures in a record that are not what they say."""


class _Sealed(Struct, frozen=True):
    """What a seal says, and what is wrong with it or with the record. ``named``: the header names the key for
    the seat.

    ``objection`` is the first of the ``objections``.
    """

    seal: str
    seat: str
    events: int
    head: str
    time: str
    key: str
    named: bool
    objection: Objection | None
    objections: list[Objection]


class Signed(Struct, frozen=True):
    """A signature in the record, at event `n`, or what is wrong with it."""

    n: int | None
    seat: str | None = None
    key: str | None = None
    doubt: str | None = None
    objection: Objection | None = None


class _Answer(Struct, frozen=True):
    """All of it. ``events`` are the good ones and ``head`` is that of the last; ``parents`` those at hand.

    ``tampering`` says what was done to a record whose chain is broken, as far as its lines tell.
    """

    path: str
    id: str | None
    events: int
    head: str | None
    holds: bool
    problem: Problem | None
    seals: list[_Sealed]
    signatures: list[Signed]
    parents: list[Descent]
    tampering: str | None


def verify(
    file: File,
    against: Annotated[
        list[Path], typer.Option("--against", help="A seal that the record has to extend.", metavar="SEAL")
    ] = [],
    key: Annotated[
        list[Path],
        typer.Option(
            "--key", help="A public key that is trusted, instead of those in the header.", metavar="KEY.pub"
        ),
    ] = [],
    parent: Annotated[
        list[Path],
        typer.Option(
            "--parent", help="A record that this one goes on from, or was merged from.", metavar="RECORD"
        ),
    ] = [],
    json: Json = False,
) -> None:
    """Check FILE's chain, the signatures in it, that it extends every seal, and its parents.
    The rules are for validate.
    """
    trusted = [key_in(path) for path in key]
    seals = [(path, read_seal(path)) for path in against]
    record = read_record(file)
    header, problem = record.header, record.problem
    checked = [_sealed(record, path, seal, trusted) for path, seal in seals]
    inside = list(_signed(replay(record)))
    descents = [descent(record, _parent(path)) for path in parent] if header else []
    objections = [
        *(one.objection for one in checked),
        *(one.objection for one in inside),
        *(one.objection for one in descents),
    ]
    holds = problem is None and not any(objections)
    done = tampering(read_bytes(file), record, [seal for _, seal in seals]) if problem else None
    id = header.id if header else None
    answer = _Answer(
        str(file), id, len(record.bodies), record.head, holds, problem, checked, inside, descents, done
    )
    if json:
        emit(answer)
    else:
        _tell(answer, bool(trusted))
        known = {told.id for told in descents}
        for one in header.parents if header else ():
            if one.id not in known:
                say(
                    f"  It goes on from event {one.n} of record {one.id}, head {one.head}; check that with "
                    "--parent RECORD."
                )
    if not holds:
        raise typer.Exit(NOT_VALID)


def read_seal(path: Path) -> Seal:
    """The seal in a file. Raises `BadSeal`, naming the file, and `NotReadable`."""
    try:
        return Seal.read(load_text(path))
    except BadSeal as error:
        raise BadSeal(f"{path}: {error}") from None


def key_in(path: Path) -> Key:
    """The public key in a file. Raises `BadSeal`, naming the file, and `NotReadable`."""
    try:
        return Key.read(load_text(path))
    except BadSeal as error:
        raise BadSeal(f"{path}: {error}") from None


def _parent(path: Path) -> Record:
    record = read_record(path)
    if record.header is None:
        raise Damaged(f"{path} cannot be looked at as a parent: its first line is damaged.")
    return record


def _sealed(record: Record, path: Path, seal: Seal, trusted: list[Key]) -> _Sealed:
    seats = record.header.seats if record.header else ()
    named = any(person.seat == seal.seat and person.key == str(seal.key) for person in seats)
    found = objections(record, seal, trusted)
    return _Sealed(
        str(path),
        seal.seat,
        seal.n,
        seal.head,
        seal.time,
        str(seal.key),
        named,
        next(iter(found), None),
        found,
    )


def _signed(replayed: FoldedRecord) -> Iterator[Signed]:
    """The signatures in the record, up to the first that does not hold or cannot be checked."""
    fold, record = replayed.fold, replayed.record
    for signed in fold.signatures if fold else ():
        yield Signed(signed.n, signed.seat, signed.key, signed.doubt)
    error = next(
        (
            found
            for found in replayed.findings
            if found.code.startswith("sign.") and found.severity == "error"
        ),
        None,
    )
    last = fold.n if fold else 0
    if error:
        yield Signed(error.n, objection=Objection(error.code, error.message))
    elif any(b'"@sign"' in body for body in record.bodies[last:]):
        text = (
            f"signatures behind event {last} are not checked, because the play ends there; gamelog "
            "validate says why"
        )
        yield Signed(None, objection=Objection("sign.unchecked", text))


def _tell(answer: _Answer, trusted: bool) -> None:
    problem = answer.problem
    false = next(
        (signed for signed in answer.signatures if signed.objection and signed.objection.code in FALSE), None
    )
    events = many(answer.events, "event")
    if problem:
        state = f"byte {problem.offset}: {problem.text}"
        good = f"; before that {events}, head {answer.head}" if answer.head else ""
    elif false:
        state, good = (
            f"the lines fit together, but the signature in event {false.n} is false; {events}",
            f", head {answer.head}",
        )
    else:
        state, good = f"the chain is whole; {events}", f", head {answer.head}"
    say(f"{answer.path}: {state}{good}")
    if answer.tampering:
        say(f"  {answer.tampering[0].upper()}{answer.tampering[1:]}.")
    for sealed in answer.seals:
        if sealed.objections:
            text = "; and ".join(f"{one.text} ({one.code})" for one in sealed.objections)
            if all(one.code == "seal.key" for one in sealed.objections):
                text = f"the record extends it, but {text}"
        elif trusted:
            text = f"the record extends it, and you trust its key, {sealed.key}"
        elif sealed.named:
            text = "the record extends it, and the header names its key"
        else:
            text = f"the record extends it, but nothing here says whose key this is: {sealed.key}"
        say(f"  {sealed.seal}, event {sealed.events}, signed by {sealed.seat} on {sealed.time}: {text}")
    for told in answer.parents:
        found = (
            f"it shares with record {told.id} {told.shared}"
            if told.shared
            else f"{told.objection} (parent.differs)"
        )
        say(f"  {found}")
    between = _between(answer.seals)
    if between:
        say(f"  {between}")
    for signed in answer.signatures:
        where = f"event {signed.n}: " if signed.n else ""
        if signed.objection:
            say(f"  {where}{signed.objection.text} ({signed.objection.code})")
        else:
            say(
                f"  {where}{signed.seat} has signed all before "
                f"it{f', but {signed.doubt}' if signed.doubt else ''}"
            )


def _between(seals: list[_Sealed]) -> str | None:
    """Where the record went another way, as far as the seals can tell."""
    differing = [
        sealed.events for sealed in seals if any(one.code == "seal.differs" for one in sealed.objections)
    ]
    if not differing:
        return None
    good = [sealed.events for sealed in seals if not sealed.objections]
    after = f"behind event {max(good)}" if good else "anywhere from the header on"
    return (
        f"What differs lies {after}, up to event {min(differing)}; gamelog compare with another copy "
        "says what it is."
    )
