"""The built wheel, installed as anybody would and used from a folder that has nothing to do with this one."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from gamelog.play.contract.registry import names

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.packaging


def run(*command: object, cwd: Path) -> str:
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, cwd=ROOT)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a fresh environment in ``env``, where nothing but the wheel and what it asks for is installed."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder / "env")
    install(folder, wheel)
    return folder


def install(folder: Path, *what: object) -> None:
    """Install something in the environment of `folder`, by the pip that is here: a second one takes as long as the rest."""
    options = ("--quiet", "--disable-pip-version-check", "--no-compile")
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        folder / "env/bin/python",
        "install",
        *options,
        *what,
        cwd=folder,
    )


def test_the_wheel_brings_its_own_names_and_no_others(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        entries = archive.namelist()
    tops = {entry.partition("/")[0] for entry in entries}
    packages = {"gamelog", "gamelog_cli", "gamelog_reports", "gamelog_table"}
    assert {top for top in tops if not top.endswith(".dist-info")} == packages
    for package in packages:
        assert f"{package}/py.typed" in entries
    assert not [entry for entry in entries if "__pycache__" in entry or "/tests/" in entry]


def test_the_commands_work_from_anywhere(elsewhere: Path) -> None:
    program = elsewhere / "env/bin/gamelog"
    listed = run(program, "games", "--json", cwd=elsewhere)
    assert all(f'"id":"{name}"' in listed for name in names())
    shown = run(program, "demo", "out", cwd=elsewhere)
    assert str(ROOT) not in shown
    assert "Open out/site/index.html" in shown and "gamelog[report]" in shown
    assert (elsewhere / "out/site/index.html").exists()
    run(program, "simulate", "slicewars", "-o", "club", "--option", "max_rounds=2", cwd=elsewhere)
    run(program, "validate", "club", cwd=elsewhere)
    done = subprocess.run(
        [program, "serve", "club", "--port", "0"], cwd=elsewhere, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'gamelog[serve]'" in done.stderr


def test_somebody_elses_game_is_a_distribution_of_its_own(wheel: Path, elsewhere: Path) -> None:
    """Written from the guide in CONTRIBUTING; nothing of it stands in this project but the guide's promises."""
    program = elsewhere / "env/bin/gamelog"
    source = shutil.copytree(ROOT / "tests/sixth_game", elsewhere / "sixth_game")
    assert len((source / "pig/__init__.py").read_text().splitlines()) < 150
    install(elsewhere, source, f"{wheel}[testing]")
    assert '"id":"pig","title":"Pig"' in run(program, "games", "--json", cwd=elsewhere)
    assert "passed" in run(elsewhere / "env/bin/pytest", "-q", source / "test_pig.py", cwd=elsewhere)
    run(program, "simulate", "pig", "--games", "3", "-o", "pigs", cwd=elsewhere)
    run(program, "validate", "pigs", cwd=elsewhere)
    run(program, "index", "pigs", "--archive", "pigs.duckdb", cwd=elsewhere)
    run(program, "export", "pigs", "-o", "pigsite", cwd=elsewhere)
    assert "PG-3" in run(program, "rules", "pig", cwd=elsewhere)


@pytest.mark.parametrize(
    "name", sorted(path.parent.name for path in (ROOT / "examples").glob("*/pyproject.toml"))
)
def test_examples_are_strangers_distributions_and_the_kit_passes_them(
    name: str, wheel: Path, elsewhere: Path
) -> None:
    """Installed as anybody's would be, tried by the tests that they bring, and played, judged, archived and shown."""
    program = elsewhere / "env/bin/gamelog"
    source = shutil.copytree(
        ROOT / "examples" / name, elsewhere / "examples" / name, ignore=shutil.ignore_patterns("__pycache__")
    )
    install(elsewhere, source, f"{wheel}[testing]")
    assert f'"id":"{name}"' in run(program, "games", "--json", cwd=elsewhere)
    assert "passed" in run(elsewhere / "env/bin/pytest", "-q", source, cwd=elsewhere)
    run(program, "simulate", name, "--games", "3", "-o", f"{name}-games", cwd=elsewhere)
    run(program, "validate", f"{name}-games", cwd=elsewhere)
    run(program, "games", "--check", f"{name}-games", cwd=elsewhere)
    run(program, "index", f"{name}-games", "--archive", f"{name}.duckdb", cwd=elsewhere)
    run(program, "export", f"{name}-games", "-o", f"{name}-site", cwd=elsewhere)
    assert list((elsewhere / f"{name}-site").rglob("*.html"))


def test_old_rules_are_kept_as_the_guide_says(wheel: Path, elsewhere: Path) -> None:
    program = elsewhere / "env/bin/gamelog"
    source = shutil.copytree(ROOT / "tests/sixth_game", elsewhere / "newer_game")
    install(elsewhere, source, wheel)
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

reveal_type(validate("x").findings[0].message)
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
