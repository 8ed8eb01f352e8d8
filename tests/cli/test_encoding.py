"""Terminals and pipes whose encoding lacks a character: the character is escaped, and the command works."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog
from tests.cli.terminal import PROGRAM, Terminal

NARROW = ["cp1252", "latin-1", "ascii"]


def run(encoding: str, *args: object, stdin: str = "") -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "200"}
    return subprocess.run([PROGRAM, *map(str, args)], input=stdin.encode(), capture_output=True, env=env)


@pytest.fixture
def emoji(gamelog: Gamelog, game: Path) -> Path:
    assert gamelog("amend", game, "--seat", "red=😀 Ana", "--seat", "blue=Zé").status == 0
    return game


@pytest.mark.parametrize("encoding", NARROW)
def test_an_event_is_recorded_once_and_never_reported_as_failed(emoji: Path, encoding: str) -> None:
    before = len(read_record(emoji).bodies)
    done = run(encoding, "record", emoji, stdin="A1\nB2\nquit\n")
    assert done.returncode == 0, done.stderr
    assert rb"\U0001f600 Ana claims B2." in done.stdout
    assert b"codec" not in done.stdout + done.stderr
    assert len(read_record(emoji).bodies) == before + 2


@pytest.mark.parametrize("encoding", NARROW)
def test_every_command_escapes_characters_that_its_stream_lacks(emoji: Path, encoding: str) -> None:
    for args in (
        ["replay", emoji],
        ["replay", emoji, "--at", 2],
        ["export", emoji, "--format", "txt", "-o", f"{encoding}.txt"],
    ):
        done = run(encoding, *args)
        assert done.returncode == 0, done.stderr
        assert b"Traceback" not in done.stderr
    done = run(encoding, "replay", "😀.jsonl")
    assert (done.returncode, rb"\U0001f600.jsonl" in done.stderr) == (2, True), done.stderr
    told = run(encoding, "replay", emoji, "--at", 3, "--json")
    assert b"\\ud83d\\ude00" in told.stdout or encoding == "utf-8"
    assert "😀 Ana" in json.dumps(json.loads(told.stdout), ensure_ascii=False), "JSON stays JSON"


def test_typed_text_in_another_encoding_is_refused(emoji: Path) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [PROGRAM, "record", str(emoji)], input=b"@note caf\xe9\nquit\n", capture_output=True, env=env
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"not UTF-8" in done.stdout


def test_tables_on_a_terminal(gamelog: Gamelog, emoji: Path) -> None:
    assert gamelog("index", emoji, "--archive", "a.duckdb").status == 0
    with Terminal(
        "query", "SELECT name FROM seats", "--archive", "a.duckdb", PYTHONIOENCODING="cp1252"
    ) as screen:
        assert screen.ends() == 0
        assert r"\U0001f600 Ana" in screen.text


def test_a_terminal_in_another_encoding_records_and_prints_events(emoji: Path) -> None:
    before = len(read_record(emoji).bodies)
    with Terminal("record", emoji, PYTHONIOENCODING="cp1252") as screen:
        screen.sees(">")
        screen.types("A1\r")
        screen.sees("claims A1", r"\U0001f600 Ana: claim>")
        screen.types("B2\r")
        screen.sees(r"\U0001f600 Ana claims B2.")
        screen.types("quit\r")
    assert len(read_record(emoji).bodies) == before + 2


def test_piped_text_is_utf_8_whatever_the_output_encoding(game: Path) -> None:
    done = run("cp1252", "record", game, stdin="note größe ← 🐢\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "größe ← 🐢".encode() in read_record(game).bodies[-1]


def test_typed_text_has_the_encoding_of_the_terminal(game: Path) -> None:
    with Terminal("record", game, PYTHONIOENCODING="cp1252", LC_ALL="C.UTF-8") as screen:
        screen.sees("Rui: claim>")
        screen.types("note größe ← 🐢\r")
        screen.sees("Note by the table", "Rui: claim>")
        screen.types("\x03")
        screen.sees("Stop the clock")
        screen.types("n\r")
        assert screen.ends() == 0
    assert "größe ← 🐢".encode() in read_record(game).bodies[-1]


def test_bytes_that_are_not_text_are_refused_in_a_sentence(game: Path) -> None:
    before = game.read_bytes()
    env = {**os.environ, "COLUMNS": "200"}
    given: list[tuple[list[str | bytes | Path], bytes]] = [
        (["record", game], b"note gr\xf6\xdfe\nfix 1 \xf6\nquit\n"),
        (["note", game, b"gr\xf6\xdfe"], b""),
    ]
    for args, stdin in given:
        done = subprocess.run([PROGRAM, *args], input=stdin, capture_output=True, env=env)
        assert b"not UTF-8" in done.stdout or b"Send it again in UTF-8" in done.stderr, done
        assert b"Traceback" not in done.stderr
    assert game.read_bytes() == before
