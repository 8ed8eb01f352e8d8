"""On a real Dask cluster the archive is the same; without one, one sentence says what is missing."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gamelog.archive import Update, index
from gamelog.archive.cluster import cluster
from gamelog.errors import ArchiveError, MissingExtra

from .conftest import PLUGIN, Table

needs_dask = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="the extra cluster is not installed")
EVEN = [("left", 1, 1)] * 4


@pytest.mark.skipif(importlib.util.find_spec("distributed") is not None, reason="the extra cluster is installed")
def test_the_extra_is_named() -> None:
    with pytest.raises(MissingExtra, match=r"gamelog\[cluster\]"), cluster("tcp://127.0.0.1:1"):
        pass


@needs_dask
@pytest.mark.filterwarnings("default")  # Dask's own
def test_a_cluster_judges_and_survives_a_record_that_kills_its_workers(
    monkeypatch: pytest.MonkeyPatch, table: Table, archive: Path, ask: Callable[..., list[tuple[Any, ...]]]
) -> None:
    for at in range(230):
        table(*EVEN, id=f"game-{at:03}")
    table(*EVEN, id="game-150b", options={"fault": "kill"})
    monkeypatch.setenv("PYTHONPATH", str(PLUGIN))
    with importlib.import_module("distributed").LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local:
        local.scheduler.allowed_failures = 0
        with cluster(local.scheduler_address) as (executor, jobs):
            assert jobs == 2
            assert index([table.folder], archive, executor=executor, jobs=jobs) == Update(231, 0, 0, 0, 230, 230)
    assert ask("SELECT count(*) FROM events") == [(1840,)]
    assert ask("SELECT parse_filename(path), code FROM findings") == [("game-150b.jsonl", "archive.killed")]


@needs_dask
@pytest.mark.filterwarnings("default")
def test_a_scheduler_that_is_not_there_is_named() -> None:
    with pytest.raises(ArchiveError, match="No scheduler answers at tcp://127"), cluster("tcp://127.0.0.1:1", seconds=0.5):
        pass
    with pytest.raises(ArchiveError, match="No scheduler answers at nonsense"), cluster("nonsense://x", seconds=0.5):
        pass
