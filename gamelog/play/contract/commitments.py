"""Commitments by a tap: a seat writes down a digest now, and later what it is the digest of.

Nobody can reckon SHA-256 at a table. The game says what a seat can commit itself to. The device
of the player draws the salt, writes the commitment down, and keeps what opens it: neither the server nor
another player can know the choice before it is opened.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from msgspec import Struct, structs

from gamelog.record.envelope import Event

SALT = "{salt}"
"""Where the salt goes in a commitment's text and in the event that opens it."""

DIGEST = "{digest}"
"""Where the digest goes in the event that commits."""


class Commitment(Struct, frozen=True):
    """One thing that a seat can commit itself to.

    ``text``: what the digest is made of, `SALT` in it. The digest is SHA-256 in hexadecimal digits.
    ``commit``: the event that commits, a member of which is `DIGEST`. ``open``: the event that opens it, a
    member of which is `SALT`.
    """

    text: str
    commit: Event
    open: Event

    @property
    def label(self) -> str:
        """What the button says: the members of the opening event without the salt."""
        own = type(self.open).__struct_fields__
        values = (getattr(self.open, name) for name in own if name not in Event.__struct_fields__)
        return " ".join(str(value) for value in values if value != SALT)

    def sealed(self, salt: str) -> tuple[Event, Event]:
        """Return the committing and the opening event with this salt."""
        digest = sha256(self.text.replace(SALT, salt).encode()).hexdigest()
        return _filled(self.commit, DIGEST, digest), _filled(self.open, SALT, salt)


class Commitments(Struct, frozen=True):
    """What a seat can commit itself to now, or the digest that it has to open now."""

    choices: tuple[Commitment, ...] = ()
    opens: str = ""


def no_commitments(_state: Any, _seat: str) -> Commitments:
    """Return the commitments of a game that has none."""
    return Commitments()


def _filled(event: Event, place: str, word: str) -> Event:
    members = {name: word for name in event.__struct_fields__ if getattr(event, name) == place}
    return structs.replace(event, **members)
