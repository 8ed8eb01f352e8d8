"""Options as people give them, on the command line or in a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Gamelog

NEW = ("new", "slicewars", "g.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")


def test_an_option_is_json_or_text_or_in_a_file(gamelog: Gamelog) -> None:
    Path("rounds.json").write_text(" 7\n")
    given = ("max_rounds=@rounds.json", "keep_connected=true", "removed=ownerless")
    done = gamelog(*NEW, *(word for one in given for word in ("--option", one)))
    assert done.status == 0, done.err
    options = json.loads(Path("g.jsonl").read_text())["options"]
    assert (options["max_rounds"], options["keep_connected"], options["removed"]) == (7, True, "ownerless")


@pytest.mark.parametrize("option", ["--option", "--board"])
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "does not exist"),
        (b"", "does not hold JSON"),
        (b"\xff\xfe", "does not hold JSON"),
        (b'"\xff"', "does not hold JSON"),
        (b"[" * 100_000, "does not hold JSON"),
        (b"[1]", ""),
    ],
)
def test_files_that_hold_no_option_and_no_board(
    gamelog: Gamelog, option: str, content: bytes | None, words: str
) -> None:
    if content is not None:
        Path("x.json").write_bytes(content)
    done = gamelog(*NEW, option, "x.json" if option == "--board" else "max_rounds=@x.json")
    assert (done.status, done.err.count("\n"), words in done.err) == (2, 1, True), done.err
    assert not Path("g.jsonl").exists()
