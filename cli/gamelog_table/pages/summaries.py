"""Summaries of records for the lobby: status, players to move, points, and the time of the last event.

A summary is made once for each state of a file, in the background, so that a lobby of many records opens at
once and costs little to refresh.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from time import monotonic, time
from typing import Literal

from msgspec import Struct

from gamelog.errors import GamelogError
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import ARBITER
from gamelog_table.access.links import Grant
from gamelog_table.access.permissions import rolling_seats
from gamelog_table.live.followers import NO_DELAY
from gamelog_table.record.served_folder import ServedFolder
from gamelog_table.record.served_record import ServedRecord

REFRESH_SECONDS = 1.0
"""Minimum time between two searches for changed records."""

WAIT_SECONDS = 0.08
"""Time for which an answer waits for the summaries of changed records."""

DELAYED_SECONDS = 10
"""Seconds between two summaries of a record that spectators follow some minutes behind."""

Status = Literal["waiting", "running", "paused", "over", "unknown"]

ArbiterTask = Literal["claim", "illegal", "takeback", "position"]
"""Kinds of things that wait for the arbiter: a claim, an illegal event, an answer, a declared position."""


class Summary(Struct, frozen=True, omit_defaults=True):
    """The state of a game in one line.

    Attributes:
        status: Waiting (no event of play yet), running, paused, over, or unknown if the record cannot be
            judged.
        last: Number of the last event.
        at: Time of the last event in ms since 1970.
        by: Seats to move or to roll.
        winners: Seats that have won.
        score: Points by seat.
        names: People by seat.
        for_arbiter: What waits for the arbiter, each kind with the number of its newest event.
        asked_by: The authors of these newest events.
    """

    status: Status
    last: int = 0
    at: int = 0
    by: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    score: Mapping[str, int] = {}
    names: Mapping[str, str] = {}
    for_arbiter: Mapping[ArbiterTask, int] = {}
    asked_by: Mapping[ArbiterTask, str] = {}


def summary_of(view: RecordView) -> Summary:
    """Return the summary of a record as its viewer may see it."""
    now = view.current
    outcome = now.pending.outcome
    time = int(datetime.fromisoformat(view.header.started).timestamp() * 1000) + view.real_time
    status: Status = "running" if view.is_running else "paused"
    if outcome:
        status = "over"
    elif all(view.is_outside_play(n) for n in range(1, view.last_number + 1)):
        status = "waiting"
    asked = _for_arbiter(view)
    return Summary(
        status,
        view.last_number,
        time,
        _to_act(view),
        tuple(outcome.winners) if outcome else (),
        now.score,
        now.names,
        asked,
        {kind: str(view.event(n)["by"]) for kind, n in asked.items()},
    )


def _for_arbiter(view: RecordView) -> dict[ArbiterTask, int]:
    """Return the kinds of tasks of the arbiter, each with the number of its newest event."""
    asked: dict[ArbiterTask, list[int]] = {
        "claim": [*view.open_claims],
        "illegal": [n for n in view.disputed_events if view.event(n)["by"] != ARBITER],
        "takeback": [n for n, offer in view.offers.items() if ARBITER in offer.waiting],
        "position": [] if view.unknown_since is None else [view.unknown_since],
    }
    return {kind: max(numbers) for kind, numbers in asked.items() if numbers}


def _to_act(view: RecordView) -> tuple[str, ...]:
    """Return the seats that decide or roll next. The table's roll is by the seats of its dice."""
    pending, seats = view.pending, view.header.seat_ids
    if pending.by or not pending.chance:
        return pending.by
    if pending.chance.by in seats:
        return (pending.chance.by,)
    dice = tuple(dict.fromkeys(draw.seat for draw in pending.chance.draws if draw.seat))
    return dice or rolling_seats(view)


class Summaries:
    """The summaries of the records of `folder`, for two kinds of viewers: the whole table, and spectators."""

    def __init__(self, folder: ServedFolder) -> None:
        self._folder = folder
        self._known: dict[tuple[str, bool], tuple[tuple[int, ...], Summary]] = {}
        self._updated_at = {False: 0.0, True: 0.0}
        self._tasks: dict[bool, asyncio.Task[None]] = {}

    async def current(self, *, whole: bool) -> dict[str, Summary]:
        """Return the known summaries by name, after a short wait for the summaries of changed records.

        With `whole`, viewers of the whole table get them, otherwise spectators. Delayed spectators see the
        records as they were some time ago. They wait for the first summary of each record only, and other
        summaries are made after their answer, because its time would show when someone records an event.
        """
        waits = whole or self._folder.delay == NO_DELAY or self._lacks_summary()
        task = self._tasks.get(whole)
        if (task is None or task.done()) and monotonic() - self._updated_at[whole] >= REFRESH_SECONDS:
            self._updated_at[whole] = monotonic()
            task = self._tasks[whole] = asyncio.create_task(self._update(whole, 0 if waits else WAIT_SECONDS))
        if task is not None and not task.done() and waits:
            await asyncio.wait([task], timeout=WAIT_SECONDS)
        return {name: summary for (name, kind), (_, summary) in self._known.items() if kind == whole}

    def _lacks_summary(self) -> bool:
        """Return whether a record has no summary for spectators yet."""
        return any((name, False) not in self._known for name in self._folder.names())

    async def _update(self, whole: bool, pause: float) -> None:
        """Make the summaries of new and changed records after a `pause`, and forget removed records."""
        await asyncio.sleep(pause)
        places = self._folder.names()
        for name, kind in [*self._known]:
            if name not in places:
                self._known.pop((name, kind), None)
        for name, path in places.items():
            with suppress(OSError):
                key = self._key(path, whole=whole)
                if self._known.get((name, whole), (None, None))[0] != key:
                    self._known[name, whole] = key, await self._make(name, path, whole=whole)

    def _key(self, path: Path, *, whole: bool) -> tuple[int, ...]:
        """Return numbers that change when the summary of the record at `path` can change.

        Raises:
            OSError: The file is gone.
        """
        status = os.stat(path)
        minutes = 0.0 if whole else self._folder.delay.minutes
        is_behind = time() < status.st_mtime + 60 * minutes + DELAYED_SECONDS
        tick = int(time() / DELAYED_SECONDS) if minutes and is_behind else 0
        return status.st_size, status.st_mtime_ns, status.st_ino, tick

    async def _make(self, name: str, path: Path, *, whole: bool) -> Summary:
        """Return the summary of a record. A record that no device has open is read and dropped again."""
        record = self._folder.requested_record(name)
        if record is None:
            record = ServedRecord(path, name)
            await record.open()
        grant = Grant("scorer" if whole else "spectator")
        try:
            return await record.ask(summary_of, grant, NO_DELAY if whole else self._folder.delay)
        except GamelogError:
            return Summary("unknown")
        except Exception:  # the code of a game failed: its record says so when it is opened
            return Summary("unknown")
