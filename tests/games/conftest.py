"""The share of the kit that an ordinary run of the tests tries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.shares import share_of_kit


@pytest.fixture(scope="module", autouse=True)
def _fewer_games(pytestconfig: pytest.Config) -> Iterator[None]:
    """Reduce the kit to its share."""
    with share_of_kit(pytestconfig):
        yield
