"""README.md and CONTRIBUTING.md: their examples work, and their lists are complete."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gamelog.play.contract.registry import find, names
from gamelog.record.reading import read_record

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    return [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 110
    assert len(README.split()) <= 900


def test_commands_work_in_their_order(tmp_path: Path) -> None:
    """Run the commands one after the other in one folder."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for command in commands():
        words, _, remark = command.partition("# status ")
        done = subprocess.run(
            words, shell=True, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True
        )
        assert done.returncode == int(remark or 0), f"{command}\n{done.stderr}"


def test_the_verifier_in_the_description_of_the_format_verifies() -> None:
    code, *_ = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "docs/format.md").read_text(), re.MULTILINE | re.DOTALL
    )
    names_: dict[str, Any] = {}
    exec(compile(code, "format.md", "exec"), names_)
    for path in sorted((ROOT / "sample_games").glob("*/*.jsonl")):
        record = read_record(path)
        assert names_["verified"](path.read_bytes()) == len(record.bodies) + 1, path


@pytest.mark.parametrize("code", blocks("python"))
def test_python_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a block in a new folder with the sample games."""
    monkeypatch.chdir(tmp_path)
    Path("sample_games").symlink_to(ROOT / "sample_games")
    exec(compile(code, "README.md", "exec"), {})


def test_every_command_that_is_named_exists() -> None:
    listed = subprocess.run(
        [Path(sys.executable).parent / "gamelog", "--help"], capture_output=True, text=True
    ).stdout
    mentioned = set(re.findall(r"\bgamelog ([a-z]+)", README + (ROOT / "CONTRIBUTING.md").read_text()))
    assert mentioned <= set(listed.split())


def test_the_table_of_games_is_complete() -> None:
    for name in names():
        game = find(name)
        seats = f"{min(game.seats)}-{max(game.seats)}" if len(game.seats) > 1 else str(min(game.seats))
        assert f"| `{name}` | {game.title} | {seats} |" in README


def test_files_that_are_shown_exist() -> None:
    for text in (README, (ROOT / "CONTRIBUTING.md").read_text()):
        for target in re.findall(r"\]\(([^)#]+)", text):
            assert (ROOT / target).exists(), target
