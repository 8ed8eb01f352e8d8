"""The tutorial, done as it is printed: every file written, every command typed, in a fresh environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ROOT, install

pytestmark = pytest.mark.packaging

BLOCK = re.compile(r"(.*?)^```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`([\w./]+\.(?:toml|md|py|json))`:$")


def blocks() -> list[tuple[str, str, str]]:
    """Each block of the page: its kind, the file that it goes into or is added to (none for commands), and what it holds."""
    found, path = [], ""
    for before, kind, text in BLOCK.findall((ROOT / "docs/tutorial.md").read_text()):
        named = FILE.search(before.strip())
        path = named[1] if named else path if kind == "python" else ""
        found.append((kind, path if kind != "console" else "", text))
        path = (
            path
            if kind == "python"
            else next((one for _, one, _ in reversed(found) if one.endswith(".py")), "")
        )
    return found


def typed(text: str) -> list[tuple[str, str]]:
    """Each command of a block with what is printed; … stands for anything."""
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def fits(printed: str, shown: str) -> bool:
    """Whether `printed` is what is `shown`, lines being broken anywhere."""
    pattern = "".join(
        ".*" if part == "…" else re.escape(part) for part in re.split(" *(…) *", " ".join(shown.split()))
    )
    return re.fullmatch(pattern, " ".join(printed.split())) is not None


def test_the_tutorial_works_as_printed(elsewhere: Path) -> None:
    folder = elsewhere / "sticks-game"
    folder.mkdir()
    env = {**os.environ, "PATH": f"{elsewhere / 'env/bin'}:{os.environ['PATH']}"}
    commands = 0
    for kind, path, text in blocks():
        if kind != "console":
            assert path, text
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            before = f"{file.read_text()}\n\n" if file.exists() else ""
            file.write_text(before + text)
            continue
        for command, shown in typed(text):
            commands += 1
            if command == "pip install -e .":
                install(elsewhere, "--no-build-isolation", "-e", folder)
                continue
            done = subprocess.run(
                command, shell=True, cwd=folder, env=env, capture_output=True, text=True, timeout=300
            )
            assert "Traceback" not in done.stderr
            assert fits(done.stdout + done.stderr, shown), (command, done.stdout + done.stderr)
            if command.startswith("pytest"):
                assert done.returncode == 0, done.stdout
    assert commands > 12


def test_the_game_of_the_tutorial_is_laid_out_as_the_others_are(tmp_path: Path) -> None:
    code = "\n\n".join(text for kind, path, text in blocks() if path == "sticks/__init__.py")
    (tmp_path / "sticks.py").write_text(code)
    done = subprocess.run(
        [
            Path(sys.executable).parent / "ruff",
            "format",
            "--check",
            "--config",
            ROOT / "pyproject.toml",
            "sticks.py",
        ],
        cwd=tmp_path,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
