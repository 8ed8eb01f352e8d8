"""`fix` in the recorder and as a command."""

from __future__ import annotations

from pathlib import Path

import pytest
from gamelog_cli.conversation.session import RecordingSession
from gamelog_cli.events.choices import Choices
from gamelog_cli.input.typed_members import event_words

from gamelog.play.judging.verdict import validate
from gamelog.play.recording.correction import Correction
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog
from tests.cli.test_record import SAMPLES, Person, evening
from tests.cli.test_short_moves import played
from tests.play.tables import claimed_territory


@pytest.fixture
def battle(gamelog: Gamelog) -> Path:
    """Return a game in which the dice of Rui's attack from D2 on C2 are recorded wrongly."""
    Path("game.jsonl").write_bytes((SAMPLES / "slicewars" / "as_played.jsonl").read_bytes())
    gamelog("takeback", "game.jsonl", "--to", 101)
    out = evening(gamelog, "attack D2 C2", "1 1 1 1 1 1 6", "quit")
    assert "fails" in out or "takes" in out
    return Path("game.jsonl")


def line(path: Path) -> list[str]:
    recorder = EventRecorder(path)
    return [type(recorder.events[n - 1]).__name__ for n in recorder.fold.main_line_numbers()]


def test_dice_without_a_number_correct_the_last_roll(gamelog: Gamelog, battle: Path) -> None:
    before, n = line(battle), len(read_record(battle).bodies)
    out = evening(gamelog, "fix 6 6 6 6 6 6 1", "quit")
    assert f"Back to event {n - 1}: the events from event {n} on were a slip (recording mistake)." in out
    assert "Rui takes C2" in out
    assert line(battle) == before
    assert b'"slip":true' in read_record(battle).bodies[-2]


def test_a_decision_is_corrected_and_later_events_are_recorded_again(gamelog: Gamelog, battle: Path) -> None:
    n = len(read_record(battle).bodies)
    done = gamelog("fix", battle, "--at", n - 1, "attack", "d2", "c2")
    assert (done.status, done.err) == (0, "")
    assert f"1 later event was recorded again, up to event {n + 3}." in done.out
    out = evening(gamelog, "fix D2 C3", "stop", "quit")
    assert "Rui attacks C3 from D2." in out
    assert f"Event {n + 3} is no longer legal: Rui: battle 1,1,1,1,1,1 6" in out


def test_the_recorder_asks_about_events_that_are_no_longer_legal(gamelog: Gamelog, game: Path) -> None:
    evening(gamelog, "A1", "B2", "C5", "quit")  # Rui, Ana, Rui
    out = evening(gamelog, "fix 3 B2", "A1", "quit")
    assert "Event 4 is no longer legal: Ana: claim B2" in out
    assert "skip, stop, cancel, EVENT to replace it, or before EVENT>" in out
    recorder = EventRecorder(game)
    assert [claimed_territory(recorder.events[n - 1]) for n in recorder.fold.main_line_numbers()[1:]] == [
        "C3",
        "B2",
        "A1",
        "C5",
    ]
    before = game.read_bytes()
    out = evening(gamelog, "fix 3 C3", "fix 9 A1 A1", "fix", "fix before 99 A5", "fix 2 Z9", "quit")
    assert "Type fix DICE, fix N EVENT, or fix before N EVENT." in out
    assert "There is no event 99" in out
    assert game.read_bytes() == before


def test_unknown_words_are_refused(gamelog: Gamelog, game: Path) -> None:
    evening(gamelog, "A1", "B2", "quit")
    before = game.read_bytes()
    for words in (
        "pause nonsense",
        "resume now",
        "who next",
        "board x",
        "ruling 2 warning Ana loud by Mei: so",
    ):
        out = evening(gamelog, words, "quit")
        assert "Type" in out, words
    assert 'Type pause alone, without "nonsense".' in evening(gamelog, "pause nonsense", "quit")
    for args in (
        ("--before", 3, "pause", "nonsense"),
        ("--at", 3, "C5", "pause"),
        ("--at", 3, "pause now"),
        ("--at", 3, ""),
        ("--before", 3, " "),
    ):
        done = gamelog("fix", game, *args)
        assert (done.status, "Cannot read" in done.err) == (2, True), args
    assert game.read_bytes() == before
    done = gamelog("fix", game, "--before", 3, "pause", "resume")
    assert (done.status, done.out.splitlines()[1:3]) == (0, ["6. The clock stops.", "7. The clock runs."])


def test_a_correction_reports_that_it_starts_and_stops_the_clock(gamelog: Gamelog, game: Path) -> None:
    evening(gamelog, "A1", "B2", "quit")
    said = "The clock was stopped. Event 6 starts it for the correction, and the last event stops it again."
    assert said not in gamelog("fix", game, "--at", 3, "C5", "--dry-run").out.replace("\n", " ")
    assert gamelog("pause", game).status == 0
    for options in (["--dry-run"], []):
        assert said.replace("6", "7") in gamelog("fix", game, "--at", 3, "C5", *options).out.replace(
            "\n", " "
        )
    assert EventRecorder(game).fold.session.paused_at is not None


def test_a_list_during_a_question_shows_the_record(gamelog: Gamelog, game: Path) -> None:
    evening(gamelog, "A1", "B2", "C5", "quit")
    out = evening(gamelog, "fix 3 B2", "list", "cancel", "quit")
    shown = out[out.index("before EVENT> ") :]
    assert [line for line in shown.splitlines() if line[:2] in ("2.", "3.", "4.", "5.", "6.", "7.")] == [
        "2. Ana claims C3.",
        "3. Rui claims A1.",
        "4. Ana claims B2.",
        "5. Rui claims C5.",
    ]
    assert len(read_record(game).bodies) == 5, "the file has no other events"


def test_an_event_that_was_already_corrected_names_its_replacement(gamelog: Gamelog, game: Path) -> None:
    evening(gamelog, "A1", "quit")
    assert gamelog("fix", game, "--at", 2, "C5").status == 0
    done = gamelog("fix", game, "--at", 2, "C6")
    assert (done.status, done.err) == (
        1,
        "gamelog: Event 2 has already been corrected. Correct event 5, which replaces event 2.\n",
    )
    assert gamelog("fix", game, "--at", 5, "C6").status == 0


def test_commands_that_only_show_something_work_during_a_question(gamelog: Gamelog, game: Path) -> None:
    evening(gamelog, "A1", "B2", "C5", "quit")
    before = game.read_bytes()
    out = evening(
        gamelog, "fix 3 B2", "who", "odds", "legal A", "rules NONE", "why", "board", "cancel", "quit"
    )
    for told in (
        "Ana (red), territories: 1, to move",
        "No contest of dice is due",
        'has no rule "NONE"',
        "claim: A1",
    ):
        assert told in out, out
    assert out.count("Event 4 is no longer legal: Ana: claim B2") == 1
    assert "does not fit at" not in out
    assert game.read_bytes() == before


def test_a_change_of_the_player_is_confirmed_before_anything_is_recorded(game: Path) -> None:
    before = game.read_bytes()
    person = Person("fix 2 Rui: played D1", "n", "quit", "n")
    RecordingSession(lambda: EventRecorder(game)).run(person)
    assert "Event 2 was by Ana; the new event is by Rui. Is that right? [Y/n] " in person.prompts
    assert game.read_bytes() == before


@pytest.mark.parametrize(
    ("answer", "stands"),
    [("skip", ["C3", "B2"]), ("stop", ["C3", "B2"]), ("cancel", ["C3", "A1", "B2", "C5"])],
)
def test_a_question_takes_the_other_answers(
    gamelog: Gamelog, game: Path, answer: str, stands: list[str]
) -> None:
    evening(gamelog, "A1", "B2", "C5", "quit")
    out = evening(gamelog, "fix 3 B2", answer, "stop", "quit")
    recorder = EventRecorder(game)
    assert [
        claimed_territory(recorder.events[n - 1]) for n in recorder.fold.main_line_numbers()[1:]
    ] == stands
    assert ("Nothing is recorded." in out) == (answer == "cancel")
    assert ("not recorded again" in out) == (answer != "cancel")


def test_a_forgotten_event_is_inserted(gamelog: Gamelog, game: Path) -> None:
    evening(gamelog, "A1", "B2", "quit")
    done = gamelog("fix", game, "--before", 4, "claim D1")
    assert done.status == 1, "Ana owns B2 and cannot claim it again"
    assert "Event 4 (Ana: claim B2) is no longer legal" in done.err
    assert "gamelog record game.jsonl" in done.err
    recorder = EventRecorder(game)
    assert [claimed_territory(recorder.events[n - 1]) for n in recorder.fold.main_line_numbers()[1:]] == [
        "C3",
        "A1",
        "D1",
    ]


def test_the_command_prints_its_plan_and_problems(gamelog: Gamelog, game: Path) -> None:
    evening(gamelog, "A1", "B2", "quit")
    before = game.read_bytes()
    done = gamelog("fix", game, "--at", 3, "claim D1", "--dry-run", "--json")
    (told,) = done.json
    assert (told["to"], told["again"], told["left"], told["written"]) == (2, 1, [], [])
    assert gamelog("fix", game, "--at", 3, "D1", "--dry-run").status == 0
    refused = gamelog("fix", game, "--at", 3, "claim C3")
    assert (refused.status, "SW-3" in refused.err, "Nothing is recorded." in refused.err) == (1, True, True)
    assert gamelog("fix", game, "D1").status == 2
    assert gamelog("fix", game, "--at", 3, "--before", 3, "D1").status == 2
    assert gamelog("fix", game, "--at", 3, "fly to D1 now").status == 2
    assert gamelog("fix", game, "--at", 77, "D1").status == 1
    assert game.read_bytes() == before
    assert gamelog("fix", game, "--at", 3, '{"do":"claim","at":"D1"}').status == 0
    assert gamelog("fix", game, "--at", 1, "4", "2").status == 0
    assert validate(game).status == "ok"


def stands(path: Path) -> list[tuple[str, str]]:
    recorder = EventRecorder(path)
    claims = [recorder.events[n - 1] for n in recorder.fold.main_line_numbers()[1:]]
    return [(recorder.fold.session.name_of(event.by), claimed_territory(event)) for event in claims]


def test_a_forgotten_claim_shifts_the_turns(gamelog: Gamelog, game: Path) -> None:
    evening(gamelog, "A1", "B2", "C5", "D5", "quit")
    before = game.read_bytes()
    done = gamelog("fix", game, "--before", 4, "E1", "--dry-run")
    assert done.status == 1
    for told in (
        "Event 4 (Ana: claim B2) is no longer legal: it is Rui's turn, not Ana's.",
        "If only the order of turns has changed, this event belongs to Rui, and the later events change players likewise. To record this, add --shift.",
        "Of the 3 remaining events, 1 is no longer legal, even without the others: 4.",
        "To record the events that still count, run: gamelog record game.jsonl",
    ):
        assert told in done.err, done.err
    done = gamelog("fix", game, "--before", 4, "E1", "--shift")
    assert (done.status, done.err) == (0, "")
    assert "3 of them now belong to the player who was to move." in done.out
    moved = [("Ana", "C3"), ("Rui", "A1"), ("Ana", "E1"), ("Rui", "B2"), ("Ana", "C5"), ("Rui", "D5")]
    assert stands(game) == moved
    assert validate(game).status == "ok"
    game.write_bytes(before)
    out = evening(gamelog, "fix before 4 E1", "shift", "quit")
    assert "skip, shift, stop, cancel, EVENT to replace it, or before EVENT>" in out
    assert stands(game) == moved


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("slicewars", "add"),
        ("zone_control", "end_turn"),
        ("zone_s", "place_tile"),
        ("gp02a_territory", "place"),
        ("dice_flags", "move"),
    ],
)
def test_a_forgotten_event_is_inserted_in_any_game(gamelog: Gamelog, name: str, wanted: str) -> None:
    recorder = played(name, lambda one: one.n > 60 and one.fold.pending.chance is None)
    n = next(
        n
        for n, event in enumerate(recorder.events, 1)
        if event.__struct_config__.tag == wanted and n < recorder.n - 3
    )
    choices = Choices(Correction("game.jsonl", n, before=True).rehearsal)
    other = next(event for event in choices.legal.events if event.__struct_config__.tag == wanted)
    done = gamelog("fix", "game.jsonl", "--before", n, " ".join(event_words(other)))
    assert validate("game.jsonl").status == "ok"
    assert done.status in (0, 1)
    if done.status:
        assert " is no longer legal: " in done.err
        assert "To record the events that still count" in done.err
        assert "no longer legal, even without the others" in done.err
        assert "not recorded again" in done.out


def test_an_event_with_a_time_is_refused(gamelog: Gamelog, battle: Path) -> None:
    before = battle.read_bytes()
    event = '{"do":"@clock","by":"table","running":false,"t":283000}'
    done = gamelog("fix", battle, "--before", 50, event)
    assert (done.status, 'Leave out the member "t"' in done.err) == (1, True)
    assert 'Leave out the member "t"' in evening(gamelog, f"fix before 50 {event}", "quit")
    assert battle.read_bytes() == before
