"""Tests that archives and Parquet files contain the meanings of tables and columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pyarrow import parquet

from gamelog.archive import TABLES, VIEWS, Reader, all_questions

from .piles import Pile


@pytest.fixture
def filled(archive: Path) -> Path:
    pile = Pile()
    id = pile.game()
    pile.contest(id, 1, True)
    return pile.stored(archive)


def test_every_table_view_and_column_has_a_meaning(filled: Path) -> None:
    with duckdb.connect(str(filled), read_only=True) as connection:
        tables = dict(
            connection.execute(
                "SELECT table_name, comment FROM duckdb_tables() UNION ALL "
                "SELECT view_name, comment FROM duckdb_views() WHERE NOT internal"
            ).fetchall()
        )
        columns = {
            (table, column): comment
            for table, column, comment in connection.execute(
                "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal"
            ).fetchall()
        }
    for table in (*TABLES.values(), *VIEWS.values()):
        assert tables[table.name] == table.meaning
        for column in table.columns:
            assert columns[table.name, column.name] == column.meaning


def parquet_metadata(archive: Path, out: Path, question: str, **values: Any) -> dict[str, Any]:
    """Write an answer as Parquet, and return its metadata as pyarrow reads it."""
    with Reader(archive, out=out) as reader:
        reader.save(question, "parquet", values)
    found: dict[str, Any] = json.loads(parquet.read_schema(out).metadata[b"gamelog"])
    return found


def test_a_parquet_file_has_the_meanings_of_its_columns(filled: Path, tmp_path: Path) -> None:
    out = tmp_path / "answer.parquet"
    meant = {column.name: column.meaning for column in TABLES["contests"].columns}
    assert parquet_metadata(filled, out, "FROM contests") == {"columns": meant}
    asked = "SELECT odds, avg(odds) AS mean, count(*) AS n, 'it''s' AS seat FROM contests WHERE n < $n GROUP BY odds"
    found = parquet_metadata(filled, out, asked, n=5)
    assert found["columns"] == {name: meant[name] for name in ("odds",)}, "others are made by the question"
    assert parquet_metadata(filled, out, "SELECT 1 AS odds") == {"columns": {}}
    assert parquet.read_table(out).to_pylist() == [{"odds": 1}]


def test_a_column_of_two_meanings_has_none(filled: Path, tmp_path: Path) -> None:
    found = parquet_metadata(
        filled, tmp_path / "x.parquet", "SELECT id, seat FROM contests JOIN seats USING (id, seat)"
    )
    assert TABLES["contests"].columns[2].meaning != next(
        c.meaning for c in TABLES["seats"].columns if c.name == "seat"
    )
    assert set(found["columns"]) == {"id"}


def test_the_answer_to_a_stock_question_carries_the_question(filled: Path, tmp_path: Path) -> None:
    found = parquet_metadata(filled, tmp_path / "x.parquet", "seats")
    question = all_questions()["seats"]
    assert (found["question"], found["description"]) == (question.title, question.text)
