"""Tests of the files around the package: forms, workflows, citation and changelog are true and name what
exists.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import gamelog

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
FORMS = sorted(path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def test_the_citation_names_this_version() -> None:
    cited, project = load(ROOT / "CITATION.cff"), PROJECT["project"]
    assert (cited["version"], cited["license"]) == (gamelog.__version__, project["license"])
    assert (cited["abstract"], cited["keywords"]) == (project["description"], project["keywords"])
    assert [author["name"] for author in cited["authors"]] == [
        author["name"] for author in project["authors"]
    ]


def test_each_promised_version_of_python_is_tested() -> None:
    matrix = load(ROOT / ".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]["python"]
    promised = re.findall(r"Python :: (\d\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert promised
    assert set(promised) <= set(matrix)
    assert PROJECT["project"]["requires-python"] == f">={matrix[0]}"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_run_targets_of_the_makefile(path: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    steps = [step for job in load(path)["jobs"].values() for step in job["steps"]]
    made = {step["run"].removeprefix("make ") for step in steps if step.get("run", "").startswith("make ")}
    assert made
    assert made <= targets
    assert load(path)["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_name_each_action_by_its_commit(path: Path) -> None:
    used = re.findall(r"uses: (.*)", path.read_text())
    assert used
    assert [
        line for line in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)
    ] == []


def test_new_versions_of_actions_and_packages_are_proposed() -> None:
    updates = load(ROOT / ".github/dependabot.yml")["updates"]
    assert {update["package-ecosystem"] for update in updates} == {"github-actions", "pip"}


def test_long_runs_are_scheduled() -> None:
    workflow = load(ROOT / ".github/workflows/fuzz.yml")
    assert workflow[True]["schedule"]  # YAML reads the key `on` as true
    assert {"run": "make fuzz"} in workflow["jobs"]["fuzz"]["steps"]


def test_tests_run_on_three_systems() -> None:
    matrix = load(ROOT / ".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]


def _requirements(extra: str | None, done: set[str]) -> set[str]:
    """Return the names of the packages that the project needs with `extra`, extras of its own followed."""
    project = PROJECT["project"]
    found = set()
    for line in project["dependencies"] if extra is None else project["optional-dependencies"][extra]:
        name, _, extras = re.sub(r"[<>=].*", "", line).rstrip("]").partition("[")
        if name != "gamelog":
            found.add(re.sub(r"[-_.]+", "-", name).lower())
            continue
        for other in extras.split(","):
            if other not in done:
                found |= _requirements(other, done | {other})
    return found


def test_each_package_that_the_project_needs_has_one_tested_version() -> None:
    lines = (ROOT / "constraints.txt").read_text().split()
    pinned = [re.sub(r"[-_.]+", "-", line.partition("==")[0]).lower() for line in lines]
    assert all(re.fullmatch(r"[\w.-]+==[\w.!+]+", line) for line in lines)
    assert len(pinned) == len(set(pinned))
    assert (_requirements(None, set()) | _requirements("dev", {"dev"})) <= set(pinned)


def test_extras_are_listed_once() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    names = [(extra, re.split(r"[\[<>=]", line)[0]) for extra in extras for line in extras[extra]]
    dev = {name for extra, name in names if extra == "dev"}
    assert not dev & {name for extra, name in names if extra != "dev"}


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_forms_ask_in_words_and_name_each_answer_once(path: Path) -> None:
    form = load(path)
    assert form["name"]
    assert form["description"].endswith(".")
    asked = [part for part in form["body"] if part["type"] != "markdown"]
    assert all(part["attributes"]["label"] for part in asked)
    assert len({part["id"] for part in asked}) == len(asked)


def test_the_commit_hooks_run_the_same_checks() -> None:
    (repo,) = load(ROOT / ".pre-commit-config.yaml")["repos"]
    tools = {hook["entry"].split()[0].removeprefix(".venv/bin/") for hook in repo["hooks"]}
    assert {"ruff", "mypy", "lint-imports"} <= tools
    assert all((Path(sys.executable).parent / tool).exists() for tool in tools)


def test_fragments_become_a_section_of_the_changelog(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "changelog.d/README.md").write_text("How to write news.\n")
    (tmp_path / "changelog.d/frames.added.md").write_text("Answers come as polars frames, too.\n")
    before = (tmp_path / "CHANGELOG.md").read_text()
    command = [
        sys.executable,
        "-m",
        "towncrier",
        "build",
        "--yes",
        "--version",
        "9.9.9",
        "--date",
        "2027-01-01",
    ]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    after = (tmp_path / "CHANGELOG.md").read_text()
    assert "## 9.9.9 (2027-01-01)\n\n### Added\n\n- Answers come as polars frames, too.\n" in after
    head, mark, rest = before.partition(PROJECT["tool"]["towncrier"]["start_string"])
    assert after.startswith(head + mark)
    assert after.endswith(rest.lstrip("\n"))
    assert [path.name for path in (tmp_path / "changelog.d").iterdir()] == ["README.md"]


def test_news_are_of_a_known_kind() -> None:
    kinds = {kind["directory"] for kind in PROJECT["tool"]["towncrier"]["type"]}
    for path in (ROOT / "changelog.d").glob("*.md"):
        assert path.name == "README.md" or path.suffixes[-2].removeprefix(".") in kinds, path.name
