"""Tests of answers as relations, Arrow, polars and pandas, which have no more access than others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas
import polars
import pyarrow
import pytest

from gamelog.archive import QuestionLimits, Reader, Update
from gamelog.errors import ArchiveError, MissingExtra

from .conftest import Table

WINS = "SELECT id, seat, won FROM seats WHERE position <= $last ORDER BY id, position"


@pytest.fixture
def reader(table: Table, indexed: Callable[..., Update], archive: Path) -> Iterator[Reader]:
    table(("left", 6, 1), ("right", 2, 2), ("right", 5, 4), id="a")
    table(("left", 1, 1), id="b")
    indexed()
    with Reader(archive) as reader:
        yield reader


def test_a_relation_can_be_queried_further(reader: Reader) -> None:
    seats = reader.relation("FROM seats").filter("won").project("id, seat")
    assert seats.fetchall() == [("a", "red")]
    assert reader.relation("seats", {"game": "tug"}).aggregate("sum(won)").fetchall() == [(1,)]
    assert reader.relation(WINS, {"last": 1}).columns == ["id", "seat", "won"]


def test_arrow_polars_and_pandas_hold_the_same_rows(reader: Reader) -> None:
    rows = [{"id": "a", "seat": "red", "won": True}, {"id": "b", "seat": "red", "won": None}]
    arrow = reader.arrow(WINS, {"last": 1})
    assert isinstance(arrow, pyarrow.Table)
    assert arrow.to_pylist() == rows
    frame = reader.polars(WINS, {"last": 1})
    assert isinstance(frame, polars.DataFrame)
    assert frame.to_dicts() == rows
    assert frame.schema["won"] == polars.Boolean
    other = reader.pandas(WINS, {"last": 1})
    assert isinstance(other, pandas.DataFrame)
    assert other["seat"].tolist() == ["red", "red"]
    assert other["won"].isna().tolist() == [False, True]


def test_stock_questions_make_frames_too(reader: Reader) -> None:
    assert reader.polars("lengths")["games"].to_list() == [1]


@pytest.mark.parametrize(
    "attempt",
    ["DELETE FROM games", "CREATE TABLE t (x INT)", "FROM read_text('/etc/hostname')", "SELEC 1", ""],
)
def test_they_open_nothing(reader: Reader, attempt: str) -> None:
    for ask in (reader.relation, reader.arrow, reader.polars, reader.pandas):
        with pytest.raises(ArchiveError):
            ask(attempt)
    assert reader.ask("SELECT count(*) FROM games").rows == [(2,)]


def test_frames_keep_to_the_bound_on_time(reader: Reader) -> None:
    reader.limits = QuestionLimits(
        timeout=0.2
    )  # from now on: opening an archive takes longer on a busy machine
    with pytest.raises(ArchiveError, match=r"time limit of 0\.2 s"):
        reader.polars("SELECT sum(a.range * b.range) FROM range(10000000) AS a, range(10000000) AS b")


@pytest.mark.parametrize("package", ["pyarrow", "polars", "pandas"])
def test_without_the_package_the_error_names_the_extra(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    ask = {"pyarrow": reader.arrow, "polars": reader.polars, "pandas": reader.pandas}[package]
    with pytest.raises(MissingExtra, match=r"gamelog\[frames\]"):
        ask("FROM games")
