"""The parts of a record that a page hides: the hidden information of a game, or everything about people.

A page that hides anything cannot contain the record, because the record contains everything. Instead it
contains the visible events, and a note about this.
"""

from __future__ import annotations

from msgspec import Struct

from gamelog.finding import Finding
from gamelog.play.judging.replay import FoldedRecord
from gamelog.play.telling.visibility import View, mask_quotation, running_view, seats_in
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.viewer import Viewer
from gamelog.record.escaping import escape_invisible


class Privacy(Struct, frozen=True):
    """The parts that a page hides.

    ``seat`` is a seat or several: the page hides everything that one of them cannot see. An ``anonymous``
    page hides names, ids, tags, dates and free texts, and a ``seedless`` page the seed of future dice. If a
    record cannot be replayed, its secrets are unknown, and an ``eventless`` page hides all its events.
    """

    seat: View = None
    anonymous: bool = False
    seedless: bool = False
    eventless: bool = False

    @classmethod
    def of(cls, replayed: FoldedRecord, seat: str | None, reveal: bool) -> Privacy:
        """Return the parts of `replayed` that a page hides.

        Without `reveal`, the page of an unfinished game also hides the information that players hide from
        each other and the seed of the dice. If the record cannot be replayed, the page also hides all
        events, because only the game knows what is hidden.
        """
        fold, header = replayed.fold, replayed.record.header
        if fold is None and not reveal:
            seedless = header is not None and header.dice.seed is not None
            return cls(seat, replayed.anonymous, seedless, bool(replayed.record.bodies))
        if reveal or fold is None or fold.outcome is not None:
            return cls(seat, replayed.anonymous)
        view = seat if seat is not None else running_view(fold)
        return cls(view, replayed.anonymous, seedless=fold.header.dice.seed is not None)

    @property
    def withheld(self) -> str:
        """The parts that are hidden by default, in words."""
        hidden = "hidden information" if isinstance(self.seat, tuple) else ""
        hidden = "the events" if self.eventless else hidden
        seed = "the seed of the dice" if self.seedless else ""
        return " and ".join(filter(None, (hidden, seed)))

    @property
    def open(self) -> bool:
        """Whether nothing is hidden, so that the page can contain the record itself."""
        return not (seats_in(self.seat) or self.anonymous or self.seedless or self.eventless)

    def name(self, seat: str, name: str) -> str:
        """Return the name of the player at `seat`, or the seat if there is no name to show."""
        return seat if self.anonymous else escape_invisible(name) or seat

    def findings(self, replayed: FoldedRecord) -> list[Finding]:
        """Return the findings of `replayed`, without details that could reveal hidden information."""
        if self.eventless:
            return [mask_quotation(found) for found in replayed.findings]
        if not seats_in(self.seat) or replayed.fold is None:
            return replayed.findings
        view = RecordView(replayed.fold, Viewer.of(self.seat), replayed.unfolded)
        return [view.shown_finding(found) for found in replayed.findings]
