"""What every game must keep to."""

from __future__ import annotations

from gamelog.games.zone_s import GAME
from gamelog.testing.conformance import Conformance


class TestZoneS(Conformance):
    game = GAME
