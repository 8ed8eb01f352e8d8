"""A correction as sentences: whose events it changes, its result, and the events that remain."""

from __future__ import annotations

from collections.abc import Iterator

from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.recording.correction import Correction
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import Event
from gamelog_cli.events.remarks import print_event
from gamelog_cli.input import typed_members
from gamelog_cli.printing.language import clause_of, current_locale
from gamelog_cli.printing.output import print_line

MAX_TRIED = 50
"""Maximum number of events that are no longer legal that `illegal_remaining_events` finds."""

MAX_LISTED = 5
"""Maximum number of remaining events that the report lists."""


def changed_player(correction: Correction) -> Message | None:
    """Return a sentence if the new event belongs to another player than the corrected event, else None."""
    if not correction.inserted_events:
        return None
    view = correction.rehearsal.record_view
    name = view.names_at(correction.at)
    was, now = view.event(correction.at)["by"], view.event(correction.inserted_events[0])["by"]
    if was == now:
        return None
    text = "Event {n} was by {=old}; the new event is by {=new}."
    return Message.of(text, n=correction.at, old=name(was), new=name(now))


def kept_player(correction: Correction, n: int) -> str | None:
    """Return the player of event `n` if that player may also play the new event, else None."""
    view = correction.rehearsal.record_view
    by: str = view.event(n)["by"]
    return by if by in view.pending.by else None


def event_text(recorder: EventRecorder, event: Event) -> str:
    """Return an event as people type it, or as a sentence if parts of it are hidden here."""
    view = recorder.record_view
    if not view.sees_whole(event.n):
        return recorder.text(event.n, locale=current_locale()).rstrip(".")
    return f"{view.names_at(event.n)(event.by)}: {' '.join(typed_members.event_words(event))}"


def print_correction(correction: Correction, recorder: EventRecorder) -> None:
    """Print the result of a correction, and the events that remain."""
    corrected = correction.at
    text = "Back to event {to}: the events from event {n} on were a slip (recording mistake)."
    print_line(Message.of(text, to=corrected - 1, n=corrected))
    for n in correction.inserted_events:
        print_event(correction.rehearsal, n)
    if correction.repeated_count:
        text = "{n} later {n:event was|events were} recorded again, up to event {last}."
        print_line(Message.of(text, n=correction.repeated_count, last=correction.rehearsal.n))
    if correction.clock_start:
        text = (
            "The clock was stopped. Event {n} starts it for the correction, and the last event stops it "
            "again."
        )
        print_line(Message.of(text, n=correction.clock_start))
    if correction.shifted_count:
        text = "{n} of them now {n:belongs|belong} to the player who was to move."
        print_line(Message.of(text, n=correction.shifted_count))
    if correction.redrawn_events:
        text = "The dice of these events were rolled again from the seed: {numbers}."
        print_line(Message.of(text, numbers=", ".join(map(str, correction.redrawn_events))))
    for line in remaining_lines(correction, recorder):
        print_line(line)


def remaining_lines(correction: Correction, recorder: EventRecorder) -> Iterator[str | Message]:
    """Yield lines about the later events that were not recorded again."""
    events = correction.remaining_events
    if events:
        yield Message.of("{n} {n:event was|events were} not recorded again:", n=len(events))
    for event in events[:MAX_LISTED]:
        yield f"  {event.n}. {event_text(recorder, event)}"
    if len(events) > MAX_LISTED:
        text = "  … up to event {n}. They stay in the record. To see one, run: gamelog replay FILE --at N"
        yield Message.of(text, n=events[-1].n)


def other_player_remark(correction: Correction, recorder: EventRecorder) -> Message | None:
    """Return a remark if the next event would be legal for another player, else None."""
    if not correction.remaining_events or not correction.can_shift():
        return None
    pending, name_of = correction.rehearsal.record_view.pending, recorder.record_view.name_of
    player = name_of(pending.chance.by if pending.chance else pending.by[0])
    text = (
        "If only the order of turns has changed, this event belongs to {=player}, and the later events "
        "change players likewise."
    )
    return Message.of(text, player=player)


def illegal_remaining_events(correction: Correction) -> list[int]:
    """Return the numbers of the remaining events that are not legal one after the other.

    Each is tried without those before it; at most `MAX_TRIED` are found. The correction cannot be used after
    that.
    """
    numbers: list[int] = []
    while len(numbers) < MAX_TRIED and correction.repeat_later_events() is not None:
        numbers.append(correction.skip().n)
    return numbers


def illegal_event_text(recorder: EventRecorder, event: Event, finding: Finding) -> Message:
    """Return a sentence that says why the later `event` is no longer legal."""
    return Message.of(
        "Event {n} ({=event}) is no longer legal: {=problem}.",
        n=event.n,
        event=event_text(recorder, event),
        problem=clause_of(finding.message),
    )
