"""Tests of the examples in docs/serve.md."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gamelog
from tests.table.client import GAMELOG, Serving, serve_in_thread

PAGE = (Path(__file__).parents[2] / "docs/serve.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_example_program_records_and_follows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = blocks("python")
    script = tmp_path / "bot.py"
    script.write_text(code)
    monkeypatch.setenv("PATH", str(GAMELOG.parent), prepend=":")
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    told = ["Ana rolls 5. Rui rolls 2. Ana rolled highest and begins.", "Ana claims C3."]
    assert done.stdout.splitlines()[-3:] == [told[1], f"1 {told[0]}", f"2 {told[1]}"]


def test_links_and_new_games_are_as_in_the_docs(table: Serving, tmp_path: Path) -> None:
    link, asked = map(json.loads, blocks("json"))
    assert list(link) == list(table.links[0])
    (tmp_path / "club").mkdir()
    with serve_in_thread(tmp_path / "club") as serving:
        assert serving.scorer.ask("POST", "", asked).status == 201
        assert serving.scorer.get("/round-1").json["pending"]["chance"]["do"] == "start_roll"


def test_the_named_extra_exists() -> None:
    line, _ = blocks("sh")
    (extra,) = re.findall(r"gamelog\[(\w+)\]", line)
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert f"\n{extra} = [" in project


def test_the_players_of_the_example_enter_their_rolls(tmp_path: Path) -> None:
    _, command = blocks("sh")
    done = subprocess.run([GAMELOG, *command.split()[1:]], cwd=tmp_path, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    header = gamelog.read(tmp_path / "evening.jsonl").header
    assert (header.rolls, header.takebacks) == ("players", "agreed")


def test_the_docs_list_the_statuses_of_all_errors() -> None:
    rows = re.findall(r"^\| ((?:\d{3}(?:, )?)+) \|", PAGE, re.MULTILINE)
    listed = {int(status) for row in rows for status in row.split(", ")}
    package = Path(__file__).parents[2] / "cli/gamelog_table"
    raised = {
        int(one) for path in package.glob("*.py") for one in re.findall(r"Denied\((\d{3})", path.read_text())
    }
    assert raised - {500} <= listed
    assert {409, 422, 503, 507} <= listed


def test_heavy_packages_are_imported_only_to_serve() -> None:
    heavy = ("starlette", "uvicorn", "segno")
    script = (
        f"import sys, gamelog_cli.commands.serve; print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
