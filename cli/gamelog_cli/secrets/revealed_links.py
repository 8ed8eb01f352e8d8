"""SECRET.seen: the heads of the record before and after each link of a secret.

Anyone who knows a link can try other intents for the same roll. So the head of the record is written to the
disk before the link is recorded, and again after it. Each note also contains the intent of the roll and the
seats that have revealed their links.

A record gets another link only in two cases. It extends the last head noted, or it is the same up to the
intent and has the same links directly after it. Order and times of the links do not matter, because the roll
is the same. A killed process does not weaken this rule.
"""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import Literal

import msgspec

from gamelog.errors import JSON_ERRORS, BadSetup, Damaged, NotReadable, WriteFailed
from gamelog.message import Message
from gamelog.play.fold.common_events import Reveal
from gamelog.play.fold.revealing import links_behind_intent
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.disk import sync_folder, write
from gamelog.record.envelope import Event
from gamelog_cli.errors import json_problem

TAIL_BYTES = 4096
"""Bytes at the end of the file that are searched first for its last line; a line has about 200."""


class Intent(msgspec.Struct, frozen=True):
    """The event that made a roll due, the head after it, and the `seats` that have revealed links for it."""

    n: int
    head: str
    seats: frozenset[str]


class RevealedHead(msgspec.Struct, frozen=True, omit_defaults=True):
    """The head of a record when a link was revealed.

    Attributes:
        n: Number of the last event.
        head: Head after this event.
        was: ``before`` the link was recorded, or None after it.
        intent: The intent of the roll; None if other events than links were recorded after it.
    """

    n: int
    head: str
    was: Literal["before"] | None = None
    intent: Intent | None = None


_encoder = msgspec.json.Encoder()


def notes_path(secret: Path) -> Path:
    """Return the path of the notes about a secret."""
    return secret.with_name(f"{secret.name}.seen")


def note_link(secret: Path, recorder: EventRecorder, *, before: bool = False) -> None:
    """Write the present head of the record to the disk.

    Raises:
        WriteFailed: The head cannot be written.
    """
    path = notes_path(secret)
    seen = RevealedHead(recorder.n, recorder.head, "before" if before else None, _intent(recorder))
    try:
        torn = not _tail(path).endswith(b"\n")
        new = not path.exists()
        with open(path, "ab", buffering=0) as file:
            write(file, b"\n" * (torn and not new) + _encoder.encode(seen) + b"\n", path)
        if new:
            sync_folder(path)
    except OSError as error:
        text = "Cannot write {=path}: {=error}. Without this file, gamelog dice cannot reveal a link safely."
        raise WriteFailed(Message.of(text, path=str(path), error=error.strerror)) from None


def _intent(recorder: EventRecorder) -> Intent | None:
    """Return the intent of the next roll and the seats that have revealed its links.

    Return None if anything except links was recorded after the intent.
    """
    reveals = recorder.fold.reveals
    if reveals is None or reveals.intent is None:
        return None
    behind = links_behind_intent(islice(recorder.events, reveals.intent, None))
    if reveals.intent + len(behind) < recorder.n:
        return None
    return Intent(reveals.intent, recorder.fold.line_heads[reveals.intent].decode(), _seats(behind))


def _seats(links: list[Event]) -> frozenset[str]:
    return frozenset(event.seat for event in links if isinstance(event, Reveal))


def check_links_seen(secret: Path, recorder: EventRecorder) -> None:
    """Check that each roll for which `secret` has revealed a link is still the same in this record.

    Raises:
        Damaged: A roll is not the same any more.
        BadSetup: The notes about the secret cannot be understood.
        NotReadable: The notes about the secret cannot be read.
    """
    path = notes_path(secret)
    try:
        whole, _, _ = _tail(path).rpartition(b"\n")
    except OSError as error:
        text = "Cannot read {=path}: {=error}. Check the file and your access to it, then try again."
        raise NotReadable(Message.of(text, path=str(path), error=error.strerror)) from None
    if not whole:
        return
    try:
        last = msgspec.json.decode(whole.rpartition(b"\n")[2], type=RevealedHead)
    except JSON_ERRORS as error:
        text = (
            "The last line of {=path} was not written by gamelog dice reveal: {problem}. "
            "Compare the record with your copy."
        )
        raise BadSetup(Message.of(text, path=str(path), problem=json_problem(error))) from None
    if _is_at(recorder, last):
        return
    same = last.intent is not None and _is_at(recorder, last.intent)
    if last.intent and same and _has_the_links(recorder, last.intent):
        return
    record = recorder.file.path
    text = (
        "{=path} is no longer the record in which you revealed event {n}. Reveal nothing more. {what}"
        if last.was is None
        else "{=path} is no longer the record in which you began to reveal a link after event {n}. Reveal "
        "nothing more. {what}"
    )
    what = (
        Message.of(
            "To unite the record with your copy, run: gamelog compare {$path} COPY --merge NEW",
            path=record,
        )
        if same
        else Message.of(
            "To compare the record with your copy, run: gamelog compare {$path} COPY", path=record
        )
    )
    raise Damaged(Message.of(text, path=record, n=last.n, what=what))


def _is_at(recorder: EventRecorder, place: RevealedHead | Intent) -> bool:
    """Return whether the record has the head that was noted for this event."""
    heads = recorder.fold.line_heads
    return place.n < len(heads) and heads[place.n].decode() == place.head


def _has_the_links(recorder: EventRecorder, intent: Intent) -> bool:
    """Return whether all noted links are directly after `intent`."""
    behind = links_behind_intent(islice(recorder.events, intent.n, None))
    return intent.seats <= _seats(behind)


def _tail(path: Path) -> bytes:
    """Return the end of the file from the start of a line, with at least one whole line if there is one."""
    if not path.exists():
        return b""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        most = TAIL_BYTES
        while most < size:
            file.seek(size - most)
            data = file.read().partition(b"\n")[2]
            if b"\n" in data:
                return data
            most *= 2
        file.seek(0)
        return file.read()
