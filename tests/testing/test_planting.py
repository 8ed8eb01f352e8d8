"""Tests of the kit with planted mistakes in a game: a share of the long run `tests.fuzz.planting`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from gamelog.errors import PlayError
from gamelog.testing.conformance import Conformance
from tests.fuzz.ferry import GAME
from tests.fuzz.planting import COVERED, OUT_OF_REACH, plant, try_plant
from tests.fuzz.plants import PLANTS


@pytest.mark.usefixtures("fewer_games")
class TestFerry(Conformance):
    """The game without mistakes passes, and it need not be installed."""

    game = GAME
    covered = COVERED


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_mistake_is_valid_python(name: str, tmp_path: Path) -> None:
    for file in plant(name, tmp_path).glob("*.py"):
        ast.parse(file.read_text("utf-8"))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder from which the game with a mistake is imported, and forget the game afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("gamelog.testing.checks.random_games.GAMES_PER_PLAYER_COUNT", 4)
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "ferry"]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("a turn goes to who is out", "test_exactly_one_thing_is_pending"),
        ("check gives words", "test_every_violation_names_a_rule"),
        ("check lets the out be shoved", "test_events_outside_a_complete_list_are_refused"),
        ("a board fails without a name", "test_data_that_is_not_a_board_is_refused_in_a_sentence"),
        ("declare forgets who is out", "test_described_positions_can_be_declared"),
        ("describe omits who is out", "test_described_positions_can_be_declared"),
        ("declare takes nonsense", "test_invalid_positions_are_refused"),
        ("no TurnOver after what is rare", "test_the_end_and_turns_have_effects"),
        ("TurnOver twice", "test_the_end_and_turns_have_effects"),
        ("others are told out", "test_the_end_and_turns_have_effects"),
        ("effects remember", "test_folding_is_pure"),
        ("odds of the other side", "test_effects_name_seats_and_rolled_faces"),
        ("dice told wrong", "test_effects_name_seats_and_rolled_faces"),
        ("no Contest", "test_dice_and_contests_have_effects"),
        ("Contest with nobody", "test_dice_and_contests_have_effects"),
        ("start refuses the end of a range", "test_every_option_starts_and_is_played"),
        ("start refuses the middle of a range", "test_every_option_starts_and_is_played"),
        ("check fails under an option", "test_every_option_starts_and_is_played"),
        ("resolve forgets what was asked", "test_options_have_defaults_and_resolve_keeps_them"),
        ("no phrase for an effect", "test_messages_fit_events_and_effects"),
        ("a phrase takes a place for a seat", "test_messages_fit_events_and_effects"),
        ("legal says that it is not complete", "test_events_outside_a_complete_list_are_refused"),
        ("any cards are taken", "test_due_chance_is_checked"),
        ("dice of others are taken", "test_due_chance_is_checked"),
        ("sample has chance of its own", "test_sample_gives_legal_events"),
        ("taps do not tell cards apart", "test_events_with_the_same_taps_are_the_same"),
        ("taps call a boat otherwise", "test_taps_are_in_the_scene_or_seats_or_words"),
        ("taps are of a boat that is not there", "test_taps_are_in_the_scene_or_seats_or_words"),
        ("taps say one thing twice", "test_taps_are_in_the_scene_or_seats_or_words"),
        ("taps are a list", "test_taps_are_in_the_scene_or_seats_or_words"),
        ("taps are no word", "test_taps_are_in_the_scene_or_seats_or_words"),
        ("check lets as-played pass", "test_check_ignores_number_and_key"),
    ],
)
def test_a_check_finds_a_mistake(name: str, check: str, site: Path) -> None:
    plant(name, site)
    kit: Any = type("Kit", (Conformance,), {"game": import_module("ferry").GAME, "covered": COVERED})()
    with pytest.raises((AssertionError, ValueError, IndexError, PlayError)):
        getattr(kit, check)()


def test_a_game_that_ends_the_program_is_reported() -> None:
    assert "it called os._exit(0), but a game must not call this function" in (
        try_plant("apply leaves") or "missed"
    )


def test_a_mistake_is_found_in_a_separate_process() -> None:
    assert (try_plant("a bot asks hash") or "missed").startswith(
        "test_another_process_gives_the_same_results"
    )


def test_a_game_that_prints_is_reported(site: Path) -> None:
    plant("apply prints", site)
    kit: Any = type("Kit", (Conformance,), {"game": import_module("ferry").GAME, "covered": COVERED})()
    with pytest.raises(AssertionError, match=r"a function of the game prints: Draw\(n=1"):
        kit.test_another_process_gives_the_same_results()


def test_mistakes_out_of_reach_are_planted() -> None:
    assert set(OUT_OF_REACH) <= set(PLANTS)
