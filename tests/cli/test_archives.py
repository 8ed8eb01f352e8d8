"""Errors about archives and queries: one sentence that says what to do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Gamelog

SAMPLE = Path(__file__).parents[2] / "sample_games" / "zone_s" / "short.jsonl"


@pytest.fixture
def archive(gamelog: Gamelog, tmp_path: Path) -> Path:
    """Return an archive of one record."""
    (tmp_path / "records").mkdir()
    shutil.copy(SAMPLE, tmp_path / "records")
    assert gamelog("index", "records", "--archive", "club.archive").status == 0
    return tmp_path / "club.archive"


def test_an_archive_of_another_version_is_refused_with_the_command_to_rebuild_it(
    gamelog: Gamelog, archive: Path
) -> None:
    import duckdb

    with duckdb.connect(str(archive)) as connection:
        connection.execute("UPDATE archive SET version = 1")
    for words in (("query", "FROM games"), ("index", "records"), ("report", "-o", "x.html")):
        done = gamelog(*words, "--archive", archive)
        assert done.status == 2
        assert done.err.endswith("Delete the file and index the records again.\n")
        assert done.err.count("\n") == 1
    archive.unlink()
    assert gamelog("index", "records", "--archive", archive).status == 0
    assert gamelog("query", "SELECT count(*) FROM games", "--archive", archive, "--no-headings").out == "1\n"


def test_a_folder_of_unrelated_json_is_refused(gamelog: Gamelog, archive: Path) -> None:
    Path("other").mkdir()
    Path("other/package.json").write_text('{"name": "x"}')
    assert gamelog("index", "other", "--archive", archive).out.startswith(f"{archive}: 0 new")
    Path("other/log.jsonl").write_text('{"level": "info"}\n{"level": "warn"}\n')
    assert gamelog("index", "other", "--archive", archive).out.startswith(f"{archive}: 1 new")
    found = gamelog(
        "query", "SELECT code, parse_filename(path) FROM findings", "--archive", archive, "--format", "csv"
    )
    assert found.out == "code,parse_filename(path)\nrecord.damaged,log.jsonl\n"
    assert gamelog("validate", "other").status == 1


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("SELECT colour FROM games", '(line 1, at "colour").'),
        ("SELEKT 1", '(line 1, at "SELEKT").'),
        ("DROP TABLE games", "begins with SELECT, FROM or WITH."),
        ("SELECT 1; SELECT 2", "Ask one statement at a time."),
        ("FROM read_csv('/etc/passwd')", "disabled by configuration"),
    ],
)
def test_a_mistake_in_a_query_is_reported_in_one_sentence(
    question: str, said: str, gamelog: Gamelog, archive: Path
) -> None:
    done = gamelog("query", question, "--archive", archive)
    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_second_by_is_refused(gamelog: Gamelog, archive: Path) -> None:
    done = gamelog("query", "seats", "--archive", archive, "--by", "option=max_rounds", "--by", "rules")
    assert (done.status, done.out) == (2, "")
    assert "--by can be given only once, but you gave option=max_rounds and rules." in done.err


def test_a_query_can_be_limited(gamelog: Gamelog, archive: Path) -> None:
    long = "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE (a.range * b.range) % 7 = 3"
    done = gamelog("query", long, "--archive", archive, "--seconds", "0.2")
    assert (done.status, done.err) == (
        2,
        "gamelog: The question exceeded the time limit of 0.2 s. Ask for less, or raise the limit.\n",
    )
    done = gamelog(
        "query", "SELECT list(range) FROM range(100000000)", "--archive", archive, "--memory", "20MB"
    )
    assert done.status == 2
    assert "The question exceeded its memory limit" in done.err


def test_the_list_has_views_with_their_units(gamelog: Gamelog, archive: Path) -> None:
    listed = gamelog("query", "--list", "--archive", archive).out
    assert "minutes of play" in listed
    for name in ("games", "results", "moves", "dice"):
        assert f"\n{name}: " in listed
