"""The tests of the kit, which every game must pass."""

from __future__ import annotations

import pytest

from gamelog.games.gp02a_territory import GAME
from gamelog.testing.conformance import Conformance

pytestmark = pytest.mark.grid


class TestTerritory(Conformance):
    game = GAME
