"""Events that a link records, and their confirmation."""

from __future__ import annotations

from typing import Any

from gamelog.errors import GamelogError, RecordError, WriteFailed
from gamelog.play.fold.game_errors import Audience, describe_failure, error_text
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.recording.setup_pause import setup_pause
from gamelog.play.view.record_view import RecordView
from gamelog.record.record_file import Ack
from gamelog_table.access.links import Grant
from gamelog_table.events.request_events import authorize_events
from gamelog_table.live.followers import NO_DELAY
from gamelog_table.net.denied import UNREADABLE, Denied
from gamelog_table.record.served_record import ServedRecord
from gamelog_table.record.worker_thread import GAME_TOO_SLOW

GAME_TOO_SLOW_CONFIRMATION = "The event is recorded, but the code of this game took too long and was stopped."
"""The confirmation of an event that the game's code took too long to describe."""


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

    def append_admitted(recorder: EventRecorder) -> tuple[Ack, str]:
        authorize_events(proposals, grant, recorder)
        done.extend(recorder.append([*setup_pause(recorder, proposals[0]), *proposals], expect=expect))
        seats = grant.viewer(recorder.record_view.header.seat_ids).seats
        return done[-1], confirmation(record.view(seats, NO_DELAY), done[-1].n)

    try:
        return await record.change(append_admitted, grant)
    except Denied as error:
        if not done or error.code != GAME_TOO_SLOW:
            raise
        return done[-1], GAME_TOO_SLOW_CONFIRMATION
    except GamelogError as error:
        quoting = isinstance(error, RecordError) and not isinstance(error, WriteFailed)
        if grant.sees_all or not (quoting or error is record.problem):
            raise
        raise record.shown_problem(whole=False) or Denied("table.unreadable", UNREADABLE) from None


def confirmation(view: RecordView, n: int) -> str:
    """Return the sentence about event `n`, which is on the disk, or why the game's code cannot give it."""
    try:
        return view.sentence(n)
    except Exception as error:  # the game's code failed, but the event is recorded
        audience = Audience.ANYONE if view.viewer.seats else Audience.ALL_SEEING
        failure = describe_failure(error, view.game, audience)
        reason = failure or f"the program cannot describe it: {error_text(error, view.game, audience)}"
        return f"The event is recorded, but {reason}."
