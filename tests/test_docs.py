"""What the pages under docs/ show can be done, step by step, with the outcome they print."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from gamelog.chance import draws
from gamelog.play.contract import effects, scene
from gamelog.play.fold import findings

ROOT = Path(__file__).parent.parent
MARK = "@@ next @@"


def steps(page: str) -> list[tuple[str, str]]:
    """Each command on a page with what it prints."""
    text = (ROOT / "docs" / page).read_text()
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    found: list[tuple[str, str]] = []
    for line in "".join(blocks).splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        else:
            command, output = found[-1]
            found[-1] = (command, f"{output}{line}\n")
    return found


def outputs(commands: list[str], folder: Path = ROOT) -> list[str]:
    """What each of the commands prints, all of them run in one shell, in `folder`."""
    script = "".join(f"{command}\nprintf '\\n{MARK}\\n'\n" for command in commands)
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=env, capture_output=True, text=True, check=True)
    assert not done.stderr, done.stderr
    return [part.strip() for part in done.stdout.split(f"\n{MARK}\n")[:-1]]


@pytest.mark.skipif(not shutil.which("bash"), reason="the examples are for bash")
def test_what_the_page_for_referees_shows_is_what_happens(tmp_path: Path) -> None:
    shown = steps("disputes.md")
    assert len(shown) > 8
    shutil.copytree(ROOT / "sample_games", tmp_path / "sample_games")
    for (command, expected), printed in zip(shown, outputs([command for command, _ in shown], tmp_path), strict=True):
        assert printed == expected.strip(), command


@pytest.mark.skipif(not shutil.which("bash"), reason="the examples are for bash")
def test_what_the_page_on_recording_shows_is_what_happens(tmp_path: Path) -> None:
    shown = steps("recording.md")
    assert len(shown) > 3
    for (command, expected), printed in zip(shown, outputs([command for command, _ in shown], tmp_path), strict=True):
        assert printed == expected.strip(), command


@pytest.mark.skipif(not (shutil.which("bash") and shutil.which("sha256sum")), reason="the example is for bash and sha256sum")
def test_the_roll_on_the_protocol_page_is_recomputed_by_hand() -> None:
    shown = steps("commit-reveal.md")
    assert len(shown) > 15
    for (command, expected), printed in zip(shown, outputs([command for command, _ in shown]), strict=True):
        assert printed == expected.strip(), command


def test_pages_name_files_and_tests_that_exist() -> None:
    for page in sorted((ROOT / "docs").glob("*.md")):
        text = page.read_text()
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (page.parent / target).exists(), (page.name, target)
        for path, name in re.findall(r"`(tests/[a-z_/]+\.py)(?:::(\w+))?`", text):
            assert (ROOT / path).exists(), (page.name, path)
            assert not name or f"def {name}(" in (ROOT / path).read_text(), (page.name, path, name)


def test_every_threat_has_an_answer_with_a_code_that_exists_and_a_test() -> None:
    page = (ROOT / "docs" / "security.md").read_text()
    table = page.split("## Threats and answers")[1].split("\n## ")[0]
    rows = [row.split("|")[1:-1] for row in table.splitlines() if row.startswith("| ")][1:]
    assert len(rows) > 30
    told = {code for _, _, says, _ in rows for code in re.findall(r"`([a-z_.]+)`", says)}
    known = set(re.findall(r"^([a-z]+\.[a-z_]+) ", findings.__doc__ or "", re.MULTILINE))
    known |= set(re.findall(r'"(seal\.[a-z_]+)"', (ROOT / "gamelog/record/objections.py").read_text()))
    known |= set(re.findall(r'"(archive\.[a-z_]+)"', (ROOT / "gamelog/archive/judging/worker.py").read_text()))
    assert told <= known
    assert all("::test_" in shown for _, _, _, shown in rows)


def test_the_long_runs_on_the_security_page_are_commands_that_exist() -> None:
    commands = re.findall(r"`python -m (tests\.fuzz\.[a-z]+)([^`]*)`", (ROOT / "docs" / "security.md").read_text())
    assert len(commands) >= 8
    for module, arguments in commands:
        command = [sys.executable, "-m", module, *arguments.split(), "--help"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_the_guide_for_games_names_every_draw_effect_shape_piece_and_mark() -> None:
    page = (ROOT / "docs" / "games.md").read_text()
    for kind in get_args(draws.Draw):
        assert re.search(rf"^\| `{kind.__name__}\({', '.join(kind.__struct_fields__)}\)`", page, re.MULTILINE), kind
    named = dict(re.findall(r"^\| `(\w+)` \| `(\w+)` \|", page, re.MULTILINE))
    own = [kind for kind in effects.Effect.__subclasses__() if kind.__module__ == effects.__name__]
    assert named == {kind.__name__: kind.__struct_config__.tag for kind in own}
    for part, known in (("Cell.shape", scene.Shape), ("Piece.kind", scene.PieceKind), ("Mark.kind", scene.MarkKind)):
        assert f"| `{part}` | {', '.join(f'`{value}`' for value in get_args(known))} |" in page
