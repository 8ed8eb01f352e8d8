"""A record as a page shows it: without the hidden information of a game, or without everything about people.

A page that hides anything cannot contain the record, because the record contains everything. Instead it
contains the visible events, and a note about this.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from copy import copy
from typing import Literal

from gamelog.finding import Finding
from gamelog.play.fold import game_errors
from gamelog.play.fold.finding_codes import Status
from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.findings import mask_quotation
from gamelog.play.visibility.viewer import WHOLE_TABLE, Viewer
from gamelog.record.envelope import Seat
from gamelog.record.escaping import escape_invisible
from gamelog_reports.templates import cut

ShownStatus = Status | Literal["claim"]
"""The status of a record as readers see it: ``claim`` if the record is valid and a claim is open."""


class ShownRecord:
    """The parts of a record that a page shows to a viewer.

    ``view`` is None if the record cannot be replayed. The page of an ``anonymous`` record hides names, ids,
    tags, dates and free texts. With ``hides_seed``, the page leaves out the seed of future dice. With
    ``hides_secrets``, it leaves out the hidden information of an unfinished game. With ``hides_events``, it
    leaves out all events, because the secrets of a record that cannot be replayed are unknown.
    """

    def __init__(
        self,
        folded: FoldedRecord,
        viewer: Viewer = WHOLE_TABLE,
        *,
        hides_secrets: bool = False,
        hides_seed: bool = False,
        hides_events: bool = False,
    ) -> None:
        """Prepare the view of a folded record.

        Args:
            folded: The folded record.
            viewer: The viewer whose knowledge limits the page.
            hides_secrets: Whether hidden information of an unfinished game is left out.
            hides_seed: Whether the seed of future dice is left out.
            hides_events: Whether all events are left out, because no one knows what they reveal.
        """
        fold = folded.fold
        self.folded, self.header = folded, folded.record.header
        self.game = fold.game if fold else None
        self.viewer = viewer
        self.view = RecordView(fold, viewer, folded.unfolded_events) if fold else None
        self.anonymous, self.hides_secrets = folded.is_anonymous, hides_secrets
        self.hides_seed, self.hides_events = hides_seed, hides_events

    @classmethod
    def of(cls, folded: FoldedRecord, seat: str | None, reveal: bool) -> ShownRecord:
        """Return the parts of `folded` that its page shows to `seat`, or to everyone.

        Without `reveal`, the page of an unfinished game also leaves out hidden information and the seed of
        the dice. If the record cannot be replayed, the page also hides all
        events, because only the game knows what is hidden.
        """
        fold, header = folded.fold, folded.record.header
        unfinished = not reveal and (fold is None or fold.outcome is None)
        hides = not reveal and folded.hides_secrets
        hides_secrets = hides and fold is not None and seat is None
        return cls(
            folded,
            Viewer.of(seat or (header.seat_ids if header and hides_secrets else None)),
            hides_secrets=hides_secrets,
            hides_seed=unfinished and header is not None and header.dice.seed is not None,
            hides_events=hides and fold is None and bool(folded.record.bodies),
        )

    @property
    def status(self) -> ShownStatus:
        """The status of the record as readers see it."""
        status, claims = self.folded.status, self.view.open_claims if self.view else ()
        return "claim" if claims and status in ("ok", "ruled") else status

    @property
    def withheld(self) -> str:
        """The parts that are hidden by default, in words."""
        hidden = "the events" if self.hides_events else "hidden information" if self.hides_secrets else ""
        return " and ".join(filter(None, (hidden, "the seed of the dice" if self.hides_seed else "")))

    @property
    def is_whole(self) -> bool:
        """Whether nothing is hidden, so that the page can contain the record itself."""
        return not (self.viewer.seats or self.anonymous or self.hides_seed or self.hides_events)

    @property
    def findings(self) -> list[Finding]:
        """The findings about the record, without details that could reveal hidden information."""
        if self.hides_events:
            return [*map(mask_quotation, self.folded.findings)]
        view, findings = self.view, self.folded.findings
        return findings if view is None else [*map(view.shown_finding, findings)]

    def without_game(self, error: Exception) -> ShownRecord:
        """Return the record without its game, whose code failed with `error`.

        A viewer who does not see everything gets no findings if the code fails at them, too.
        """
        hides = self.viewer.seats or self.hides_events
        audience = game_errors.Audience.ANYONE if hides else game_errors.Audience.ALL_SEEING
        failed = game_errors.failure_finding(error, self.game, audience=audience)
        known = self.folded.findings
        if self.viewer.seats:
            known = []
            with suppress(Exception):
                known = self.findings
        alone = FoldedRecord(self.folded.record, None, [], [*known, failed], is_anonymous=self.anonymous)
        shown = copy(self)
        shown.folded, shown.game, shown.view = alone, None, None
        return shown

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats with the present players."""
        return self.view.people if self.view else self.header.seats if self.header else ()

    def seat_views(self) -> list[RecordView]:
        """Return the views of the seats that may see less than the page's viewer."""
        fold = self.folded.fold
        if fold is None or self.viewer.seats or not fold.game.hides:
            return []
        return [RecordView(fold, Viewer((seat,))) for seat in fold.header.seat_ids]

    def common_view(self) -> RecordView | None:
        """Return the view of what every seat knows: a page shows hidden things only to readers who ask."""
        fold = self.folded.fold
        if fold is None or self.viewer.seats or not fold.game.hides:
            return self.view
        return RecordView(fold, Viewer(fold.header.seat_ids))

    @property
    def people(self) -> dict[str, str]:
        """The names of the present players by seat, cut for one line."""
        return {person.seat: cut(self.name(person.seat, person.name)) for person in self.seats}

    def names_at(self, n: int) -> Callable[[str], str]:
        """Return the function that names the seats in a sentence about event `n`, each name on one line."""
        assert self.view is not None, "a record without a view shows no events"
        name_of, seats = self.view.names_at(n), {person.seat for person in self.seats}
        return lambda seat: cut(self.name(seat, name_of(seat))) if seat in seats else seat

    def name(self, seat: str, name: str) -> str:
        """Return the name of the player at `seat`, or the seat if there is no name to show."""
        return seat if self.anonymous else escape_invisible(name) or seat
