"""The conformance kit."""

from __future__ import annotations

import pytest

from gamelog.games.zone_s import GAME
from gamelog.testing.conformance import Conformance

pytestmark = pytest.mark.grid


class TestZoneS(Conformance):
    game = GAME
