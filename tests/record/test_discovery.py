"""Tests of finding records: which files, in which order, and folders that cannot be searched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gamelog.errors import NotReadable
from gamelog.record.discovery import find_records
from gamelog.record.reading import read_record
from tests.record.sample import nobody


def found_paths(*paths: Path | str) -> list[str]:
    return [os.fspath(path) for path in find_records(paths)]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_folders_are_searched_in_the_order_of_names() -> None:
    expected = ["club/a/z.jsonl.zst", "club/b.jsonl", "club/c/y.jsonl", "club/d.jsonl/x.jsonl"]
    for name in (*reversed(expected), "club/e/notes.txt", "club/f.json"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).touch()
    assert found_paths("club") == expected
    assert found_paths("club/f.json", "club/c", "club/c") == ["club/f.json", "club/c/y.jsonl"]
    assert [os.fspath(path) for path in find_records(["club"], endings=(".txt", ".json"))] == [
        "club/e/notes.txt",
        "club/f.json",
    ]


def test_links_are_followed_and_loops_end() -> None:
    Path("club/inner").mkdir(parents=True)
    Path("other").mkdir()
    Path("other/o.jsonl").touch()
    Path("club/inner/up").symlink_to("..")
    Path("club/self").symlink_to("self")
    Path("club/gone.jsonl").symlink_to("nowhere.jsonl")
    Path("club/way").symlink_to("../other")
    assert found_paths("club") == ["club/gone.jsonl", "club/way/o.jsonl"]
    assert found_paths("club/gone.jsonl") == ["club/gone.jsonl"]


def test_folders_may_be_as_deep_as_a_path_allows() -> None:
    above, depth = Path.cwd(), 1_200
    for _ in range(depth):
        os.mkdir("d")
        os.chdir("d")
    Path("a.jsonl").touch()
    os.chdir(above)
    try:
        assert found_paths("d") == ["d/" * depth + "a.jsonl"]
    finally:  # shutil.rmtree has no stack for it
        os.unlink("d/" * depth + "a.jsonl")
        for left in range(depth, 0, -1):
            os.rmdir("d/" * left)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("missing", "missing does not exist"),
        ("x" * 300, "File name too long"),
        ("file/x.jsonl", "Not a directory"),
        ("a\0b", "is not a valid file name"),
    ],
)
def test_paths_that_cannot_exist_are_reported(path: str, words: str) -> None:
    Path("file").touch()
    with pytest.raises(NotReadable, match=words):
        found_paths(path)


def test_folders_that_cannot_be_searched_are_reported(tmp_path: Path) -> None:
    shut = tmp_path / "shut"
    (shut / "inner").mkdir(parents=True)
    (tmp_path / "club").mkdir()
    (tmp_path / "club/a.jsonl").symlink_to(shut / "inner")
    (tmp_path / "club/b").symlink_to(shut / "inner")
    (tmp_path / "about").mkdir()
    (tmp_path / "about/c.jsonl").touch()
    (tmp_path / "about/shut").symlink_to(shut)
    shut.chmod(0)
    try:
        with nobody(tmp_path):
            assert found_paths("club") == ["club/a.jsonl"]
            with pytest.raises(NotReadable, match=r"Cannot read .*inner: Permission denied"):
                found_paths(shut / "inner")
            with pytest.raises(NotReadable, match=r"Cannot search the folder .*shut: Permission denied"):
                found_paths(shut)
            assert found_paths("about") == ["about/c.jsonl", "about/shut"]
            with pytest.raises(NotReadable, match=r"Cannot search the folder .*shut: Permission denied"):
                read_record(shut)
    finally:
        shut.chmod(0o700)
