"""Records in a remote store are indexed like those in a folder; fsspec's store in memory stands for one."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from gamelog.archive import Update, index
from gamelog.errors import MissingExtra, NotReadable

from .conftest import Table

Ask = Callable[..., list[tuple[Any, ...]]]

needs_fsspec = pytest.mark.skipif(importlib.util.find_spec("fsspec") is None, reason="the extra remote is not installed")
EVEN = [("left", 1, 1)] * 4


@pytest.mark.skipif(importlib.util.find_spec("fsspec") is not None, reason="the extra remote is installed")
def test_the_extra_is_named(archive: Path) -> None:
    with pytest.raises(MissingExtra, match=r"gamelog\[remote\]"):
        index(["s3://club/records"], archive)


@needs_fsspec
def test_a_store_is_followed_like_a_folder(table: Table, archive: Path, ask: Ask) -> None:
    store = importlib.import_module("fsspec.implementations.memory").MemoryFileSystem()
    for name in ("a", "b", "c"):
        store.pipe(f"/club/2026/{name}.jsonl", table(*EVEN, id=name).read_bytes())
    store.pipe("/club/d.jsonl.zst", zstandard.compress(table(*EVEN, id="d").read_bytes()))
    store.pipe("/club/notes.txt", b"no record")
    store.pipe("/club/broken.jsonl.zst", b"no zstd")
    url = "memory://club"
    assert index([url], archive) == Update(new=5, changed=0, same=0, gone=0, records=4, counted=4)
    assert ask("SELECT id, path FROM games ORDER BY id")[::3] == [
        ("a", "memory:///club/2026/a.jsonl"),
        ("d", "memory:///club/d.jsonl.zst"),
    ]
    assert ask("SELECT path, code FROM findings") == [("memory:///club/broken.jsonl.zst", "record.damaged")]
    assert index([url], archive) == Update(new=0, changed=0, same=5, gone=0, records=4, counted=4)
    store.pipe("/club/2026/b.jsonl", table(*EVEN, ("right", 2, 2), id="b").read_bytes())
    store.rm("/club/2026/c.jsonl")
    assert index([url], archive) == Update(new=0, changed=1, same=3, gone=1, records=3, counted=3)
    assert index(["memory://club/2026/a.jsonl", table.folder], archive).new == 4
    with pytest.raises(NotReadable, match="nothing at memory://elsewhere"):
        index(["memory://elsewhere"], archive)
    with pytest.raises(NotReadable, match="cannot be reached"):
        index(["gopher://club/records"], archive)
