"""Events that a link records, and their confirmation."""

from __future__ import annotations

from typing import Any

from gamelog.errors import GamelogError, RecordError, WriteFailed
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.record_file import Ack
from gamelog_table.confirmations import STOPPED, confirmation
from gamelog_table.followers import Delay
from gamelog_table.links import Grant
from gamelog_table.proposals import admit
from gamelog_table.responses import UNREADABLE, Denied
from gamelog_table.served_record import ServedRecord
from gamelog_table.worker_thread import GAME_TOO_SLOW


async def append_events(
    record: ServedRecord, proposals: list[dict[str, Any]], expect: int | None, grant: Grant
) -> tuple[Ack, str]:
    """Record the events proposed with the link of `grant`, all or none.

    Return the confirmation of the last event, once it is on the disk, and its sentence as far as the writer
    can know it. An event on the disk is confirmed even if the code of the game then fails to describe it.

    Args:
        record: The record.
        proposals: The events, as they were sent.
        expect: The number of the last event that the writer knows, or None.
        grant: The permission of the writer's link.

    Raises:
        Denied: The link cannot record the events.
        GamelogError: The events are refused or cannot be written.
    """
    done: list[Ack] = []

    def written(recorder: EventRecorder) -> tuple[Ack, str]:
        admit(proposals, grant, recorder)
        done.extend(recorder.append(proposals, expect=expect))
        seats = grant.viewer(recorder.fold.header.seat_ids).seats
        return done[-1], confirmation(record.view(seats, Delay()), done[-1].n)

    try:
        return await record.change(written, grant)
    except Denied as error:
        if not done or error.code != GAME_TOO_SLOW:
            raise
        return done[-1], STOPPED
    except GamelogError as error:
        quoting = isinstance(error, RecordError) and not isinstance(error, WriteFailed)
        if grant.sees_all or not (quoting or error is record.problem):
            raise
        raise record.shown_problem(whole=False) or Denied("table.unreadable", UNREADABLE) from None
