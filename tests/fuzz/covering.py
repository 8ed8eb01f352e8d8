"""The tests that run each line, with their times, so that they are the first to try a mistake in it."""

from __future__ import annotations

import ast
import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from coverage import CoverageData
from msgspec import Struct

MACRO = re.compile(r"CREATE MACRO (\w+)")


class Covered(Struct, frozen=True):
    """The report of a run of tests.

    `seconds` contains the time of each test, and `lines` the tests that run a line (its file, from the
    project's folder, and its number). `words` contains the words in the function of a test.
    """

    seconds: Mapping[str, float]
    lines: Mapping[tuple[str, int], frozenset[str]]
    words: Mapping[str, str]

    def tests_near(self, name: str, line: int, text: str) -> list[str]:
        """Return the tests that run this line of a file, the quickest first.

        The lines of SQL cannot be traced. For SQL, return the tests that name the file.
        """
        if not name.endswith(".sql"):
            return self.by_time(self.lines.get((name, line), ()))
        called = MACRO.findall("\n".join(text.split("\n")[:line]))[-1:] or [Path(name).stem]
        return self.by_time(
            test for test, words in self.words.items() if re.search(rf"\b{called[0]}\b", words)
        )

    def by_time(self, tests: Iterable[str]) -> list[str]:
        """Return `tests`, the quickest first."""
        return sorted(tests, key=lambda test: self.seconds[test])


SETTINGS = """
[run]
dynamic_context = test_function
source = gamelog
data_file = {data}
disable_warnings = no-data-collected,module-not-measured
"""


def command(folder: Path) -> list[str]:
    """Return the words before `-m pytest` and after it, with which `read_report` can read the run later."""
    (folder / "settings").write_text(SETTINGS.format(data=folder / "data"))
    return [
        "-m",
        "coverage",
        "run",
        f"--rcfile={folder / 'settings'}",
        "-m",
        "pytest",
        f"--junitxml={folder / 'times.xml'}",
    ]


def read_report(folder: Path, project: Path) -> Covered:
    """Return the report of a run from its folder."""
    seconds = _seconds(folder / "times.xml", project)
    data = CoverageData(str(folder / "data"))
    data.read()
    lines = {
        (str(Path(file).relative_to(project)), line): frozenset(seconds)
        & {_node(context, project) for context in contexts}
        for file in data.measured_files()
        for line, contexts in data.contexts_by_lineno(file).items()
    }
    return Covered(seconds, lines, {test: _words(test, project) for test in seconds})


def _seconds(report: Path, project: Path) -> dict[str, float]:
    """Return the time of each test function with all its parameters."""
    taken: dict[str, float] = defaultdict(float)
    for case in ET.parse(report).iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name', '').split('[')[0]}"
        taken[_node(name, project)] += float(case.get("time", 0))
    return taken


def _node(name: str, project: Path) -> str:
    """Return pytest's name of the test `tests.games.test_x.test_y`; empty if there is no such file."""
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        file = Path(*parts[:end]).with_suffix(".py")
        if (project / file).is_file():
            return "::".join([str(file), *parts[end:]])
    return ""


def _words(test: str, project: Path) -> str:
    """Return the words in the function of a test."""
    file, *_, name = test.split("::")
    text = (project / file).read_text()
    found = (
        node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef) and node.name == name
    )
    return "".join(ast.get_source_segment(text, node) or "" for node in found)
