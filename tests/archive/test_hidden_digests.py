"""Tests that an archive has no digest of an unfinished game with hidden information, and confirms no guess of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

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


def test_a_record_whose_game_is_not_installed_has_no_digest_and_no_quotation(
    tmp_path: Path, pair: tuple[Header, list[Event], list[Event]]
) -> None:
    header, events, _ = pair
    path = tmp_path / "one.jsonl"
    write(path, structs.replace(header, game="not_installed"), events)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:-1], lines[-1].replace(b'"by":', b'"bx":')]))
    index([path], tmp_path / "one.archive")
    with Reader(tmp_path / "one.archive") as reader:
        assert reader.ask(DIGESTS).rows == []
        found = reader.ask("SELECT * FROM findings").rows
    assert any("record.damaged" in row for row in found)
    digests = {line[6:49].decode() for line in lines}
    assert [
        row for row in found if any(digest[:8] in str(value) for digest in digests for value in row)
    ] == []


def test_no_answer_about_a_file_with_a_guess_depends_on_what_an_unfinished_game_hides(
    tmp_path: Path, pair: tuple[Header, list[Event], list[Event]]
) -> None:
    header, events, others = pair
    answers = []
    for name, guess in (("right", events), ("wrong", others)):
        folder = tmp_path / name
        folder.mkdir()
        write(folder / "game.jsonl", header, events)
        write(folder / "guess.jsonl", header, guess)
        index([folder], tmp_path / f"{name}.archive")
        with Reader(tmp_path / f"{name}.archive") as reader:
            answers.append((reader.ask(FORKS).rows, reader.ask("SELECT counted, copy_of FROM games").rows))
    right, wrong = answers
    assert right == wrong
    assert right[0] == []


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
