"""A study of two variants of Territory, played once for all tests of a process."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from gamelog_cli.app import main

COMMAND = ("study", "gp02a_territory", "--vary", "dummy_blocks=true,false", "--seed", "t")
GAMES = 60
"""Equal games of each variant."""


class Done(NamedTuple):
    """The status and the output of a command."""

    status: int
    out: str
    err: str


def gamelog(*args: object) -> Done:
    """Run ``gamelog ARGS``."""
    out, err, before = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = ["gamelog", *map(str, args)]
    try:
        with redirect_stdout(out), redirect_stderr(err):
            main()
        status = 0
    except SystemExit as stop:
        status = int(stop.code or 0)
    finally:
        sys.argv = before
    return Done(status, out.getvalue(), err.getvalue())


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the study."""
    path = tmp_path_factory.mktemp("study") / "blocks"
    done = gamelog(*COMMAND, "--games", GAMES, "-o", path)
    assert done.status == 0, done
    return path


@pytest.fixture(scope="session")
def answer(folder: Path) -> dict[str, Any]:
    """The answer of the study as data."""
    data: dict[str, Any] = json.loads(gamelog("study", folder, "--json").out)
    return data
