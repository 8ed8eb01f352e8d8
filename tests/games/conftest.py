"""The share of the kit that an ordinary run of the tests tries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gamelog.testing.kit import random_games
from tests import shares


@pytest.fixture(scope="module", autouse=True)
def _fewer_games(pytestconfig: pytest.Config) -> Iterator[None]:
    """Reduce the kit to a share of its random games, states and malformed events. It still tries each option."""
    with pytest.MonkeyPatch.context() as patch:
        if not pytestconfig.getoption("--grids"):
            for name in ("GAMES_PER_PLAYER_COUNT", "MAX_SLOW_POSITIONS", "STATES_TRIED", "UNPLAYED_TRIED"):
                patch.setattr(random_games, name, getattr(shares, name))
        yield
