"""Packs as arguments of commands that take records or folders."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import duckdb
import pytest

from .conftest import Gamelog

SAMPLES = Path(__file__).parents[2] / "sample_games" / "zone_s"


@pytest.fixture
def club(tmp_path: Path, gamelog: Gamelog) -> Path:
    """Return a pack of two records."""
    folder = tmp_path / "records"
    folder.mkdir()
    for name in ("short", "full-2"):
        shutil.copy(SAMPLES / f"{name}.jsonl", folder)
    out = tmp_path / "club.gamelog.parquet"
    assert gamelog("pack", folder, "-o", out).status == 0
    return out


def test_each_record_of_a_pack_is_validated(club: Path, gamelog: Gamelog) -> None:
    lines = gamelog("validate", club, "--json").json
    assert [(line["path"], line["status"]) for line in lines] == [
        (f"{club}:full-2.jsonl", "ok"),
        (f"{club}:short.jsonl", "ok"),
    ]
    assert gamelog("validate", club.parent, "--jobs", "2").out == "4 records: 4 ok.\n"


def test_a_record_in_a_pack_is_replayed_and_exported(club: Path, gamelog: Gamelog, tmp_path: Path) -> None:
    from_file = gamelog("replay", SAMPLES / "short.jsonl")
    assert from_file.status == 0
    assert gamelog("replay", f"{club}:short.jsonl").out == from_file.out
    page = tmp_path / "page.html"
    assert gamelog("export", f"{club}:short.jsonl", "-o", page).status == 0
    gamelog("export", SAMPLES / "short.jsonl", "-o", tmp_path / "other.html")
    assert page.read_bytes() == (tmp_path / "other.html").read_bytes()
    alone = tmp_path / "alone.gamelog.parquet"
    gamelog("pack", SAMPLES / "short.jsonl", "-o", alone)
    assert gamelog("replay", alone).out == from_file.out


def test_a_pack_is_exported_as_a_site(club: Path, gamelog: Gamelog, tmp_path: Path) -> None:
    assert (
        gamelog("export", club, "-o", tmp_path / "site").out
        == f"2 pages written. Open {tmp_path / 'site' / 'index.html'} in a browser.\n"
    )
    assert len(list((tmp_path / "site" / "games").iterdir())) == 2
    refused = gamelog("export", club, "-o", tmp_path / "x.svg", "--format", "svg")
    assert refused.status == 2
    assert "one record" in refused.err


def test_packs_in_a_folder_are_in_its_site_and_problems_are_reported(
    club: Path, gamelog: Gamelog, tmp_path: Path
) -> None:
    tmp_path = tmp_path.rename(tmp_path.with_name("league.2026"))
    club = tmp_path / club.name
    (tmp_path / "records" / "junk.jsonl").write_text("junk\n")
    (tmp_path / "bad.gamelog.parquet").write_bytes(club.read_bytes()[:500])
    made = gamelog("export", tmp_path, "-o", tmp_path / "site")
    assert made.out == f"5 pages written. Open {tmp_path / 'site' / 'index.html'} in a browser.\n"
    assert f"<h1>{tmp_path.name}</h1>" in (tmp_path / "site" / "index.html").read_text().replace(
        "<bdi>", ""
    ).replace("</bdi>", "")
    pages = {path.name for path in (tmp_path / "site" / "games").iterdir()}
    assert pages == {
        "club-full-2.html",
        "club-short.html",
        "records-full-2.html",
        "records-junk.html",
        "records-short.html",
    }
    whole, junk, hidden = made.err.splitlines()
    assert "bad.gamelog.parquet is damaged: " in whole
    assert "records/junk.jsonl: the line does not begin with" in junk
    assert "2 games are not over" in hidden


def test_a_record_in_a_pack_must_be_named(club: Path, gamelog: Gamelog) -> None:
    many = gamelog("replay", club)
    assert many.status == 2
    assert f"is a pack of 2 records. Name one of them: {club}:full-2.jsonl" in many.err
    none = gamelog("replay", f"{club}:nobody.jsonl")
    assert none.status == 2
    assert "has no record nobody.jsonl" in none.err


def test_a_truncated_pack_is_reported_in_one_sentence(club: Path, gamelog: Gamelog, tmp_path: Path) -> None:
    cut = tmp_path / "cut.gamelog.parquet"
    cut.write_bytes(club.read_bytes()[:-9])
    for words in (
        ("replay", cut),
        ("export", cut, "-o", tmp_path / "s"),
        ("unpack", cut, "-o", tmp_path / "u"),
        ("pack", cut, "-o", tmp_path / "p"),
    ):
        done = gamelog(*words)
        assert done.status == 1, words
        assert done.err.count("\n") == 1
        assert "is damaged: " in done.err
        assert "Copy it again" in done.err
    judged = gamelog("validate", cut, "--json")
    assert judged.status == 1
    assert judged.json[0]["findings"][0]["code"] == "record.damaged"
    indexed = gamelog("index", cut, "--archive", tmp_path / "a")
    assert indexed.status == 1
    assert "0 records, 0 counted." in indexed.out
    found = gamelog("query", "SELECT code FROM findings", "--archive", tmp_path / "a", "--format", "csv")
    assert found.out == "code\nrecord.damaged\n"


def test_many_damaged_records_are_counted_and_a_command_lists_all(gamelog: Gamelog, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    for at in range(12):
        shutil.copy(SAMPLES / "short.jsonl", folder / f"{at:02}.jsonl")
    club = tmp_path / "our club.gamelog.parquet"
    assert gamelog("pack", folder, "-o", club).status == 0
    plain = tmp_path / "plain.gamelog.parquet"
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (FROM read_parquet('{club}')) TO '{plain}' "
            "(FORMAT parquet, COMPRESSION uncompressed, KV_METADATA {gamelog_pack: '1'})"
        )
    club.write_bytes(plain.read_bytes().replace(b'"gamelog":1', b'\xc4gamelog":1'))
    listing = f"To list all, run: gamelog validate '{club}'"
    for words in (
        ("unpack", club, "-o", tmp_path / "u"),
        ("pack", club, SAMPLES / "full-2.jsonl", "-o", tmp_path / "p"),
    ):
        done = gamelog(*words)
        assert done.status == 1, words
        *first, rest = done.err.splitlines()
        assert [f"the record {at:02}.jsonl cannot be read: " in line for at, line in enumerate(first)] == [
            True
        ] * 10
        assert rest.startswith(f"gamelog: … and 2 more. {listing[:-1]}")
    listed = gamelog("validate", club)
    assert sum("cannot be read: " in line for line in listed.out.splitlines()) == 12


@pytest.mark.usefixtures("club")
def test_packing_continues_without_an_unreadable_record(gamelog: Gamelog, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    (folder / "nowhere.jsonl").symlink_to(tmp_path / "nothing")
    done = gamelog("pack", folder, "-o", tmp_path / "new.gamelog.parquet")
    assert done.status == 1
    assert done.out.startswith(f"{tmp_path / 'new.gamelog.parquet'}: 2 records in ")
    assert "nowhere.jsonl" in done.err
    assert done.err.count("\n") == 1
    assert gamelog("unpack", tmp_path / "new.gamelog.parquet", "-o", tmp_path / "back").status == 0


SWALLOWED = """
import os, signal, sys, time
from gamelog.archive.packing import packing
from gamelog.errors import ArchiveError
from gamelog_cli.app import main

ending = int(sys.argv.pop())

def write(rows, out, *, sort):
    try:
        os.kill(os.getpid(), ending)
        time.sleep(60)
    except BaseException:
        raise ArchiveError("It cannot be written.") from None

packing._write = write
main()
"""


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_packing_whatever_error_it_causes(ending: signal.Signals, tmp_path: Path) -> None:
    """Libraries may replace the exception of a signal by errors of their own."""
    words: list[str | Path] = ["pack", SAMPLES / "full-2.jsonl", "-o", tmp_path / "all", str(int(ending))]
    command = [sys.executable, "-c", SWALLOWED, *words]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (128 + ending, "")


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_stopped_packing_leaves_no_files(ending: signal.Signals, tmp_path: Path) -> None:
    """The signal comes when the pack has begun to grow."""
    records, room = tmp_path / "records", tmp_path / "room"
    records.mkdir()
    room.mkdir()
    one = shutil.copy(SAMPLES / "full-2.jsonl", tmp_path)
    for at in range(2000):  # more records than can be packed before the signal
        os.link(one, records / f"{at}.jsonl")
    os.unlink(one)
    program = Path(sys.executable).parent / "gamelog"
    command: list[str | Path] = [program, "pack", records, "-o", tmp_path / "all.gamelog.parquet"]
    with subprocess.Popen(
        command, env={**os.environ, "TMPDIR": str(room)}, stderr=subprocess.DEVNULL
    ) as process:
        while process.poll() is None and not list(tmp_path.glob(".gamelog-*/*")):
            sleep(0.01)
        process.send_signal(ending)
        assert process.wait(60) == 128 + ending
    assert list(room.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["records", "room"]
