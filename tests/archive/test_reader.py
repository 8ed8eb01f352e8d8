"""Questions are answered and nothing else happens: the archive and the machine are out of their reach."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from gamelog.archive import TABLES, VIEWS, Format, QuestionBounds, Reader, index
from gamelog.archive.indexing.store import Store
from gamelog.archive.schema import connecting
from gamelog.errors import ArchiveError

from .conftest import Table, installed, numbers


def three_games(shelf: Path) -> None:
    table = Table(shelf)
    table(("left", 6, 1), ("right", 2, 2), ("right", 5, 4), id="a", tags={"event": "Club, night"})
    table(("left", 1, 1), id="b")
    table(("middle", 1, 1), id="c")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of three games that nobody writes to."""
    folder = tmp_path_factory.mktemp("reader")
    with installed():
        three_games(folder / "records")
        index([folder / "records"], folder / "games.archive")
    return folder / "games.archive"


@pytest.fixture(scope="module")
def reader(archive: Path) -> Iterator[Reader]:
    with Reader(archive) as reader:
        yield reader


@pytest.fixture
def own(shelf: Path, tmp_path: Path) -> Path:
    """An archive of the same games, which may be written to; the games lie on the shelf."""
    three_games(shelf)
    index([shelf], tmp_path / "own.archive")
    return tmp_path / "own.archive"


def test_an_answer_has_columns_types_and_rows(reader: Reader) -> None:
    answer = reader.ask(
        "SELECT id, events, winners FROM games WHERE events > $least ORDER BY id", {"least": 2}
    )
    assert answer.columns == ("id", "events", "winners")
    assert answer.types == ("VARCHAR", "BIGINT", "VARCHAR[]")
    assert answer.rows == [("a", 6, ["red"])]
    assert answer.dicts() == [{"id": "a", "events": 6, "winners": ["red"]}]


def test_a_limit_is_a_limit(reader: Reader) -> None:
    assert len(reader.ask("FROM range(1000000000)", limit=3).rows) == 3


def test_every_table_view_and_column_is_there_as_declared(reader: Reader) -> None:
    for table in (*TABLES.values(), *VIEWS.values()):
        answer = reader.ask(f"FROM {table.name}", limit=0)
        assert answer.columns == tuple(column.name for column in table.columns)
        assert answer.types == tuple(column.sql for column in table.columns)
        assert table.meaning
        assert all(column.meaning for column in table.columns)


def test_views_save_the_joins(reader: Reader) -> None:
    assert reader.ask("SELECT id, seat, turn_order, player, won, score, reason, minutes FROM results ORDER BY seat").rows == [
        ("a", "blue", 2, "Rui", False, 0, "points", 0.1), ("a", "red", 1, "Ana", True, 2, "points", 0.1),
    ]  # fmt: skip
    assert reader.ask("SELECT n, player, kind, seconds, data->>'at' FROM moves WHERE id = 'a' ORDER BY n").rows == [
        (1, "Ana", "pull", 1.0, "left"), (3, "Rui", "pull", 1.0, "right"), (5, "Ana", "pull", 1.0, "right"),
    ]  # fmt: skip
    assert reader.ask("SELECT n, player, sides, face, source, stands FROM dice WHERE id = 'b' ORDER BY player").rows == [
        (2, "Ana", 6, 1, "table", True), (2, "Rui", 6, 1, "table", True),
    ]  # fmt: skip
    for name in VIEWS:
        (ids,) = reader.ask(f"SELECT count(*) FROM (SELECT id FROM {name} ANTI JOIN games USING (id))").rows
        assert ids == (0,)


class Shut(NamedTuple):
    """Readers of one archive and of several, and what they are to leave alone."""

    readers: dict[Reader, list[tuple[Any, ...]]]
    """Each with who is seated in all games."""
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
        "WITH x AS (DELETE FROM settled.silent RETURNING *) FROM x",
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


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("SELECT * FROM gams", "Did you mean"),
        ("SELECT colour FROM games", '(line 1, at "colour")'),
        ("SELEKT 1", 'That is not SQL: syntax error at or near "SELEKT" (line 1, at "SELEKT")'),
        ("SELECT id\nFROM games\nWHERE nosuch(id)", '(line 3, at "nosuch(id)")'),
        ("SELECT " + "1, " * 200 + "colour FROM games", '(line 1, at "colour")'),
        ("", "empty"),
        ("-- nothing", "empty"),
        ("SELECT 1; SELECT 2", "one question"),
        ("SELECT $x", "x"),
        ("SELECT 1 / 'a'", "a"),
        ("SELECT error('boom')", "boom"),
    ],
)
def test_mistakes_are_explained_in_one_sentence(reader: Reader, question: str, said: str) -> None:
    with pytest.raises(ArchiveError) as caught:
        reader.ask(question)
    assert said in str(caught.value)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
    assert "LINE 1" not in str(caught.value)


def test_time_is_bounded_and_the_reader_goes_on(archive: Path) -> None:
    with Reader(archive, QuestionBounds(timeout=1)) as reader:
        with pytest.raises(ArchiveError, match="took longer than 1 s"):
            reader.ask(
                "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE (a.range * b.range) % 7 = 3"
            )
        assert reader.ask("SELECT 1").rows == [(1,)]


def test_memory_is_bounded(archive: Path) -> None:
    with (
        Reader(archive, QuestionBounds(memory="20MB", threads=1)) as reader,
        pytest.raises(ArchiveError, match="memory"),
    ):
        reader.ask("SELECT list(range) FROM range(100000000)")


def test_a_bound_that_is_none_is_named(archive: Path) -> None:
    with pytest.raises(ArchiveError, match=r"within these bounds: Memory must have a number"):
        Reader(archive, QuestionBounds(memory="plenty"))
    with pytest.raises(ArchiveError, match="within these bounds"):
        Reader(archive, QuestionBounds(threads=0))


def test_readers_in_one_process_each_have_their_bounds(archive: Path) -> None:
    with (
        Reader(archive, QuestionBounds(memory="1GB", threads=1)) as first,
        Reader(archive, QuestionBounds(threads=2)) as other,
    ):
        assert first.ask("SELECT current_setting('threads')").rows == [(1,)]
        assert other.ask("SELECT current_setting('threads')").rows == [(2,)]
        first.close()
        assert other.ask("SELECT count(*) FROM games").rows == [(3,)]


def test_readers_that_write_the_same_file_share_an_archive(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.csv"
    with Reader(archive, out=out), Reader(archive, out=out) as reader:
        reader.save("SELECT 1 AS one", "csv")
    assert out.read_text() == "one\n1\n"


@pytest.mark.parametrize(
    "question",
    [
        "SELECT now() AS now, 1 AS one",
        "SELECT now(), now();",
        "SELECT [now()] -- a list",
        "SELECT {'at': now()}",
    ],
)
def test_times_with_a_zone_come_as_text(reader: Reader, question: str) -> None:
    answer = reader.ask(question)
    assert "TIMESTAMP WITH TIME ZONE" in answer.types[0]
    assert isinstance(answer.rows[0][0], str)
    assert "202" in answer.rows[0][0]


def test_every_type_can_be_asked_for(reader: Reader) -> None:
    answer = reader.ask("FROM test_all_types()")
    zoned = [at for at, type in enumerate(answer.types) if "TIMESTAMPTZ" in type]
    assert zoned
    assert all(isinstance(answer.rows[0][at], str) for at in zoned)


def test_zoned_times_of_a_value_come_as_text(reader: Reader) -> None:
    asked = reader.ask("SELECT $at::TIMESTAMPTZ AS at", {"at": "2026-03-01 20:00:00+00"})
    assert asked.rows[0][0].startswith(("2026-03-01 ", "2026-03-02 ")), "as the clock shows it here"


def test_a_question_that_is_nearly_named_is_suggested(reader: Reader) -> None:
    for word, hint in (
        ("seatz", "did you mean seats?"),
        (" Lenghts ", "did you mean lengths?"),
        ("games", "FROM games"),
        ("xyzzy", "--list"),
    ):
        with pytest.raises(ArchiveError, match="There is no stock question") as caught:
            reader.ask(word)
        assert hint in str(caught.value)


@pytest.mark.parametrize("format", ["csv", "json", "parquet"])
def test_an_answer_is_written(format: Format, archive: Path, tmp_path: Path) -> None:
    out = tmp_path / f"it's an answer.{format}"
    with Reader(archive, out=out) as reader:
        reader.save(
            "SELECT id, events, tags->>'event' AS event FROM games WHERE valid ORDER BY id -- all of them",
            format,
        )
    wanted = [{"id": "a", "events": 6, "event": "Club, night"}, {"id": "b", "events": 2, "event": None}]
    if format == "csv":
        with out.open(newline="") as file:
            assert [
                row | {"events": int(row["events"]), "event": row["event"] or None}
                for row in csv.DictReader(file)
            ] == wanted
    elif format == "json":
        assert [json.loads(line) for line in out.read_text().splitlines()] == wanted
    else:
        import duckdb

        assert [
            dict(zip(wanted[0], row, strict=True)) for row in duckdb.read_parquet(str(out)).fetchall()
        ] == wanted
    assert sorted(path.name for path in tmp_path.iterdir()) == [out.name]


def test_a_stock_question_is_written(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "seats.csv"
    with Reader(archive, out=out) as reader:
        reader.save("seats", "csv", {"game": "tug"})
    assert out.read_text().startswith("game,players,seat,")


def test_a_failed_answer_leaves_what_was_there(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "answer.csv"
    out.write_text("yesterday's")
    with Reader(archive, out=out) as reader, pytest.raises(ArchiveError):
        reader.save("SELECT error('boom') FROM events", "csv")
    with Reader(archive, out=out) as reader, pytest.raises(ArchiveError):
        reader.save("DELETE FROM games", "csv")
    assert out.read_text() == "yesterday's"
    assert not list(tmp_path.glob(".*"))


def test_where_nothing_in_a_question_is_pointed_at_nothing_is_named(archive: Path) -> None:
    with (
        Reader(archive) as reader,
        pytest.raises(ArchiveError, match=r"^The archive cannot answer that: boom\.$"),
    ):
        reader.ask("SELECT error('boom')")


def test_an_answer_has_to_go_somewhere(archive: Path, tmp_path: Path) -> None:
    with Reader(archive) as reader, pytest.raises(ArchiveError, match="which file"):
        reader.save("SELECT 1", "csv")
    with (
        Reader(archive, out=tmp_path / "nowhere" / "x.csv") as reader,
        pytest.raises(ArchiveError, match="nowhere"),
    ):
        reader.save("SELECT 1", "csv")


def test_many_may_read_at_once(archive: Path) -> None:
    code = "import sys; from gamelog.archive import Reader; print(Reader(sys.argv[1]).ask('SELECT count(*) FROM games').rows)"
    with Reader(archive):
        done = subprocess.run(
            [sys.executable, "-c", code, archive], capture_output=True, text=True, check=True
        )
    assert done.stdout == "[(3,)]\n"


def test_what_is_no_archive_is_named(tmp_path: Path, shelf: Path) -> None:
    import duckdb

    three_games(shelf)
    noise, note, other, empty, later = (
        tmp_path / name for name in ("noise", "note", "other", "empty", "later")
    )
    noise.write_bytes(b"no archive " * 999)
    note.write_bytes(b"call Ana\n")  # so short that DuckDB takes it for a file that is still empty
    for path, sql in (
        (other, "CREATE TABLE t (x INT)"),
        (empty, "SELECT 1"),
        (later, "CREATE TABLE archive AS SELECT 999 AS version"),
    ):
        with duckdb.connect(str(path)) as connection:
            connection.execute(sql)
    said = {
        noise: "is not an archive",
        note: "is not an archive",
        other: "not an archive of game records",
        empty: "holds no archive yet",
        later: "of version 999",
        tmp_path / "missing": "There is no archive",
        tmp_path: "is a folder",
    }
    for path, words in said.items():
        with pytest.raises(ArchiveError, match=words):
            Reader(path)
    for path in (noise, note, other, later, tmp_path, tmp_path / "no" / "folder"):
        before = path.read_bytes() if path.is_file() else None
        with pytest.raises(ArchiveError):
            index([shelf], path)
        assert before is None or path.read_bytes() == before
    assert index([shelf], empty).records == 3


HOLD = """
import sys, time
from gamelog.archive.indexing.store import Store
with Store(sys.argv[1]) as store:
    store.sql("DELETE FROM games")
    print("held", flush=True)
    sys.stdin.read()
"""


def test_an_archive_that_is_being_written_is_left_alone_and_survives_its_writer(
    own: Path, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for waiting in (connecting.connect, Store.__init__):
        defaults = {**(waiting.__kwdefaults__ or {}), "patience": 0.2}
        monkeypatch.setattr(waiting, "__kwdefaults__", defaults)
    monkeypatch.setattr(connecting, "WAIT_SECONDS", 0.2)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, own], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout
        assert writer.stdout.readline() == "held\n"
        for attempt in (lambda: Reader(own), lambda: index([shelf], own)):
            with pytest.raises(ArchiveError, match=rf"another process \(PID {writer.pid}\)"):
                attempt()
        writer.kill()
    assert numbers(index([shelf], own)) == (0, 0, 3, 0, 3, 2)


def test_a_reader_here_keeps_a_writer_out(own: Path, shelf: Path) -> None:
    with Reader(own), pytest.raises(ArchiveError, match="used by this process"):
        index([shelf], own)
    assert index([shelf], own).same == 3


def test_the_command_line_starts_without_duckdb() -> None:
    code = "import sys, gamelog.archive; sys.exit('duckdb' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_values_come_as_python_has_them(reader: Reader) -> None:
    ((row),) = reader.ask("SELECT 1.5::DOUBLE, NULL, [1, 2], TRUE, 'é'").rows
    expected: tuple[Any, ...] = (1.5, None, [1, 2], True, "é")
    assert row == expected


def test_a_question_does_not_read_the_variables_of_whoever_asks(reader: Reader) -> None:
    pandas = pytest.importorskip("pandas", reason="what DuckDB would read is not installed")
    hidden = pandas.DataFrame({"password": ["hunter2"]})
    assert len(hidden) == 1
    with pytest.raises(ArchiveError, match="hidden does not exist"):
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
        with (tmp_path / "out.csv").open(newline="") as file:
            head, *rows = csv.reader(file)
        assert head == ['a"=', "number", "'=list"]
        assert [row[0] for row in rows] == [f"'{cell}" for cell in cells[:9]] + cells[9:]
        assert {row[1] for row in rows} == {"-1"}
        reader.save(asked, "csv", {"cells": cells})
        assert "\n=1+1," in (tmp_path / "out.csv").read_text()
