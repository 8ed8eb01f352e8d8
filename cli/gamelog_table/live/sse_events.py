"""Events of a record as server-sent events: for programs, and as steps for the table's page."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import structs

from gamelog.finding import Finding
from gamelog.play.view.finding_data import finding_data
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.status_history import KnownFindings, StatusHistory
from gamelog.play.view.step import STEP_ENCODER, StepView
from gamelog.record.envelope import Seat
from gamelog_table.live.followers import StreamPosition

MAX_KEPT_FRAMES = 512
"""Maximum number of encoded events of a record that are kept, over all views."""


class PageStep(StepView, frozen=True, omit_defaults=True):
    """A step with changes of the status of earlier events, in the language of the page.

    Attributes:
        findings: All findings about each event with different findings, by its number; 0 for the record.
        rules: Texts of the rules that these findings name, by id.
        corrected: Events that a correction has removed, each with the event recorded instead, or 0; None if
            the event is not removed any more.
    """

    findings: dict[int, list[dict[str, Any]]] = {}
    rules: dict[str, str] = {}
    corrected: dict[int, int | None] = {}


def event_frame(view: RecordView, n: int) -> bytes:
    """Return event `n` for programs."""
    data = {"n": n, "event": view.event(n), "text": view.sentence(n)}
    return b"id: %d\ndata: %s\n\n" % (n, msgspec.json.encode(data))


def step_frame(view: RecordView, n: int, past: StatusHistory, language: str) -> bytes:
    """Return an event for the table's page.

    If the event is a ruling after which earlier refused events count, the page loads the record again.

    Args:
        view: The record as the viewer of the page may see it.
        n: The number of the event.
        past: What was known after each event.
        language: The language of the page.
    """
    removed, before = past.corrections(n - 1, view.viewer), past.findings(n - 1)
    known, now = past.corrections(n, view.viewer), past.findings(n)
    if now.played > before.played + 1:
        return b"id: %d\nevent: rewritten\ndata: %d\n\n" % (n, n)
    step = view.step(n)
    corrected = {
        number: known.get(number) for number in {*removed, *known} if removed.get(number) != known.get(number)
    }
    if corrected or now.findings != before.findings:
        findings, rules = _changed_findings(view, before, now, language)
        step = PageStep(**structs.asdict(step), findings=findings, rules=rules, corrected=corrected)
    return b"id: %d\nevent: step\ndata: %s\n\n" % (n, STEP_ENCODER.encode(step))


def _changed_findings(
    view: RecordView, before: KnownFindings, now: KnownFindings, language: str
) -> tuple[dict[int, list[dict[str, Any]]], dict[str, str]]:
    """Return the findings of each event that are different `now`, and the rules that they name."""
    was, known = (_by_event(map(view.shown_finding, prefix.findings)) for prefix in (before, now))
    changed = [n for n in sorted({*was, *known}) if was.get(n) != known.get(n)]
    changed_findings = [finding for n in changed for finding in known.get(n, ())]
    plain, rules = finding_data(view, changed_findings, language)
    findings: dict[int, list[dict[str, Any]]] = {n: [] for n in changed}
    for finding_members in plain:
        findings[finding_members["n"] or 0].append(finding_members)
    return findings, rules


def _by_event(findings: Iterable[Finding]) -> dict[int, list[Finding]]:
    """Return `findings` grouped by the number of their event."""
    grouped: dict[int, list[Finding]] = {}
    for finding in findings:
        grouped.setdefault(finding.n or 0, []).append(finding)
    return grouped


class FrameCache:
    """The newest encoded events of a record, for all followers who see the same."""

    def __init__(self) -> None:
        self._frames: OrderedDict[tuple[StreamPosition, tuple[Seat, ...]], bytes] = OrderedDict()

    def clear(self) -> None:
        """Forget all events."""
        self._frames.clear()

    def find_events(
        self, stream_position: StreamPosition, last: int, people: tuple[Seat, ...]
    ) -> bytes | None:
        """Return the events from `stream_position` to `last`, or None if one of them is not encoded yet.

        `people` are the people named in the sentences.
        """
        known = [
            self._frames.get((stream_position._replace(next=n), people))
            for n in range(stream_position.next, last + 1)
        ]
        return None if None in known else b"".join(filter(None, known))

    def encode(
        self,
        view: RecordView,
        past: StatusHistory,
        stream_position: StreamPosition,
        last: int,
        people: tuple[Seat, ...],
    ) -> bytes:
        """Return the events that follow at a place in the stream, and keep them.

        Args:
            view: The record as the followers at this place may see it.
            past: What was known after each event.
            stream_position: The place in the stream.
            last: The last event, or a number after the last event of the view.
            people: The people named in the sentences.
        """
        out = []
        for n in range(stream_position.next, min(last, view.last_number) + 1):
            key = stream_position._replace(next=n), people
            frame = self._frames.get(key)
            if frame is None:
                page = stream_position.language
                frame = step_frame(view, n, past, page) if page else event_frame(view, n)
                self._frames[key] = frame
                if len(self._frames) > MAX_KEPT_FRAMES:
                    self._frames.popitem(last=False)
            out.append(frame)
        return b"".join(out)
