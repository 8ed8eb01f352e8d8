"""What all tests share."""

import signal
from collections import defaultdict
from zlib import crc32

import pytest
from hypothesis import settings

from tests.browser.chromium import browser

__all__ = ["browser"]

collect_ignore = ["sixth_game"]  # installed and tried by tests/packaging, in an environment of its own

settings.register_profile("gamelog", deadline=None)  # no test fails because the machine was busy
settings.load_profile("gamelog")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a job in the background; what tests start and interrupt would not notice
    signal.signal(signal.SIGINT, signal.default_int_handler)

SHARE = 3
"""One case in so many of a test marked ``grid`` is in the ordinary run, always the same, and of each test one at least."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--grids", action="store_true", help="every case of the tests marked grid, not a share of them")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--grids") or any("::" in arg for arg in config.args):
        return
    grids = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        if item.get_closest_marker("grid"):
            grids[item.nodeid.partition("[")[0]].append(item)
    left = set[pytest.Item]()
    for cases in grids.values():
        cases.sort(key=lambda case: crc32(case.name.encode()))
        left.update(cases[-(-len(cases) // SHARE) :])
    if left:
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]
