"""``undo``: what is asked before it, and in words what it took back and what stays."""

from __future__ import annotations

from typing import Any

from gamelog.play.fold.common import COMMON
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import TABLE, tag_of
from gamelog.record.escaping import isolated
from gamelog_cli import typed_members
from gamelog_cli.output import print_wrapped

_MAX_EVENTS_TOLD = 12
"""How many of the events undone are told one by one."""


def parse_undo(recorder: EventRecorder, rest: str) -> dict[str, Any]:
    """The takeback that ``undo rest`` asks for. Raises `Misread`."""
    if rest and not rest.isdecimal():
        raise typed_members.Misread("write: undo, or undo N to go back to the position after event N")
    if not rest and not undone(recorder, 0):
        raise typed_members.Misread("there is nothing yet that could be undone")
    return {"do": "@takeback", "by": TABLE, "to": int(rest) if rest else recorder.before_last_step()}


def undone(recorder: EventRecorder, to: int) -> list[int]:
    """The numbers of the events that a takeback to event `to` would undo now."""
    line = (n for n in recorder.fold.mainline() if n > to)
    return [n for n in line if recorder.is_step(n) or type(recorder.events[n - 1]) not in COMMON]


def question(recorder: EventRecorder, to: int) -> str | None:
    """What to ask before a takeback to event `to`:
    how many events it undoes, where that is more than one decision.
    """
    events = undone(recorder, to)
    if sum(map(recorder.is_step, events)) < 2:
        return None
    return f"{len(events)} events are undone; go on? [y/N] "


def tell_takeback(recorder: EventRecorder, n: int, to: int, events: list[int]) -> None:
    """Say that takeback `n` to event `to` has undone `events`, and what was written since and stays.

    Nothing is said while the takeback is only asked for.
    """
    if n not in recorder.fold.takebacks:
        return
    before = recorder.fold.mainline(n - 1)
    for number in events[:_MAX_EVENTS_TOLD]:
        print_wrapped(f"undone: {number}. {recorder.text(number, isolated)}")
    if len(events) > _MAX_EVENTS_TOLD:
        print_wrapped(f"… and {len(events) - _MAX_EVENTS_TOLD} more, up to {events[-1]}.")
    stays: dict[str, list[str]] = {}
    for number in before:
        if number > to and number not in events:
            stays.setdefault(tag_of(type(recorder.events[number - 1]))[1:], []).append(str(number))
    for kind, numbers in stays.items():
        many = len(numbers) > 1
        print_wrapped(
            f"the {kind} of event{'s' if many else ''} {', '.join(numbers)} stay{'' if many else 's'}"
        )
