"""The house keeps its order: layers, one module that makes random generators, no game named outside its folder."""

import re
import subprocess
import sys
from pathlib import Path

from gamelog.play.contract.registry import names

ROOT = Path(__file__).parent.parent
SOURCES = sorted(path for folder in ("gamelog", "cli", "reports") for path in (ROOT / folder).rglob("*.py"))


def test_layers_hold() -> None:
    command: list[str | Path] = [Path(sys.executable).parent / "lint-imports", "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_only_one_module_makes_random_generators() -> None:
    """Others may name the type `random.Random` in signatures; none but `gamelog.chance.rng` calls anything of it."""
    for path in SOURCES:
        text = path.read_text()
        assert path.name == "rng.py" or not re.search(r"^\s*import random|\bRandom\(|\brandom\.[a-z]+\(", text, re.MULTILINE), (
            path
        )


def test_nothing_outside_a_games_folder_knows_its_name() -> None:
    for path in SOURCES:
        if "games" in path.relative_to(ROOT).parts:
            continue
        text = path.read_text()
        for name in names():
            assert not re.search(rf"\b{name}\b", text.replace("(``slicewars@1.0``)", "")) or _in_prose(text, name), (path, name)


def _in_prose(text: str, name: str) -> bool:
    """Whether every mention stands in a docstring or comment, as an example."""
    code = re.sub(r'"""(?:.|\n)*?"""', "", text)
    code = re.sub(r"#.*", "", code)
    return not re.search(rf"\b{name}\b", code)
