"""Tests that a question cannot read or write files, change settings, or exceed its time or memory."""

from __future__ import annotations

import csv
import shutil
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from gamelog.archive import QuestionLimits, Reader
from gamelog.errors import ArchiveError


@pytest.fixture(scope="module")
def archive(untouched: Path) -> Path:
    return untouched


class Shut(NamedTuple):
    """Readers of one archive and of several, and the files that they must not change."""

    readers: dict[Reader, list[tuple[Any, ...]]]
    """Each reader, with the people in all games."""
    archive: Path
    content: bytes
    secret: Path
    loot: Path


@pytest.fixture(scope="module")
def shut(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shut]:
    folder = tmp_path_factory.mktemp("shut")
    (folder / "secret.csv").write_text("password\nhunter2\n")
    aliases = folder / "aliases.toml"
    aliases.write_text('[people]\n"Ana" = ["Rui"]\n')
    other = Path(shutil.copy(archive, folder / "other.archive"))
    with (
        Reader(archive, out=folder / "answer.csv", people=aliases) as one,
        Reader([archive, other], out=folder / "answer.csv", people=aliases) as several,
    ):
        readers = {reader: reader.ask("FROM seats ORDER BY ALL").rows for reader in (one, several)}
        assert all(len(seated) >= 6 for seated in readers.values())
        yield Shut(readers, archive, archive.read_bytes(), folder / "secret.csv", folder / "loot")


@pytest.mark.parametrize(
    "attempt",
    [
        "SELECT * FROM read_csv('{secret}')",
        "SELECT * FROM read_text('{secret}')",
        "SELECT * FROM '{secret}'",
        "SELECT * FROM glob('/*')",
        "COPY (SELECT 1) TO '{loot}'",
        "COPY games TO '{loot}' (FORMAT parquet)",
        "EXPORT DATABASE '{loot}'",
        "ATTACH '{loot}'",
        "INSTALL httpfs",
        "LOAD '{secret}'",
        "SET enable_external_access = true",
        "SET memory_limit = '1TB'",
        "RESET lock_configuration",
        "PRAGMA enable_profiling",
        "CREATE TABLE t (x INT)",
        "DELETE FROM games",
        "UPDATE games SET counted = true",
        "DROP TABLE games",
        "INSERT INTO games (id) VALUES ('x')",
        "CREATE SECRET s (TYPE s3)",
        "SELECT * FROM read_json('https://example.org/x.json')",
        "FROM read_parquet('s3://club/x.parquet')",
        "FROM '/etc/passwd'",
        "FROM 'secret.csv'",
        "FROM read_blob('{secret}')",
        "FROM sniff_csv('{secret}')",
        "FROM parquet_metadata('{secret}')",
        "FROM query('FROM read_text(''{secret}'')')",
        "FROM query_table('{secret}')",
        "WITH x AS (DELETE FROM games RETURNING *) FROM x",
        "WITH x AS (DELETE FROM archive_1.main.games RETURNING *) FROM x",
        "WITH x AS (DELETE FROM settled.represented RETURNING *) FROM x",
        "WITH x AS (DELETE FROM aliases RETURNING *) FROM x",
        "WITH x AS (DELETE FROM aliases RETURNING *) PIVOT x ON person USING count(*)",
        "ATTACH '{archive}' AS again",
        "DETACH archive_1",
        "USE archive_1",
        "FROM json_execute_serialized_sql(json_serialize_sql('FROM read_text(''{secret}'')'))",
        "FROM query('ATTACH ''{archive}'' AS again')",
        "SELECT getenv('HOME')",
        "FROM duckdb_secrets()",
        "ATTACH ':memory:' AS m",
        "USE memory",
        "IMPORT DATABASE '{loot}'",
        "SET VARIABLE x = 1",
        "SET python_enable_replacements = true",
        "PRAGMA database_list",
        "CALL enable_logging()",
        "CREATE TEMP TABLE games AS SELECT 1",
        "CREATE TEMP MACRO counted_games(x) AS TABLE SELECT 1",
        "PREPARE p AS SELECT 1",
        "BEGIN",
        "CHECKPOINT",
        "EXPLAIN ANALYZE CREATE TEMP TABLE t AS SELECT 1",
        "SELECT 1; COPY (SELECT 1) TO '{loot}'",
    ],
)
def test_a_question_can_do_nothing_but_ask(attempt: str, shut: Shut) -> None:
    for reader, seated in shut.readers.items():
        with pytest.raises(ArchiveError) as caught:
            reader.ask(attempt.format(secret=shut.secret, loot=shut.loot, archive=shut.archive))
        assert reader.ask("FROM seats ORDER BY ALL").rows == seated
        assert "hunter2" not in str(caught.value)
        assert "\n" not in str(caught.value)
        assert not shut.loot.exists()
        assert shut.archive.read_bytes() == shut.content


def test_a_question_draws_no_progress_bar(shut: Shut) -> None:
    for reader in shut.readers:
        assert reader.ask("SELECT current_setting('enable_progress_bar')").rows == [(False,)]


def test_time_is_bounded_and_the_reader_goes_on(archive: Path) -> None:
    with Reader(archive) as reader:
        reader.limits = QuestionLimits(timeout=1)  # a busy machine may need longer to open the archive
        with pytest.raises(ArchiveError, match="exceeded the time limit of 1 s"):
            reader.ask(
                "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE (a.range * b.range) % 7 = 3"
            )
        assert reader.ask("SELECT 1").rows == [(1,)]


def test_memory_is_bounded(archive: Path) -> None:
    with (
        Reader(archive, QuestionLimits(memory="20MB", threads=1)) as reader,
        pytest.raises(ArchiveError, match="memory"),
    ):
        reader.ask("SELECT list(range) FROM range(100000000)")


def test_a_bound_that_is_none_is_named(archive: Path) -> None:
    with pytest.raises(ArchiveError, match=r"These limits are not possible: Memory must have a number"):
        Reader(archive, QuestionLimits(memory="plenty"))
    with pytest.raises(ArchiveError, match="These limits are not possible"):
        Reader(archive, QuestionLimits(threads=0))


def test_readers_in_one_process_each_have_their_bounds(archive: Path) -> None:
    with (
        Reader(archive, QuestionLimits(memory="1GB", threads=1)) as first,
        Reader(archive, QuestionLimits(threads=2)) as other,
    ):
        assert first.ask("SELECT current_setting('threads')").rows == [(1,)]
        assert other.ask("SELECT current_setting('threads')").rows == [(2,)]
        first.close()
        assert other.ask("SELECT count(*) FROM games").rows == [(3,)]


def test_a_question_does_not_read_the_variables_of_the_caller(archive: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="DuckDB would read pandas, which is not installed")
    hidden = pandas.DataFrame({"password": ["hunter2"]})
    assert len(hidden) == 1
    with Reader(archive) as reader, pytest.raises(ArchiveError, match="hidden does not exist"):
        reader.ask("FROM hidden")


def test_an_answer_is_written_through_no_link(archive: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    precious, out = tmp_path / "precious", folder / "out.csv"
    precious.write_bytes(b"precious")
    for planted in (out, folder / ".out.csv.part", folder / "tmp_.out.csv.part"):
        planted.symlink_to(precious)
    with Reader(archive, out=out) as reader:
        for _ in range(2):
            reader.save("SELECT 1 AS one", "csv")
    assert precious.read_bytes() == b"precious"
    assert (out.is_symlink(), out.read_text()) == (False, "one\n1\n")
    assert len(list(folder.iterdir())) == 3


def test_a_spreadsheet_is_given_no_formulas(archive: Path, tmp_path: Path) -> None:
    cells = ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "\nx", "＝1", "＠x", "x=1", "", "'"]
    asked = 'SELECT unnest($cells) AS "a""=", -1 AS number, [\'=x\'] AS "=list"'
    with Reader(archive, out=tmp_path / "out.csv") as reader:
        reader.save(asked, "csv", {"cells": cells}, for_spreadsheets=True)
        assert (tmp_path / "out.csv").read_bytes().count(BOM_UTF8) == 1
        with (tmp_path / "out.csv").open(newline="", encoding="utf-8-sig") as file:
            head, *rows = csv.reader(file)
        assert head == ['a"=', "number", "'=list"]
        assert [row[0] for row in rows] == [f"'{cell}" for cell in cells[:9]] + cells[9:]
        assert {row[1] for row in rows} == {"-1"}
        reader.save(asked, "csv", {"cells": cells})
        plain = (tmp_path / "out.csv").read_bytes()
        assert b"\n=1+1," in plain
        assert not plain.startswith(BOM_UTF8)
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith((".", "out"))] == ["out.csv"]
