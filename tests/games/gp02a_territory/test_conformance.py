"""What every game must keep to."""

from __future__ import annotations

from gamelog.games.gp02a_territory import GAME
from gamelog.testing.conformance import Conformance


class TestTerritory(Conformance):
    game = GAME
