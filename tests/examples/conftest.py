"""The examples, installed for the tests of a module with the entry points of their pyproject.toml."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from gamelog.archive.workers import judge_versions
from gamelog.play.contract import registry
from tests.cli.conftest import Gamelog, gamelog

__all__ = ["EXAMPLES", "Gamelog", "gamelog"]

EXAMPLES = Path(__file__).parents[2] / "examples"

SOURCES = [path.parent for path in sorted(EXAMPLES.glob("*/pyproject.toml"))]

sys.path += map(str, SOURCES)  # tests import them before anything is installed

CACHES = (
    registry._entry_points,
    registry._foreign_packages,
    registry._load,
    judge_versions.judge_versions,
    judge_versions.judge_version_of,
)


def register(site: Path, source: Path) -> None:
    """Write the metadata of the distribution in `source` into `site`, as an installer does."""
    project = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    points = project["entry-points"]["gamelog.games"]
    (info / "entry_points.txt").write_text(
        "\n".join(["[gamelog.games]", *(f"{name} = {what}" for name, what in points.items())])
    )


@contextmanager
def installed(site: Path, sources: Sequence[Path]) -> Iterator[None]:
    """Install the distributions in `sources` for this process and the processes that it starts."""
    for source in sources:
        register(site, source)
    paths = [str(site), *map(str, sources)]
    modules = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        for path in paths:
            patch.syspath_prepend(path)
        patch.setenv(
            "PYTHONPATH", os.pathsep.join([*paths, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
        )
        for cache in CACHES:
            cache.cache_clear()
        yield
    for cache in CACHES:
        cache.cache_clear()
    for name in set(sys.modules) - modules:
        if any((source / name.partition(".")[0]).is_dir() for source in sources):
            del sys.modules[name]


@pytest.fixture(scope="module", autouse=True)
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Install all examples."""
    with installed(tmp_path_factory.mktemp("site"), SOURCES):
        yield
