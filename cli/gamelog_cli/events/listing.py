"""``list``: events with their numbers, and the state of events that do not count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from gamelog.message import Message
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.record_view import RecordView
from gamelog_cli.errors import Misread
from gamelog_cli.printing.language import current_locale, text_of

_DEFAULT_LENGTH = 10
"""Default number of events in a list."""


class ListedEvent(Struct, frozen=True):
    """Line of the list: the number of an event, its sentence and its state.

    Attributes:
        disposition: ``stands``, ``taken back``, ``corrected``, ``written again`` or ``refused``.
        now: Number of the event that replaces it.
        disputed: Whether the event counts although it was illegal, or declares the position, without a
            ruling.
    """

    n: int
    text: str
    disposition: str = "stands"
    now: int | None = None
    disputed: bool = False

    def __str__(self) -> str:
        remark = self._remark
        return f"{self.n}. {self.text}" + (f" ({text_of(remark)})" if remark else "")

    @property
    def _remark(self) -> Message | None:
        """The reason why the event does not count or is disputed, or None."""
        if self.disputed:
            return Message.of("disputed")
        match self.disposition, self.now:
            case "stands", _:
                return None
            case "corrected", None:
                return Message.of("corrected")
            case "corrected", now:
                return Message.of("corrected: event {n} replaces it", n=now)
            case "written again", now:
                return Message.of("recorded again as event {n}, after the correction", n=now)
            case "refused", _:
                return Message.of("refused")
        return Message.of("taken back")


def listed_events(
    view: RecordView, numbers: Iterable[int], written: Callable[[str], str] = str
) -> Iterator[ListedEvent]:
    """Yield a line for each event of these `numbers`. `written` converts names."""
    locale = current_locale()
    for n in numbers:
        text, status = view.sentence(n, written, locale=locale), view.event_status(n)
        if status.state in ("stands", "withdrawn") or view.is_outside_play(n):
            yield ListedEvent(n, text, disputed=status.is_disputed)
        elif status.state != "corrected":
            yield ListedEvent(n, text, "refused" if status.state == "refused" else "taken back")
        else:
            again = (
                bool(status.replaced_by) and view.sentence(status.replaced_by, written, locale=locale) == text
            )
            yield ListedEvent(n, text, "written again" if again else "corrected", status.replaced_by or None)


def list_lines(recorder: EventRecorder, rest: str) -> Iterator[str]:
    """Yield a line for each of the last events.

    Args:
        recorder: The record, which is listed as far as it may be shown here.
        rest: The typed number of events; an empty text for the usual number.

    Raises:
        Misread: `rest` is not a number.
    """
    if rest and not rest.isdecimal():
        raise Misread("Type list, or list N for the last N events.")
    first = max(1, recorder.n - (int(rest) if rest else _DEFAULT_LENGTH) + 1)
    for line in listed_events(recorder.record_view, range(first, recorder.n + 1)):
        yield str(line)
