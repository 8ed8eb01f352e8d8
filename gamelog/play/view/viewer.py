"""Viewers: the seats whose knowledge limits what is shown."""

from __future__ import annotations

from msgspec import Struct

from gamelog.play.telling.visibility import View, seats_in


class Viewer(Struct, frozen=True):
    """The seats whose knowledge limits what is shown: none (the whole table), one or several.

    Several seats together see only what each of them knows. Spectators are a viewer with all seats.
    """

    seats: tuple[str, ...] = ()

    @classmethod
    def of(cls, view: View) -> Viewer:
        """Return the viewer with the seats of `view`."""
        return cls(seats_in(view))

    @property
    def seat(self) -> str | None:
        """The seat of the viewer if it is one, or None for several seats and for the whole table."""
        return self.seats[0] if len(self.seats) == 1 else None


WHOLE_TABLE = Viewer()
"""The viewer from whom nothing is hidden: the scorer and the arbiter."""
