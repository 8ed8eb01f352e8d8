"""Fixtures for the command line, which runs in this process."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from gamelog_cli.app import main

from gamelog.record.chain import GENESIS, chained_digest


class Done(NamedTuple):
    """The status and the output of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> list[Any]:
        """Standard output, which must have only lines of JSON."""
        return [json.loads(line) for line in self.out.splitlines()]


Gamelog = Callable[..., Done]

SAMPLES = Path(__file__).parents[2] / "sample_games"


def sample_copy(name: str) -> Path:
    """Return the path of a copy of a sample game."""
    path = Path(name.replace("/", "-"))
    path.write_bytes((SAMPLES / name).read_bytes())
    return path


def forge(path: Path, old: str, new: str) -> None:
    """Change a record and recompute its chain."""
    head, lines = GENESIS, []
    for line in path.read_text().replace(old, new).splitlines(keepends=True):
        text = line[51:].encode()
        head = chained_digest(head, text)
        lines.append(b'{"h":"' + head + b'",' + text)
    path.write_bytes(b"".join(lines))


@pytest.fixture
def gamelog(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Gamelog:
    """Return a function that runs ``gamelog ARGS`` in an empty folder, with `stdin` as its standard input."""
    monkeypatch.chdir(tmp_path)

    def run(*args: object, stdin: str = "") -> Done:
        monkeypatch.setattr(sys, "argv", ["gamelog", *map(str, args)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        try:
            main()
            status = 0
        except SystemExit as stop:
            status = int(stop.code or 0)
        return Done(status, *capsys.readouterr())

    return run


@pytest.fixture
def game(gamelog: Gamelog) -> Path:
    """Return a new SliceWars record of Ana and Rui in which red has claimed C3."""
    assert (
        gamelog("new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui <rui@club>").status
        == 0
    )
    done = gamelog(
        "append", "game.jsonl", '{"do":"start_roll","rolls":{"red":5,"blue":2}}', '{"do":"claim","at":"C3"}'
    )
    assert done.status == 0, done.err
    return Path("game.jsonl")
