"""``list``: events with their numbers, which of them do not stand, and which stands instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.record_view import RecordView
from gamelog_cli.typed_members import Misread

_USUAL = 10
"""How many events are listed where nobody says how many."""


class Listed(Struct, frozen=True):
    """Event `n` in a sentence. ``disposition``: whether it was taken back or corrected;
    ``now``: the event that stands in its place.
    """

    n: int
    text: str
    disposition: str = "stands"
    now: int | None = None

    def __str__(self) -> str:
        return f"{self.n}. {self.text}{self._mark}"

    @property
    def _mark(self) -> str:
        match self.disposition, self.now:
            case "stands", _:
                return ""
            case "corrected", None:
                return " (corrected)"
            case "corrected", now:
                return f" (corrected; event {now} stands in its place)"
            case "written again", now:
                return f" (written again as event {now}, behind the correction)"
        return f" ({self.disposition})"


def listed(view: RecordView, numbers: Iterable[int], written: Callable[[str], str] = str) -> Iterator[Listed]:
    """Yield a line for each event of these `numbers`; `written` says how names are written."""
    for n in numbers:
        text, standing = view.sentence(n, written), view.standing(n)
        if standing.state in ("stands", "withdrawn") or view.is_beside(n):
            yield Listed(n, text)
        elif standing.state != "corrected":
            yield Listed(n, text, "refused" if standing.state == "refused" else "taken back")
        else:
            again = bool(standing.now) and view.sentence(standing.now, written) == text
            yield Listed(n, text, "written again" if again else "corrected", standing.now or None)


def listing(recorder: EventRecorder, rest: str) -> Iterator[str]:
    """The last events, as many as `rest` says, a line each. Raises `Misread`."""
    if rest and not rest.isdecimal():
        raise Misread("write: list, or list N for the last N events")
    first = max(1, recorder.n - (int(rest) if rest else _USUAL) + 1)
    for line in listed(recorder.record_view, range(first, recorder.n + 1)):
        yield str(line)
