"""Tests of installed games and their entry points."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gamelog.errors import BrokenGame, UnknownGame
from gamelog.play.contract import registry


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    """Install a distribution with one entry point and the text of its module."""

    def forget() -> None:
        registry._entry_points.cache_clear()
        registry._load.cache_clear()

    def install(point: str, text: str) -> None:
        name, _, target = point.partition("=")
        module = target.partition(":")[0]
        info = tmp_path / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: dist-of-{module}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[gamelog.games]\n{name} = {target}\n")
        (tmp_path / f"{module}.py").write_text(text)
        forget()

    monkeypatch.syspath_prepend(str(tmp_path))
    yield install
    for name in [
        name
        for name, module in sys.modules.items()
        if getattr(module, "__file__", None) and str(tmp_path) in str(module.__file__)
    ]:
        del sys.modules[name]
    forget()


GOOD = """
from dataclasses import replace
from gamelog.play.contract.registry import find
GAME = replace(find('slicewars'), id='{id}', rules_version='{rules}')
"""


def test_an_unknown_game_is_named_with_the_most_similar_game() -> None:
    with pytest.raises(UnknownGame, match=r'^No game "SliceWar" is installed\. Did you mean slicewars\?'):
        registry.find("SliceWar")
    with pytest.raises(UnknownGame, match=r'^No game "chess" is installed\. Installed games: '):
        registry.find("chess")


def test_built_in_games_come_through_the_same_door() -> None:
    found = {game.name: game for game in registry.installed_games()}
    assert found["slicewars"].origin == "gamelog"
    assert found["slicewars"].game is registry.find("slicewars")


def test_a_plugin_is_found(plug: Callable[[str, str], None]) -> None:
    plug("isles=isles_game:GAME", GOOD.format(id="isles", rules="1.0"))
    assert registry.find("isles").id == "isles"
    assert {game.name: game.origin for game in registry.installed_games()}["isles"] == "dist-of-isles_game"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise RuntimeError('no luck')", "no luck"),
        ("import nothing_of_that_name", "nothing_of_that_name"),
        ("GAME = 3", "int"),
        ("def", "SyntaxError"),
        (GOOD.format(id="other", rules="1"), "has the id other"),
        ("", "GAME"),
    ],
)
def test_a_broken_plugin_is_listed_and_affects_no_other_game(
    plug: Callable[[str, str], None], text: str, words: str
) -> None:
    plug("broken=broken_game:GAME", text)
    found = {game.name: game for game in registry.installed_games()}
    assert found["broken"].game is None
    assert words in (found["broken"].error or "")
    assert found["slicewars"].game is not None
    with pytest.raises(BrokenGame):
        registry.find("broken")


def test_older_rules_stay_available(plug: Callable[[str, str], None]) -> None:
    plug("slicewars@0.9=old_slicewars:GAME", GOOD.format(id="slicewars", rules="0.9"))
    assert registry.find("slicewars", "0.9").rules_version == "0.9"
    assert registry.find("slicewars").rules_version != "0.9"
    assert "slicewars@0.9" not in registry.names()
    with pytest.raises(UnknownGame, match=r"0\.9"):
        registry.find("slicewars", "0.1")


def test_two_distributions_that_claim_one_game_are_named_and_neither_is_used(
    plug: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("aa_evil", "zz_evil"):
        plug(f"isles={module}:GAME", GOOD.format(id="isles", rules=module))
    with pytest.raises(
        BrokenGame, match=r"dist-of-aa_evil and dist-of-zz_evil.*GAMELOG_GAMES=isles=dist-of-aa_evil"
    ):
        registry.find("isles")
    both = [game for game in registry.installed_games() if game.name == "isles"]
    assert [game.origin for game in both] == ["dist-of-aa_evil", "dist-of-zz_evil"]
    assert not any(game.game for game in both)
    monkeypatch.setenv("GAMELOG_GAMES", "pig=nobody, isles = dist-of-zz_evil")
    assert registry.find("isles").rules_version == "zz_evil"
    assert registry.distribution_of(registry.find("isles")) == "dist-of-zz_evil"
    assert [game.origin for game in registry.installed_games() if game.name == "isles"] == ["dist-of-zz_evil"]


def test_a_choice_of_a_missing_distribution_is_refused(
    plug: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plug("slicewars=aa_evil:GAME", GOOD.format(id="slicewars", rules="1.0"))
    monkeypatch.setenv("GAMELOG_GAMES", "slicewars=somebody")
    with pytest.raises(
        BrokenGame, match="from somebody, but it is registered by dist-of-aa_evil and gamelog"
    ):
        registry.find("slicewars")


def test_the_message_about_a_missing_game_lists_installed_games() -> None:
    with pytest.raises(UnknownGame, match="slicewars"):
        registry.find("ludo")


def test_the_distribution_decides_whether_a_game_is_foreign(plug: Callable[[str, str], None]) -> None:
    """A game of another distribution is foreign even if it consists of Gamelog's own functions."""
    assert not registry.has_foreign_game()
    plug("isles=isles_game:GAME", GOOD.format(id="isles", rules="1.0"))
    assert registry.has_foreign_game()
    assert registry.has_foreign_game("isles")
    assert not registry.has_foreign_game("slicewars")


def test_a_game_is_shown_by_its_id_and_its_rules() -> None:
    assert (
        repr(registry.find("slicewars"))
        == f"<Game slicewars, rules {registry.find('slicewars').rules_version}>"
    )
