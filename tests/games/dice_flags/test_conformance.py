"""The conformance kit."""

from __future__ import annotations

import pytest

from gamelog.games.dice_flags import GAME
from gamelog.testing.conformance import Conformance

pytestmark = pytest.mark.grid


class TestDiceFlags(Conformance):
    game = GAME
    shown = frozenset({"roll", "dice"})
