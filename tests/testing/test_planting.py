"""The kit against a stranger's game with a mistake in it: a share of the long run `tests.fuzz.planting`."""

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
from tests.fuzz.planting import COVERED, OUT_OF_REACH, found, planted
from tests.fuzz.plants import PLANTS


class TestFerry(Conformance):
    """Without a mistake all is well, and nobody has to install the game for it."""

    game = GAME
    covered = COVERED


@pytest.mark.parametrize("name", PLANTS)
def test_a_mistake_changes_the_game_and_is_python(name: str, tmp_path: Path) -> None:
    for file in planted(name, tmp_path).glob("*.py"):
        ast.parse(file.read_text("utf-8"))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder from which the game with a mistake is imported, as nobody else sees it."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("gamelog.testing.kit.random_games.GAMES", 4)
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "ferry"]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("a turn goes to who is out", "test_exactly_one_thing_is_pending"),
        ("check gives words", "test_every_violation_names_a_rule"),
        ("check lets the out be shoved", "test_where_the_list_is_complete_all_others_are_refused"),
        ("a board fails without a name", "test_data_that_is_not_a_board_is_refused_in_a_sentence"),
        ("declare forgets who is out", "test_positions_in_words_lead_back"),
        ("describe omits who is out", "test_positions_in_words_lead_back"),
        ("declare takes nonsense", "test_what_is_no_position_is_refused"),
        ("no TurnOver after what is rare", "test_the_end_and_the_turns_are_told"),
        ("TurnOver twice", "test_the_end_and_the_turns_are_told"),
        ("others are told out", "test_the_end_and_the_turns_are_told"),
        ("effects remember", "test_folding_is_pure"),
        ("odds of the other side", "test_effects_speak_of_seats_and_of_what_was_rolled"),
        ("dice told wrong", "test_effects_speak_of_seats_and_of_what_was_rolled"),
        ("no Contest", "test_dice_are_shown_and_what_they_decide_between_two_sides"),
        ("Contest with nobody", "test_dice_are_shown_and_what_they_decide_between_two_sides"),
        ("start refuses the end of a range", "test_every_option_starts_and_is_played"),
        ("start refuses the middle of a range", "test_every_option_starts_and_is_played"),
        ("check fails under an option", "test_every_option_starts_and_is_played"),
        ("resolve forgets what was asked", "test_options_have_defaults_and_resolve_keeps_what_was_asked"),
        ("no phrase for an effect", "test_messages_fit_what_they_speak_of"),
        ("a phrase takes a place for a seat", "test_messages_fit_what_they_speak_of"),
        ("legal says that it is not complete", "test_where_the_list_is_complete_all_others_are_refused"),
        ("any cards are taken", "test_chance_is_owed_and_judged"),
        ("dice of others are taken", "test_chance_is_owed_and_judged"),
        ("sample has chance of its own", "test_sample_gives_legal_events"),
        ("taps do not tell cards apart", "test_events_with_the_same_taps_are_the_same"),
        ("taps call a boat otherwise", "test_taps_are_in_the_scene_or_seats_or_words"),
        ("taps are of a boat that is not there", "test_taps_are_in_the_scene_or_seats_or_words"),
        ("taps say one thing twice", "test_taps_are_in_the_scene_or_seats_or_words"),
        ("taps are a list", "test_taps_are_in_the_scene_or_seats_or_words"),
        ("taps are no word", "test_taps_are_in_the_scene_or_seats_or_words"),
        ("check lets as-played pass", "test_check_asks_neither_number_nor_key"),
    ],
)
def test_a_check_finds_a_mistake(name: str, check: str, site: Path) -> None:
    planted(name, site)
    kit: Any = type("Kit", (Conformance,), {"game": import_module("ferry").GAME, "covered": COVERED})()
    with pytest.raises((AssertionError, ValueError, IndexError, PlayError)):
        getattr(kit, check)()


def test_a_game_that_ends_the_program_is_named() -> None:
    assert "it called os._exit(0), which no game may" in (found("apply leaves") or "missed")


def test_a_mistake_is_found_in_a_process_of_its_own() -> None:
    assert (found("a bot asks hash") or "missed").startswith("test_another_process_says_the_same")


def test_a_game_that_prints_is_named(site: Path) -> None:
    planted("apply prints", site)
    kit: Any = type("Kit", (Conformance,), {"game": import_module("ferry").GAME, "covered": COVERED})()
    with pytest.raises(AssertionError, match=r"a function of the game prints: Draw\(n=1"):
        kit.test_another_process_says_the_same()


def test_what_is_out_of_reach_is_a_mistake_that_is_planted() -> None:
    assert set(OUT_OF_REACH) <= set(PLANTS)
