"""Tests that a fault of a network or store is not taken for a fault of a record.

Each request is tried again. If it fails, the record is reported as not read, and the archive keeps its old rows.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from gamelog.archive import Pack, find_items, index, pack, unpack, verdicts
from gamelog.archive.sources.remote import MAX_ATTEMPTS
from gamelog.errors import ReadFailed

from .conftest import EVEN, Table, dump, numbers
from .faulty_store import Fault, FaultyStore, contents_of, needs_s3, refusals, run
from .test_packs import contents

Ask = Callable[..., list[tuple[Any, ...]]]

pytestmark = [needs_s3, pytest.mark.filterwarnings("default")]  # those of the S3 client and server

ONCE: list[list[Fault]] = [
    ["cut"],
    ["short"],
    ["flip"],
    ["gone"],
    [503],
    ["flip", "short", "flip"],
    [500, "cut"],
]


@pytest.fixture
def packed(s3: Any, table: Table, tmp_path: Path) -> str:
    """Store a pack of nine records, one of them torn."""
    for at in range(8):
        table(*EVEN, ("left", at + 1, 1), id=f"game-{at}")
    (table.folder / "torn.jsonl").write_bytes(table(*EVEN, id="torn").read_bytes()[:-3])
    pack([table.folder], tmp_path / "club.gamelog.parquet")
    s3.put_file(str(tmp_path / "club.gamelog.parquet"), "club/packed/club.gamelog.parquet")
    return "s3://club/packed/club.gamelog.parquet"


def status_of(paths: list[str]) -> dict[str, str | None]:
    """Return the status of each record under these paths."""
    return {verdict.path.rpartition("/")[2]: verdict.status for verdict in verdicts(find_items(paths))}


@pytest.mark.grid
@pytest.mark.parametrize("faults", ONCE, ids=str)
@pytest.mark.parametrize("name", ["sound.jsonl", "small.jsonl.zst", "torn.jsonl"])
def test_a_record_that_came_wrong_is_fetched_again(
    name: str, faults: list[Fault], s3: Any, faulty: FaultyStore, table: Table
) -> None:
    data = table(*EVEN, id="one").read_bytes()
    stored = {"sound.jsonl": data, "small.jsonl.zst": zstandard.compress(data), "torn.jsonl": data[:-3]}[name]
    s3.pipe(f"club/one/{name}", stored)
    faulty.fault = contents_of(name, faults)
    assert status_of([f"s3://club/one/{name}"]) == {name: "torn" if name.startswith("torn") else "ok"}
    assert faulty.failed == len(faults)
    s3.rm("club/one", recursive=True)


@pytest.mark.grid
@pytest.mark.parametrize("faults", ONCE, ids=str)
@pytest.mark.parametrize("after", [0, 1, 2, 3])
def test_a_pack_that_came_wrong_is_read_again(
    after: int, faults: list[Fault], faulty: FaultyStore, packed: str
) -> None:
    faulty.fault = contents_of("club.gamelog", [None] * after + faults)
    items = status_of([packed])
    assert set(items.values()) == {"ok", "torn"}
    assert [name for name, status in items.items() if status == "torn"] == ["club.gamelog.parquet:torn.jsonl"]
    assert len(items) == 9
    assert faulty.failed == len(faults)


def test_a_damaged_file_in_a_store_is_read_twice(
    s3: Any, faulty: FaultyStore, table: Table, packed: str
) -> None:
    where = packed.rpartition("/")[0]
    data = table(*EVEN, id="lost").read_bytes()
    s3.pipe("club/packed/lost.jsonl", data.replace(b"left", b"lost", 1))
    s3.pipe("club/packed/lost.jsonl.zst", zstandard.compress(data)[:-4])
    s3.pipe("club/packed/lost.gamelog.parquet", s3.cat("club/packed/club.gamelog.parquet")[:-9])
    found = status_of([where])
    assert {name for name, status in found.items() if status == "damaged"} == {
        "lost.jsonl", "lost.jsonl.zst", "lost.gamelog.parquet",
    }  # fmt: skip
    asked = faulty.contents_asked()
    assert {asked.count(f"/club/packed/lost{end}") for end in (".jsonl", ".jsonl.zst")} == {2}
    s3.rm("club/packed/", recursive=True)


@pytest.mark.parametrize("fault", ["cut", "short", "gone"])
def test_unread_files_are_named_and_tried_again_by_the_next_run(
    fault: str,
    s3: Any,
    faulty: FaultyStore,
    table: Table,
    archive: Path,
    ask: Ask,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    impatient(monkeypatch)
    for name in ("good", "bad"):
        s3.pipe(f"club/some/{name}.jsonl", table(*EVEN, id=name).read_bytes())
    faulty.fault = lambda method, path: fault if method == "GET" and "bad" in path else None
    done = index(["s3://club/some"], archive)
    (told,) = done.first_not_taken
    assert (told.path, told.code) == ("s3://club/some/bad.jsonl", "record.read_failed")
    assert told.message.startswith("s3://club/some/bad.jsonl was not read: ")
    assert ask("SELECT status FROM files WHERE path LIKE '%bad%'") == [("unread",)]
    assert ask("SELECT id FROM games") == [("good",)]
    assert status_of(["s3://club/some"]) == {"bad.jsonl": None, "good.jsonl": "ok"}
    faulty.behave()
    assert index(["s3://club/some"], archive).findings == {}
    assert faulty.contents_asked() == ["/club/some/bad.jsonl"]
    assert ask("SELECT id FROM games ORDER BY id") == [("bad",), ("good",)]
    s3.rm("club/some", recursive=True)


def test_commands_name_unread_files_and_end_with_status_1(
    s3: Any, faulty: FaultyStore, table: Table, archive: Path
) -> None:
    for name in ("good", "bad"):
        s3.pipe(f"club/said/{name}.jsonl", table(*EVEN, id=name).read_bytes())
    faulty.fault = lambda method, path: "short" if method == "GET" and "bad" in path else None
    status, said = run("validate", "s3://club/said")
    assert status == 1
    assert "s3://club/said/bad.jsonl: not read\n" in said
    assert "2 records: 1 not read, 1 ok." in said
    status, said = run("index", "s3://club/said", "--archive", str(archive))
    assert status == 1
    assert "Not indexed: 1." in said
    assert "s3://club/said/bad.jsonl was not read: " in said
    s3.rm("club/said", recursive=True)


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the client of the store to one attempt, so that only our own attempts are tested."""
    import s3fs

    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 1)
    s3fs.S3FileSystem.clear_instance_cache()


@pytest.mark.grid
@pytest.mark.parametrize("fault", ["cut", "flip", "gone", "away"])
def test_a_replaced_pack_that_cannot_be_read_leaves_the_archive_as_it_was(
    fault: str,
    s3: Any,
    faulty: FaultyStore,
    table: Table,
    packed: str,
    archive: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert index([packed], archive).records == 9
    before = dump(archive)
    for at in range(8):
        table(*EVEN, ("right", at + 1, 1), id=f"game-{at}")
    pack([table.folder], tmp_path / "newer.gamelog.parquet")
    s3.put_file(str(tmp_path / "newer.gamelog.parquet"), packed.removeprefix("s3://"))
    impatient(monkeypatch)
    seen = 0

    def failing(method: str, path: str) -> Fault:
        nonlocal seen
        seen += method == "GET" and "club.gamelog" in path
        if fault == "away":  # in the middle: when what is in the pack is known already
            return "gone" if seen > 2 else None
        if fault == "flip":
            return fault if seen % 2 else None
        return fault if seen else None

    faulty.fault = failing
    for _ in range(2):
        seen = 0
        done = index([packed], archive)
        assert ({*done.findings}, done.records) == ({"record.torn", "record.read_failed"}, 9)
        assert done.not_taken
        after = dump(archive)
        assert {name for name in before if after[name] != before[name]} == {"findings"}
    faulty.behave()
    assert numbers(index([packed], archive)) == (0, 1, 0, 0, 9, 8)
    with Pack(packed) as records:
        heads = {records.read(name).head for name in records.sizes()}
    assert heads == heads_in(archive)


def heads_in(archive: Path) -> set[str]:
    """Return the heads of the records in an archive."""
    from gamelog.archive import Reader

    with Reader(archive) as reader:
        return {head for (head,) in reader.ask("SELECT head FROM files").rows}


@pytest.mark.parametrize("seed", range(3))
def test_a_store_that_refuses_two_in_five_is_read_in_few_requests(
    seed: int, s3: Any, faulty: FaultyStore, packed: str, archive: Path
) -> None:
    where = packed.rpartition("/")[0]
    s3.cp("club/packed/club.gamelog.parquet", "club/packed/other.gamelog.parquet")
    index([where], archive.with_suffix(".calm"))
    assert len(faulty.asked) <= 20, "a look, the whole twice, and that for each time a pack is opened"
    faulty.behave()
    faulty.fault = refusals(0.4, seed)
    done = index([where], archive)
    assert (done.records, done.findings) == (9, {"record.torn": 2})
    assert faulty.failed > 2
    assert len(faulty.asked) - faulty.failed <= 25
    s3.rm("club/packed/other.gamelog.parquet")


def test_unpacking_names_unread_records(faulty: FaultyStore, packed: str, tmp_path: Path) -> None:
    faulty.fault = contents_of("club.gamelog", [None, "flip"] * MAX_ATTEMPTS)
    with pytest.raises(ReadFailed, match="differed at each attempt"):
        unpack(packed, tmp_path / "back")
    faulty.behave()
    assert unpack(packed, tmp_path / "back").records == 9
    assert contents(tmp_path / "back").keys() >= {"game-0.jsonl", "torn.jsonl"}
