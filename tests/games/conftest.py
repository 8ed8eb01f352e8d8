"""How much of the kit the ordinary run tries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gamelog.testing.kit import sample
from tests.shares import GAMES


@pytest.fixture(scope="module", autouse=True)
def _fewer_games(pytestconfig: pytest.Config) -> Iterator[None]:
    """The kit looks at a share of its random games; at each option all the same."""
    with pytest.MonkeyPatch.context() as patch:
        if not pytestconfig.getoption("--grids"):
            patch.setattr(sample, "GAMES", GAMES)
        yield
