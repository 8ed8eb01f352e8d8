"""The tests of the kit, which every game must pass."""

from __future__ import annotations

import pytest

from gamelog.games.zone_control import GAME
from gamelog.testing.conformance import Conformance

pytestmark = pytest.mark.grid


class TestZoneControl(Conformance):
    game = GAME
    shown = frozenset({"siege"})
