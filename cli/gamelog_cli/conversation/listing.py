"""``list``: events with their numbers, which of them do not stand, and which stands instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from gamelog.play.fold.common import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.rewritten import is_step, rewritten
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import Event
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


def listed(
    fold: Fold, events: Sequence[Event], numbers: Iterable[int], text: Callable[[int], str]
) -> Iterator[Listed]:
    """The events of these `numbers`, each told by `text`."""
    stand, corrected, now = (
        set(fold.mainline()),
        fold.corrected(),
        rewritten(fold, events) if fold.slips else {},
    )
    for n in numbers:
        event = events[n - 1]
        if n in stand or (type(event) in COMMON and not is_step(fold, event)):
            yield Listed(n, text(n))
        elif n not in corrected:
            yield Listed(n, text(n), "taken back")
        else:
            again = n in now and text(now[n]) == text(n)
            yield Listed(n, text(n), "written again" if again else "corrected", now.get(n))


def listing(recorder: EventRecorder, rest: str) -> Iterator[str]:
    """The last events, as many as `rest` says, a line each. Raises `Misread`."""
    if rest and not rest.isdecimal():
        raise Misread("write: list, or list N for the last N events")
    first = max(1, recorder.n - (int(rest) if rest else _USUAL) + 1)
    for line in listed(recorder.fold, recorder.events, range(first, recorder.n + 1), recorder.text):
        yield str(line)
