"""What every game must keep to."""

from __future__ import annotations

from gamelog.games.slicewars import GAME
from gamelog.testing.conformance import Conformance


class TestSliceWars(Conformance):
    game = GAME
