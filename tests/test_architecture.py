"""Tests of the architecture: layers, one module that makes random generators, no game named outside its
folder.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gamelog.play.contract.registry import names
from tests.sources import own_modules, parse

ROOT = Path(__file__).parent.parent
SOURCES = own_modules()


def test_layers_hold() -> None:
    command: list[str | Path] = [Path(sys.executable).parent / "lint-imports", "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_map_of_the_project_names_every_folder() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    rows = re.findall(
        r"^\| `([a-z_/]+)` \| [^|]+ \| ([^|]+) \|$", text.partition("## Where things are")[2], re.MULTILINE
    )
    for folder, begin in rows:
        for file in re.findall(r"`([^`]+)`", begin):
            assert (ROOT / folder / file).is_file(), (folder, file)
    named = {folder for folder, _ in rows}
    floors = {
        str(path.parent.relative_to(ROOT))
        for path in (ROOT / "gamelog").glob("**/__init__.py")
        if "games" not in path.parts
    }
    floors |= {
        str(path.parent.relative_to(ROOT))
        for place in ("cli", "reports")
        for path in (ROOT / place).glob("*/__init__.py")
    }
    floors.add("gamelog_front")
    parted = {"gamelog", "gamelog/play", "gamelog/archive", "gamelog/testing/checks"}
    assert floors - parted <= named, "a floor that the map leaves out"


FOLD_READERS = {
    "commands/dice.py": "records links",
    "commands/export.py": "checks that there is something to show",
    "commands/incidents.py": "makes the view",
    "commands/record.py": "chooses what the view shows",
    "commands/replay.py": "makes the view",
    "commands/sheet.py": "checks that there is something to show",
    "commands/sign.py": "signs the record",
    "commands/validate.py": "judges the record",
    "secrets/dice_secrets.py": "records links and rolls",
    "events/choices.py": "reads typed events among all that are legal",
    "events/reading.py": "reads typed events in the whole position",
    "events/remarks.py": "passes the fold to the summary of a ruling, in which everything is public",
    "events/typed_commands.py": "records a whole position",
    "secrets/revealed_links.py": "checks the heads of the record",
}
"""Modules of the command line that read the fold or the events of a record, and why. Others read its view."""

TABLE_FOLD_READERS = {
    "events/request_events.py": "judges proposed events",
    "record/record_views.py": "makes the views",
    "record/earlier_positions.py": "makes the views, and judges the events again",
    "record/record_source.py": "compares the heads of the record",
}
"""The same for the table."""

REPORT_FOLD_READERS = {
    "incident_sheet.py": "judges an incident, and its readers see the whole table",
    "replay_page/shown_record.py": "makes the views",
}
"""The same for the pages."""


@pytest.mark.parametrize(
    ("package", "readers"),
    [
        ("cli/gamelog_cli", FOLD_READERS),
        ("cli/gamelog_table", TABLE_FOLD_READERS),
        ("reports/gamelog_reports", REPORT_FOLD_READERS),
    ],
)
def test_commands_table_and_pages_show_a_record_by_its_view(package: str, readers: dict[str, str]) -> None:
    folder = ROOT / package
    found = {
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and (
            node.attr in ("fold", "fold_until", "shared_fold_until")
            or (node.attr == "events" and _is_record(node.value))
        )
    }
    assert found == set(readers)


def _is_record(node: ast.expr) -> bool:
    """Return whether an expression is a recorder or a folded record, by its name."""
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in ("recorder", "rehearsal", "folded")


def test_only_one_module_makes_random_generators() -> None:
    """Other modules may use `random.Random` as a type. Only `gamelog.chance.rng` calls the module."""
    for path in SOURCES:
        text = path.read_text()
        assert path.name == "rng.py" or not re.search(
            r"^\s*import random|\bRandom\(|\brandom\.[a-z]+\(", text, re.MULTILINE
        ), path


def test_only_a_games_own_folder_mentions_the_game() -> None:
    for path in SOURCES:
        if "games" in path.relative_to(ROOT).parts:
            continue
        text = path.read_text()
        for name in names():
            assert not re.search(rf"\b{name}\b", text.replace("(``slicewars@1.0``)", "")) or _in_prose(
                text, name
            ), (path, name)


def _in_prose(text: str, name: str) -> bool:
    """Return whether every mention is in a docstring or comment, as an example."""
    code = re.sub(r'"""(?:.|\n)*?"""', "", text)
    code = re.sub(r"#.*", "", code)
    return not re.search(rf"\b{name}\b", code)


def test_no_file_has_more_than_500_lines_and_a_function_fits_a_screen() -> None:
    """Check that files have at most 500 lines and that the statements of a function take fewer than 60."""
    lines = {path: path.read_text().splitlines() for path in SOURCES}
    assert [path for path, text in lines.items() if len(text) > 500] == []
    long = [
        (path.name, node.name)
        for path, text in lines.items()
        for node in ast.walk(parse(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - _first_statement(node) >= 59
    ]
    assert long == []


def _first_statement(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the line after a function's signature, with the help of its options, and its docstring."""
    told = len(node.body) > 1 and ast.get_docstring(node) is not None
    return node.body[1 if told else 0].lineno
