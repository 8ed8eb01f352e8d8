"""Fixtures and options that all tests share."""

import gc
import os
import shutil
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import settings

from gamelog.message import Message, placeholders
from gamelog.play.contract.translation import translation
from tests.browser.chromium import browser
from tests.shares import GRID, share_of_kit

__all__ = ["browser"]

collect_ignore = ["sixth_game"]  # installed and tried by tests/packaging, in an environment of its own

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # a job in the background; what tests start and interrupt would not notice
    signal.signal(signal.SIGINT, signal.default_int_handler)

MEMORY = Path("/dev/shm")
"""Folder whose files are in memory. A write waits for no disk there, and records are synchronised after each event."""

ROOM = 4 << 30
"""Bytes that must be free in `MEMORY`."""


@pytest.fixture
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that have no room in files write no bytecode and nothing for ``make coverage``.

    Python keeps bytecode of which only a part could be written, and fails to import it later.
    """
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")


@pytest.fixture(scope="class")
def fewer_games(pytestconfig: pytest.Config) -> Iterator[None]:
    """Reduce the kit to its share for one class."""
    with share_of_kit(pytestconfig):
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: tests wait for browsers, processes and disks."""
    return len(os.sched_getaffinity(0) if sys.platform == "linux" else range(os.cpu_count() or 1)) + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--grids", action="store_true", help="everything that has a share in the ordinary run, in full"
    )


def pytest_configure(config: pytest.Config) -> None:
    if _has_room():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    settings.load_profile("full" if config.getoption("--grids") else "gamelog")
    Message.of = staticmethod(_complete_message)  # type: ignore[method-assign]  # for all tests of this process


def _complete_message(text: str, /, **args: object) -> Message:
    """Return the message, which must have an argument for each placeholder of its template and its command."""
    missing = _arguments(text) - args.keys()
    assert not missing, f"{text!r} has no argument for {sorted(missing)}"
    return Message(text, args)


@cache
def _arguments(text: str) -> frozenset[str]:
    """Return the names of the arguments that the template `text` and its form on the command line need."""
    command = translation("gamelog_cli", "en").messages.get(text, text)
    return frozenset(place.name for place in placeholders(text + command))


def _has_room() -> bool:
    """Return whether the tests can have their files in memory, and run programs there."""
    return (
        os.access(MEMORY, os.W_OK)
        and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
        and shutil.disk_usage(MEMORY).free > ROOM
    )


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage while tests are collected, nor later among modules and tests, which stay until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _kept(case: pytest.Item) -> bool:
    """Return whether the marker names the case among those that stay."""
    marker = case.get_closest_marker("grid")
    return marker is not None and any(word in case.name for word in marker.kwargs.get("keeps", ()))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--grids"):
        for item in items:
            if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
                item.add_marker("grid")
        return
    if any("::" in arg for arg in config.args):
        return
    grids = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        if item.get_closest_marker("grid"):
            grids[item.nodeid.partition("[")[0]].append(item)
    left = set[pytest.Item]()
    for cases in grids.values():
        cases.sort(key=lambda case: (not _kept(case), crc32(case.name.encode())))
        left.update(cases[-(-len(cases) // GRID) :])
    if left:
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]
