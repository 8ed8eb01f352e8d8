"""``undo``: the question before a takeback, and the report after it."""

from __future__ import annotations

from gamelog.message import Message
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.escaping import isolate
from gamelog_cli.printing.language import current_locale, text_of
from gamelog_cli.printing.output import print_line

_MAX_LISTED = 12
"""Maximum number of undone events that the report lists."""


def takeback_question(recorder: EventRecorder, to: int) -> Message | None:
    """Return the question before a takeback to event `to`, or None if it undoes only one decision."""
    view = recorder.record_view
    events = view.undone_by_return(to)
    if sum(map(view.is_step, events)) < 2:
        return None
    return Message.of("This undoes {n} {n:event|events}. Continue? [y/N] ", n=len(events))


def print_takeback(recorder: EventRecorder, n: int, to: int, events: list[int]) -> None:
    """Print the events that a takeback has undone, and the later events that still count.

    Print nothing while the takeback is only an offer.

    Args:
        recorder: The recorder, which has recorded the takeback.
        n: The number of the takeback.
        to: The number of the event after which the game continues.
        events: The numbers of the undone events, in order.
    """
    view = recorder.record_view
    if not view.is_takeback(n):
        return
    before = view.main_line_numbers(n - 1)
    for number in events[:_MAX_LISTED]:
        text = recorder.text(number, isolate, current_locale())
        print_line(f"{text_of(Message.of('Undone:'))} {number}. {text}")
    if len(events) > _MAX_LISTED:
        print_line(
            Message.of("… and {n} more, up to event {last}.", n=len(events) - _MAX_LISTED, last=events[-1])
        )
    stays: dict[str, list[str]] = {}
    for number in before:
        if number > to and number not in events:
            stays.setdefault(view.event(number)["do"][1:], []).append(str(number))
    for kind, numbers in stays.items():
        print_line(
            Message.of(
                "Still in force ({kind}): {n:event|events} {numbers}.",
                kind=kind,
                n=len(numbers),
                numbers=", ".join(numbers),
            )
        )
