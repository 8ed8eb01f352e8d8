"""Which tests run which line: what a mistake in that line is shown first."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from coverage import CoverageData

Tests = Mapping[tuple[str, int], Sequence[str]]
"""The tests of a line (its file, from the project's folder, and its number), the quickest first."""

SETTINGS = """
[run]
dynamic_context = test_function
source = gamelog
data_file = {data}
disable_warnings = no-data-collected,module-not-measured
"""


def command(folder: Path) -> list[str]:
    """What stands before `-m pytest` and after it, so that `tests` can be read from the folder afterwards."""
    (folder / "settings").write_text(SETTINGS.format(data=folder / "data"))
    return ["-m", "coverage", "run", f"--rcfile={folder / 'settings'}", "-m", "pytest", f"--junitxml={folder / 'times.xml'}"]


def tests(folder: Path, project: Path) -> Tests:
    """What a run has told: the tests of each line that ran inside a test, but for the slow ones."""
    seconds = _seconds(folder / "times.xml", project)
    data = CoverageData(str(folder / "data"))
    data.read()
    found: dict[tuple[str, int], list[str]] = {}
    for file in data.measured_files():
        for line, contexts in data.contexts_by_lineno(file).items():
            named = {name for name in (_node(context, project) for context in contexts) if name in seconds}
            found[str(Path(file).relative_to(project)), line] = sorted(named, key=lambda name: seconds[name])
    return found


def _seconds(report: Path, project: Path) -> dict[str, float]:
    """How long each test function took, with all its parameters."""
    taken: dict[str, float] = defaultdict(float)
    for case in ET.parse(report).iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name', '').split('[')[0]}"
        taken[_node(name, project)] += float(case.get("time", 0))
    return taken


def _node(name: str, project: Path) -> str:
    """What pytest calls the test that Python calls `tests.games.test_x.test_y`; nothing when there is no such file."""
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        file = Path(*parts[:end]).with_suffix(".py")
        if (project / file).is_file():
            return "::".join([str(file), *parts[end:]])
    return ""
