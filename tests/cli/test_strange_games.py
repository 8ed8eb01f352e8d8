"""Installed games that fail: each command names the distribution, and commands with limits stop the game.

`python -m tests.fuzz.plugins` tries every member of the contract in every command. These tests try a part.
"""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree
from signal import SIGINT
from subprocess import CompletedProcess

import pytest

from tests.fuzz.plugins import ORIGIN, PATIENCE, Case, find_fault, prepare_folder, run, start

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
    Case("chance", "forgets", "simulate"),
    Case("pending", "forgets", "simulate"),
    Case("pending", "forgets", "append"),
    Case("effects", "forgets", "index"),
    Case("pending", "forgets", "export html"),
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
    Case("check", "interrupts", "validate a folder"),
    Case("apply", "interrupts", "index"),
    Case("check", "interrupts", "pack"),
    Case("bots", "interrupts", "simulate"),
    Case("scene", "interrupts", "replay"),
    Case("legal", "interrupts", "append"),
    Case("check", "interrupts", "export a folder"),
    Case("pending", "leaves", "append"),
    Case("scene", "leaves", "replay"),
    Case("effects", "leaves", "export html"),
    Case("import", "leaves", "note"),
    Case("apply", "leaves", "validate a folder"),
    Case("options", "quits", "append"),
    Case("options", "leaves", "validate"),
    Case("options", "interrupts", "new"),
    Case("messages", "quits", "replay"),
    Case("messages", "leaves", "export txt"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepare_folder(tmp_path_factory.mktemp("strange"))


@pytest.mark.grid
@pytest.mark.parametrize("case", SHARE, ids=" ".join)
def test_a_failing_installed_game_is_named_by_every_command(case: Case, folder: Path) -> None:
    assert find_fault(folder, case) is None


@pytest.mark.parametrize(
    "words",
    [
        "validate RECORDS --json",
        "append SHORT {EVENT} --json",
        "replay SHORT --json",
        "export SHORT -o OUT.json",
    ],
)
def test_text_printed_by_an_installed_game_is_not_in_an_answer(
    folder: Path, tmp_path: Path, words: str
) -> None:
    quiet = strange_run(folder, tmp_path / "quiet", words, "none")
    for member in ("import", "check", "pending", "scene", "options"):
        done = strange_run(folder, tmp_path / member, words, member)
        assert (done.returncode, _without_heads(done.stdout)) == (0, _without_heads(quiet.stdout)), member
        mark = tmp_path / member / "mark"
        assert ("noise" in done.stderr) == mark.exists(), member
    assert quiet.stdout


def _without_heads(answer: str) -> str:
    """Return an answer without digests of lines, which depend on the time."""
    return re.sub(r'"head":"[^"]+"', "", answer)


@pytest.mark.parametrize("words", ["replay SHORT", "export SHORT -o OUT.html", "append SHORT {EVENT}"])
def test_ctrl_c_ends_a_command_while_an_installed_game_runs(folder: Path, tmp_path: Path, words: str) -> None:
    copytree(folder / "made", tmp_path / "made")
    mark = tmp_path / "mark"
    surroundings = {"STRANGE_MEMBER": "check", "STRANGE_KIND": "loops", "STRANGE_MARK": str(mark)}
    running = start(folder, tmp_path / "made", words, surroundings)
    while not mark.exists():
        assert running.poll() is None
    running.send_signal(SIGINT)
    told, wrong = running.communicate(timeout=PATIENCE)
    assert (running.returncode, told) == (128 + SIGINT, "")
    assert ORIGIN not in wrong


def strange_run(folder: Path, where: Path, words: str, member: str) -> CompletedProcess[str]:
    copytree(folder / "made", where / "made")
    surroundings = {"STRANGE_MEMBER": member, "STRANGE_KIND": "prints", "STRANGE_MARK": str(where / "mark")}
    return run(folder, where / "made", words, surroundings)
