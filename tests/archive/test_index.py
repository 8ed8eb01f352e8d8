"""Tests of runs over new, changed, touched, missing, repeated and forked files."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from gamelog.archive import Update, index
from gamelog.archive.sources import items as sources
from gamelog.archive.workers import judge_batch, judge_versions
from gamelog.errors import NotReadable
from gamelog.play.contract import registry
from gamelog.play.contract.registry import find
from gamelog.play.fold import common_events
from gamelog.record.envelope import Parent

from .conftest import EVEN, Table, dump, events_of, numbers, rebuilt, write

Ask = Callable[..., list[tuple[Any, ...]]]
Run = Callable[..., Update]


def test_unchanged_files_are_not_read_again(
    table: Table, indexed: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(*EVEN)
    table(("left", 6, 1))
    assert numbers(indexed()) == (2, 0, 0, 0, 2, 2)
    read: list[str] = []
    monkeypatch.setattr(sources, "read_bytes", read.append)
    assert numbers(indexed()) == (0, 0, 2, 0, 2, 2)
    assert read == []


def test_an_unchanged_file_is_not_even_opened(table: Table, indexed: Run, shelf: Path) -> None:
    for at in range(3):
        table(*EVEN, id=f"game-{at}")
    opened: list[str] = []
    listening = False

    def hear(event: str, given: tuple[Any, ...]) -> None:
        if listening and event == "open" and str(given[0]).startswith(str(shelf)):
            opened.append(str(given[0]))

    sys.addaudithook(hear)  # hooks stay for good; this one goes deaf
    listening = True
    indexed()
    assert len({*opened}) == 3
    opened.clear()
    assert indexed().same == 3
    assert opened == []
    listening = False


def test_a_record_that_grew_is_judged_again(
    table: Table, indexed: Run, ask: Ask, shelf: Path, archive: Path, tmp_path: Path
) -> None:
    table(*EVEN, id="a")
    table(("left", 6, 1), id="b")
    indexed()
    table(("left", 6, 1), ("left", 2, 2), ("right", 6, 1), id="b")
    assert numbers(indexed()) == (0, 1, 1, 0, 2, 2)
    assert ask("SELECT events, finished FROM games WHERE id = 'b'") == [(6, True)]
    assert dump(archive) == rebuilt(shelf, tmp_path)


def test_a_record_without_events_is_a_game_that_has_not_begun(table: Table, indexed: Run, ask: Ask) -> None:
    table(id="new")
    assert indexed().records == 1
    assert ask("SELECT events, finished, winners FROM games") == [(0, False, None)]


def test_a_touched_file_is_not_judged_again(
    table: Table, indexed: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = table(*EVEN)
    indexed()
    os.utime(path, ns=(1, 1))
    monkeypatch.setattr(
        judge_batch, "fold_record", lambda _: pytest.fail("a record with the same head was judged again")
    )
    assert numbers(indexed()) == (0, 0, 1, 0, 1, 1)
    monkeypatch.setattr(sources, "read_bytes", lambda _: pytest.fail("the new time was not remembered"))
    assert indexed().same == 1


def test_a_torn_tail_comes_and_goes(
    table: Table, indexed: Run, ask: Ask, archive: Path, shelf: Path, tmp_path: Path
) -> None:
    path = table(*EVEN)
    whole = path.read_bytes()
    indexed()
    path.write_bytes(whole + b'{"h":"')
    assert indexed().changed == 1
    assert ask("SELECT status, counted FROM games") == [("torn", False)]
    assert ask("SELECT code FROM findings") == [("record.torn",)]
    path.write_bytes(whole)
    assert indexed().changed == 1
    assert ask("SELECT status, counted FROM games") == [("ok", True)]
    assert dump(archive) == rebuilt(shelf, tmp_path)


def test_vanished_records_leave(
    table: Table, indexed: Run, archive: Path, shelf: Path, tmp_path: Path
) -> None:
    table(*EVEN, id="a")
    table(("left", 6, 1), id="b").unlink()
    table(("middle", 6, 1), id="c")
    indexed()
    (shelf / "c.jsonl").unlink()
    assert numbers(indexed()) == (0, 0, 1, 1, 1, 1)
    assert dump(archive) == rebuilt(shelf, tmp_path)
    (shelf / "a.jsonl").unlink()
    assert indexed().records == 0
    assert all(rows == [] for rows in dump(archive).values())


def test_records_of_other_folders_stay(table: Table, archive: Path, shelf: Path) -> None:
    table(*EVEN, id="a", file="one/a.jsonl")
    table(("left", 6, 1), id="b", file="two/b.jsonl")
    table(("left", 6, 1), id="c", file="one more/c.jsonl")
    index([shelf / "one", shelf / "two", shelf / "one more"], archive)
    shutil.rmtree(shelf / "two")
    (shelf / "one more" / "c.jsonl").unlink()
    assert index([shelf / "one"], archive).records == 3
    assert numbers(index([shelf / "one" / "a.jsonl"], archive)) == (0, 0, 1, 0, 3, 3)
    assert numbers(index([shelf], archive, prune=True)) == (0, 0, 1, 2, 1, 1)


def test_a_file_named_twice_is_one(
    table: Table, archive: Path, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(*EVEN, id="a")
    monkeypatch.chdir(shelf)
    assert index([shelf, "a.jsonl", Path("../records/a.jsonl")], archive).new == 1


def test_a_missing_path_is_named_and_nothing_changes(table: Table, archive: Path, shelf: Path) -> None:
    table(*EVEN)
    with pytest.raises(NotReadable, match="nowhere does not exist"):
        index([shelf, shelf / "nowhere"], archive)
    assert not archive.exists()


def test_files_that_are_no_records_are_found(table: Table, indexed: Run, ask: Ask, shelf: Path) -> None:
    table(*EVEN)
    (shelf / "noise.jsonl").write_bytes(b"this is not a record\n")
    (shelf / "empty.jsonl").write_bytes(b"")
    (shelf / "broken.jsonl.zst").write_bytes(b"no zstd")
    (shelf / "nowhere.jsonl").symlink_to(shelf / "gone")
    (shelf / "notes.txt").write_text("not looked at")
    assert numbers(indexed()) == (5, 0, 0, 0, 1, 1)
    name = "parse_filename(path)"
    assert ask(f"SELECT {name}, status FROM files WHERE id IS NULL ORDER BY 1") == [
        ("broken.jsonl.zst", "damaged"), ("empty.jsonl", "torn"), ("noise.jsonl", "damaged"), ("nowhere.jsonl", "unread"),
    ]  # fmt: skip
    assert ask(f"SELECT {name}, code FROM findings ORDER BY 1") == [
        ("broken.jsonl.zst", "record.damaged"), ("empty.jsonl", "record.torn"),
        ("noise.jsonl", "record.damaged"), ("nowhere.jsonl", "record.unreadable"),
    ]  # fmt: skip


def test_a_name_that_is_no_utf8_is_found(table: Table, indexed: Run, ask: Ask, shelf: Path) -> None:
    os.rename(os.fsencode(table(*EVEN)), os.fsencode(shelf) + b"/\xff.jsonl")
    indexed()
    assert [
        (code, path.endswith("\\xff.jsonl")) for code, path in ask("SELECT code, path FROM findings")
    ] == [("archive.name", True)]
    assert indexed().same == 1


def test_one_record_in_two_files_is_one_game(
    table: Table, indexed: Run, ask: Ask, shelf: Path, archive: Path, tmp_path: Path
) -> None:
    path = table(*EVEN, id="a")
    shutil.copy(path, shelf / "b.jsonl")
    assert numbers(indexed()) == (2, 0, 0, 0, 1, 1)
    assert ask("SELECT count(*) FROM events") == [(4,)]
    assert ask("SELECT path FROM games") == [(str(path),)]
    assert ask("SELECT count(*) FROM findings") == [(0,)]
    path.unlink()
    indexed()
    assert ask("SELECT path FROM games") == [(str(shelf / "b.jsonl"),)]
    assert ask("SELECT count(*) FROM events") == [(4,)]
    assert dump(archive) == rebuilt(shelf, tmp_path)


def test_the_longer_of_two_versions_speaks(
    table: Table, indexed: Run, ask: Ask, archive: Path, shelf: Path, tmp_path: Path
) -> None:
    table(("left", 6, 1), id="a", file="old.jsonl")
    indexed()
    table(("left", 6, 1), ("left", 3, 2), id="a", file="new.jsonl")
    indexed()
    assert ask("SELECT events, counted FROM games") == [(4, True)]
    assert ask("SELECT count(*) FROM events") == [(4,)]
    assert ask("SELECT * FROM findings") == []
    assert dump(archive) == rebuilt(shelf, tmp_path)


def test_a_whole_version_speaks_before_a_longer_damaged_one(table: Table, indexed: Run, ask: Ask) -> None:
    table(("left", 6, 1), id="a", file="whole.jsonl")
    long = table(("left", 6, 1), ("left", 3, 2), id="a", file="damaged.jsonl")
    long.write_bytes(long.read_bytes() + b"noise\n")
    indexed()
    assert ask("SELECT events, status, parse_filename(path) FROM games") == [(2, "ok", "whole.jsonl")]
    assert ask("SELECT code, parse_filename(path) FROM findings") == [("record.damaged", "damaged.jsonl")]


@pytest.mark.grid
@pytest.mark.parametrize("first", ["a.jsonl", "b.jsonl", None])
def test_a_fork_is_found_in_any_order(
    first: str | None, table: Table, indexed: Run, ask: Ask, archive: Path, shelf: Path, tmp_path: Path
) -> None:
    table(("left", 6, 1), ("left", 3, 2), id="x", file="a.jsonl")
    table(("left", 6, 1), ("right", 3, 2), ("left", 1, 1), id="x", file="b.jsonl")
    if first:
        index([shelf / first], archive)
        assert ask("SELECT counted FROM games") == [(True,)]
    indexed()
    assert ask("SELECT events, status, counted, parse_filename(path) FROM games") == [
        (6, "ok", False, "b.jsonl")
    ]
    assert ask("SELECT parse_filename(path), id, n, code FROM findings") == [
        ("a.jsonl", "x", 3, "archive.fork")
    ]
    assert dump(archive) == rebuilt(shelf, tmp_path)
    (shelf / "b.jsonl").unlink()
    indexed()
    assert ask("SELECT counted, parse_filename(path) FROM games") == [(True, "a.jsonl")]
    assert dump(archive) == rebuilt(shelf, tmp_path)


def test_a_fork_in_the_header(table: Table, indexed: Run, ask: Ask) -> None:
    table(*EVEN, id="x", file="a.jsonl")
    table(*EVEN, id="x", file="b.jsonl", names=("Eva", "Rui"))
    indexed()
    ((n, message),) = ask("SELECT n, message FROM findings")
    assert n == 0
    assert message.endswith("both have the record id x, but they differ from the header on")


def test_a_file_that_becomes_another_record(
    table: Table, indexed: Run, ask: Ask, archive: Path, shelf: Path, tmp_path: Path
) -> None:
    table(*EVEN, id="x", file="a.jsonl")
    table(("left", 6, 1), id="y", file="b.jsonl")
    indexed()
    table(("left", 6, 1), ("left", 6, 1), id="y", file="a.jsonl")
    table(*EVEN, id="x", file="b.jsonl")
    table(*EVEN, id="x", file="c.jsonl")
    assert indexed().changed == 2
    assert ask("SELECT id, events, parse_filename(path) FROM games ORDER BY id") == [
        ("x", 4, "b.jsonl"),
        ("y", 4, "a.jsonl"),
    ]
    assert dump(archive) == rebuilt(shelf, tmp_path)


def test_the_same_play_counts_once(table: Table, indexed: Run, ask: Ask) -> None:
    won = [("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]
    table(*won, id="ana", started="2026-03-01T20:00:05Z", pace=900)
    table(*won, id="rui", started="2026-03-01T20:00:00Z")
    table(*won[:2], id="going")
    table(*won[:2], id="going too")
    indexed()
    assert ask("SELECT id, copy_of, counted FROM games ORDER BY id") == [
        ("ana", "rui", False), ("going", None, True), ("going too", None, True), ("rui", None, True),
    ]  # fmt: skip


def test_a_branch_of_a_record_that_is_here_does_not_count(table: Table, indexed: Run, ask: Ask) -> None:
    trunk = table(("left", 6, 1), ("left", 2, 2), id="trunk")
    parent = Parent("trunk", 2, "A" * 43)
    table(("left", 6, 1), ("right", 6, 2), ("left", 6, 2), id="branch", parents=[parent])
    indexed()
    assert ask("SELECT id, parent, counted FROM games ORDER BY id") == [
        ("branch", "trunk", False),
        ("trunk", None, True),
    ]
    trunk.unlink()
    indexed()
    assert ask("SELECT id, parent, counted FROM games") == [("branch", "trunk", True)]


def test_a_newer_judge_judges_again_and_an_older_one_does_not(
    table: Table, indexed: Run, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(*EVEN)
    strange = table.folder / "strange.jsonl"
    write(strange, structs.replace(table.header("strange"), game="chess 4000"), [])
    os.utime(strange, (0, 0))  # a file without a size in the archive is read again soon after a change
    indexed()
    tug = judge_versions.judge_version_of("tug")
    assert tug.startswith("1 tug 1.0~")
    assert ask("SELECT status, judge FROM files ORDER BY id") == [
        ("ok", tug), ("unknown", "1"),
    ]  # fmt: skip
    assert indexed().same == 2

    def judged_by(**who: str) -> None:
        for module in ("indexing.planning", "workers.judge_batch"):
            monkeypatch.setattr(f"gamelog.archive.{module}.judge_version_of", lambda game: who.get(game, "1"))

    judged_by(tug=tug, **{"chess 4000": "1 somebody 1.0: 1"})
    assert indexed().changed == 1
    judged_by(tug="1 tug 1.0.1: 1")  # where chess is not installed
    assert numbers(indexed()) == (0, 1, 1, 0, 2, 1)
    judged_by(tug="1 tug 1.0: 1")  # a host that is a release behind
    assert numbers(indexed()) == (0, 0, 2, 0, 2, 1)
    judged_by(tug="2 tug 1.0: 1")
    assert indexed().changed == 1
    judged_by()  # where no game is installed
    assert indexed().same == 2
    assert indexed(force=True).changed == 2


def test_the_judge_of_a_game_has_the_kept_rules_of_that_game_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = (*registry.registered_names(), "tug@0.9", "slicewars@0.8")
    monkeypatch.setattr(judge_versions, "registered_names", lambda: found)
    judge_versions.judge_version_of.cache_clear()
    assert judge_versions.judge_version_of("tug").endswith(": 0.9, 1")


@pytest.mark.parametrize(
    ("theirs", "ours", "expected"),
    [
        ("1 gamelog: 1", "1 gamelog: 1", False),
        ("1 gamelog: 1", "1 gamelog: 1.0, 1.1", True),
        ("1 gamelog: 1.0, 1.1", "1 gamelog: 1", False),
        ("1 gamelog: 1.9", "1 gamelog: 1.10", True),
        ("1 tug 1.0: 1", "1 tug 1.1: 1", True),
        ("1 tug 1.1: 1", "1 tug 1.0: 1", False),
        ("2 tug 1.0: 1", "1 tug 1.1: 1", False),
        ("1 tug 1.0: 1", "1 other 1.0: 1", True),
        ("1", "1 tug 1.0: 1", True),
        ("1 tug 1.0: 1", "2", False),
        ("1", "2", True),
        ("2", "1", False),
        ("gamelog 0.1.0, tug of tug 1.0", "1 tug 1.0: 1", True),
    ],
)
def test_judges_that_judge_again(theirs: str, ours: str, expected: bool) -> None:
    assert judge_versions.is_outdated(theirs, ours) is expected


def test_a_pool_gives_the_same_archive(
    table: Table, indexed: Run, archive: Path, shelf: Path, tmp_path: Path
) -> None:
    game = find("tug")
    for at in range(250):
        header = table.header(f"game-{at}", seats=2 + at % 2)
        write(
            shelf / f"{at}.jsonl",
            header,
            events_of(header, [("left", 1 + at % 6, 3), ("right", at % 5 + 1, at % 6 + 1)]),
        )
    assert game.seats[3]
    indexed(jobs=2)
    assert dump(archive) == rebuilt(shelf, tmp_path)


def test_strange_text_goes_through(table: Table, indexed: Run, ask: Ask) -> None:
    names = ("Robert'); DROP TABLE games;--", "a\x00b\U0001f600\u2028")
    table(("left", 1, 1), common_events.Note(0, 0, "table", 'say "\x00\\'), names=names, tags={"\n": "\t"})
    indexed()
    assert ask("SELECT name FROM seats ORDER BY position") == [(names[0],), (names[1],)]
    assert ask("SELECT tags FROM games") == [('{"\\n":"\\t"}',)]


def test_two_hosts_with_other_code_of_one_version_do_not_undo_each_other_s_work(
    table: Table, indexed: Run, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, rui = "1 tug 1.0~aaaaaaaa: 1", "1 tug 1.0~bbbbbbbb: 1"

    def on(host: str, **asked: bool) -> tuple[int, tuple[str, ...]]:
        for module in ("indexing.planning", "workers.judge_batch"):
            monkeypatch.setattr(
                f"gamelog.archive.{module}.judge_version_of", lambda game: host if game == "tug" else "1"
            )
        done = indexed(**asked)
        return done.changed, done.others

    table(*EVEN, id="one", file="one.jsonl")
    assert on(ana) == (0, ())
    assert on(rui) == (1, ()), "code that changed without a new version is noticed"
    for _ in range(3):
        assert on(ana) == (0, ("tug",))
        assert on(rui) == (0, ())
    table(*EVEN, id="two", file="two.jsonl")
    assert on(ana) == (0, ("tug",))
    assert sorted(ask("SELECT judge FROM files")) == [(ana,), (rui,)]
    assert on(rui) == (1, ())
    assert on(ana) == (0, ("tug",))
    assert on(ana, force=True) == (2, ())
    assert on(rui) == (0, ("tug",))
    assert on(ana) == (0, ())
    assert on("1 tug 1.1~aaaaaaaa: 1") == (2, ()), "a version is a version"
    assert on(rui) == (0, ())
