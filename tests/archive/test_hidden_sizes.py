"""Tests that an archive has no size of a file with an unfinished game with hidden information, and sees its changes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from gamelog.archive import Reader, index, pack
from gamelog.play.contract.registry import find
from gamelog.record.envelope import Event, Header
from tests.table.alike import pairs, write

from .conftest import numbers
from .faulty_store import needs_fsspec

SAMPLES = Path(__file__).parents[2] / "sample_games"

LONG_AGO_NS = 10**18
"""A time of a change that is not recent."""


@pytest.fixture(scope="module")
def game() -> tuple[Header, list[Event]]:
    """Return an unfinished game of Zone S."""
    _, header, events, _ = next(pairs(find("zone_s"), 1, common=False))
    return header, events


def saved(path: Path, header: Header, events: list[Event]) -> Path:
    """Write a record, with a time of change that does not depend on its content."""
    write(path, header, events)
    os.utime(path, ns=(LONG_AGO_NS, LONG_AGO_NS))
    return path


def files(archive: Path, columns: str = "size, mtime_ns") -> list[tuple[Any, ...]]:
    with Reader(archive) as reader:
        return reader.ask(f"SELECT DISTINCT {columns} FROM files ORDER BY ALL").rows


def test_a_file_without_a_size_is_compared_by_its_time(
    tmp_path: Path, game: tuple[Header, list[Event]]
) -> None:
    header, events = game
    path = saved(tmp_path / "a.jsonl", header, events)
    archive = tmp_path / "games.archive"
    index([path], archive)
    assert files(archive) == [(None, LONG_AGO_NS)]
    assert numbers(index([path], archive))[:3] == (0, 0, 1)
    write(path, header, events[:-1])
    assert numbers(index([path], archive))[:3] == (0, 1, 0)


def test_a_file_that_has_just_changed_is_read_again(tmp_path: Path, game: tuple[Header, list[Event]]) -> None:
    header, events = game
    path, archive = tmp_path / "a.jsonl", tmp_path / "games.archive"
    write(path, header, events[:-1])
    index([path], archive)
    changed = path.stat().st_mtime_ns
    write(path, header, events)
    os.utime(path, ns=(changed, changed))
    assert numbers(index([path], archive))[:3] == (0, 1, 0)
    with Reader(archive) as reader:
        assert reader.ask("SELECT events FROM files").rows == [(len(events),)]


def test_a_pack_with_an_unfinished_game_has_no_size(tmp_path: Path, game: tuple[Header, list[Event]]) -> None:
    club, packed, archive = tmp_path / "club", tmp_path / "all.gamelog.parquet", tmp_path / "games.archive"
    club.mkdir()
    saved(club / "a.jsonl", *game)
    (club / "b.jsonl").write_bytes((SAMPLES / "slicewars/short.jsonl").read_bytes())
    pack([club], packed)
    index([packed], archive)
    assert files(archive, "member, size") == [("a.jsonl", None), ("b.jsonl", None)]
    assert numbers(index([packed], archive))[:3] == (0, 0, 1)
    (club / "a.jsonl").unlink()
    packed.unlink()
    pack([club], packed)
    index([packed], archive)
    assert files(archive, "member, size") == [("b.jsonl", packed.stat().st_size)]


def test_a_finding_about_a_record_whose_game_is_not_installed_has_no_offset(
    tmp_path: Path, game: tuple[Header, list[Event]]
) -> None:
    header, events = game
    path = saved(tmp_path / "a.jsonl", structs.replace(header, game="not_installed"), events)
    path.write_bytes(path.read_bytes()[:-9])
    index([path], tmp_path / "games.archive")
    with Reader(tmp_path / "games.archive") as reader:
        torn = "SELECT n, byte_offset FROM findings WHERE code = 'record.torn'"
        assert reader.ask(torn).rows == [(len(events), None)]
        assert reader.ask("SELECT size FROM files").rows == [(None,)]


@needs_fsspec
def test_a_url_has_no_fingerprint_of_an_unfinished_game(
    tmp_path: Path, game: tuple[Header, list[Event]]
) -> None:
    from fsspec.implementations.memory import MemoryFileSystem

    store = MemoryFileSystem()
    path = saved(tmp_path / "a.jsonl", *game)
    store.pipe("/hidden/a.jsonl", path.read_bytes())
    archive = tmp_path / "games.archive"
    index(["memory://hidden"], archive)
    assert files(archive) == [(None, 0)]
    assert numbers(index(["memory://hidden"], archive))[:3] == (0, 1, 0)
