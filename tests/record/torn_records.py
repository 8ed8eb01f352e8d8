"""A record with a torn end, and the event that its recovery records."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NoReturn

from gamelog.record.envelope import Event
from gamelog.record.record_file import RecordFile, compose
from gamelog.record.recovery import SavedTail, recover
from tests.record.sample import HEADER, Move, moves

GOOD, _ = compose(HEADER, moves(3))
WHOLE, _ = compose(HEADER, moves(5))
TAIL = WHOLE[len(GOOD) : len(GOOD) + 60]
STEPS = ("open", "write", "fsync", "ftruncate", "rename", "unlink")


def aside(log: RecordFile, size: int, digest: str) -> Event:
    return Move(log.n + 1, log.t, "table", f"{size} {digest}")


def recovered(path: Path) -> SavedTail:
    """Return a record whose torn tail was recovered."""
    [done] = recover(path, aside)
    assert isinstance(done, SavedTail)
    return done


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def beside(path: Path) -> dict[str, bytes]:
    """Return the files whose names begin with the record's name, by the rest of the name."""
    return {
        entry.name.removeprefix(path.name): entry.read_bytes()
        for entry in path.parent.iterdir()
        if entry != path
    }


def interrupted(*_: object) -> NoReturn:
    raise ZeroDivisionError
