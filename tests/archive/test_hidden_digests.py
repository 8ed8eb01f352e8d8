"""Tests that an archive has no digest of an unfinished game with hidden information, and still finds forks of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamelog.archive import Reader, index
from gamelog.play.contract.registry import find
from gamelog.record.envelope import Event, Header
from tests.table.alike import pairs, write

FORKS = "SELECT path.parse_filename() FROM findings WHERE code = 'archive.fork'"

DIGESTS = (
    "SELECT head FROM files WHERE head IS NOT NULL "
    "UNION ALL SELECT coalesce(play, beginning, head) AS digest FROM games WHERE digest IS NOT NULL"
)


@pytest.fixture(scope="module")
def pair() -> tuple[Header, list[Event], list[Event]]:
    _, header, events, others = next(pairs(find("zone_s"), 1))
    return header, events, others


def test_an_unfinished_game_with_hidden_information_has_no_digest(
    tmp_path: Path, pair: tuple[Header, list[Event], list[Event]]
) -> None:
    header, events, others = pair
    for name, lines in (("one", events), ("two", others)):
        write(tmp_path / f"{name}.jsonl", header, lines)
        index([tmp_path / f"{name}.jsonl"], tmp_path / f"{name}.archive")
        with Reader(tmp_path / f"{name}.archive") as reader:
            assert reader.ask("SELECT finished FROM games").rows == [(False,)]
            assert reader.ask(DIGESTS).rows == []


def test_two_files_of_an_unfinished_game_that_differ_are_found(
    tmp_path: Path, pair: tuple[Header, list[Event], list[Event]]
) -> None:
    header, events, others = pair
    for name, lines in (("one", events), ("two", others), ("three", events)):
        write(tmp_path / f"{name}.jsonl", header, lines)
    index([tmp_path], tmp_path / "games.archive")
    with Reader(tmp_path / "games.archive") as reader:
        assert reader.ask(FORKS).rows == [("two.jsonl",)]


def test_archives_do_not_compare_hidden_members_of_an_unfinished_game(
    tmp_path: Path, pair: tuple[Header, list[Event], list[Event]]
) -> None:
    header, events, _ = pair
    for name, lines in (("one", events), ("two", events[:-2])):
        write(tmp_path / f"{name}.jsonl", header, lines)
        index([tmp_path / f"{name}.jsonl"], tmp_path / f"{name}.archive")
    for other in ("one", "two"):
        copy = tmp_path / f"copy-{other}.archive"
        copy.write_bytes((tmp_path / f"{other}.archive").read_bytes())
        with Reader([tmp_path / "one.archive", copy]) as reader:
            assert reader.ask(FORKS).rows == []
