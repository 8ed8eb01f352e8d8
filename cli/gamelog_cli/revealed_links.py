"""SECRET.seen: what a record was whenever a link of this secret was revealed to it.

A link that somebody has may let him choose another intent for it. So before a link is written, the
head of the record is noted here and on the disk, and again with the link in it. A record that does
not extend the last head noted gets no other link, be it that a process was killed in between.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import msgspec

from gamelog.errors import NO_JSON, BadSetup, Damaged, NotReadable, WriteFailed
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.disk import sync_folder, write

TAIL = 4096
"""Bytes from the end of the file in which its last line is looked for; a line has about a hundred."""


class Seen(msgspec.Struct, frozen=True):
    """The record had this `head` after event `n` before a link was written or (`was`: None) with it."""

    n: int
    head: str
    was: Literal["before"] | None = None


_encoder = msgspec.json.Encoder()


def seen_of(secret: Path) -> Path:
    """The file beside a secret."""
    return secret.with_name(f"{secret.name}.seen")


def note_link(secret: Path, n: int, head: str, *, before: bool = False) -> None:
    """Remember that the record has this head after event `n`, and wait for the disk. Raises `WriteFailed`."""
    path = seen_of(secret)
    members = {"n": n, "head": head} | ({"was": "before"} if before else {})
    try:
        torn = not _tail(path).endswith(b"\n")
        new = not path.exists()
        with open(path, "ab", buffering=0) as file:
            write(file, b"\n" * (torn and not new) + _encoder.encode(members) + b"\n", path)
        if new:
            sync_folder(path)
    except OSError as error:
        raise WriteFailed(
            f"{path} cannot be written: {error.strerror}; without it no link is safe."
        ) from None


def check_links_seen(secret: Path, recorder: EventRecorder) -> None:
    """Raises `Damaged` unless the record extends what it was when a link of `secret` was revealed last."""
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
    heads = recorder.fold.heads
    if last.n >= len(heads) or heads[last.n].decode() != last.head:
        revealed = (
            f"you revealed event {last.n}"
            if last.was is None
            else f"you began to reveal a link after event {last.n}"
        )
        raise Damaged(
            f"{recorder.log.path} is no longer the record in which {revealed}: reveal nothing more, and "
            "compare it with your copy."
        )


def _tail(path: Path) -> bytes:
    """The end of the file, beginning with a whole line where it is not all of it; empty without one."""
    if not path.exists():
        return b""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - TAIL))
        data = file.read(TAIL)
    return data if size <= TAIL else data.partition(b"\n")[2]
