"""Helpers for tests with two score sheets of one game."""

from msgspec import structs

from gamelog.record.envelope import Event, Header
from gamelog.record.reading import Record, parse_record
from gamelog.record.record_file import compose
from tests.play.tables import whole


def record(header: Header, events: list[Event], path: str = "a") -> Record:
    """Return the record with this header and these events."""
    return parse_record(compose(header, events)[0], path)


def sheets() -> tuple[Header, Header, list[Event]]:
    """Return two headers of one game, with other names and another start, and the events of the game."""
    head, events = whole()
    people = tuple(structs.replace(seat, name=seat.seat.upper()) for seat in head.seats)
    return head, structs.replace(head, id="other", seats=people, started="2026-02-02T02:02:02Z"), events
