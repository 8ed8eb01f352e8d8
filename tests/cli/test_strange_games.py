"""A stranger's game that goes wrong: each command says so with its distribution's name, and those with bounds end it.

`python -m tests.fuzz.plugins` tries every member of the contract in every command; here is a share.
"""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest

from tests.fuzz.plugins import Case, place, run, wrong

SHARE = [
    Case("import", "raises", "games"),
    Case("import", "raises", "append"),
    Case("start", "raises", "new"),
    Case("pending", "raises", "gap"),
    Case("messages", "raises", "fix"),
    Case("observe", "raises", "replay --json"),
    Case("effects", "raises", "export html"),
    Case("check", "raises", "export svg"),
    Case("scene", "raises", "record"),
    Case("canonical", "raises", "compare"),
    Case("retire", "raises", "resign"),
    Case("score", "raises", "index"),
    Case("import", "raises", "index"),
    Case("start", "raises", "report"),
    Case("check", "loops", "validate -"),
    Case("apply", "eats", "validate"),
    Case("check", "loops", "pack"),
    Case("bots", "loops", "simulate"),
    Case("chance", "raises", "simulate"),
    Case("apply", "raises", "export html of a seat"),
    Case("scene", "raises", "export a folder"),
    Case("import", "raises", "export a folder"),
    Case("effects", "loops", "index"),
    Case("check", "quits", "validate"),
    Case("check", "quits", "validate a folder"),
    Case("pending", "escapes", "validate a folder"),
    Case("apply", "quits", "index"),
    Case("bots", "quits", "simulate"),
    Case("scene", "escapes", "export a folder"),
    Case("legal", "quits", "append"),
    Case("import", "escapes", "replay"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return place(tmp_path_factory.mktemp("strange"))


@pytest.mark.grid
@pytest.mark.parametrize("case", SHARE, ids=" ".join)
def test_a_strangers_game_that_goes_wrong(case: Case, folder: Path) -> None:
    assert wrong(folder, case) is None


def test_what_a_strangers_game_prints_is_not_in_an_answer(folder: Path, tmp_path: Path) -> None:
    copytree(folder / "made", tmp_path / "made")
    for member in ("import", "check"):
        surroundings = {
            "STRANGE_MEMBER": member,
            "STRANGE_KIND": "prints",
            "STRANGE_MARK": str(tmp_path / "mark"),
        }
        done = run(folder, tmp_path / "made", "validate RECORDS --json", surroundings)
        assert [json.loads(line) for line in done.stdout.splitlines()], member
        assert "noise" in done.stderr
