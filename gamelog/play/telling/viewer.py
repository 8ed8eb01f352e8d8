"""Viewers: the seats whose knowledge limits what is shown."""

from __future__ import annotations

from msgspec import Struct


class Viewer(Struct, frozen=True):
    """The seats whose knowledge limits what is shown: none (the whole table), one or several.

    Several seats together see only what each of them knows. Spectators are a viewer with all seats.
    """

    seats: tuple[str, ...] = ()

    @classmethod
    def of(cls, seats: str | tuple[str, ...] | None) -> Viewer:
        """Return the viewer with one seat or several, or the whole table for None."""
        return cls((seats,) if isinstance(seats, str) else seats or ())

    @property
    def seat(self) -> str | None:
        """The seat of the viewer if it is one, or None for several seats and for the whole table."""
        return self.seats[0] if len(self.seats) == 1 else None


WHOLE_TABLE = Viewer()
"""The viewer from whom nothing is hidden: the scorer and the arbiter."""
