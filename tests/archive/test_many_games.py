"""A run with many games and files: the search for copies and the list of files need little memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamelog.archive.indexing import marks, store
from gamelog.archive.sources.items import Item
from gamelog.archive.sources.packed_list import PackedList
from gamelog.errors import ArchiveError

_GAMES = 150_000

_FILL_GAMES = """
INSERT INTO games (id, game, players, started, play, valid, finished, counted, chances)
SELECT md5(n::VARCHAR), 'zone_s', 2, TIMESTAMP '2026-03-01 19:00:00' + to_seconds(n),
  sha256(greatest(n, 10)::VARCHAR), true, true, true, 50
FROM range($games) AS numbers(n)
"""
"""Games with different plays, except the first eleven, which have the same play."""

_FILL_SEATS = """
INSERT INTO seats (id, seat, position, name, key, same_name, person, player, sitters, decisions)
SELECT md5(n::VARCHAR), 'seat ' || side, side, 'Ana ' || who, 'name:ana ' || who, 'ana ' || who,
  'name:ana ' || who, 'Ana ' || who, 1, 20
FROM (
  SELECT n, side, if(n < 11, side, n % 60 + side) AS who
  FROM range($games) AS numbers(n), range(2) AS sides(side)
)
"""


def test_the_search_for_copies_needs_little_memory_for_many_games(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_MEMORY", "24MB")
    with store.Store(archive) as filled:
        filled.sql(_FILL_GAMES, games=_GAMES)
        filled.sql(_FILL_SEATS, games=_GAMES)
        marks.mark_copies(filled)
        copies = filled.sql("SELECT id, copy_of FROM games WHERE copy_of IS NOT NULL")
        assert len(copies) == 10
        ((first,),) = filled.sql("SELECT md5('0')")
        assert {original for _, original in copies} == {first}
        assert marks.count_records(filled) == (_GAMES, _GAMES - 10, 10, 0)


def test_too_little_memory_is_not_told_as_a_fault_of_the_folder(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_MEMORY", "24MB")
    with (
        pytest.raises(ArchiveError, match=r"DuckDB needs more memory than it may use: .*\.$") as failure,
        store.Store(archive) as filled,
    ):
        filled.sql("SELECT list(n) FROM range(10_000_000) AS numbers(n)")
    assert "folder" not in str(failure.value)
    assert not archive.exists()


_ITEMS = st.builds(Item, st.text(), st.integers(0, 2**70), st.integers(), st.text(), st.integers(0))


@given(st.lists(_ITEMS, max_size=20), st.integers(0, 3))
def test_a_packed_list_has_its_members_in_their_order(members: list[Item], times: int) -> None:
    members *= 400 * times + 1
    packed = PackedList(members)
    assert [*packed] == members == [*packed]
    assert len(packed) == len(members)
    assert all(member in packed for member in members[:3])
    assert Item("not a member", -1, 0) not in packed


def test_a_packed_list_keeps_names_that_are_not_utf_8() -> None:
    files = [Item(f"/club/{at}\udcff.jsonl", 1, 2) for at in range(2_500)]
    assert [*PackedList(files)] == files


def test_a_packed_list_of_files_takes_a_tenth_of_their_memory() -> None:
    files = (
        Item(f"/home/club/records of the year/game-{at}.jsonl", 900 + at, 1_796_019_560_000_000_000 + at)
        for at in range(50_000)
    )
    tracemalloc.start()
    try:
        packed = PackedList(files)
        used, _ = tracemalloc.get_traced_memory()
        unpacked = [*packed]
        both, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(unpacked) == len(packed) == 50_000
    assert used * 10 < both - used
