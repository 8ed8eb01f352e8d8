"""What ``import gamelog`` offers: the names, what they cost, and that their examples are true."""

import ast
import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import gamelog
import gamelog.game
from tests.sources import parse

ROOT = Path(__file__).parents[2]
NAMES = {"read", "open", "create", "validate", "simulate", "svg", "html", "games"}
TYPES = {"Replay", "Step", "Recorder", "Verdict", "Finding", "Refused", "GamelogError"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder to work in, with the sample games in it."""
    (tmp_path / "sample_games").symlink_to(ROOT / "sample_games")
    monkeypatch.chdir(tmp_path)


def run(test: doctest.DocTest) -> None:
    said: list[str] = []
    assert test.examples
    assert not doctest.DocTestRunner(verbose=False).run(test, out=said.append).failed, "".join(said)


def test_the_names_are_these_and_no_others() -> None:
    assert set(gamelog.__all__) == NAMES | TYPES
    assert {*dir(gamelog)} == {*gamelog.__all__, "__version__", "archive", "game", "testing"}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", gamelog.__all__)
def test_the_examples_of_each_name_are_true(name: str) -> None:
    text = getattr(gamelog, name).__doc__
    run(doctest.DocTestParser().get_doctest(text, {"gamelog": gamelog}, name, None, 0))


def test_the_examples_of_the_module_for_authors_are_true() -> None:
    run(doctest.DocTestParser().get_doctest(gamelog.game.__doc__ or "", {}, "gamelog.game", None, 0))


@pytest.mark.usefixtures("folder")
def test_what_the_page_shows_is_true() -> None:
    text = (ROOT / "docs/api.md").read_text().replace("```\n", "\n")
    run(doctest.DocTestParser().get_doctest(text, {}, "api.md", None, 0))


def python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    told = "print(*(name for name in sys.modules if name == 'msgspec' or name.startswith('gamelog')))"
    assert python(f"import sys, gamelog; dir(gamelog); {told}").split() == [
        "gamelog.loading",
        "gamelog.version",
        "gamelog",
    ]


def test_modules_are_reached_from_the_package_and_games_is_one_whatever_was_loaded_before() -> None:
    code = "gamelog.read; print(gamelog.games.names()[0], gamelog.archive.Reader.__name__)"
    assert python(f"import gamelog; {code}") == "dice_flags Reader\n"
    assert (
        python(
            "import gamelog; from gamelog.games.slicewars import GAME; print(gamelog.games.find('slicewars') is GAME)"
        )
        == "True\n"
    )


def test_what_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'reed'"):
        gamelog.reed  # noqa: B018


def test_the_module_for_authors_has_all_that_games_import() -> None:
    """From the five games as from the sixth, which imports nothing else of Gamelog."""
    assert all(hasattr(gamelog.game, name) for name in gamelog.game.__all__)
    assert list(gamelog.game.__all__) == sorted(
        set(gamelog.game.__all__), key=lambda name: (not name.isupper(), name)
    )
    wanted = {
        alias.name
        for path in (ROOT / "gamelog/games").rglob("*.py")
        for node in ast.walk(parse(path))
        if isinstance(node, ast.ImportFrom) and path.parent.name != "games"
        if (node.module or "").startswith(
            ("gamelog.play", "gamelog.chance", "gamelog.record.envelope", "gamelog.errors")
        )
        for alias in node.names
    }
    assert wanted <= set(gamelog.game.__all__)
    sixth = (ROOT / "tests/sixth_game/pig/__init__.py").read_text()
    assert [line for line in sixth.splitlines() if "import" in line and "gamelog" in line] == [
        "from gamelog import game"
    ]
