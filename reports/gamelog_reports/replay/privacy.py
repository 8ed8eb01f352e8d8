"""Who may see what on a page: everybody everything, one seat its own view, or nobody's name.

A page that hides anything cannot carry the record, whose bytes hold it all; it carries the
events that may be seen instead, and says so.
"""

from __future__ import annotations

from msgspec import Struct

from gamelog.finding import Finding
from gamelog.play.judging.replay import FoldedRecord
from gamelog.play.telling.visibility import View, seats_in
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.viewer import Viewer
from gamelog.record.escaping import visible


class Privacy(Struct, frozen=True):
    """What is kept back: what `seat` (or, of several, any of them) does not see; if `anonymous`, names, ids,
    tags, dates and free texts; if `seedless`, the seed of dice that are still to be thrown.
    """

    seat: View = None
    anonymous: bool = False
    seedless: bool = False

    @classmethod
    def of(cls, replayed: FoldedRecord, seat: str | None, reveal: bool) -> Privacy:
        """Return what is kept back of `replayed` by default: while its game goes on, what players hide from
        each other and the seed of dice, unless `reveal`.
        """
        fold = replayed.fold
        if reveal or fold is None or fold.outcome is not None:
            return cls(seat, replayed.anonymous)
        view: View = seat if seat is not None else fold.header.seat_ids if fold.game.hides else None
        return cls(view, replayed.anonymous, seedless=fold.header.dice.seed is not None)

    @property
    def withheld(self) -> str:
        """What is kept back of a game that goes on though nobody asked for that, in words."""
        hidden = "what players hide from each other" if isinstance(self.seat, tuple) else ""
        seed = "the seed of the dice" if self.seedless else ""
        return " and ".join(filter(None, (hidden, seed)))

    @property
    def open(self) -> bool:
        """Nothing is hidden, so the page may carry the record itself."""
        return not (seats_in(self.seat) or self.anonymous or self.seedless)

    def name(self, seat: str, name: str) -> str:
        """What to call who sits at `seat`."""
        return seat if self.anonymous else visible(name) or seat

    def findings(self, replayed: FoldedRecord) -> list[Finding]:
        """Return the findings of `replayed`, without what could reveal hidden things."""
        if not seats_in(self.seat) or replayed.fold is None:
            return replayed.findings
        view = RecordView(replayed.fold, Viewer.of(self.seat), replayed.unfolded)
        return [view.shown_finding(found) for found in replayed.findings]
