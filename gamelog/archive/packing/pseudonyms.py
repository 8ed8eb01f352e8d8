"""What people are called where their names shall not be told."""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Iterable
from hashlib import sha256
from uuid import UUID

from gamelog.record.envelope import Seat
from gamelog.record.names import same_name


class Pseudonyms:
    """A name for each player, the same wherever the same records are told of.

    It is keyed with the digests of all records: who has only what was published cannot try names
    until one fits. Who has the records can, but knows the names anyway.
    """

    def __init__(self, heads: Iterable[str | None]) -> None:
        self._key = sha256("".join(sorted(head for head in heads if head)).encode()).hexdigest().encode()

    def of(self, player: str) -> str:
        """What to call `player`, which is whatever tells players apart: an id, or else a name."""
        made = hmac.new(self._key, player.encode(), "sha256").digest()
        return f"Player {b32encode(made).decode()[:6]}"

    def player(self, person: Seat) -> str:
        """Return the pseudonym of a person; somebody of whom nothing is known stays nobody in particular."""
        known = person.id or same_name(person.name)
        return self.of(known) if known else person.name

    def arbiter(self, name: str) -> str:
        """Whoever rules has a name like a player's, who may rule elsewhere."""
        return self.of(name)

    def record(self, id: str, /) -> str:
        """Return the id of a record whose own id a person typed."""
        made = hmac.new(self._key, b"record " + id.encode(), "sha256").digest()
        return str(UUID(bytes=made[:16], version=4))
