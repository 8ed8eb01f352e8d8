"""The parts of a ruling: which of them go together, and the events that record them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import ARBITER

ADDED_KINDS = ("warning", "penalty", "clock")
"""Kinds of rulings that one other decision can follow, in the order in which they are recorded."""


def decisions(kinds: Collection[str]) -> list[str]:
    """Return the `kinds` of which a ruling can have only one."""
    return [kind for kind in kinds if kind not in ADDED_KINDS]


def needs_event(kinds: Collection[str]) -> bool:
    """Return whether a ruling with parts of these `kinds` is always about an event of the record."""
    return not ({"result", "forfeit"}.intersection(kinds) or [*kinds] == ["clock"])


def ruling_events(recorder: EventRecorder, parts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the events that record the `parts` of one ruling, as the next events of `recorder`.

    A ruling about no event, for example a walkover, is about a note with its reason, which comes first. While
    links are due, a note cannot be recorded. Then the ruling is about the event that made the roll due.
    """
    first, reveals = parts[0], recorder.fold.reveals
    if "about" in first:
        return [dict(part) for part in parts]
    if recorder.n and reveals and reveals.intent is not None:
        return [{**part, "about": reveals.intent or 1} for part in parts]
    when = {"t": first["t"]} if "t" in first else {}
    note = {"do": "@note", "by": ARBITER, "text": first["reason"], **when}
    return [note, *({**part, "about": recorder.n + 1} for part in parts)]
