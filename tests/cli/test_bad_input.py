"""Bad input: one clear sentence, the right status, no traceback, and the record unchanged."""

import os
from pathlib import Path

import pytest

from gamelog.play.judging.verdict import validate
from tests.cli.conftest import Gamelog


@pytest.mark.parametrize(
    "command",
    [
        ["validate", "missing.jsonl"],
        ["replay", "missing.jsonl"],
        ["append", "missing.jsonl", "{}"],
        ["record", "missing.jsonl"],
        ["recover", "missing.jsonl"],
        ["export", "missing.jsonl", "-o", "x.html"],
        ["index", "missing", "--archive", "a.db"],
        ["query", "SELECT 1", "--archive", "missing.db"],
        ["replay", "."],
        ["append", ".", "{}"],
        ["new", "ludo", "g.jsonl"],
        ["new", "slicewars", "g.jsonl"],
        ["new", "slicewars", "g.jsonl", "--seat", "red=A", "--seat", "red=B"],
        ["new", "slicewars", "g.jsonl", "--seat", "red=A", "--seat", "pink=B"],
        ["new", "slicewars", "g.jsonl", "--seat", "red"],
        ["new", "slicewars", "g.jsonl", "--seat", "red=A", "--seat", "blue=B", "--option", "nonsense=1"],
        ["new", "slicewars", "g.jsonl", "--seat", "red=A", "--seat", "blue=B", "--option", "max_rounds=0"],
        ["new", "slicewars", "g.jsonl", "--seat", "red=A", "--seat", "blue=B", "--board", "moon"],
        ["new", "slicewars", "g.jsonl", "--seat", "red=A", "--seat", "blue=B", "--board", "missing.json"],
        ["new", "slicewars", "g.jsonl", "--seat", "red=A", "--seat", "blue=B", "--started", "yesterday"],
        ["new", "slicewars", "g.jsonl", "--seat", "red=A", "--seat", "blue=B", "--seed", "x"],
        ["new", "slicewars", "no/such/folder/g.jsonl", "--seat", "red=A", "--seat", "blue=B"],
        ["simulate", "slicewars", "-o", "x", "--bot", "deep-blue"],
        ["simulate", "slicewars", "-o", "x", "--seats", "9"],
        ["schema", "ludo"],
        ["rules", "ludo"],
    ],
)
def test_wrong_usage_is_reported_in_one_sentence(gamelog: Gamelog, command: list[str]) -> None:
    done = gamelog(*command)
    assert done.status in (1, 2), done
    assert done.err.count("\n") == 1, done.err
    assert done.err.startswith("gamelog: ")
    assert done.out == ""
    assert not Path("g.jsonl").exists()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("pipe.jsonl", "a pipe or a device"),
        ("/dev/zero", "a pipe or a device"),
        ("folder.jsonl", "folder"),
        ("gone.jsonl", "does not exist"),
        ("loop.jsonl", "Too many levels"),
        ("x" * 300 + ".jsonl", "File name too long"),
        ("game.jsonl/x.jsonl", "Not a directory"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        ["append", "PATH", '{"do":"@note","by":"table","text":"x"}'],
        ["recover", "PATH"],
        ["recover", "PATH", "--salvage", "-o", "new"],
        ["replay", "PATH"],
        ["verify", "PATH"],
        ["verify", "game.jsonl", "--against", "PATH"],
        ["export", "PATH", "-o", "new"],
        ["branch", "PATH", "--at", "1", "-o", "new"],
        ["compare", "PATH", "game.jsonl"],
        ["validate", "PATH"],
    ],
)
def test_a_path_that_is_not_a_file_is_reported_in_one_sentence(
    gamelog: Gamelog, game: Path, command: list[str], path: str, words: str
) -> None:
    os.mkfifo("pipe.jsonl")
    Path("folder.jsonl").mkdir()
    Path("gone.jsonl").symlink_to("nowhere")
    Path("loop.jsonl").symlink_to("loop.jsonl")
    done = gamelog(*(path if word == "PATH" else word for word in command))
    if command[0] == "validate":  # a finding among others; a folder has no finding
        assert (done.status, words in done.out + done.err) == (
            (0, False) if path == "folder.jsonl" else (2, True)
        ), done
        return
    assert done.status == 2, done
    assert done.err.count("\n") == 1, done.err
    assert done.err.startswith("gamelog: ")
    assert words in done.err or path == "folder.jsonl"
    assert not Path("new").exists()
    assert validate(game).status == "ok"


@pytest.mark.parametrize(
    "event",
    ["{}", "[]", "nonsense", '{"do":"claim"}', '{"do":"claim","at":1}', '{"do":"claim","at":"A1","n":3}'],
)
def test_odd_events_are_refused(gamelog: Gamelog, game: Path, event: str) -> None:
    before = game.read_bytes()
    done = gamelog("append", game, event)
    assert done.status in (1, 2)
    assert done.err.count("\n") == 1
    assert game.read_bytes() == before


def test_append_reports_an_event_whose_effect_is_unknown(gamelog: Gamelog, game: Path) -> None:
    done = gamelog("append", game, '{"do":"claim","at":"Z9"}', "--as-played")
    assert (done.status, "The position after this event is unknown" in done.err) == (0, True)
    done = gamelog("append", game, '{"do":"claim","at":"A1"}')
    assert (done.status, "declares the position" in done.err) == (1, True)
    assert gamelog("takeback", game, "--to", 2).status == 0
    done = gamelog("append", game, '{"do":"claim","at":"A1"}')
    assert (done.status, done.err) == (0, "")


def test_a_claim_or_ruling_about_a_missing_event_is_refused(gamelog: Gamelog, game: Path) -> None:
    assert gamelog("claim", game, "--by", "blue", "--about", 2, "that was mine").status == 0
    assert (
        gamelog("replay", game, "--at", 9)
        .err.strip()
        .endswith("There is no valid event 9. The last valid event is event 3.")
    )


DEEP = "[" * 100_000


def test_json_that_is_nested_too_deep_or_is_not_text_is_refused_everywhere(
    gamelog: Gamelog, game: Path
) -> None:
    Path("deep.json").write_text(DEEP)
    Path("people.toml").write_text(f"people = {DEEP}")
    gamelog("index", game, "--archive", "a.db")
    people = ("--seat", "red=Ana", "--seat", "blue=Rui")
    for words in (
        ("new", "slicewars", "n.jsonl", *people, "--option", f"end={DEEP}"),
        ("new", "slicewars", "n.jsonl", *people, "--option", "end=\udcff"),
        ("new", "slicewars", "n.jsonl", *people, "--board", "deep.json"),
        ("claim", game, "no", "--by", "red", "--intended", DEEP),
        ("claim", game, "no", "--by", "red", "--intended", "\udcff"),
        ("ruling", game, "--about", "1", "--result", '{"winners":' + DEEP, "--by", "Lena", "--reason", "so"),
        ("gap", game, DEEP, "--reason", "so"),
        ("append", game, DEEP),
        ("fix", game, "--at", "1", DEEP),
        ("dice", "reveal", game, "--secret", "deep.json"),
        ("query", "seat-advantage", "--archive", "a.db", "--set", f"game={DEEP}"),
        ("query", "SELECT 1", "--archive", "a.db", "--people", "people.toml"),
        ("query", "SELECT 1", "--archive", "a.db", "--seconds", "nan"),
        ("validate", game, "--record-seconds", "nan"),
    ):
        done = gamelog(*words)
        assert done.status in (1, 2), words[0]
        assert 0 < len(done.err.splitlines()) < 12, words[0]
