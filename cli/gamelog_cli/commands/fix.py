"""`gamelog fix`: correct a recording mistake."""

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
from gamelog_cli.arguments import File, Json
from gamelog_cli.errors import Misread
from gamelog_cli.events import corrections, reading, typed_commands
from gamelog_cli.events.choices import Choices
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.printing.language import text_of
from gamelog_cli.printing.output import emit, print_line, print_warnings

_MAX_LISTED_EVENTS = 10
"""Maximum number of events that a message lists."""


def fix(
    file: File,
    events: Annotated[
        list[str],
        typer.Argument(
            metavar="EVENT...", help=("The correct event: words as in the recorder, dice, or a JSON object.")
        ),
    ],
    at: Annotated[
        int | None, typer.Option(metavar="N", help="Number of the event that was recorded wrongly.")
    ] = None,
    before: Annotated[
        int | None, typer.Option(metavar="N", help="Insert a forgotten event before this event.")
    ] = None,
    shift: Annotated[
        bool,
        typer.Option(
            "--shift",
            help="If a later event is no longer legal for its player, record that event as an event of the "
            "player who is to move.",
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the correction, but do not record it.")
    ] = False,
    json: Json = False,
) -> None:
    """Correct a slip (recording mistake): replace event N, or insert a forgotten event, and record the later
    events again.

    Nothing is erased. The record goes back to the position before N with a takeback marked as a slip. Then
    the right event and the later events are recorded, up to the first event that is no longer legal. If such
    an event is left, it is printed, and the status is 1.
    """
    where = before if at is None else at
    if where is None or (at is not None and before is not None):
        usage("Name the wrong event with --at N, or insert a forgotten event with --before N.")
    correction = Correction(file, where, before=before is not None)
    choices = Choices(correction.rehearsal)
    for place, text in enumerate(_split_events(events)):
        _put_event(
            correction,
            choices,
            text,
            corrections.kept_player(correction, at) if at is not None and not place else None,
        )
    if at is not None and not json and (changed := corrections.changed_player(correction)):
        print_line(changed)
    correction.shifts_turns = shift
    finding = correction.repeat_later_events()
    recorder = EventRecorder(file)
    acks = [] if dry_run else correction.write(recorder)
    if json:
        emit(_to_json(correction, acks, finding))
    else:
        corrections.print_correction(correction, recorder)
        if finding:
            print_warnings(
                [
                    corrections.illegal_event_text(recorder, correction.remaining_events[0], finding),
                    *_advice(file, correction, recorder, dry_run),
                ]
            )
        if dry_run:
            print_line("Nothing is recorded: this was a dry run.")
    if finding:
        raise typer.Exit(NOT_VALID)


def _advice(file: Path, correction: Correction, recorder: EventRecorder, dry_run: bool) -> Iterator[str]:
    """Yield sentences: which of the remaining events are no longer legal, and how to continue."""
    shift = corrections.other_player_remark(correction, recorder)
    if shift:
        text = f"{shift} To record this, add --shift."
        if not dry_run:
            back = f"gamelog takeback {shlex.quote(str(file))} --to {correction.known_count}"
            text += f" But first run: {back}"
        yield text
    left = len(correction.remaining_events)
    numbers = corrections.illegal_remaining_events(correction)
    some = ", ".join(map(str, numbers[:_MAX_LISTED_EVENTS])) + (
        ", …" if len(numbers) > _MAX_LISTED_EVENTS else ""
    )
    more = "at least " if len(numbers) >= corrections.MAX_TRIED else ""
    if left > 1:
        yield (
            f"Of the {left} remaining events, {more}{len(numbers)} {'is' if len(numbers) == 1 else 'are'} "
            f"no longer legal, even without the others: {some}."
        )
    yield f"To record the events that still count, run: gamelog record {shlex.quote(str(file))}"


def _split_events(events: list[str]) -> list[str]:
    """Return the events in the arguments: each argument if one is quoted, or one event of all words."""
    quoted = any(" " in text.strip() or text.startswith("{") for text in events)
    apart = quoted or typed_commands.COMMANDS_WITHOUT_WORDS.issuperset(events)
    return events if apart else [" ".join(events)]


def _put_event(correction: Correction, choices: Choices, text: str, usual: str | None) -> None:
    try:
        finding = correction.put(reading.parse_line(choices, text, usual))
    except Misread as error:
        usage(f'Cannot read "{text[:60]}". {error}')
    if finding:
        print_warnings([f"{text_of(correction.rehearsal.explain(finding))} Nothing is recorded."])
        raise typer.Exit(NOT_VALID)


def _to_json(correction: Correction, acks: list[Ack], finding: Finding | None) -> dict[str, object]:
    """Return the result of the correction as an object for ``--json``."""
    return {
        "to": correction.at - 1,
        "put": correction.inserted_events,
        "again": correction.repeated_count,
        "drawn": correction.redrawn_events,
        "written": acks,
        "left": [{"n": event.n, **as_proposal(event)} for event in correction.remaining_events],
        "finding": finding and finding.plain,
    }
