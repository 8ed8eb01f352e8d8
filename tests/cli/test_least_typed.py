"""The shortest input: Enter for the only legal event, short forms that ask if several events fit, first letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from gamelog_cli.errors import Misread
from gamelog_cli.events import reading
from gamelog_cli.events.choices import Choices
from gamelog_cli.input.typed_events import AmbiguousEvent
from gamelog_cli.input.typed_members import event_words

from gamelog.errors import Refused
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import Event, as_proposal
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog
from tests.cli.keystrokes import GAMES, means, stretches
from tests.cli.terminal import Terminal
from tests.cli.test_record import evening
from tests.cli.test_short_moves import played


def forced(recorder: EventRecorder) -> bool:
    one = Choices(recorder).only_legal_event
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


def test_a_target_that_several_pieces_can_reach_is_asked_for(gamelog: Gamelog) -> None:
    assert gamelog("games").status == 0

    def contested(recorder: EventRecorder) -> bool:
        targets = [
            words[-1] for words in map(event_words, Choices(recorder).legal.events) if words[0] == "step"
        ]
        return any(targets.count(target) > 1 for target in targets)

    recorder = played("zone_control", contested)
    choices = Choices(recorder)
    steps: list[Any] = [one for one in choices.legal.events if event_words(one)[0] == "step"]
    target = next(one.dst for one in steps if [other.dst for other in steps].count(one.dst) > 1)
    fitting = [one for one in steps if one.dst == target]
    with pytest.raises(AmbiguousEvent):
        reading.parse_line(choices, target)
    asked: list[Any] = []

    def choose(events: Sequence[Event]) -> Event:
        asked.extend(events)
        return events[-1]

    chosen = reading.parse_line(Choices(recorder, choose), target)
    assert asked == fitting and chosen["src"] == fitting[-1].src


@pytest.mark.grid
@pytest.mark.parametrize("game", GAMES)
def test_no_short_form_records_another_event_than_the_typed_one(game: str, tmp_path: Path) -> None:
    """Under each reading in the help, a short form means the event, or the recorder asks."""
    forms = 0
    for at, (recorder, event) in enumerate(stretches(game, tmp_path)):
        if at % 3 == 0 and not isinstance(event, recorder.fold.game.chance_events):
            choices = Choices(recorder)
            for line in short_forms(event):
                with suppress(Misread, Refused):
                    found = recorder.stamp({**reading.parse_line(choices, line), "t": event.t})
                    if recorder.fold.judge(found):
                        continue  # the recorder refuses the event
                    assert means(choices, line, event), f"{line} is not read as {event_words(event)}"
                    forms += 1
        recorder.append([{**as_proposal(event), "t": event.t}])
    assert forms > 5


def short_forms(event: Event) -> set[str]:
    """Return the short forms of `event`: ends of its last name and its words, and beginnings of all its names."""
    tag, *words = event_words(event)
    if not words:
        return {tag, tag[:2]}
    names = [name for word in words for name in re.split("[,=+]", word)]
    last = names[-1]
    ends = {
        last[cut:] for cut in range(len(last)) if not (last[cut - 1 : cut] + last[cut]).isdigit() or not cut
    }
    found = ends | {" ".join(words[cut:]) for cut in range(len(words))}
    if not any(name.isdecimal() for name in names):
        found |= {"".join(names), "".join([*(name[0] for name in names[:-1]), last])}
    return found | {f"{tag} {form}" for form in found}


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
    assert reading.parse_line(choices, typed) == {
        "do": "chronology",
        "by": choices.legal.events[0].by,
        "colour": colour,
    }


def test_an_event_out_of_turn_is_refused_with_the_player_to_move(gamelog: Gamelog) -> None:
    assert gamelog("new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui").status == 0
    out = evening(gamelog, "5 2", "C3", "ana B2", "ana nonsense at all", "quit")
    assert out.count("Rui is to move, not Ana.") == 1
    assert len(read_record("game.jsonl").bodies) == 2
