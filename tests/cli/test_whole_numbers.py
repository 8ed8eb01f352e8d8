"""Whole numbers in typed words: a number is never split."""

from __future__ import annotations

from typing import Any

import pytest
from gamelog_cli.errors import Misread
from gamelog_cli.input.abbreviated_events import matching_events
from gamelog_cli.input.typed_dice import parse_dice
from gamelog_cli.input.typed_events import parse_event
from gamelog_cli.input.typed_members import event_words, has_prefix, has_suffix, vocabulary

from gamelog import game
from gamelog.chance.draws import Bag
from gamelog.play.contract.game import ChanceDue, Legal
from gamelog.play.contract.registry import find


class Choose(game.Event, frozen=True, tag="choose"):
    card: int


class Give(game.Event, frozen=True, tag="give"):
    cards: tuple[int, ...]
    to: str = "blue"


class Hold(game.Event, frozen=True, tag="hold"):
    held: dict[str, int]


@pytest.mark.parametrize(
    ("name", "start", "is_so"),
    [
        ("31", "3", False),
        ("31", "31", True),
        ("yellow", "y", True),
        ("p15", "p1", False),
        ("p15", "p", True),
        ("a1b", "a1", True),
    ],
)
def test_a_number_is_not_split_at_the_beginning_of_a_name(name: str, start: str, is_so: bool) -> None:
    assert has_prefix(name, start) is is_so


@pytest.mark.parametrize(
    ("name", "end", "is_so"),
    [("31", "1", False), ("p15", "15", True), ("p15", "5", False), ("h6", "6", True)],
)
def test_a_number_is_not_split_at_the_end_of_a_name(name: str, end: str, is_so: bool) -> None:
    assert has_suffix(name, end) is is_so


@pytest.mark.parametrize("typed", ["3", "1", "choose 3", "choose 9"])
def test_a_card_is_not_confused_with_a_longer_number(typed: str) -> None:
    """The player has 31 and 92, and the judge refuses card 3."""
    duel = find("slicewars")
    legal = Legal((Choose(0, 0, "red", 31), Choose(0, 0, "red", 92)))
    read = parse_event(_with(duel, Choose), None, typed, legal)
    assert read == {"do": "choose", "card": int(typed.rpartition(" ")[2]), "by": "red"}


@pytest.mark.parametrize(
    ("event", "given"),
    [
        (Choose(0, 0, "red", 31), ["3"]),
        (Choose(0, 0, "red", 31), ["1"]),
        (Give(0, 0, "red", (31, 92)), ["3", "9"]),
        (Give(0, 0, "red", (31, 92)), ["2"]),
        (Give(0, 0, "red", (3, 1)), ["31"]),
        (Hold(0, 0, "red", {"a": 31}), ["a3"]),
    ],
)
def test_short_forms_do_not_split_numbers(event: Any, given: list[str]) -> None:
    assert matching_events([(event, event_words(event)[1:])], given, vocabulary(())) == []


def test_short_forms_contain_whole_numbers_after_letters() -> None:
    event = Hold(0, 0, "red", {"yellow": 31})
    listed = [(event, event_words(event)[1:])]
    assert (
        matching_events(listed, ["31"], ())
        == matching_events(listed, ["y31"], ())
        == matching_events(listed, ["y", "31"], ())
        == [event]
    )


def test_drawn_things_are_not_split_either() -> None:
    due = ChanceDue("deal", "table", (Bag(1, (("31", 1), ("92", 1), ("red", 1))),))
    assert parse_dice(due, "31") == (("31",),)
    assert parse_dice(due, "r") == (("red",),)
    with pytest.raises(Misread):
        parse_dice(due, "3")


def _with(plain: Any, *events: type[Any]) -> Any:
    """Return a game with these events only."""
    from dataclasses import replace

    return replace(plain, events=events, chance_events=(), shorthand=lambda _state, _words: None)


def test_names_of_players_are_not_split_either() -> None:
    from gamelog_cli.input.people import first_player

    from gamelog.play.fold.fold import Fold
    from gamelog.play.recording.header import new_header
    from gamelog.play.view.session_view import SessionView
    from gamelog.record.envelope import Seat

    people = [Seat("red", "31 Ana"), Seat("blue", "Rui")]
    fold = Fold(new_header(find("slicewars"), people, id="x", started="2026-01-01T00:00:00Z"))
    view = SessionView(fold)
    assert first_player(view, "3 takes", short=True)[0] is None
    assert first_player(view, "31 takes", short=True)[0] == "red"
