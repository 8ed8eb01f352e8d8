"""`gamelog append`: take up events."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from gamelog.errors import NO_JSON, GamelogError, Refused
from gamelog.finding import Finding
from gamelog.play.recording.recorder import EventRecorder
from gamelog_cli.arguments import File, Json, Secrets
from gamelog_cli.commands.dice import answers, chain_in, check_hands, whose_turn
from gamelog_cli.conversation import reading
from gamelog_cli.conversation.choices import Choices
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.output import emit, print_line, print_warnings
from gamelog_cli.typed_members import Misread

TYPED = re.compile(r"\s*[^\s{\[\"][^:{]*: *\S")
"""A line that begins with a player's name and a colon."""


def append(
    file: File,
    events: Annotated[
        list[str],
        typer.Argument(
            metavar="EVENT...",
            help="Events as JSON objects, or as in red: pass; - reads lines from standard input.",
        ),
    ],
    expect: Annotated[
        int | None,
        typer.Option(help="The number of the last event you know of; others' writing is a conflict."),
    ] = None,
    as_played: Annotated[
        bool, typer.Option("--as-played", help="Record what was played though it is illegal.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only judge; nothing is written.")] = False,
    secret: Secrets = [],
    json: Json = False,
) -> None:
    """Append events given without h and n, or typed behind a player's name; t and by may be left out where
    they are certain.

    With --secret, the links that are due behind each event are revealed, too, as gamelog dice reveal does.
    """
    try:
        _append(file, _lines(events), expect, as_played, dry_run, secret, json)
    except GamelogError as error:
        if json:
            found = error.finding if isinstance(error, Refused) else None
            emit(
                {"refused": found.plain}
                if isinstance(found, Finding)
                else {"error": {"code": error.code, "message": str(error)}}
            )
        raise


def _append(
    file: Path,
    lines: Iterator[str],
    expect: int | None,
    as_played: bool,
    dry_run: bool,
    secret: list[Path],
    json: bool,
) -> None:
    hands = {path: chain_in(path) for path in secret}
    recorder = EventRecorder(file, only_rehearse=dry_run)
    check_hands(recorder, hands)
    if dry_run:
        _try(recorder, list(lines), json)
        return
    for line in lines:
        acks = recorder.append([_proposal(recorder, line, json)], expect=expect, as_played=as_played)
        if hands:
            acks += answers(recorder, hands)
        for ack in acks:
            if json:
                emit(ack)
            else:
                print_line(f"{ack.n} {ack.head}")
            doubt = recorder.remaining_problem(ack.n)
            numbers = " and ".join(str(offer.n) for offer in recorder.fold.lapsed.get(ack.n, ()))
            if doubt:
                print_warnings([f"event {ack.n}: {doubt}"])
            if numbers:
                print_warnings(
                    [
                        f"event {ack.n}: the offer of event {numbers} has lapsed with it, for not "
                        "everybody had said yes."
                    ]
                )
        expect = None if expect is None else acks[-1].n
    if hands and not json:
        print_line(whose_turn(recorder))


def _lines(texts: list[str]) -> Iterator[str]:
    for text in texts:
        yield from (line for line in (sys.stdin if text == "-" else (text,)) if line.strip())


def _proposal(recorder: EventRecorder, line: str, json: bool) -> dict[str, Any]:
    """The event in a line, which the recorder is to take up next."""
    problem, proposal = _typed(recorder, line) if TYPED.match(line) else _object(line)
    if problem:
        if json:
            emit({"error": {"code": "usage", "message": problem}})
        usage(problem)
    return proposal


def _typed(recorder: EventRecorder, line: str) -> tuple[str, dict[str, Any]]:
    """The same of a line as it is typed at the table, behind a player's name."""
    choices = Choices(recorder)
    try:
        found = reading.event(choices, line.strip())
    except Misread as error:
        return f"Cannot read {line.strip()[:60]!r}. {error}", {}
    return ("", found) if "by" in found else _object(line)


def _object(text: str) -> tuple[str, dict[str, Any]]:
    """What is wrong with a line, or nothing; and the event in it."""
    if not text.lstrip().startswith(("{", "[", '"')):
        return (
            f"{text[:60]!r} is not an event. Write it as JSON, or after a player's name, as in red: pass.",
            {},
        )
    try:
        proposal = msgspec.json.decode(text.encode(), type=dict[str, Any])
    except NO_JSON as error:
        return f"{text[:60]!r} is not a JSON object: {error}.", {}
    for given in ("h", "n"):
        if given in proposal:
            return f'Leave out the member "{given}". Gamelog computes it when it records the event.', {}
    return "", proposal


def _try(recorder: EventRecorder, lines: list[str], json: bool) -> None:
    """Judge the events one after the other, each on top of those before it."""
    for proposal in (_proposal(recorder, line, json) for line in lines):
        finding = recorder.rehearse(proposal)
        if json:
            emit({"event": proposal, "legal": finding is None, "finding": finding and finding.plain})
        else:
            print_line(
                recorder.explain(finding) if finding else f"Legal: {msgspec.json.encode(proposal).decode()}"
            )
        if finding:
            raise typer.Exit(NOT_VALID)
