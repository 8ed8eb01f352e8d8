"""`gamelog append`: append events to a record."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from gamelog.errors import JSON_ERRORS, GamelogError, Refused
from gamelog.finding import Finding
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.recording.setup_pause import setup_pause
from gamelog_cli.arguments import File, Json, Secrets
from gamelog_cli.errors import Misread
from gamelog_cli.events import reading
from gamelog_cli.events.choices import Choices
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.printing.language import text_of
from gamelog_cli.printing.output import emit, print_line, print_warnings
from gamelog_cli.secrets.dice_secrets import check_secrets, next_step_text, read_secret, record_due_events

TYPED_LINE = re.compile(r"\s*[^\s{\[\"][^:{]*: *\S")
"""Pattern of a line that begins with a player's name and a colon."""


def append(
    file: File,
    events: Annotated[
        list[str],
        typer.Argument(
            metavar="EVENT...",
            help=(
                'Events, as JSON objects or typed as in the recorder ("red: pass"); - reads '
                "events from standard input, one on each line."
            ),
        ),
    ],
    expect: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Number of the last event that you know. If there are newer events, nothing is recorded.",
        ),
    ] = None,
    as_played: Annotated[
        bool, typer.Option("--as-played", help="Record an illegal event that was played anyway.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Judge the events, but do not record them.")
    ] = False,
    secret: Secrets = [],
    json: Json = False,
) -> None:
    """Append events: JSON objects without h and n, or events typed after a player's name and a colon.

    You can leave out t, and by if only one player can be meant. With --secret, the links that are due after
    each event are revealed too, as gamelog dice reveal does.
    """
    try:
        _append(file, _lines(events), expect, as_played, dry_run, secret, json)
    except GamelogError as error:
        if json:
            finding = error.finding if isinstance(error, Refused) else None
            emit(
                {"refused": finding.plain}
                if isinstance(finding, Finding)
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
    """Append the events of `lines`, print the receipts, and warn of problems and expired offers."""
    secrets = {path: read_secret(path) for path in secret}
    recorder = EventRecorder(file, only_rehearse=dry_run)
    check_secrets(recorder, secrets)
    if dry_run:
        _rehearse(recorder, list(lines), json)
        return
    for line in lines:
        proposal = _proposal(recorder, line, json) | ({"as_played": True} if as_played else {})
        acks = recorder.append([*setup_pause(recorder, proposal), proposal], expect=expect)
        if secrets:
            acks += record_due_events(recorder, secrets)
        for ack in acks:
            if json:
                emit(ack)
            else:
                print_line(f"{ack.n} {ack.head}")
            doubt = recorder.remaining_problem(ack.n)
            numbers = " and ".join(str(offer.n) for offer in recorder.record_view.expired_offers(ack.n))
            if doubt:
                print_warnings([f"event {ack.n}: {text_of(doubt)}"])
            if numbers:
                problem = f"the offer of event {numbers} has expired, because not all players agreed."
                print_warnings([f"event {ack.n}: {problem}"])
        expect = None if expect is None else acks[-1].n
    if secrets and not json:
        print_line(next_step_text(recorder))


def _lines(texts: list[str]) -> Iterator[str]:
    for text in texts:
        yield from (line for line in (sys.stdin if text == "-" else (text,)) if line.strip())


def _proposal(recorder: EventRecorder, line: str, json: bool) -> dict[str, Any]:
    """Return the event in a line. Print a message and exit if there is none."""
    problem, proposal = _parse_typed(recorder, line) if TYPED_LINE.match(line) else _parse_object(line)
    if problem:
        if json:
            emit({"error": {"code": "usage", "message": problem}})
        usage(problem)
    return proposal


def _parse_typed(recorder: EventRecorder, line: str) -> tuple[str, dict[str, Any]]:
    """Return the problem with a line that begins with a player's name, or an empty text, and its event."""
    choices = Choices(recorder)
    try:
        event = reading.parse_line(choices, line.strip())
    except Misread as error:
        return f'Cannot read "{line.strip()[:60]}". {error}', {}
    return ("", event) if "by" in event else _parse_object(line)


def _parse_object(text: str) -> tuple[str, dict[str, Any]]:
    """Return the problem with a line, or an empty text, and the event in it."""
    if not text.lstrip().startswith(("{", "[", '"')):
        return (
            f'"{text[:60]}" is not an event. Type a JSON object, or a player\'s name and an event: red: pass',
            {},
        )
    try:
        proposal = msgspec.json.decode(text.encode(), type=dict[str, Any])
    except JSON_ERRORS as error:
        return f'"{text[:60]}" is not a JSON object: {error}.', {}
    for given in ("h", "n"):
        if given in proposal:
            return f'Leave out the member "{given}". Gamelog computes it when it records the event.', {}
    return "", proposal


def _rehearse(recorder: EventRecorder, lines: list[str], json: bool) -> None:
    """Judge the events one after the other, each in the position after the earlier ones."""
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
