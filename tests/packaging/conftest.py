"""The built wheel, and an environment where nothing is installed but what it asks for: made once for all tests here."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*command: object, cwd: Path) -> str:
    """Return the output of a command, which finds packages only where they are installed."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, cwd=ROOT)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="session")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a fresh environment in ``env``, where nothing but the wheel and what it asks for is installed."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder / "env")
    install(folder, wheel)
    return folder


@pytest.fixture(scope="session")
def elsewhere(wheel: Path, bare: Path) -> Path:
    """The same folder, where an author has the kit, too, and what builds distributions."""
    install(bare, f"{wheel}[testing]", "hatchling", "editables")
    return bare


def install(folder: Path, *what: object) -> None:
    """Install something in the environment of `folder`, by the pip that is here: a second one takes as long as the rest."""
    run(
        sys.executable, "-m", "pip", "--python", folder / "env/bin/python", "install",
        "--quiet", "--disable-pip-version-check", "--no-compile", *what,
        cwd=folder,
    )  # fmt: skip
