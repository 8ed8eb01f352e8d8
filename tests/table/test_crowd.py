"""A share of the long run `python -m tests.fuzz.crowd`: connections without a link keep nobody out."""

from __future__ import annotations

import sys

import pytest

from tests.fuzz import crowd

MOST_MEGABYTES = 250


@pytest.mark.skipif(sys.platform != "linux", reason="the crowd counts who is sent away as Linux tells it")
@pytest.mark.grid(keeps=("unread", "tls-silent"))
@pytest.mark.parametrize("kind", ["silent", "unread", "head", "body", "guess", "tls-silent"])
def test_a_crowd_keeps_nobody_out(kind: str) -> None:
    found = crowd.siege(kind, 600, 1.5, settling=0)
    assert found.came >= 600
    assert 0 < found.most < MOST_MEGABYTES
