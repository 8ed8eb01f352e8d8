"""`gamelog fix`: a line as it should read."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from gamelog.finding import Finding
from gamelog.play.recording.correction import Correction
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import as_proposal
from gamelog.record.record_file import Ack
from gamelog_cli import typed_members
from gamelog_cli.arguments import File, Json
from gamelog_cli.conversation import correcting, reading, typed_commands
from gamelog_cli.conversation.choices import Choices
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.output import emit, print_line, print_warnings

_SHOWN = 10
"""How many numbers of events that do not fit are named."""


def fix(
    file: File,
    events: Annotated[
        list[str],
        typer.Argument(
            metavar="EVENT...", help="What belongs there: words as in the recorder, dice, or JSON."
        ),
    ],
    at: Annotated[int | None, typer.Option(help="The event that was written wrong.")] = None,
    before: Annotated[int | None, typer.Option(help="The event before which one was forgotten.")] = None,
    shift: Annotated[
        bool,
        typer.Option(
            "--shift", help="Let what followed be whoever's turn it is then, where it cannot be its player's."
        ),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be written.")] = False,
    json: Json = False,
) -> None:
    """Correct a slip (recording mistake): replace event N, or insert what was forgotten, and let what
    followed stand again.

    Nothing is erased: the record goes back to before N, marked as a slip, and goes on with what is right and
    with all that followed, up to the first event that no longer fits. Status 1 when something is left; it is
    named, and stays in the record.
    """
    where = before if at is None else at
    if where is None or (at is not None and before is not None):
        usage("Say which event was wrong (--at N), or before which one something was forgotten (--before N).")
    correction = Correction(file, where, before=before is not None)
    choices = Choices(correction.rehearsal)
    for place, text in enumerate(_each(events)):
        _put(
            correction,
            choices,
            text,
            correcting.kept_player(correction, at) if at is not None and not place else None,
        )
    if at is not None and not json and (changed := correcting.changed_player(correction)):
        print_line(changed)
    correction.shifts = shift
    refused = correction.repeat_later_events()
    recorder = EventRecorder(file)
    acks = [] if dry_run else correction.write(recorder)
    if json:
        emit(_told(correction, acks, refused))
    else:
        correcting.print_correction(correction, recorder)
        if refused:
            print_warnings(
                [
                    correcting.misfit(recorder, correction.left[0], refused),
                    *_what_to_do(file, correction, recorder, dry_run),
                ]
            )
        if dry_run:
            print_line("Nothing is recorded: this was a dry run.")
    if refused:
        raise typer.Exit(NOT_VALID)


def _what_to_do(file: Path, correction: Correction, recorder: EventRecorder, dry_run: bool) -> Iterator[str]:
    """Which of the events left do not fit, and how to go on."""
    shift = correcting.offer(correction, recorder)
    if shift:
        text = f"{shift} To record this, add --shift."
        if not dry_run:
            back = f"gamelog takeback {shlex.quote(str(file))} --to {correction.known}"
            text += f" Go back first: {back}"
        yield text
    left = len(correction.left)
    numbers = correcting.misfits(correction)
    some = ", ".join(map(str, numbers[:_SHOWN])) + (", …" if len(numbers) > _SHOWN else "")
    more = "at least " if len(numbers) >= correcting.MAX_TRIED else ""
    if left > 1:
        yield (
            f"Of the {left} events left, {more}{len(numbers)} cannot follow, each tried without those "
            f"before it: {some}."
        )
    yield f"To go on, type what still holds: gamelog record {shlex.quote(str(file))}"


def _each(events: list[str]) -> list[str]:
    """Return the events among the arguments: each quoted one, or one of all the words if no one is quoted."""
    quoted = any(" " in text.strip() or text.startswith("{") for text in events)
    return events if quoted or typed_commands.ALONE.issuperset(events) else [" ".join(events)]


def _put(correction: Correction, choices: Choices, text: str, usual: str | None) -> None:
    try:
        refused = correction.put(reading.event(choices, text, usual))
    except typed_members.Misread as error:
        usage(f"Cannot read {text[:60]!r}. {error}")
    if refused:
        print_warnings([f"{correction.rehearsal.explain(refused)} Nothing is recorded."])
        raise typer.Exit(NOT_VALID)


def _told(correction: Correction, acks: list[Ack], refused: Finding | None) -> dict[str, object]:
    return {
        "to": correction.at - 1,
        "put": correction.put_in,
        "again": correction.again,
        "drawn": correction.drawn,
        "written": acks,
        "left": [{"n": event.n, **as_proposal(event)} for event in correction.left],
        "finding": refused and refused.plain,
    }
