"""Tests of malicious archives: no content of their file is run."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from gamelog_reports.report.page import report

from gamelog.archive import Reader, Update, index
from gamelog.errors import ArchiveError
from gamelog.question_limits import USUAL

from .conftest import Table

NO_TABLE = "DROP TABLE archive"
ENDLESS = "WITH RECURSIVE r(version) AS (SELECT 3 UNION ALL SELECT version FROM r WHERE version > 0) SELECT sum(version) FROM r"
EVIL = {
    "a view over a file": (NO_TABLE, "CREATE VIEW archive AS SELECT length(content) AS version FROM read_text('{secret}')"),
    "an endless view": (NO_TABLE, f"CREATE VIEW archive AS {ENDLESS}"),
    "a view over the network": (NO_TABLE, "CREATE VIEW archive AS SELECT 3 AS version FROM 'https://example.org/x.parquet'"),
    "another schema's table": (NO_TABLE, "CREATE SCHEMA other", "CREATE TABLE other.archive AS SELECT 3 AS version"),
    "a function called like DuckDB's": (
        NO_TABLE,
        "CREATE VIEW archive AS SELECT length(content) AS version FROM read_text('{secret}')",
        "CREATE MACRO duckdb_tables() AS TABLE SELECT 'archive' AS table_name, 'main' AS schema_name, "
        "false AS temporary, false AS internal, getvariable('x') AS database_name FROM read_text('{secret}')",
    ),
    "a table that is a view": ("DROP TABLE games CASCADE", "CREATE VIEW games AS SELECT size AS id FROM read_text('{secret}')"),
    "a table of other columns": ("ALTER TABLE seats RENAME COLUMN won TO lost",),
    "a version that is not one": ("DELETE FROM archive", "ALTER TABLE archive ALTER version TYPE VARCHAR",
                               "INSERT INTO archive (version) VALUES ('x')"),
}  # fmt: skip


@pytest.fixture
def evil(
    request: pytest.FixtureRequest,
    table: Table,
    indexed: Callable[..., Update],
    archive: Path,
    tmp_path: Path,
) -> Path:
    """Return an archive in which these statements were run."""
    table(("left", 6, 1), id="a")
    indexed()
    (tmp_path / "secret").write_text("hunter2")
    with duckdb.connect(str(archive)) as connection:
        for statement in request.param:
            try:
                connection.execute(statement.format(secret=tmp_path / "secret"))
            except duckdb.Error:  # a view that cannot be bound here cannot be made here
                if not statement.startswith("CREATE VIEW archive"):
                    raise
    return archive


@pytest.mark.parametrize("evil", EVIL.values(), ids=EVIL, indirect=True)
def test_a_database_that_is_not_an_archive_is_refused(evil: Path, tmp_path: Path) -> None:
    with pytest.raises(
        ArchiveError, match=r"not an archive of game records|Cannot read the archive|is damaged|is empty"
    ):
        Reader(evil)
    good = tmp_path / "good.archive"
    index([tmp_path / "records"], good)
    with pytest.raises(
        ArchiveError, match=r"not an archive of game records|Cannot read the archive|is damaged|is empty"
    ):
        Reader([good, evil])


HARMLESS = (
    "CREATE OR REPLACE VIEW results AS SELECT content AS id FROM read_text('{secret}')",
    "CREATE OR REPLACE MACRO counted_games(x) AS TABLE FROM read_text('{secret}')",
    "CREATE OR REPLACE MACRO wilson_low(k, n) AS 42",
    "CREATE MACRO lower(x) AS 'evil'",
    "CREATE MACRO current_setting(x) AS 'evil'",
)


@pytest.mark.parametrize("evil", [HARMLESS], indirect=True)
def test_views_and_functions_are_this_releases_own(evil: Path) -> None:
    with Reader(evil) as reader:
        assert reader.ask("SELECT lower('A'), wilson_low(0, 10)").rows == [("a", 0.0)]
        assert reader.ask("FROM results").rows == []
        assert [row["games"] for row in reader.ask("players").dicts()] == [1, 1]


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace shows which files are opened")
@pytest.mark.parametrize(
    "evil", [EVIL["a view over a file"], EVIL["a function called like DuckDB's"], HARMLESS], indirect=True
)
def test_no_file_is_opened_that_an_archive_names(evil: Path, tmp_path: Path) -> None:
    code = "import sys; from gamelog.archive import Reader; Reader(sys.argv[1]).ask('SELECT 1')"
    trace = tmp_path / "trace"
    words = [
        "strace",
        "-f",
        "-e",
        "trace=open,openat",
        "-o",
        str(trace),
        sys.executable,
        "-c",
        code,
        str(evil),
    ]
    subprocess.run(words, capture_output=True)
    assert str(evil) in trace.read_text()
    assert str(tmp_path / "secret") not in trace.read_text()


@pytest.mark.parametrize(
    "evil", [EVIL["an endless view"], EVIL["a function called like DuckDB's"]], indirect=True
)
def test_indexing_runs_nothing_of_it_either(evil: Path, tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="not an archive of game records"):
        index([tmp_path / "records"], evil)


IMPOSSIBLE = ("players = NULL", "options = '[]'", "started = '0044-01-01 (BC)'", "started = '290000-01-01'")


@pytest.mark.parametrize(
    "evil", [(f"UPDATE games SET {row}",) for row in IMPOSSIBLE], ids=IMPOSSIBLE, indirect=True
)
def test_impossible_rows_are_reported_in_a_sentence(evil: Path) -> None:
    with pytest.raises(
        ArchiveError, match=r"Cannot read the archive .* Index the records into a new archive"
    ):
        report(evil, limits=USUAL)


@pytest.mark.parametrize(
    "evil", [("UPDATE games SET game = 'a\u202eb', board = 'c\u202ed', rules = 'e\u202ef'",)], indirect=True
)
def test_texts_of_an_archive_change_no_direction_in_a_report(evil: Path) -> None:
    page = report(evil)
    assert "a\\u202eb" in page
    assert "\u202e" not in page
