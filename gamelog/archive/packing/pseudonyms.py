"""Pseudonyms for people, new ids for records, and records with them instead of names and ids.

`gamelog.play.anonymity.anonymous_record` replaces the names in a record.
"""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Iterator, Mapping
from secrets import token_bytes
from types import MappingProxyType
from uuid import UUID

import msgspec

from gamelog.archive.rows.people import person_key
from gamelog.play.anonymity.anonymous_record import without_people
from gamelog.play.fold.common_events import Amend, Substitute
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.envelope import ARBITER, Seat, tag_of
from gamelog.record.names import name_key
from gamelog.record.reading import Record

Person = tuple[str | None, str]
"""The `person_key` and the name of a person, as one record has them."""

_RENAMING = msgspec.json.Decoder(Substitute | Amend)
_RENAMING_TAGS = tuple(f'"do":"{tag_of(kind)}"'.encode() for kind in (Substitute, Amend))


class Pseudonyms:
    """The pseudonyms of people and the new ids of records in one output.

    They depend on a random key that is not kept. So no one can compute them, and two outputs of the same
    records have different pseudonyms and ids.
    """

    def __init__(self, people: Mapping[Person, str | None] = MappingProxyType({})) -> None:
        """Draw the key. `people` has the results of `identify_people` that differ from the key itself."""
        self._key = token_bytes(32)
        self._people = people

    def pseudonym_of(self, person: str) -> str:
        """Return the pseudonym of a person, given by any text that no other person has."""
        return f"Player {b32encode(self._digest('person', person)).decode()[:6]}"

    def player(self, person: Seat) -> str:
        """Return the pseudonym of the person at a seat, or their name if there is no name to replace."""
        key, name = known_person(person)
        person_key = self._people.get((key, name), key)
        return self.pseudonym_of(person_key) if person_key else person.name

    def arbiter(self, name: str) -> str:
        """Return the pseudonym of an arbiter, which is the same as for a player of that name."""
        return self.player(Seat(ARBITER, name))

    def record(self, id: str, /) -> str:
        """Return the new id of a record."""
        return str(UUID(bytes=self._digest("record", id)[:16], version=4))

    def _digest(self, kind: str, text: str) -> bytes:
        return hmac.new(self._key, f"{kind}\n{text}".encode(), "sha256").digest()


def known_person(seat: Seat) -> Person:
    """Return the key and name of the person at a seat, as `identify_people` expects them."""
    return person_key(seat), name_key(seat.name)


def people_of(record: Record) -> Iterator[Person]:
    """Yield all people who sat at the seats of a record, under all of their names."""
    if record.header is None:
        return
    seated = {seat.seat: seat for seat in record.header.seats if not seat.bot}
    yield from map(known_person, seated.values())
    for body in record.bodies:
        if not any(tag in body for tag in _RENAMING_TAGS):
            continue
        try:
            event = _RENAMING.decode(b"{" + body)
        except msgspec.DecodeError:  # a text that looks like such an event
            continue
        if isinstance(event, Substitute):
            changed = [Seat(event.seat, event.name, event.person)]
        else:
            changed = [
                Seat(
                    seat, seated[seat].name if names.name is None else names.name, names.id or seated[seat].id
                )
                for seat, names in event.seats.items()
                if seat in seated
            ]
        seated |= {seat.seat: seat for seat in changed}
        yield from map(known_person, changed)


def anonymise(record: Record, people: Pseudonyms) -> bytes | None:
    """Return the bytes of `record` with pseudonyms instead of names.

    None if the record cannot be read to its end, or if its game is not installed.
    """
    if record.problem:
        return None
    folded = fold_record(record)
    if folded.fold is None or len(folded.readable_events) < len(record.bodies):
        return None
    return without_people(folded, people)
