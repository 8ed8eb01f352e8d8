"""Tests that a record with a name that a file system refuses loses only its name."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from gamelog.archive import pack, unpack
from gamelog.archive.sources import packs
from gamelog.errors import ArchiveError

from .conftest import EVEN, Table
from .faulty_store import run

STRANGE = [
    "x" * 306,
    "con.jsonl",
    "aux",
    "deep/COM1.jsonl",
    "ends.",
    "../up.jsonl",
    "/root.jsonl",
    "a\0b",
    "good-0.jsonl",
]
"""Names of records after two good names. The last one repeats a good name."""


@pytest.fixture
def strange(table: Table, tmp_path: Path) -> Path:
    """Write a pack of nine records with invalid file names and two records with valid names."""
    for at in range(2 + len(STRANGE)):
        table(*EVEN, id=f"good-{at}" if at < 2 else f"later-{at:02}")
    made, out = tmp_path / "made.gamelog.parquet", tmp_path / f"strange{packs.ENDING}"
    pack([table.folder], made)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE named (old VARCHAR, new VARCHAR)")
        for at, name in enumerate(STRANGE, 2):
            connection.execute("INSERT INTO named VALUES (?, ?)", [f"later-{at:02}.jsonl", name])
        connection.execute(
            "COPY (SELECT * REPLACE (coalesce((SELECT new FROM named WHERE old = name), name) AS name) FROM "
            f"read_parquet('{made}') ORDER BY name) TO '{out}' (FORMAT parquet, KV_METADATA {{gamelog_pack: '1'}})"
        )
    return out


def test_all_others_are_unpacked_and_each_strange_one_under_another_name(
    strange: Path, table: Table, tmp_path: Path
) -> None:
    back = tmp_path / "back"
    done = unpack(strange, back)
    assert (done.records, done.unreadable, len(done.renamed)) == (11, (), len(STRANGE))
    written = [path for path in back.rglob("*") if path.is_file()]
    assert {path.read_bytes() for path in written} == {path.read_bytes() for path in table.folder.iterdir()}
    assert {path.name for path in written if not path.name.startswith("record-")} == {
        "good-0.jsonl",
        "good-1.jsonl",
    }
    assert {path.parent for path in written} == {back}
    assert all(any(str(path) in text for text in done.renamed) for path in written if "record-" in path.name)


def test_the_command_says_so_and_ends_with_status_1(strange: Path, tmp_path: Path) -> None:
    assert run("unpack", str(strange), "-o", str(tmp_path / "back")) == (
        1,
        f"11 records in {tmp_path / 'back'}.\n",
    )


def test_a_name_that_is_in_the_way_of_another(table: Table, tmp_path: Path) -> None:
    table(*EVEN, id="a", file="a.jsonl")
    table(*EVEN, id="b", file="b.jsonl")
    out = tmp_path / f"club{packs.ENDING}"
    pack([table.folder], out)
    other = tmp_path / f"other{packs.ENDING}"
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT * REPLACE (CASE name WHEN 'b.jsonl' THEN 'a.jsonl/b.jsonl' ELSE name END AS name) FROM "
            f"read_parquet('{out}')) TO '{other}' (FORMAT parquet, KV_METADATA {{gamelog_pack: '1'}})"
        )
    done = unpack(other, tmp_path / "back")
    assert (done.records, len(done.renamed)) == (2, 1)
    assert {path.name for path in (tmp_path / "back").iterdir()} == {"a.jsonl", "record-2.jsonl"}


def test_a_folder_that_cannot_be_written_ends_it(strange: Path, tmp_path: Path) -> None:
    (tmp_path / "back").write_text("a file")
    with pytest.raises(ArchiveError, match="Cannot write"):
        unpack(strange, tmp_path / "back")
