"""The pages under docs/: their commands and code run with the output that they show, and their lists are complete."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import textwrap
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import pytest

import gamelog.games.slicewars  # noqa: F401
from gamelog import game
from gamelog.archive import Reader, index
from gamelog.chance import draws
from gamelog.play.contract import effects, scene
from gamelog.play.fold import finding_codes
from tests import vocabulary
from tests.examples.conftest import installed

ROOT = Path(__file__).parent.parent
MARK = "@@ next @@"
PAGES = sorted(str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md"))
EXAMPLES = ["duel", "rps"]
INSTALLED = {
    "duel.md": "duel",
    "rps.md": "rps",
    "towers.md": "towers",
    "roles/author.md": "connect_four",
    "organisers.md": "connect_four",
}
"""The example that must be installed for the commands of a page."""

NODE = "roles/programmer.md"
"""The page that shows a program for Node."""

ROLES = sorted(path.stem for path in (ROOT / "docs" / "roles").glob("*.md"))
ROOT_PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]

EXECUTED = {
    ("README.md", "console"): "tests/test_readme.py::test_commands_work_in_their_order",
    ("README.md", "python"): "tests/test_readme.py::test_python_runs",
    ("CONTRIBUTING.md", "toml"): "tests/test_docs.py::test_the_kit_is_used_as_shown_and_the_game_registered",
    (
        "CONTRIBUTING.md",
        "python",
    ): "tests/test_docs.py::test_the_kit_is_used_as_shown_and_the_game_registered",
    ("archive.md", "python"): "tests/test_docs.py::test_python_on_a_page_runs",
    ("roles/data-scientist.md", "python"): "tests/test_docs.py::test_python_on_a_page_runs",
    ("organisers.md", "toml"): "tests/league/test_docs_example.py::test_the_league_of_the_page_works",
    ("archive.md", "toml"): "tests/test_docs.py::test_the_file_of_people_joins_them",
    ("roles/author.md", "toml"): "tests/test_docs.py::test_the_page_for_authors_quotes_the_example",
    ("roles/author.md", "python"): "tests/test_docs.py::test_the_page_for_authors_quotes_the_example",
    ("api.md", "pycon"): "tests/front/test_names.py::test_what_the_page_shows_is_true",
    ("commit-reveal.md", "sh"): "tests/test_docs.py::test_a_game_with_secrets_is_started_and_played_as_shown",
    ("format.md", "python"): "tests/test_format.py::test_the_play_digest_follows_the_documentation",
    ("games.md", "toml"): "tests/packaging/test_wheel.py::test_old_rules_are_kept_as_the_guide_says",
    ("games.md", "python"): "tests/test_docs.py::test_the_kit_is_used_as_shown_and_the_game_registered",
    (
        "games.md",
        "json",
    ): "tests/play/test_translation.py::test_a_game_brings_its_sentences_as_the_guide_says",
    (
        "connect-four.md",
        "toml",
    ): "tests/test_docs.py::test_the_page_of_an_example_gives_its_length_and_its_registration",
    ("scenarios.md", "toml"): "tests/games/slicewars/test_scenarios.py::test_the_one_that_the_page_shows",
    ("tutorial.md", "toml"): "tests/packaging/test_tutorial.py::test_the_tutorial_works_as_printed",
    ("tutorial.md", "markdown"): "tests/packaging/test_tutorial.py::test_the_tutorial_works_as_printed",
    ("tutorial.md", "python"): "tests/packaging/test_tutorial.py::test_the_tutorial_works_as_printed",
    ("tutorial.md", "json"): "tests/packaging/test_tutorial.py::test_the_tutorial_works_as_printed",
    ("duel.md", "python"): "tests/test_docs.py::test_a_page_of_an_example_quotes_its_code",
    ("rps.md", "python"): "tests/test_docs.py::test_a_page_of_an_example_quotes_its_code",
    (
        "vocabulary.md",
        "python",
    ): "tests/play/test_tapping.py::test_the_taps_that_the_page_shows_are_those_of_the_games",
    ("operators.md", "sh"): "tests/archive/test_cluster.py::test_the_commands_for_tls_do_as_they_are_printed",
    ("serve.md", "python"): "tests/table/test_serve_docs.py::test_the_example_program_records_and_follows",
    ("serve.md", "json"): "tests/table/test_serve_docs.py::test_links_and_new_games_are_as_in_the_docs",
    ("serve.md", "sh"): "tests/table/test_serve_docs.py::test_the_named_extra_exists",
    ("pages.md", "html"): "tests/browser/test_sharing.py::test_frames_and_messages_work_as_in_the_docs",
}
"""Test that executes the blocks of a kind on a page. `test_shell_examples_print_what_the_page_shows` executes the others."""


def steps(page: str) -> list[tuple[str, str]]:
    """Return each command on a page with its output."""
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
    """Run the commands in one shell in `folder`, and return the output of each."""
    script = "".join(f"{command}\nprintf '\\n{MARK}\\n'\n" for command in commands)
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=env, capture_output=True, text=True, check=True
    )
    assert not done.stderr, done.stderr
    return [part.strip() for part in done.stdout.split(f"\n{MARK}\n")[:-1]]


@pytest.mark.skipif(
    not (shutil.which("bash") and shutil.which("sha256sum")), reason="the examples are for bash and sha256sum"
)
@pytest.mark.parametrize("page", [page for page in PAGES if steps(page) and page != "tutorial.md"])
def test_shell_examples_print_what_the_page_shows(page: str, tmp_path: Path) -> None:
    """Run a page in a new folder with the sample games. The tutorial has its own test in tests/packaging."""
    shown = steps(page)
    folder = tmp_path / "here"
    shutil.copytree(ROOT / "sample_games", folder / "sample_games")
    if page == NODE:
        if not shutil.which("node"):
            pytest.skip("node is not installed")
        shutil.copy(ROOT / "docs" / "verify.mjs", folder)
    with installed(tmp_path, [ROOT / "examples" / INSTALLED[page]] if page in INSTALLED else []):
        printed = outputs([command for command, _ in shown], folder)
    for (command, expected), output in zip(shown, printed, strict=True):
        assert output == expected.strip(), command


@pytest.mark.parametrize("page", ["archive.md", "roles/data-scientist.md"])
def test_python_on_a_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the Python of a page in a folder with the sample games."""
    monkeypatch.chdir(tmp_path)
    Path("sample_games").symlink_to(ROOT / "sample_games")
    blocks = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "docs" / page).read_text(), re.MULTILINE | re.DOTALL
    )
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), {})


def test_the_file_of_people_joins_them(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "archive.md").read_text()
    (code,) = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "people.toml").write_text(code, encoding="utf-8")
    index([ROOT / "sample_games/zone_s/ended-base.jsonl"], tmp_path / "club.duckdb")
    with Reader(tmp_path / "club.duckdb") as club:
        assert ("Ana Sousa",) in club.ask("SELECT DISTINCT player FROM seats").rows


def test_the_page_for_authors_quotes_the_example() -> None:
    page, example = (ROOT / "docs/roles/author.md").read_text(), ROOT / "examples" / "connect_four"
    code, project = (
        (example / "connect_four/v1_0/__init__.py").read_text(),
        (example / "pyproject.toml").read_text(),
    )
    for kind, source in (("python", code), ("toml", project)):
        (block,) = re.findall(rf"^```{kind}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        assert block in source


@pytest.mark.parametrize("game", EXAMPLES)
def test_a_page_of_an_example_quotes_its_code(game: str) -> None:
    source = (ROOT / "examples" / game / game / "__init__.py").read_text()
    blocks = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "docs" / f"{game}.md").read_text(), re.MULTILINE | re.DOTALL
    )
    assert blocks and all(block in source for block in blocks)


@pytest.mark.parametrize("page", PAGES + ROOT_PAGES)
def test_every_block_that_a_page_shows_is_executed(page: str) -> None:
    text = (ROOT / ("docs" if page in PAGES else "") / page).read_text()
    fences = re.findall(r"^ *```(.*)\n", text, re.MULTILINE)[::2]
    for kind in dict.fromkeys(fences):
        if not kind or (kind == "console" and page in PAGES):
            continue
        path, name = EXECUTED[page, kind].split("::")
        assert f"def {name}(" in (ROOT / path).read_text(), (page, kind)


def test_the_nightly_run_works_as_printed(tmp_path: Path) -> None:
    """Run the command and the line for cron with folders of this test."""
    text = (
        (ROOT / "docs" / "operators.md")
        .read_text()
        .replace("/srv/", f"{tmp_path}/")
        .replace("/var/log/", f"{tmp_path}/")
    )
    shutil.copytree(
        ROOT / "sample_games" / "zone_s", tmp_path / "records", ignore=shutil.ignore_patterns("bit-flipped*")
    )
    (command,) = re.findall(r"^```sh\n(gamelog index .*?)\n```", text, re.MULTILINE)
    (line,) = re.findall(r"^    15 3 \* \* \*  (.*)$", text, re.MULTILINE)
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for words in (command, line):
        done = subprocess.run(words, shell=True, cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "last-run.json").read_text())["same"] == 18
    assert len((tmp_path / "gamelog.jsonl").read_text().splitlines()) > 3


def test_a_game_with_secrets_is_started_and_played_as_shown(tmp_path: Path) -> None:
    """Run the block of the page, with the values that the page leaves out."""
    (block,) = re.findall(
        r"^```sh\n(.*?)^```", (ROOT / "docs/commit-reveal.md").read_text(), re.MULTILINE | re.DOTALL
    )
    red, blue, new, reveal, record = (
        line.partition("  #")[0] for line in block.replace("\\\n", "").splitlines()
    )
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}

    def run(words: str, typed: str = "") -> str:
        done = subprocess.run(
            words, shell=True, cwd=tmp_path, env=env, input=typed, capture_output=True, text=True
        )
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    first = re.search(r"--id (\S+) --commit red=(\S+)", run(red))
    assert first
    second = re.search(r"--commit blue=(\S+)", run(blue.replace("ID", first[1])))
    assert second
    run(
        new.replace("ID", first[1]).replace("red=…", f"red={first[2]}").replace("blue=…", f"blue={second[1]}")
    )
    assert (
        json.loads((tmp_path / "game.jsonl").read_text().splitlines()[0])["dice"]["source"] == "commit-reveal"
    )
    run(reveal)
    run(record.replace("red.secret", "blue.secret"), "quit\n")
    tags = [json.loads(line).get("do") for line in (tmp_path / "game.jsonl").read_text().splitlines()[1:]]
    assert tags[:3] == ["@reveal", "@reveal", "start_roll"]


@pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed")
def test_a_scheduler_and_its_workers_take_the_options_shown() -> None:
    (block,) = re.findall(
        r"^```sh\n(dask scheduler --host.*?)^```",
        (ROOT / "docs/operators.md").read_text(),
        re.MULTILINE | re.DOTALL,
    )
    for command in block.splitlines():
        dask, *words = command.split()
        done = subprocess.run(
            [Path(sys.executable).parent / dask, *words, "--help"], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", ["docs/games.md", "CONTRIBUTING.md"])
def test_the_kit_is_used_as_shown_and_the_game_registered(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the example with SliceWars instead of the reader's game."""
    text = textwrap.dedent((ROOT / page).read_text())
    (code,) = [
        block
        for block in re.findall(r"^ *```python\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
        if "Conformance" in block
    ]
    (name,) = re.findall(r"from (\w+) import GAME", code)
    monkeypatch.setitem(sys.modules, name, sys.modules["gamelog.games.slicewars"])
    defined: dict[str, Any] = {}
    exec(compile(textwrap.dedent(code), page, "exec"), defined)
    (suite,) = [kind for key, kind in defined.items() if key.startswith("Test")]
    assert suite.game.id == "slicewars"
    assert [method for method in dir(suite) if method.startswith("test_")]
    for shown in re.findall(r"^ *```toml\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL):
        assert (
            tomllib.loads(textwrap.dedent(shown))["project"]["entry-points"]["gamelog.games"][name]
            == f"{name}:GAME"
        )


def test_the_code_of_the_guide_runs() -> None:
    """Run the blocks one after the other in one module."""
    text, module = (ROOT / "docs/games.md").read_text(), dict[str, Any]({"__name__": "guide"})
    blocks = [
        block
        for block in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        if "Conformance" not in block
    ]
    assert blocks
    for block in blocks:
        exec(compile(block, "docs/games.md", "exec"), module)


def test_pages_name_files_and_tests_that_exist() -> None:
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text()
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (page.parent / target).exists(), (page.name, target)
        for path, name in re.findall(r"`(tests/[a-z_/]+\.py)(?:::(\w+))?`", text):
            assert (ROOT / path).exists(), (page.name, path)
            assert not name or f"def {name}(" in (ROOT / path).read_text(), (page.name, path, name)


def test_the_page_about_the_code_names_modules_that_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    for path in re.findall(r"`((?:gamelog|cli|reports)/[a-z_/]+(?:\.py)?)`", page):
        assert (ROOT / path).exists(), path
    for folder, file in re.findall(r"── .*?((?:gamelog|cli|reports)/[a-z_/]+): ([a-z_]+\.py)", page):
        assert (ROOT / folder / file).exists(), (folder, file)


def test_every_threat_has_an_answer_with_a_code_that_exists_and_a_test() -> None:
    page = (ROOT / "docs" / "security.md").read_text()
    table = page.split("## Threats and answers")[1].split("\n## ")[0]
    rows = [row.split("|")[1:-1] for row in table.splitlines() if row.startswith("| ")][1:]
    assert len(rows) > 30
    listed = {code for _, _, codes, _ in rows for code in re.findall(r"`([a-z_.]+)`", codes)}
    known = set(re.findall(r"^([a-z]+\.[a-z_]+) ", finding_codes.__doc__ or "", re.MULTILINE))
    for file in ("record/seal_checks.py", "dispute/verification.py", "dispute/parents.py"):
        known |= set(re.findall(r'"((?:seal|parent)\.[a-z_]+)"', (ROOT / "gamelog" / file).read_text()))
    known |= set(
        re.findall(r'"(archive\.[a-z_]+)"', (ROOT / "gamelog/archive/workers/judge_batch.py").read_text())
    )
    assert listed <= known
    assert all("::test_" in tests for _, _, _, tests in rows)
    for path, name in re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", table):
        assert f"def {name}(" in (ROOT / path).read_text(), (path, name)


def test_the_long_runs_on_the_security_page_are_commands_that_exist(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    commands = re.findall(
        r"`python -m (tests\.fuzz\.[a-z]+)([^`]*)`", (ROOT / "docs" / "security.md").read_text()
    )
    assert len(commands) >= 8
    for module, arguments in commands:
        monkeypatch.setattr(sys, "argv", [module, *arguments.split(), "--help"])
        monkeypatch.delitem(sys.modules, module, raising=False)
        with pytest.raises(SystemExit) as end:
            runpy.run_module(module, run_name="__main__")
        assert end.value.code == 0, module


def test_the_guide_for_games_names_every_draw_effect_shape_piece_and_mark() -> None:
    page = (ROOT / "docs" / "vocabulary.md").read_text()
    for kind in get_args(draws.Draw):
        assert re.search(
            rf"^\| `{kind.__name__}\({', '.join(kind.__struct_fields__)}\)`", page, re.MULTILINE
        ), kind
    named = dict(re.findall(r"^\| `(\w+)` \| `(\w+)` \|", page, re.MULTILINE))
    own = [kind for kind in effects.Effect.__subclasses__() if kind.__module__ == effects.__name__]
    assert named == {kind.__name__: kind.__struct_config__.tag for kind in own}
    for part, known in (
        ("Cell.shape", scene.Shape),
        ("Piece.kind", scene.PieceKind),
        ("Mark.kind", scene.MarkKind),
    ):
        assert f"| `{part}` | {', '.join(f'`{value}`' for value in get_args(known))} |" in page


def test_the_pictures_of_the_vocabulary_have_not_drifted() -> None:
    kept = {path.name: path.read_text() for path in vocabulary.DIRECTORY.glob("vocabulary-*.svg")}
    assert kept == vocabulary.expected(), "make pictures, and look at them"


@pytest.mark.parametrize("name", ["connect_four", "backgammon"])
def test_the_page_of_an_example_gives_its_length_and_its_registration(name: str) -> None:
    page = (ROOT / "docs" / f"{name.replace('_', '-')}.md").read_text()
    source = ROOT / "examples" / name
    files = [path for path in (source / name).rglob("*") if path.suffix in (".py", ".md", ".json")]
    lines = sum(
        len(path.read_text().splitlines()) for path in files if name == "connect_four" or path.suffix == ".py"
    )
    assert f" {lines} lines" in page
    for shown in re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        assert shown in (source / "pyproject.toml").read_text()


def entries() -> list[str]:
    """Return the words of the glossary."""
    page = (ROOT / "docs/glossary.md").read_text()
    return re.findall(r"^- \*\*(.+?)\*\*: [A-Z\d](?:.|\n  )+\.\*?$", page, re.MULTILINE)


def test_the_glossary_is_in_alphabetical_order_and_has_every_public_type() -> None:
    page, found = (ROOT / "docs/glossary.md").read_text(), entries()
    assert len(found) == page.count("\n- ")
    assert found == sorted(set(found), key=lambda word: re.sub(r"[^a-z]", "", word.casefold()))
    assert re.findall(r"^## (.)$", page, re.MULTILINE) == sorted({word[0].upper() for word in found})
    kinds = {"Recorder", "Replay", "Step", "Verdict", "Finding"}
    for name in game.__all__:
        kind = getattr(game, name)
        if isinstance(kind, type) and not issubclass(kind, (game.Effect, Exception)):
            kinds.add(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))
    statuses = set(get_args(finding_codes.Status)) - {"damaged", "illegal", "ok", "ruled", "unknown"}
    assert {kind.casefold() for kind in kinds - NO_WORDS} | statuses <= set(found)


NO_WORDS = {"Commitments", "Memory Bot"}
"""Types without an entry of their own, because their parts have entries."""


def test_every_word_of_the_glossary_is_used_elsewhere() -> None:
    texts = [path.read_text() for path in ROOT.glob("*.md")]
    texts += [path.read_text() for path in (ROOT / "docs").rglob("*.md") if path.name != "glossary.md"]
    texts += [path.read_text() for path in (ROOT / "gamelog").rglob("*.py")]
    whole = " ".join("\n".join(texts).casefold().split())
    for word in entries():
        pattern = re.escape(word.casefold()).replace("\\ ", " ?")  # a type is written as one word
        assert re.search(rf"\b{pattern}s?\b", whole), word


def test_effects_are_imported_from_the_place_in_the_vocabulary() -> None:
    text = (ROOT / "docs/vocabulary.md").read_text()
    listed = dict(re.findall(r"^\| `([A-Z]\w+)` \| `([a-z_]+)` \|", text, re.MULTILINE))
    assert {name for name in listed if not hasattr(game, name)} == {"Team", "Placed", "Paid"}
    assert listed["TurnOver"] == "turn_over"


@pytest.mark.parametrize("role", ROLES)
def test_the_page_of_a_role_is_short_and_ends_with_the_reference(role: str) -> None:
    page = (ROOT / "docs" / "roles" / f"{role}.md").read_text()
    assert len(page.splitlines()) <= 80
    assert re.findall(r"^## (.*)$", page, re.MULTILINE)[-1] == "Reference"
    assert f"](roles/{role}.md)" in (ROOT / "docs/index.md").read_text()


@pytest.mark.parametrize("page", PAGES + ROOT_PAGES)
def test_paragraphs_are_short(page: str) -> None:
    """Check that no paragraph is longer than about four lines of 100 characters."""
    text = (ROOT / ("docs" if page in PAGES else "") / page).read_text()
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text):
        if not paragraph.lstrip().startswith(("|", "#")) and not paragraph.startswith("    "):
            assert len(re.sub(r"\]\([^)]*\)", "]", paragraph)) <= 450, paragraph
