"""The source distribution, unpacked as a packager would: its own tests find there what they read."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.packaging

QUICK = (
    "tests/test_*.py",
    "tests/golden",
    "tests/games/test_rulebooks.py",
    "tests/cli/test_pipes.py",
    "tests/dispute",
)
"""The tests that read documents, samples, schemas and sources, and some that do not."""

SHARE = (
    "tests/play/test_schemas.py",
    "tests/test_english.py",
    "tests/test_package.py",
    "tests/golden",
    "tests/games/test_rulebooks.py",
)
"""Of these the ordinary run has as many: it has run all of them where they come from, and nothing is left out."""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sdist")
    command = (sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", out, ROOT)
    subprocess.run([*map(str, command)], check=True, capture_output=True, timeout=300)
    with tarfile.open(next(out.glob("*.tar.gz"))) as archive:
        archive.extractall(out, filter="data")
    return next(path for path in out.iterdir() if path.is_dir())


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="what belongs to the project is what git knows of")
def test_nothing_of_the_project_is_left_out(unpacked: Path) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    missing = [name for name in tracked if name and (ROOT / name).exists() and not (unpacked / name).exists()]
    assert [name for name in missing if not name.startswith((".ci/", ".github/"))] == []


@pytest.mark.grid
def test_its_quick_tests_pass_from_there(unpacked: Path, request: pytest.FixtureRequest) -> None:
    everything = request.config.getoption("--grids")
    paths = [
        str(path) for pattern in (QUICK if everything else SHARE) for path in sorted(unpacked.glob(pattern))
    ]
    places = os.pathsep.join(map(str, (unpacked, unpacked / "cli", unpacked / "reports")))
    found = subprocess.run(
        [sys.executable, "-c", "import gamelog, gamelog_cli, gamelog_reports; print(gamelog.__file__, gamelog_cli.__file__)"],
        env={**os.environ, "PYTHONPATH": places}, cwd=unpacked, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.count(str(unpacked)) == 2, "it is the archive's own code that is tested"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2" if everything else "0", "-p", "no:cacheprovider", *paths],
        env={**os.environ, "PYTHONPATH": places}, cwd=unpacked, capture_output=True, text=True, timeout=1200,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
