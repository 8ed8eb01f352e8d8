"""SECRET.seen: the state of the record whenever a link of this secret was revealed to it.

Anyone who has a link may choose another intent for it. So before a link is recorded, the head of the record
is noted here and on the disk, and again with the link in it, each time with the intent that the link is for
and the seats that have revealed theirs. A record gets no other link unless it extends the last head noted, or
is the same up to that intent and has the same links directly behind it, in whatever order and at whatever
time: then the roll is the same one. A process that was killed in between changes nothing about this.
"""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import Literal

import msgspec

from gamelog.errors import NO_JSON, BadSetup, Damaged, NotReadable, WriteFailed
from gamelog.play.fold.common import Reveal
from gamelog.play.fold.revealing import links_behind_intent
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.disk import sync_folder, write
from gamelog.record.envelope import Event

TAIL = 4096
"""Bytes from the end of the file in which its last line is looked for first; a line has about 200."""


class Intent(msgspec.Struct, frozen=True):
    """The event that a link is for, the head there, and the `seats` with a link behind it."""

    n: int
    head: str
    seats: frozenset[str]


class Seen(msgspec.Struct, frozen=True, omit_defaults=True):
    """The record had this `head` after event `n` before a link was recorded or (`was`: None) with it.

    `intent` is None if anything but links was recorded since.
    """

    n: int
    head: str
    was: Literal["before"] | None = None
    intent: Intent | None = None


_encoder = msgspec.json.Encoder()


def seen_of(secret: Path) -> Path:
    """The file beside a secret."""
    return secret.with_name(f"{secret.name}.seen")


def note_link(secret: Path, recorder: EventRecorder, *, before: bool = False) -> None:
    """Remember the record as it is now, and wait for the disk. Raises `WriteFailed`."""
    path = seen_of(secret)
    seen = Seen(recorder.n, recorder.head, "before" if before else None, _intent(recorder))
    try:
        torn = not _tail(path).endswith(b"\n")
        new = not path.exists()
        with open(path, "ab", buffering=0) as file:
            write(file, b"\n" * (torn and not new) + _encoder.encode(seen) + b"\n", path)
        if new:
            sync_folder(path)
    except OSError as error:
        raise WriteFailed(
            f"{path} cannot be written: {error.strerror}; without it no link is safe."
        ) from None


def _intent(recorder: EventRecorder) -> Intent | None:
    """Return what the next roll hangs on, with the links for it, if only links were recorded since."""
    reveals = recorder.fold.reveals
    if reveals is None or reveals.intent is None:
        return None
    behind = links_behind_intent(islice(recorder.events, reveals.intent, None))
    if reveals.intent + len(behind) < recorder.n:
        return None
    return Intent(reveals.intent, recorder.fold.heads[reveals.intent].decode(), _seats(behind))


def _seats(links: list[Event]) -> frozenset[str]:
    return frozenset(event.seat for event in links if isinstance(event, Reveal))


def check_links_seen(secret: Path, recorder: EventRecorder) -> None:
    """Raise `Damaged` unless every roll for which `secret` has given a link is the same here."""
    path = seen_of(secret)
    try:
        whole, _, _ = _tail(path).rpartition(b"\n")
    except OSError as error:
        raise NotReadable(f"{path} cannot be read: {error.strerror}.") from None
    if not whole:
        return
    try:
        last = msgspec.json.decode(whole.rpartition(b"\n")[2], type=Seen)
    except NO_JSON as error:
        raise BadSetup(
            f"{path} is not what dice reveal has written: {error}; compare the record by hand."
        ) from None
    if _is_at(recorder, last):
        return
    same = last.intent is not None and _is_at(recorder, last.intent)
    if last.intent and same and _has_the_links(recorder, last.intent):
        return
    revealed = (
        f"you revealed event {last.n}"
        if last.was is None
        else f"you began to reveal a link after event {last.n}"
    )
    way = (
        f"unite it with your copy: gamelog compare {quote(recorder.log.path)} YOURS --merge NEW"
        if same
        else "compare it with your copy"
    )
    raise Damaged(
        f"{recorder.log.path} is no longer the record in which {revealed}: reveal nothing more, and {way}."
    )


def _is_at(recorder: EventRecorder, place: Seen | Intent) -> bool:
    """Return whether the record has the head that was noted at this place."""
    heads = recorder.fold.heads
    return place.n < len(heads) and heads[place.n].decode() == place.head


def _has_the_links(recorder: EventRecorder, intent: Intent) -> bool:
    """Return whether all links noted are directly behind `intent`."""
    behind = links_behind_intent(islice(recorder.events, intent.n, None))
    return intent.seats <= _seats(behind)


def _tail(path: Path) -> bytes:
    """The end of the file with at least one whole line, beginning with a whole line; empty without one."""
    if not path.exists():
        return b""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        most = TAIL
        while most < size:
            file.seek(size - most)
            data = file.read().partition(b"\n")[2]
            if b"\n" in data:
                return data
            most *= 2
        file.seek(0)
        return file.read()
