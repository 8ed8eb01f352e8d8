"""The shortest input: Enter for the only legal event, a target for the last piece, first letters of events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gamelog_cli.events import reading
from gamelog_cli.events.choices import Choices
from gamelog_cli.typed_events import Several
from gamelog_cli.typed_members import event_words

from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog
from tests.cli.terminal import Terminal
from tests.cli.test_record import evening
from tests.cli.test_short_moves import played


def forced(recorder: EventRecorder) -> bool:
    one = Choices(recorder).forced
    return one is not None and event_words(one) == ["end_turn"]


@pytest.fixture
def ending(gamelog: Gamelog) -> int:
    """Write game.jsonl, in which only `end_turn` is legal. Return the number of its events."""
    assert gamelog("games").status == 0
    return played("zone_control", forced).n


def test_enter_records_the_only_legal_event_and_the_prompt_shows_it(ending: int) -> None:
    with Terminal("record", "game.jsonl") as screen:
        screen.sees("end_turn (Enter records this)>")
        screen.types("\r")
        screen.sees(f"{ending + 1}. ")
    assert len(read_record("game.jsonl").bodies) == ending + 1


def test_an_empty_line_of_a_file_records_nothing(ending: int, gamelog: Gamelog) -> None:
    assert "(Enter records this)" not in evening(gamelog, "", "", "quit")
    assert len(read_record("game.jsonl").bodies) == ending


def test_the_piece_that_moved_last_moves_if_only_the_target_is_typed(gamelog: Gamelog) -> None:
    assert gamelog("games").status == 0

    def contested(recorder: EventRecorder) -> bool:
        choices = Choices(recorder)
        steps: list[Any] = [one for one in choices.legal.events if event_words(one)[0] == "step"]
        again = [one for one in steps if one.src in choices.last_names]
        return any([one.dst for one in steps].count(walk.dst) > 1 for walk in again)

    recorder = played("zone_control", contested)
    choices = Choices(recorder)
    steps: list[Any] = [one for one in choices.legal.events if event_words(one)[0] == "step"]
    walk = next(
        one
        for one in steps
        if one.src in choices.last_names and [other.dst for other in steps].count(one.dst) > 1
    )
    assert reading.event(choices, walk.dst)["src"] == walk.src
    before = EventRecorder(Path("game.jsonl"))
    before.append([{"do": "@note", "by": "table", "text": "a pause"}])
    with pytest.raises(Several):
        reading.event(Choices(before), walk.dst)  # the last piece is unknown


@pytest.mark.parametrize(("typed", "colour"), [("r", "red"), ("y", "yellow")])
def test_a_letter_of_a_legal_event_comes_before_other_events_and_pieces(
    typed: str, colour: str, gamelog: Gamelog
) -> None:
    assert gamelog("games").status == 0

    def chronicled(recorder: EventRecorder) -> bool:
        listed = [event_words(one) for one in Choices(recorder).legal.events]
        marks = {piece.text for piece in recorder.fold.game.scene(recorder.fold.state, None).pieces}
        return (
            ["chronology", colour] in listed
            and all(one[0] == "chronology" for one in listed)
            and "Y" in marks
        )

    choices = Choices(played("gp02a_territory", chronicled, seed=5))
    assert reading.event(choices, typed) == {
        "do": "chronology",
        "by": choices.legal.events[0].by,
        "colour": colour,
    }


def test_an_event_out_of_turn_is_refused_with_the_player_to_move(gamelog: Gamelog) -> None:
    assert gamelog("new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui").status == 0
    out = evening(gamelog, "5 2", "C3", "ana B2", "ana nonsense at all", "quit")
    assert out.count("Rui is to move, not Ana.") == 1
    assert len(read_record("game.jsonl").bodies) == 2
