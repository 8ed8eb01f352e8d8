"""What every game must keep to."""

from __future__ import annotations

from gamelog.games.zone_control import GAME
from gamelog.testing.conformance import Conformance


class TestZoneControl(Conformance):
    game = GAME
    shown = frozenset({"siege"})
