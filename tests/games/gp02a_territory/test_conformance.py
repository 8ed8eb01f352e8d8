"""What every game must keep to."""

from __future__ import annotations

import pytest

from gamelog.games.gp02a_territory import GAME
from gamelog.testing.conformance import Conformance

pytestmark = pytest.mark.grid


class TestTerritory(Conformance):
    game = GAME
