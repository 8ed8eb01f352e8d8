"""What every game must keep to."""

from __future__ import annotations

import pytest

from gamelog.games.slicewars import GAME
from gamelog.testing.conformance import Conformance

pytestmark = pytest.mark.grid


class TestSliceWars(Conformance):
    game = GAME
