"""How much of the kit the ordinary run tries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gamelog.testing.kit import sample
from tests import shares


@pytest.fixture(scope="module", autouse=True)
def _fewer_games(pytestconfig: pytest.Config) -> Iterator[None]:
    """The kit looks at a share of its random games, their states and strange events; at each option all the same."""
    with pytest.MonkeyPatch.context() as patch:
        if not pytestconfig.getoption("--grids"):
            for name in ("GAMES", "SLOW", "LOOKED_AT", "STRANGERS"):
                patch.setattr(sample, name, getattr(shares, name))
        yield
