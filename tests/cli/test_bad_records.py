"""Bad records: each command reports what is wrong, and leaves the record unchanged."""

import os
from pathlib import Path

import pytest
import zstandard

from gamelog.record import chain
from gamelog.record.envelope import encode_body
from tests.cli.conftest import Gamelog
from tests.play.tables import header
from tests.play.test_verify import CLAIM, ROLL
from tests.record.sample import nobody
from tests.samples.__main__ import DIRECTORY as SAMPLES


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
