"""A small event type and sample records, because the record layer does not know any game."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gamelog.record.envelope import DiceSpec, Event, Header, Seat
from gamelog.record.record_file import Ack, RecordFile, compose


class Move(Event, frozen=True, tag="move"):
    """An event of `by`; `data` is any data that a game may embed."""

    text: str = ""
    data: dict[str, Any] = {}


HEADER = Header(
    id="3b1c7a52-0f0e-4a55-9c0e-0d6c5a9b7f10",
    game="none",
    rules="1",
    started="2026-01-01T00:00:00Z",
    seats=(Seat("red", "Ana"), Seat("blue", "Jiří")),
    options={"size": 5},
    board={"name": "plain", "cells": ["a", "b"]},
    dice=DiceSpec("table"),
)


def moves(count: int, first: int = 1) -> list[Move]:
    """Return `count` moves numbered from `first`, of different lengths, some with text beyond ASCII."""
    return [
        Move(n, 10 * n, ("red", "blue")[n % 2], "žluťoučký "[: n % 11] + "x" * (n % 7))
        for n in range(first, first + count)
    ]


def write_record(path: Path, events: Iterable[Event]) -> bytes:
    """Write a record of `events` to `path` and return its bytes."""
    data, _ = compose(HEADER, events)
    path.write_bytes(data)
    return data


@contextmanager
def nobody(folder: Path) -> Iterator[None]:
    """Run a block as a user without rights who may only pass through `folder`, because root may do
    everything.
    """
    if os.geteuid() != 0:
        yield
        return
    through = stat.S_IXGRP | stat.S_IXOTH
    closed = [
        (above, above.stat().st_mode)
        for above in (folder, *folder.parents)
        if above.stat().st_mode & through != through
    ]
    for above, mode in closed:
        above.chmod(mode | through)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
        for above, mode in closed:
            above.chmod(mode)


def add(to: RecordFile, *events: Event) -> list[Ack]:
    with to.lock() as locked:
        return locked.append(events)


def noted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the names of all later writes and syncs."""
    calls: list[str] = []
    write, fsync = os.write, os.fsync

    def writing(file: int, data: bytes) -> int:
        calls.append("write")
        return write(file, data)

    def syncing(file: int) -> None:
        calls.append("fsync")
        fsync(file)

    monkeypatch.setattr(os, "write", writing)
    monkeypatch.setattr(os, "fsync", syncing)
    return calls
