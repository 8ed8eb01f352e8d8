"""Commitments by a tap: a seat records a digest now, and reveals later what the digest is of.

No one can compute SHA-256 at a table. So the game lists what a seat can commit to, and the player's device
draws the salt, records the commitment and keeps the event that opens it. Neither the server nor another
player can know the choice before it is opened.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from msgspec import Struct, structs

from gamelog.record.envelope import Event

SALT = "{salt}"
"""Placeholder for the salt in a commitment's text and in the opening event."""

DIGEST = "{digest}"
"""Placeholder for the digest in the committing event."""


class Commitment(Struct, frozen=True):
    """One thing that a seat can commit to. The digest is SHA-256 in hexadecimal digits.

    Attributes:
        text: Input of the digest, which contains `SALT`.
        commit: Committing event; one of its members is `DIGEST`.
        open: Opening event; one of its members is `SALT`.
    """

    text: str
    commit: Event
    open: Event

    @property
    def label(self) -> str:
        """Text of the button: the members of the opening event without the salt."""
        own = type(self.open).__struct_fields__
        values = (getattr(self.open, name) for name in own if name not in Event.__struct_fields__)
        return " ".join(str(value) for value in values if value != SALT)

    def make_events(self, salt: str) -> tuple[Event, Event]:
        """Return the committing and the opening event with this salt."""
        digest = sha256(self.text.replace(SALT, salt).encode()).hexdigest()
        return _fill(self.commit, DIGEST, digest), _fill(self.open, SALT, salt)


class Commitments(Struct, frozen=True):
    """The choices that a seat can commit to now, or the digest that it must open now."""

    choices: tuple[Commitment, ...] = ()
    opens: str = ""


def no_commitments(_state: Any, _seat: str) -> Commitments:
    """Return no commitments, for games without commitments."""
    return Commitments()


def _fill(event: Event, place: str, word: str) -> Event:
    members = {name: word for name in event.__struct_fields__ if getattr(event, name) == place}
    return structs.replace(event, **members)
