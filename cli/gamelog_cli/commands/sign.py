"""`gamelog sign`: a seal of a record as it is now."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gamelog.errors import BadSeal, Exists
from gamelog.message import Message, many
from gamelog.play.fold import sign_events
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording import signing
from gamelog.play.recording.recorder import EventRecorder, wall_clock
from gamelog.play.view.session_view import SessionView
from gamelog.record.disk import write_new
from gamelog.record.envelope import Header
from gamelog.record.reading import Record, problem_error, read_record
from gamelog.record.seal import Key, Seal, Signer, read_small_file
from gamelog_cli.arguments import File, Json
from gamelog_cli.exits import usage
from gamelog_cli.input.people import seat_of
from gamelog_cli.printing.output import emit, print_line


def sign(
    file: File,
    key: Annotated[Path, typer.Option("--key", metavar="KEY", help="The private key, from gamelog keygen.")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Output file for the seal.", metavar="SEAL")
    ] = None,
    append: Annotated[bool, typer.Option("--append", help="Also record the signature as an event.")] = False,
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="The player who signs (name or seat), or arbiter. Not needed if the header names the key.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Seal FILE: sign the id of the record, the number of its events, and its head."""
    if out is None and not append:
        usage("Name a file for the seal with -o SEAL, or add --append, or both.")
    if out is not None and out.exists():
        text = "{=path} already exists. Gamelog does not overwrite files. Choose another name."
        raise Exists(Message.of(text, path=str(out)))
    signer = Signer.parse(read_small_file(key))
    record = read_record(file)
    if record.problem:
        raise problem_error(record.problem, record.path)
    assert record.header is not None  # otherwise the record has a problem
    whose = _seat(record, record.header, signer.key, seat)
    seal = (
        signing.sign(EventRecorder(file), signer, whose)
        if append
        else _make_seal(record, record.header, signer, whose)
    )
    if out is not None:
        write_new(out, str(seal).encode())
    if json:
        emit(
            {
                "path": None if out is None else str(out),
                "id": seal.id,
                "events": seal.n,
                "head": seal.head,
                "seat": whose,
            }
        )
    else:
        places = [str(out)] * (out is not None) + [f"event {seal.n + 1} of {file}"] * append
        where = " and ".join(places)
        print_line(f"{where}: {whose} has signed {many(seal.n, 'event')}, head {seal.head}")


def _seat(record: Record, header: Header, key: Key, given: str | None) -> str:
    """Return the seat of the player who signs, or ``arbiter``. Print a message and exit if it is unknown."""
    named = [person.seat for person in header.seats if person.key == str(key)]
    allowed = [*header.seat_ids, "arbiter"]
    if given is None and len(named) == 1:
        return named[0]
    if given is None:
        usage(f"The header does not name the key {key.name}. Add --seat with one of: {', '.join(allowed)}.")
    fold = None if given in allowed else fold_record(record).fold
    seat = seat_of(SessionView(fold), given) if fold else given
    if seat not in allowed:
        usage(f'There is no seat "{given}" in this game. Type one of: {", ".join(allowed)}.')
    return seat


def _make_seal(record: Record, header: Header, signer: Signer, seat: str) -> Seal:
    """Return a seal of the whole record.

    Raises:
        BadSeal: The record names another key for the seat.
    """
    fold = fold_record(record).fold
    problem = sign_events.other_key_problem(fold, seat, str(signer.key)) if fold else None
    if problem:
        raise BadSeal(f"{problem}. Sign with that key, or for another seat.")
    n = len(record.bodies)
    t = max(wall_clock(header), fold.t if fold else 0)
    return signing.make_seal(header, n, record.head_at(n), seat, t, signer)
