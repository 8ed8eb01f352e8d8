"""The built wheel, installed as anybody would and used from a folder that has nothing to do with this one."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from gamelog.play.contract.registry import names
from tests import shares

from .conftest import ROOT, install, run

pytestmark = pytest.mark.packaging


def test_the_wheel_brings_its_own_names_and_no_others(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        entries = archive.namelist()
    tops = {entry.partition("/")[0] for entry in entries}
    packages = {"gamelog", "gamelog_front", "gamelog_cli", "gamelog_reports", "gamelog_table"}
    assert {top for top in tops if not top.endswith(".dist-info")} == packages
    for package in packages:
        assert f"{package}/py.typed" in entries
    assert not [entry for entry in entries if "__pycache__" in entry or "/tests/" in entry]


def test_the_commands_work_from_anywhere(bare: Path) -> None:
    program = bare / "env/bin/gamelog"
    listed = run(program, "games", "--json", cwd=bare)
    assert all(f'"id":"{name}"' in listed for name in names())
    shown = run(program, "demo", "out", cwd=bare)
    assert str(ROOT) not in shown
    assert "Open out/site/index.html" in shown and (bare / "out/site/report.html").exists()
    assert (bare / "out/site/index.html").exists()
    run(program, "simulate", "slicewars", "-o", "club", "--option", "max_rounds=2", cwd=bare)
    run(program, "validate", "club", cwd=bare)
    done = subprocess.run(
        [program, "serve", "club", "--port", "0"], cwd=bare, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'gamelog[serve]'" in done.stderr


SOURCES = [*(ROOT / "examples").glob("*/pyproject.toml"), ROOT / "tests/sixth_game/pyproject.toml"]


FEWER_GAMES = f"""
from gamelog.testing.checks import random_games

random_games.GAMES_PER_PLAYER_COUNT = {shares.GAMES_PER_PLAYER_COUNT}
random_games.MAX_SLOW_POSITIONS = {shares.MAX_SLOW_POSITIONS}
random_games.MAX_TRIED_STATES = {shares.MAX_TRIED_STATES}
random_games.MAX_UNPLAYED_EVENTS = {shares.MAX_UNPLAYED_EVENTS}
"""
"""Plugin of pytest that gives the kit the share of an ordinary run."""


@pytest.mark.grid
def test_strangers_games_are_distributions_and_the_kit_passes_them(
    elsewhere: Path, pytestconfig: pytest.Config
) -> None:
    """Installed as anybody's would be, tried by the tests that they bring, and played, judged, archived and shown.

    The sixth game is written from the guide in CONTRIBUTING; nothing of it stands in this project but the guide's promises.
    """
    program = elsewhere / "env/bin/gamelog"
    rubbish = shutil.ignore_patterns("__pycache__")
    sources = [
        shutil.copytree(path.parent, elsewhere / "sources" / path.parent.name, ignore=rubbish)
        for path in sorted(SOURCES)
    ]
    assert len((elsewhere / "sources/sixth_game/pig/__init__.py").read_text().splitlines()) <= 160
    install(elsewhere, "--no-build-isolation", *sources)
    listed = run(program, "games", "--json", cwd=elsewhere)
    assert '"id":"pig","title":"Pig"' in listed
    games = ["pig", *(source.name for source in sources if source.name != "sixth_game")]
    fewer = [] if pytestconfig.getoption("--grids") else ["-p", "fewer_games"]
    (elsewhere / "fewer_games.py").write_text(FEWER_GAMES)
    assert "passed" in run(
        elsewhere / "env/bin/python", "-m", "pytest", "-q", *fewer, *sources, cwd=elsewhere
    )
    for name in games:
        assert f'"id":"{name}"' in listed
        run(program, "simulate", name, "--games", "3", "-o", f"strange/{name}", cwd=elsewhere)
    run(program, "validate", "strange", cwd=elsewhere)
    run(program, "games", "--check", "strange", cwd=elsewhere)
    run(program, "index", "strange", "--archive", "strange.duckdb", cwd=elsewhere)
    run(program, "export", "strange", "-o", "strange-site", cwd=elsewhere)
    assert len(list((elsewhere / "strange-site/games").rglob("*.html"))) == 3 * len(games)
    assert "PG-3" in run(program, "rules", "pig", cwd=elsewhere)


def test_old_rules_are_kept_as_the_guide_says(elsewhere: Path) -> None:
    program = elsewhere / "env/bin/gamelog"
    source = shutil.copytree(ROOT / "tests/sixth_game", elsewhere / "newer_game")
    install(elsewhere, "--no-build-isolation", source)
    run(program, "simulate", "pig", "--games", "2", "-o", "before", cwd=elsewhere)

    shutil.copytree(source / "pig", elsewhere / "v1_0")
    shutil.move(elsewhere / "v1_0", source / "pig/v1_0")
    module = source / "pig/__init__.py"
    module.write_text(
        module.read_text()
        .replace('rules_version="1.0"', 'rules_version="1.1"')
        .replace("{2, 3, 4}", "{2, 3}")
    )
    project = source / "pyproject.toml"
    old, new = re.findall(
        r"^```toml\n(.*?)^```", (ROOT / "docs/games.md").read_text(), re.MULTILINE | re.DOTALL
    )
    assert old in project.read_text()
    project.write_text(project.read_text().replace(old, new).replace('version = "1.0"', 'version = "1.1"'))
    install(elsewhere, source)

    run(program, "simulate", "pig", "--games", "2", "-o", "after", cwd=elsewhere)
    run(program, "new", "pig@1.0", "again.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui", cwd=elsewhere)
    rules = [
        path.read_text().partition('"rules":"')[2][:3]
        for path in (*elsewhere.glob("before/*"), *elsewhere.glob("after/*"))
    ]
    assert rules == ["1.0", "1.0", "1.1", "1.1"]
    assert '"rules":"1.0"' in (elsewhere / "again.jsonl").read_text()
    run(program, "validate", "before", "after", "again.jsonl", cwd=elsewhere)


CONSUMER = """
from gamelog.play.contract.registry import find
from gamelog.play.judging.verdict import Verdict, validate
from gamelog.record.reading import Record, read_record

def status(path: str) -> str:
    verdict: Verdict = validate(path)
    record: Record = read_record(path)
    return f"{verdict.status} {len(record.bodies)} {find('slicewars').title}"

reveal_type(validate("x").findings[0].text)
"""


def test_the_types_reach_those_who_import_it(elsewhere: Path) -> None:
    (elsewhere / "consumer.py").write_text(CONSUMER)
    python = elsewhere / "env/bin/python"
    said = run(
        sys.executable, "-m", "mypy", "--strict", "--python-executable", python, "consumer.py", cwd=elsewhere
    )
    assert 'Revealed type is "str"' in said or 'Revealed type is "builtins.str"' in said


def test_the_command_line_starts_without_the_heavy_packages() -> None:
    heavy = ("duckdb", "jinja2", "rich.table", "prompt_toolkit", "scipy", "starlette")
    script = f"import sys, gamelog_cli.app; print([name for name in {heavy} if name in sys.modules])"
    assert run(sys.executable, "-c", script, cwd=ROOT).strip() == "[]"
