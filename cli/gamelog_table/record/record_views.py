"""Views of a served record: what each link may know of it, up to an event."""

from __future__ import annotations

from gamelog.message import Message
from gamelog.play.judging.prefixes import Prefix
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.record_view import RecordView, ViewCache
from gamelog.play.view.status_history import StatusHistory
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.envelope import Seat
from gamelog_table.live.followers import Delay
from gamelog_table.net.denied import Denied
from gamelog_table.record.earlier_positions import EarlierEvents


class RecordViews:
    """The views of a record, also of spectators with a delay, and what was known after each event."""

    def __init__(self) -> None:
        self._views = ViewCache()
        self._prefix: Prefix | None = None
        self._past_statuses: StatusHistory | None = None

    def view(self, recorder: EventRecorder, seats: tuple[str, ...], n: int) -> RecordView:
        """Return the first `n` events of `recorder` as `seats` can know them."""
        if n >= recorder.n:
            return recorder.view_by(Viewer(seats))
        if self._prefix is None or not self._prefix.is_of(recorder.fold):
            self._prefix = Prefix(recorder.fold)
        fold = self._prefix.fold_until(n)
        return self._views.view(fold, Viewer(seats), recorder.events[fold.n : n])

    def past_status(self, recorder: EventRecorder) -> StatusHistory:
        """Return the findings and corrections that were known after each event of `recorder`."""
        if self._past_statuses is None or not self._past_statuses.prefix.is_of(recorder.fold):
            self._past_statuses = StatusHistory(Prefix(recorder.fold))
        return self._past_statuses


def people_at(recorder: EventRecorder, n: int) -> tuple[Seat, ...]:
    """Return the people at the seats after event `n`, or after the last event before it that counts."""
    return recorder.fold.session_at(min(n, recorder.fold.n)).seats


def events_until(recorder: EventRecorder, view: RecordView, n: int) -> EarlierEvents:
    """Return the first `n` events of `recorder` for the viewer of `view`.

    Raises:
        Denied: Event `n` is not visible.
    """
    if n > view.last_number:
        raise Denied(
            "table.no_event",
            Message.of(
                "There is no event {at} yet. The last event is event {shown}.", at=n, shown=view.last_number
            ),
        )
    return EarlierEvents(Prefix(recorder.fold), view.viewer, recorder.events[:n], recorder.failed_finding)


def last_shown(recorder: EventRecorder, n: int, delay: Delay) -> int:
    """Return the last of the first `n` events that a spectator with `delay` can see; after the game, `n`."""
    if recorder.fold.outcome:
        return n
    started, real_time = recorder.fold.header.started, recorder.fold.real_time
    return delay.last_shown(n, started, lambda number: real_time(recorder.events[number - 1]))
