"""Pseudonyms for people, and records with pseudonyms instead of names.

`gamelog.play.recording.anonymity` replaces the names in a record.
"""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Iterable
from hashlib import sha256
from uuid import UUID

from gamelog.play.judging.replay import replay
from gamelog.play.recording.anonymity import without_people
from gamelog.record.envelope import Seat
from gamelog.record.names import name_key
from gamelog.record.reading import Record


class Pseudonyms:
    """The pseudonyms for a set of records. The same records always give the same pseudonyms.

    They depend on a key made of the digests of all records. So people who have only the published pack cannot
    find a name by trying many names. People who have the records can, but they know the names already.
    """

    def __init__(self, heads: Iterable[str | None]) -> None:
        """Make the key from the digests of the records' last lines."""
        self._key = sha256("".join(sorted(head for head in heads if head)).encode()).hexdigest().encode()

    def of(self, player: str) -> str:
        """Return the pseudonym of `player`, which is an id, or a name if there is no id."""
        made = hmac.new(self._key, player.encode(), "sha256").digest()
        return f"Player {b32encode(made).decode()[:6]}"

    def player(self, person: Seat) -> str:
        """Return the pseudonym of a person, or their name if they have no id and no name to replace."""
        known = person.id or name_key(person.name)
        return self.of(known) if known else person.name

    def arbiter(self, name: str) -> str:
        """Return the pseudonym of an arbiter, which is the same as for a player of that name."""
        return self.of(name)

    def record(self, id: str, /) -> str:
        """Return a new id for a record whose id a person typed."""
        made = hmac.new(self._key, b"record " + id.encode(), "sha256").digest()
        return str(UUID(bytes=made[:16], version=4))


def anonymise(record: Record, people: Pseudonyms) -> bytes | None:
    """Return the bytes of `record` with pseudonyms instead of names.

    None if the record cannot be read to its end, or if its game is not installed.
    """
    if record.problem:
        return None
    replayed = replay(record)
    if replayed.fold is None or len(replayed.readable) < len(record.bodies):
        return None
    return without_people(replayed, people)
