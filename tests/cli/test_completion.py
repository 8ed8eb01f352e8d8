"""Completion in shells, requested as shells do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gamelog.question_limits import USUAL
from tests.cli.conftest import Gamelog

PROGRAM = Path(sys.executable).parent / "gamelog"

ASKED = [
    ("gamelog rul", {"rules", "ruling"}),
    ("gamelog rules sl", {"slicewars"}),
    ("gamelog rules slicewars SW-2", {"SW-2", "SW-20"}),
    ("gamelog schema zone_", {"zone_control", "zone_s"}),
    ("gamelog simulate slicewars --bot ", {"random", "greedy", "strong", "search:200"}),
    ("gamelog new slicewars x.jsonl --board ", {"hex50", "hex36"}),
    ("gamelog new slicewars x.jsonl --option max", {"max_rounds="}),
    ("gamelog new slicewars x.jsonl --seat r", {"red="}),
    ("gamelog replay game.jsonl --seat ", {"red", "blue"}),
    ("gamelog export game.jsonl --seat b", {"blue"}),
    ("gamelog claim game.jsonl --by ", {"red", "blue"}),
    ("gamelog query seat", {"seats"}),
    ("gamelog rules chess SW-", set()),
    ("gamelog replay nowhere.jsonl --seat ", set()),
]


def answers(line: str, shell: str = "bash") -> str:
    words = line.split(" ")
    asked = (
        {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
        if shell == "bash"
        else {"_TYPER_COMPLETE_ARGS": line}
    )
    env = {**os.environ, "_GAMELOG_COMPLETE": f"complete_{shell}", **asked}
    done = subprocess.run([PROGRAM], env=env, capture_output=True, text=True, timeout=60, check=False)
    assert not done.stderr, done.stderr
    return done.stdout


@pytest.mark.parametrize(("line", "offered"), ASKED)
def test_words_are_completed(gamelog: Gamelog, game: Path, line: str, offered: set[str]) -> None:
    assert gamelog("replay", game).status == 0
    assert set(answers(line).split()) == offered


def test_values_of_options_are_completed_if_they_are_few() -> None:
    assert set(answers("gamelog new slicewars x.jsonl --option full_tie=").split()) == {
        "full_tie=shared",
        "full_tie=continue",
    }
    assert set(answers("gamelog new slicewars x.jsonl --option keep_connected=t").split()) == {
        "keep_connected=true"
    }


def test_other_shells_get_completions_with_explanations() -> None:
    assert "SW-12" in answers("gamelog rules slicewars SW-12", "zsh")
    assert "The attacker and the defender" in answers("gamelog rules slicewars SW-12", "zsh")


@pytest.mark.skipif(not shutil.which("bash"), reason="asks bash itself")
def test_bash_uses_the_completions(gamelog: Gamelog, game: Path) -> None:
    assert gamelog("replay", game).status == 0
    script = subprocess.run(
        [PROGRAM],
        env={**os.environ, "_GAMELOG_COMPLETE": "source_bash"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    asks = "\nCOMP_WORDS=(gamelog replay game.jsonl --seat r); COMP_CWORD=4; COMP_LINE=x; COMP_POINT=1\n"
    function = script.split("()")[0].strip()
    run = script + asks + f'{function} gamelog r --seat\nprintf "%s\\n" "${{COMPREPLY[@]}}"\n'
    env = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", run], env=env, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["red"], done.stderr


def test_the_limits_in_help_are_the_limits_in_force(gamelog: Gamelog) -> None:
    for command in ("query", "report"):
        said = gamelog(command, "--help").out
        assert f"[default: {USUAL.memory}]" in said
        assert f"[default: {USUAL.timeout}]" in said


def test_completion_costs_commands_no_time() -> None:
    code = "import gamelog_cli.commands.new, gamelog_cli.commands.query, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "gamelog_cli.completion" in loaded
    assert not [name for name in loaded if name.startswith(("gamelog.archive", "gamelog.games", "duckdb"))]


def test_a_command_on_a_record_loads_no_other_game() -> None:
    code = (
        "import sys\n"
        "from gamelog_cli.app import main\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        "    print({name.split('.')[2] for name in sys.modules if name.startswith('gamelog.games.')})"
    )
    record = Path(__file__).parents[2] / "sample_games/slicewars/short.jsonl"
    words = [sys.executable, "-c", code, "verify", str(record), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    loaded = set(re.findall(r"'(\w+)'", done.stdout.splitlines()[-1]))
    assert loaded - {"kit"} == {"slicewars"}
