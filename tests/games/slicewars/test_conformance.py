"""The tests of the kit, which every game must pass."""

from __future__ import annotations

import pytest

from gamelog.games.slicewars import GAME
from gamelog.testing.conformance import Conformance

pytestmark = pytest.mark.grid


class TestSliceWars(Conformance):
    game = GAME
