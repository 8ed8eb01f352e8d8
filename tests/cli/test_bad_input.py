"""Bad input: one clear sentence, the right status, no traceback, and the record unchanged."""

import csv
import io
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import zstandard

from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import validate
from gamelog.play.recording.recorder import recover_record
from gamelog.record import chain
from gamelog.record.envelope import encode_body
from gamelog.record.escaping import escape_invisible
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog
from tests.cli.terminal import Terminal
from tests.play.tables import header
from tests.play.test_verify import CLAIM, ROLL
from tests.record.sample import nobody
from tests.samples.__main__ import DIRECTORY as SAMPLES

PROGRAM = str(Path(sys.executable).parent / "gamelog")


def spoiled(name: str) -> bytes:
    """Return a record with the mistake `name`."""
    first, head = chain.chained_line(chain.GENESIS, encode_body(header()))

    def record(*bodies: bytes) -> bytes:
        data, last = first, head
        for one in bodies:
            line, last = chain.chained_line(last, one)
            data += line
        return data

    good = record(ROLL, CLAIM)
    return {
        "empty": b"",
        "binary": bytes(range(256)) * 40,
        "no header": good.split(b"\n", 1)[1],
        "prose": b"Dear diary, today we played.\n",
        "other json": b'{"a":1}\n{"b":2}\n',
        "crlf": good.replace(b"\n", b"\r\n"),
        "bom": b"\xef\xbb\xbf" + good,
        "10 MB line": first + b'{"h":"' + b"x" * 10_000_000 + b'"}\n',
        "long line": record(CLAIM.replace(b"A1", b"A" * 2_000_000)),
        "deep": record(ROLL, CLAIM.replace(b'"A1"', b"[" * 200_000)),
        "nan": record(ROLL, CLAIM.replace(b"9", b"NaN")),
        "huge": record(ROLL, CLAIM.replace(b'"t":9', b'"t":' + b"9" * 400)),
        "not utf-8": record(ROLL, CLAIM.replace(b"A1", b"\xff\xfe")),
        "duplicate n": record(ROLL, CLAIM.replace(b'"n":2', b'"n":1')),
        "missing n": record(ROLL, CLAIM.replace(b'"n":2,', b"")),
        "time back": record(ROLL, CLAIM.replace(b'"t":9', b'"t":1')),
        "wrong seat": record(ROLL, CLAIM.replace(b"red", b"pink")),
        "out of turn": record(ROLL, CLAIM.replace(b"red", b"blue")),
        "impossible dice": record(ROLL.replace(b"6", b"9")),
        "unknown event": record(ROLL, CLAIM.replace(b"claim", b"castle")),
        "unknown game": chain.chained_line(
            chain.GENESIS, encode_body(header()).replace(b"slicewars", b"slicewarz")
        )[0],
        "unknown format": chain.chained_line(
            chain.GENESIS, encode_body(header()).replace(b'"gamelog":1', b'"gamelog":7')
        )[0],
        "odd header": chain.chained_line(chain.GENESIS, b'"gamelog":1,"id":7}\n')[0],
        "deep header": chain.chained_line(
            chain.GENESIS, b'"gamelog":1,"tags":' + b'{"a":' * 100_000 + b"}\n"
        )[0],
    }[name]


BAD = (
    "empty", "binary", "no header", "prose", "other json", "crlf", "bom", "10 MB line", "long line", "deep", "nan",
    "huge", "not utf-8", "duplicate n", "missing n", "time back", "wrong seat", "out of turn", "impossible dice",
    "unknown event", "unknown game", "unknown format", "odd header", "deep header",
)  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_every_command_reports_what_is_wrong_with_a_record(gamelog: Gamelog, name: str) -> None:
    data = spoiled(name)
    Path("bad.jsonl").write_bytes(data)
    judged = gamelog("validate", "bad.jsonl", "--json")
    assert judged.status == 1
    (verdict,) = judged.json
    assert verdict["valid"] is False
    assert verdict["findings"][0]["message"]
    assert len(verdict["findings"][0]["message"]) < 600
    assert gamelog("validate", "bad.jsonl").status == 1
    refused = gamelog("append", "bad.jsonl", '{"do":"claim","at":"A1"}')
    assert refused.status in (1, 2), refused
    assert refused.err.count("\n") == 1, refused.err
    assert refused.err.startswith("gamelog: ")
    for command in (
        ["replay", "bad.jsonl"],
        ["export", "bad.jsonl", "-o", "bad.html"],
        ["note", "bad.jsonl", "hm"],
    ):
        done = gamelog(*command)
        assert "Traceback" not in done.err + done.out
    assert Path("bad.jsonl").read_bytes() == data
    assert sorted(path.name for path in Path().iterdir()) in (["bad.jsonl"], ["bad.html", "bad.jsonl"])


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


def test_a_loop_of_links_in_a_folder_is_not_followed_forever(gamelog: Gamelog, game: Path) -> None:
    Path("club/inner").mkdir(parents=True)
    Path("club/inner/up").symlink_to("..")
    Path("club/self").symlink_to("self")
    Path("club/gone.jsonl").symlink_to("nowhere.jsonl")
    Path("club/g.jsonl").write_bytes(game.read_bytes())
    rows = gamelog("validate", "club", "--json").json
    assert [Path(row["path"]).name for row in rows] == ["g.jsonl", "gone.jsonl"]
    assert rows[1]["findings"][0]["code"] == "record.unreadable"


def test_a_folder_of_other_files_has_no_records(gamelog: Gamelog) -> None:
    Path("stuff").mkdir()
    Path("stuff/notes.txt").write_text("hello")
    done = gamelog("validate", "stuff")
    assert done.status == 0
    assert "No records" in done.out


def run(*args: object, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True, timeout=60, **options)


def test_a_closed_pipe_is_not_an_error(gamelog: Gamelog) -> None:
    gamelog("simulate", "slicewars", "-o", "club", "--option", "max_rounds=3")
    path = next(Path("club").iterdir())
    done = subprocess.run(
        f"{PROGRAM} replay {path} --every | head -n 3", shell=True, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.count("\n") == 3
    assert done.stderr == ""


def test_interrupting_long_work_leaves_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command = [PROGRAM, "simulate", "slicewars", "--games", "100000", "-o", "club"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(300):
            if Path("club").exists() and any(Path("club").iterdir()):
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode not in (0, None)
    assert "Traceback" not in err
    assert all(validate(path).status == "ok" for path in list(Path("club").glob("*.jsonl"))[:5])


@pytest.mark.usefixtures("unmeasured")
def test_a_full_disk_loses_no_confirmed_event(gamelog: Gamelog, game: Path) -> None:
    before = game.read_bytes()
    limit = len(before) + 40

    def small() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = run("append", game, '{"do":"claim","at":"A1"}', preexec_fn=small)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1, done.stderr
    assert "was not written completely" in done.stderr
    assert game.read_bytes()[: len(before)] == before
    assert gamelog("recover", game).status in (0, 2)
    assert gamelog("append", game, '{"do":"claim","at":"A1"}').status == 0


@pytest.mark.usefixtures("unmeasured")
def test_the_recorder_keeps_a_line_that_a_full_disk_did_not_take(game: Path) -> None:
    before = game.read_bytes()
    with Terminal("record", game) as screen:
        screen.sees("Rui: claim>")
        screen.limit_files(len(before) + 40)
        screen.types("A1\r")
        screen.sees("was not written completely", 'Not recorded: "A1". The line is kept.', "Rui: claim> A1")
        screen.types("\r")
        screen.sees('Not recorded: "A1". The line is kept.', "Rui: claim> A1")
        screen.limit_files(-1)
        screen.types("\r")
        screen.sees("A torn end of 40 bytes was moved", "Rui claims A1.", "Ana: claim>")
        screen.limit_files(game.stat().st_size + 60)
        screen.types("B2\r")
        screen.sees("The line is kept.", "Ana: claim> B2")
        screen.types("\x03")
        screen.types("list\r")
        screen.sees("Rui claims A1.", "Ana: claim>")
        screen.types("quit\r")
        assert screen.ends() == 0
        assert "Traceback" not in screen.text
    assert game.read_bytes().startswith(before)
    recover_record(game)
    kinds = [type(event).__name__ for event in fold_record(read_record(game)).events]
    assert kinds.count("ClaimLand") == 2 and validate(game).status == "ok"


@pytest.mark.usefixtures("unmeasured")
def test_an_answer_or_a_pack_on_a_full_disk_is_reported(gamelog: Gamelog) -> None:
    gamelog("simulate", "slicewars", "--games", 4, "-o", "club", "--option", "max_rounds=2")
    gamelog("index", "club", "--archive", "a.duckdb")

    def small() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))

    many = "SELECT range, uuid() AS id FROM range(100000)"
    for out, words in (
        ("a.csv", ("query", many, "--archive", "a.duckdb", "--format", "csv")),
        ("a.parquet", ("query", many, "--archive", "a.duckdb", "--format", "parquet")),
        ("a.gamelog.parquet", ("pack", "club")),
    ):
        done = run(*words, "-o", out, preexec_fn=small)
        assert re.fullmatch(
            rf"gamelog: Cannot write {re.escape(out)}: [^{{]*File too large; free some disk space and try again\.\n",
            done.stderr,
        ), done.stderr
        assert done.returncode == 2
    assert {path.name for path in Path().iterdir()} >= {"club", "a.duckdb"}
    assert not [*Path().glob(".gamelog-*"), *Path().glob("*.csv"), *Path().glob("*.parquet")]


def test_a_read_only_record_can_be_judged(gamelog: Gamelog, game: Path) -> None:
    before = game.read_bytes()
    game.chmod(0o444)
    Path("game.jsonl.zst").write_bytes(zstandard.compress(before))
    claim = '{"do":"claim","at":"A1"}'

    def judged() -> None:
        for path in (game, "game.jsonl.zst"):
            assert gamelog("append", path, claim, claim, "--dry-run", "--json").json[0]["legal"] is True
            assert gamelog("append", path, '{"do":"claim","at":"C3"}', "--dry-run", "--json").status == 1

    judged()  # loads modules that need other permissions
    with nobody(Path.cwd()):
        assert "Permission denied" in gamelog("append", game, claim).err
        judged()
    assert "compressed" in gamelog("append", "game.jsonl.zst", claim).err
    assert game.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything, so nothing is unreadable to it")
def test_a_file_without_permission_is_reported(gamelog: Gamelog, game: Path) -> None:
    game.chmod(0)
    done = gamelog("validate", game)
    assert done.status == 2
    assert "cannot be read" in done.out


def test_text_in_a_record_cannot_control_the_terminal(gamelog: Gamelog) -> None:
    evil = "\x1b]0;owned\x07 \u202eanA"
    gamelog("new", "slicewars", "g.jsonl", "--seat", f"red={evil}", "--seat", "blue=Rui")
    gamelog("append", "g.jsonl", '{"do":"start_roll","rolls":{"red":5,"blue":2}}')
    gamelog("note", "g.jsonl", evil)
    for command in (
        ["replay", "g.jsonl", "--every"],
        ["validate", "g.jsonl"],
        ["append", "g.jsonl", '{"do":"\\u001b[2J"}'],
    ):
        done = gamelog(*command)
        assert not set("\x1b\x07\u202e") & set(done.out + done.err)
    assert "\\x1b]0;owned" in gamelog("replay", "g.jsonl").out
    for name in ("g.svg", "g.json", "g.txt"):
        gamelog("export", "g.jsonl", "-o", name)
        assert not set("\x1b\x07\u202e") & set(Path(name).read_text())


def test_append_reports_an_event_whose_effect_is_unknown(gamelog: Gamelog, game: Path) -> None:
    done = gamelog("append", game, '{"do":"claim","at":"Z9"}', "--as-played")
    assert (done.status, "The position after this event is unknown" in done.err) == (0, True)
    done = gamelog("append", game, '{"do":"claim","at":"A1"}')
    assert (done.status, "declares the position" in done.err) == (1, True)
    assert gamelog("takeback", game, "--to", 2).status == 0
    done = gamelog("append", game, '{"do":"claim","at":"A1"}')
    assert (done.status, done.err) == (0, "")


FORGED = "late\nb.jsonl: ok, 9 events, won by Ana\r\u2028\x9b1m\u061c\u200f\u2069\u202e\tx"


def test_text_by_people_adds_no_line_and_no_cell_to_an_answer(gamelog: Gamelog, tmp_path: Path) -> None:
    """A reason, a name and the name of a file have line ends, tabs, control characters and direction marks."""
    file = tmp_path / "a\n\u202eb.jsonl"
    gamelog(
        "new", "slicewars", file, "--seat", f"red={FORGED}", "--seat", "blue=Rui", "--tag", f"event={FORGED}"
    )
    gamelog("append", file, '{"do":"start_roll","rolls":{"red":5,"blue":2}}')
    gamelog("ruling", file, "--about", 1, "--stands", "--by", FORGED, "--reason", FORGED)
    gamelog("append", file, '{"do":"claim","at":"Z9","by":"red","as_played":true}')
    gamelog("index", file, "--archive", "x.duckdb")
    asked = ("query", "SELECT name, 1 AS one FROM seats ORDER BY name DESC", "--archive", "x.duckdb")
    for command in (
        ("validate", file),
        ("replay", file, "--every"),
        ("replay", file, "--at", 2),
        ("append", file, '{"do":"' + "\\n\\u202e" + '"}'),
        ("validate", f"{file}.gone\n"),
        ("validate", file, "--json"),
        (*asked, "--format", "json"),
        asked,
    ):
        done = gamelog(*command)
        said = done.out + done.err
        assert not set("\x9b\u2028\u061c\u200f\u2069\u202e\r") & set(said), command
        assert "\nb.jsonl: ok" not in said, command
    assert gamelog(*asked).out.splitlines()[1].count("\t") == 1
    answered = gamelog(*asked, "--format", "json").json
    assert FORGED in [row["name"] for row in answered], "as JSON the text is unchanged"


def test_a_csv_is_unchanged_in_a_pipe_and_escaped_on_a_terminal(gamelog: Gamelog) -> None:
    name = 'An\x1b[31ma\u202e, "the\nRed"'
    gamelog("new", "slicewars", "game.jsonl", "--seat", f"red={name}", "--seat", "blue=Rui")
    gamelog("index", "game.jsonl", "--archive", "x.duckdb")
    asked = ("query", "SELECT name FROM seats ORDER BY seat DESC LIMIT 1", "--archive", "x.duckdb")
    piped = gamelog(*asked, "--format", "csv").out
    gamelog(*asked, "--format", "csv", "-o", "out.csv")
    for text in (piped, Path("out.csv").read_text("utf-8-sig")):
        assert list(csv.reader(io.StringIO(text, newline=""))) == [["name"], [name]]
    assert escape_invisible(name) in gamelog(*asked).out
    with Terminal(*asked, "--format", "csv") as screen:
        assert screen.ends() == 0
        assert escape_invisible(name).replace('"', '""') in screen.text
        assert "\u202e" not in screen.text


def test_a_csv_has_no_formulas_unless_raw(gamelog: Gamelog) -> None:
    gamelog("new", "slicewars", "a.jsonl", "--seat", 'red==HYPERLINK("x")', "--seat", "blue=Rui")
    gamelog("index", "a.jsonl", "--archive", "x.duckdb")
    asked = (
        "query",
        "SELECT name, -1 AS n FROM seats ORDER BY name",
        "--archive",
        "x.duckdb",
        "--format",
        "csv",
    )
    for words in (asked, (*asked, "-o", "out.csv")):
        out = (
            gamelog(*words).out
            if words is asked
            else (Path("out.csv").read_text() if gamelog(*words) else "")
        )
        assert '"\'=HYPERLINK(""x"")",-1' in out
    assert '"=HYPERLINK(""x"")",-1' in gamelog(*asked, "--raw").out


def test_a_csv_file_has_a_byte_order_mark_but_not_a_pipe_or_raw(gamelog: Gamelog) -> None:
    gamelog("new", "slicewars", "a.jsonl", "--seat", "red=Zoë", "--seat", "blue=Rui")
    gamelog("index", "a.jsonl", "--archive", "x.duckdb")
    asked = ("query", 'SELECT name AS "who, then" FROM seats ORDER BY name', "--archive", "x.duckdb")
    rows = '"who, then"\nRui\nZoë\n'
    assert gamelog(*asked, "--format", "csv").out == rows
    for format in ((), ("--format", "csv")):
        gamelog(*asked, *format, "-o", "out.csv")
        assert Path("out.csv").read_bytes() == b"\xef\xbb\xbf" + rows.encode()
    gamelog(*asked, "--format", "csv", "-o", "out.csv", "--raw")
    assert Path("out.csv").read_bytes() == rows.encode()
    gamelog(*asked, "--format", "json", "-o", "out.json")
    assert Path("out.json").read_bytes().startswith(b"{")


def test_a_record_with_rewritten_line_ends_can_be_salvaged(gamelog: Gamelog, game: Path) -> None:
    Path("cr.jsonl").write_bytes(game.read_bytes().replace(b"\n", b"\r"))
    done = gamelog("recover", "cr.jsonl")
    assert done.status == 1
    assert (
        "changed the line endings of cr.jsonl. To make a repaired copy, run: gamelog recover cr.jsonl "
        "--salvage -o NEW" in done.err
    )
    assert gamelog("recover", "cr.jsonl", "--salvage", "-o", "good.jsonl").status == 0
    assert Path("good.jsonl").read_bytes() == game.read_bytes()


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


def test_every_command_that_shows_a_damaged_record_reports_the_damage(
    gamelog: Gamelog, tmp_path: Path
) -> None:
    whole = (SAMPLES / "slicewars" / "short.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    damaged = {
        "twice": whole + whole,
        "zeros": whole + bytes(4096),
        "cut": whole[:1500],
        "doubled": b"".join([*lines[:5], lines[4], *lines[5:]]),
    }
    (tmp_path / "whole.jsonl").write_bytes(whole)
    for name, data in damaged.items():
        file = tmp_path / f"{name}.jsonl"
        file.write_bytes(data)
        for status, words in (
            (1, ("incidents", file)),
            (1, ("incidents", file, "--json")),
            (1, ("compare", file, tmp_path / "whole.jsonl")),
            (1, ("compare", tmp_path / "whole.jsonl", file)),
            (0, ("sheet", file, "--at", 3, "-o", tmp_path / "sheet.html")),
            (0, ("export", file, "-o", tmp_path / "page.html")),
            (0, ("export", file, "-o", tmp_path / "board.svg")),
        ):
            done = gamelog(*words)
            assert done.status == status, (name, words, done.err)
            assert f"{file} can be read up to event" in " ".join(done.err.split()), (name, words)
