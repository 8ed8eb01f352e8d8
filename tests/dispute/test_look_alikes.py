"""An incident is shown alike in records that look alike to the viewer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from gamelog.dispute.incident import Incident, incident, last_incident
from gamelog.dispute.incident_words import incident_words
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.envelope import Event, Header
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from tests.play.tables import not_none
from tests.shares import examples
from tests.table.illegal_endings import varied_pairs


def judged(header: Header, events: list[Event], game: AnyGame) -> FoldedRecord:
    return fold_record(parse_record(compose(header, events)[0]), game)


def shown(folded: FoldedRecord, viewer: Viewer, first: int) -> Iterator[tuple[int, Incident, object]]:
    """Yield the incidents of the events from `first` on that `viewer` sees whole, and their sentences."""
    fold = not_none(folded.fold)
    now = RecordView(fold, viewer, folded.unfolded_events)
    for n in range(first, last_incident(folded) + 1):
        if now.sees_whole(n):
            happened = incident(folded, n, viewer)
            yield n, happened, incident_words(happened, folded, repr, lambda due: repr(due.draws))


def check_incidents(game: AnyGame, most: int, players: int | None = None) -> None:
    """Assert that incidents are shown alike in both records of at most `most` pairs, to the seat and to all."""
    done = 0
    for seat, header, records in islice(varied_pairs(game, 1, players), most):
        for at, (events, others) in enumerate(records):
            one, twin = judged(header, events, game), judged(header, others, game)
            first = len(events) - 1 if at else 1
            for viewer in (Viewer((seat,)), Viewer(header.seat_ids)):
                for found, alike in zip(shown(one, viewer, first), shown(twin, viewer, first), strict=True):
                    assert found == alike, (viewer, len(events))
                    done += 1
    assert done, "no two records look alike to anybody"


def test_incidents_are_shown_alike_in_records_that_look_alike() -> None:
    check_incidents(find("zone_s"), examples(30))
