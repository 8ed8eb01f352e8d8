"""An evening at the table with `gamelog record`, line by line."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gamelog_cli.conversation.session import RecordingSession
from gamelog_cli.conversation.terminal import MakePrompt, OtherWriters, TypedLine
from gamelog_cli.input import typed_dice, typed_members

from gamelog.chance.draws import Dice
from gamelog.play.contract.game import ChanceDue
from gamelog.play.fold.common_events import Ruling
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import validate
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog
from tests.cli.test_two_recorders import Script

SAMPLES = Path(__file__).parents[2] / "sample_games"


def evening(gamelog: Gamelog, *lines: str) -> str:
    done = gamelog("record", "game.jsonl", stdin="\n".join(lines) + "\n")
    assert done.status == 0, done.err
    return done.out


def test_dice_events_and_short_forms(gamelog: Gamelog) -> None:
    gamelog("new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")
    out = evening(gamelog, "5 2", "claim C3", "cl A1", "B2", "quit")
    assert "start roll: " in out
    assert "Ana claims C3." in out
    assert "Rui claims A1." in out
    assert "Ana claims B2." in out
    assert len(read_record("game.jsonl").bodies) == 4


def test_a_line_that_cannot_be_read_is_explained_and_nothing_is_lost(gamelog: Gamelog, game: Path) -> None:
    before = game.read_bytes()
    out = evening(gamelog, "claim C3", "claim", "fly A1", "claim Z9", "help", "legal", "board", "")
    assert "SW-3" in out
    assert "Type: claim AT" in out
    assert "Tab completes" in out
    assert "claim A1; claim A2" in out
    assert game.read_bytes() == before


def test_impossible_dice_are_refused(gamelog: Gamelog) -> None:
    gamelog("new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")
    out = evening(gamelog, "7 1", "1", "x y", "3 3", "62", "quit")
    assert "cannot show 7" in out
    assert "Type 2 results" in out
    assert "Type the results as numbers." in out
    assert len(read_record("game.jsonl").bodies) == 2


def test_undo_goes_back_one_decision_and_the_game_can_be_resumed(gamelog: Gamelog, game: Path) -> None:
    evening(gamelog, "claim A1", "claim A2", "undo", "quit")
    assert "A2:r1" not in gamelog("replay", game).out
    out = evening(gamelog, "A3", "undo 1", "@note coffee", "@claim red he peeked", "@resign blue", "quit")
    assert "takes the game back to event 1" in out
    assert "Note by the table: coffee" in out
    assert "SW-A26" in out
    assert validate(game).status == "ok"


def test_an_illegal_event_is_recorded_with_played(gamelog: Gamelog, game: Path) -> None:
    out = evening(gamelog, "played claim red D4", "played", "played claim C3", "A1", "undo", "A1", "quit")
    assert "Type: claim AT" in out
    assert "The position after this event is unknown" in out
    judged = validate(game)
    assert (judged.status, judged.findings[0].code) == ("ok", "play.undone")


def test_an_illegal_event_that_counts_is_called_disputed(gamelog: Gamelog) -> None:
    Path("game.jsonl").write_bytes((SAMPLES / "slicewars" / "as_played.jsonl").read_bytes())
    gamelog("takeback", "game.jsonl", "--to", 101, "--by", "table")
    out = evening(gamelog, "attack D2 A1", "played attack D2 C2", "undo", "played attack D2 A1", "quit")
    assert "Refused: D2 does not touch A1" in out
    assert out.count("disputed until the arbiter rules") == 1, "the other event was legal"
    n = len(read_record("game.jsonl").bodies)
    assert (
        f"D2 does not touch A1. The event counts, but it is disputed until the arbiter rules: gamelog ruling game.jsonl --about {n}"
        in out
    )
    assert validate("game.jsonl").status == "disputed"


def test_a_whole_game_is_recorded_to_its_end(gamelog: Gamelog) -> None:
    from gamelog.play.contract.registry import find
    from gamelog.testing.plays import play

    game = play(find("slicewars"), 3, 2, max_rounds=2)
    gamelog(
        "new",
        "slicewars",
        "game.jsonl",
        "--seat",
        "red=Ana",
        "--seat",
        "blue=Rui",
        "--option",
        "max_rounds=2",
    )
    lines = [" ".join(typed_members.event_words(event)) for event in game.events]
    out = evening(gamelog, *lines)
    assert "The game is over" in out
    assert len(read_record("game.jsonl").bodies) == len(game.events)
    verdict = validate("game.jsonl")
    assert (verdict.status, verdict.finished) == ("ok", True)


def test_a_clock_that_has_run_out_is_reported_and_recorded(gamelog: Gamelog) -> None:
    seats = [
        f"--seat={side}={name}" for side, name in zip(("north", "east", "south", "west"), "NESW", strict=True)
    ]
    started = (datetime.now(UTC) - timedelta(minutes=2)).strftime("%Y-%m-%dT%H:%M:%SZ")
    done = gamelog(
        "new", "zone_control", "game.jsonl", *seats, "--option", "clock_minutes=1", "--started", started
    )
    assert done.status == 0, done.err
    early = (
        '{"do":"start_roll","t":1000,"rolls":{"north":6,"east":1,"south":1,"west":1}}',
        '{"do":"move_roll","t":2000,"dice":[3,4]}',
    )
    assert gamelog("append", "game.jsonl", *early).status == 0
    out = evening(gamelog, "legal", "end_turn", "", "quit")
    assert "the clock has run out. Type time_up to record this, or type help>" in out
    assert "\ntime_up\n" in out
    assert "ZC-A22" in out
    assert len(read_record("game.jsonl").bodies) == 2, "Enter alone never calls time"
    evening(gamelog, "time_up", "quit")
    assert b'"do":"time_up"' in read_record("game.jsonl").bodies[-1]
    assert validate("game.jsonl").status == "ok"


def test_at_the_end_the_recorder_asks_whether_the_result_is_right(gamelog: Gamelog) -> None:
    Path("game.jsonl").write_bytes((SAMPLES / "slicewars" / "ended-all.jsonl").read_bytes())
    before = len(read_record("game.jsonl").bodies)
    out = evening(gamelog, "undo", "quit")
    assert "Is that right? Press Enter for yes. If not, type undo or fix>" in out
    assert "takes the game back" in out
    assert f"{before + 1} events saved in game.jsonl. To continue, run: gamelog record game.jsonl" in out
    gamelog("takeback", "game.jsonl", "--to", before)
    out = evening(gamelog, "", "", "quit")
    assert "The table's result:" in out
    assert len(read_record("game.jsonl").bodies) == before + 3, (
        "the first Enter confirms, the second does nothing"
    )
    assert "To view it, run: gamelog replay game.jsonl" in out
    judged = validate("game.jsonl")
    assert (judged.status, judged.finished, judged.findings) == ("ok", True, ())


def test_refusals_use_the_words_that_people_type(gamelog: Gamelog) -> None:
    three = [f"--seat={seat}={name}" for seat, name in (("red", "Ana"), ("blue", "Rui"), ("yellow", "Mei"))]
    gamelog("new", "slicewars", "game.jsonl", *three)
    out = evening(gamelog, "6 1 2", "rem G4", "rem g4 , C3", "quit")
    assert "Refused: 2 different territories must be removed" in out
    assert "(of 1,225; to list all, type: legal)" in out
    assert '{"' not in out
    assert "Legal now: remove" in out
    assert b'["G4","C3"]' in read_record("game.jsonl").bodies[-1], (
        "any case, spaces around commas, short forms of legal events"
    )


def test_short_words_mean_legal_events(gamelog: Gamelog, game: Path) -> None:
    Path("game.jsonl").write_bytes((SAMPLES / "slicewars" / "as_played.jsonl").read_bytes())
    gamelog("takeback", "game.jsonl", "--to", 101)
    out = evening(gamelog, "zap D2", "p", "undo", "legal", "legal d2", "d2 c2", "quit")
    assert '"zap" is not an event of this game. Legal now: attack, pass' in out
    assert "Rui attacks C2 from D2." in out
    assert "attack: " in out
    assert game


def test_the_prompt_shows_what_is_due(gamelog: Gamelog, game: Path) -> None:
    out = evening(gamelog, "quit")
    assert "Rui: claim> " in out
    assert game


def test_undo_takes_one_step_back_and_lists_what_is_undone_and_what_stays(gamelog: Gamelog) -> None:
    gamelog("new", "slicewars", "empty.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")
    assert "There is no event to undo." in gamelog("record", "empty.jsonl", stdin="undo\n").out
    Path("game.jsonl").write_bytes((SAMPLES / "slicewars" / "as_played.jsonl").read_bytes())
    gamelog("takeback", "game.jsonl", "--to", 101)
    n = len(read_record("game.jsonl").bodies)
    out = evening(gamelog, "pass", "resign Rui", "note he had to leave", "undo", "quit")
    assert f"Undone: {n + 2}. Rui " in out
    assert f"Undone: {n + 1}. " not in out
    assert f"Still in force (note): event {n + 3}." in out
    assert f"Undone: {n + 1}. " in evening(gamelog, "undo", "quit")


def test_undo_takes_an_agreed_end_and_an_offer_of_one_back(gamelog: Gamelog, game: Path) -> None:
    evening(gamelog, "A1", "agree Ana draw", "accept Rui", "undo", "quit")
    assert EventRecorder(game).fold.outcome is None
    before = len(read_record(game).bodies)
    out = evening(gamelog, "agree Ana draw", "undo", "quit")
    assert f"Undone: {before + 1}. " in out
    assert EventRecorder(game).fold.main_line_numbers()[-1] <= before


def test_the_question_about_the_result_takes_yes_and_no(gamelog: Gamelog) -> None:
    Path("game.jsonl").write_bytes((SAMPLES / "slicewars" / "ended-all.jsonl").read_bytes())
    before = len(read_record("game.jsonl").bodies)
    assert "To take the last decision back, type undo." in evening(gamelog, "no", "quit")
    assert len(read_record("game.jsonl").bodies) == before
    evening(gamelog, "yes", "quit")
    assert b"@result" in read_record("game.jsonl").bodies[-1]


def test_an_event_typed_instead_of_an_answer_is_not_lost(game: Path) -> None:
    def asked(*lines: str) -> tuple[Person, int]:
        person = Person(*lines)
        RecordingSession(lambda: EventRecorder(game)).run(person)
        return person, len(read_record(game).bodies)

    person, n = asked("A1", "quit", "D4", "D4", "quit", "perhaps", "n")
    assert person.drafts == ["D4"]
    assert b'"at":"D4"' in read_record(game).bodies[-1]
    assert not person.lines
    before = n
    person, n = asked("B2", "undo 1", "n", "undo 1", "maybe", "y", "quit", "n")
    assert n == before + 2
    assert "This undoes 4 events. Continue? [y/N] " in person.prompts


class Person(Script):
    """A person at a terminal who answers questions."""

    is_interactive = True

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.drafts: list[str] = []

    def ask(self, prompt: MakePrompt, draft: str = "", others: OtherWriters | None = None) -> TypedLine:
        self.drafts += [draft] if draft else []
        return super().ask(prompt, draft, others)


def test_the_list_marks_events_that_do_not_count(gamelog: Gamelog, game: Path) -> None:
    evening(gamelog, "A1", "fix 3 A2", "B2", "undo", "quit")
    out = evening(gamelog, "list", "log 1", "list x", "quit")
    assert "3. Rui claims A1. (corrected: event 5 replaces it)" in out
    assert "5. Rui claims A2.\n" in out
    assert "6. Ana claims B2. (taken back)" in out
    assert out.count("7. ") == 2
    assert "Type list, or list N" in out
    assert game


def test_several_rolls_are_typed_together() -> None:
    owed = ChanceDue("fight", "table", (Dice(3, 6, seat="red"), Dice(2, 6, seat="blue")))
    for text in ("666 12", "6 6 6 1 2", "66612", "666,12"):
        assert typed_dice.parse_dice(owed, text) == ((6, 6, 6), (1, 2))


def test_names_can_be_typed_without_accents_and_signs(gamelog: Gamelog) -> None:
    gamelog("new", "slicewars", "game.jsonl", "--seat", "red=Zoë 🎲", "--seat", "blue=José")
    out = evening(
        gamelog,
        "5 2",
        "claim C3",
        "@claim zoe too slow",
        "@claim jose me too",
        "substitute blue JOSÉ",
        "quit",
    )
    assert [event.by for event in EventRecorder("game.jsonl").events[2:]] == ["red", "blue"]
    assert "José already sits at this seat." in out


def test_new_takes_games_and_seats_in_any_case(gamelog: Gamelog) -> None:
    done = gamelog("new", "SliceWars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")
    assert done.status == 0, done.err
    done = gamelog("new", "Zone Control", "other.jsonl", "--seat", "Ana=north")
    assert 'There is no seat "Ana" in Zone Control. Type SEAT=NAME, for example --seat north=Ana.' in done.err
    done = gamelog("new", "zone_control", "other.jsonl", "--seat", "red=Ana")
    assert 'There is no seat "red" in Zone Control. Type SEAT=NAME, for example --seat north=Ana.' in done.err


def test_an_event_with_the_name_of_a_command_explains_how_to_type_the_command(
    gamelog: Gamelog, game: Path
) -> None:
    out = evening(gamelog, "claim Rui he took my square", "quit")
    assert "For the command claim, type: @claim PLAYER TEXT" in out
    assert game


def test_the_list_follows_every_correction(gamelog: Gamelog, game: Path) -> None:
    """Each correction replaces the event of the one before, except for the last."""
    recorder = EventRecorder(game)
    for at in range(150):
        recorder.append(
            [
                {"do": "@takeback", "by": "table", "to": 1, "slip": True},
                {"do": "claim", "at": ("A1", "A2")[at % 2]},
            ]
        )
    told = gamelog("replay", game, "--list").out.splitlines()
    assert told[1] == f"2. Ana claims C3. (corrected: event {recorder.n} replaces it)"


def test_the_list_names_the_event_that_replaces_a_corrected_one(gamelog: Gamelog, game: Path) -> None:
    evening(gamelog, "A1", "B2", "C5", "fix 3 A3", "fix 8 B4", "quit")
    out = evening(gamelog, "list 12", "quit")
    for told in (
        "3. Rui claims A1. (corrected: event 7 replaces it)",
        "4. Ana claims B2. (corrected: event 11 replaces it)",
        "5. Rui claims C5. (recorded again as event 12, after the correction)",
        "7. Rui claims A3.\n",
        "8. Ana claims B2. (corrected: event 11 replaces it)",
        "11. Ana claims B4.\n",
    ):
        assert told in out, out
    done = gamelog("replay", game, "--list")
    assert done.status == 0
    listed = [line for line in out.splitlines() if line.partition(".")[0].isdecimal()]
    assert [line for line in done.out.splitlines() if line[:1].isdigit()][-len(listed) :] == listed
    data = gamelog("replay", game, "--list", "--json").json
    assert data[4] == {
        "n": 5,
        "text": "Rui claims C5.",
        "disposition": "written again",
        "now": 12,
        "disputed": False,
    }
    standing = gamelog("replay", game, "--list", "--ruled", "--at", 11).out
    assert [line.partition(".")[0] for line in standing.splitlines()] == ["1", "2", "7", "11"]


def test_a_battle_is_described_in_full_sentences(gamelog: Gamelog) -> None:
    Path("game.jsonl").write_bytes((SAMPLES / "slicewars" / "as_played.jsonl").read_bytes())
    gamelog("takeback", "game.jsonl", "--to", 101)
    out = evening(gamelog, "attack D2 C2", "1 1 1 1 1 1 6", "quit")
    assert re.search(r"\d+ against \d+: ", out), out


def test_a_name_is_corrected_in_the_conversation(gamelog: Gamelog, game: Path) -> None:
    out = evening(
        gamelog, "claim A1", "amend Ana", "amend Zoe Ana", "amend Ana Anna <anna@club>", "who", "quit"
    )
    assert "Type: amend PLAYER NAME" in out
    assert "Name a player first" in out
    assert "Ana is now called Anna. The id of Anna is now anna@club." in out
    assert "Anna (red)" in out
    names = fold_record(read_record(game)).fold
    assert names is not None and names.session.name_of("red") == "Anna"


def test_a_ruling_of_several_parts_is_recorded_whole_or_not_at_all(gamelog: Gamelog, game: Path) -> None:
    n = 3
    out = evening(
        gamelog,
        "claim A1",
        f"ruling {n} stands; upheld by Mei: no",
        f"ruling {n} penalty Ana -1; penalty Rui -1 by Mei: no",
        f"ruling {n} penalty Ana -2; nonsense by Mei: no",
        f"ruling {n} clock Nobody 1:00; stands by Mei: no",
        f"ruling {n} takeback {n - 1}; penalty Ana -2; warning Rui by Mei: talked; often",
        "quit",
    )
    assert "A ruling has only one of these parts: stands, upheld." in out
    assert "The ruling has two parts of the kind penalty." in out
    fold = fold_record(read_record(game)).fold
    assert fold is not None
    rulings = [event for event in fold.events if isinstance(event, Ruling)]
    assert [one.kind for one in rulings] == ["warning", "penalty", "takeback"]
    assert {one.reason for one in rulings} == {"talked; often"} and {one.about for one in rulings} == {n}
    assert not fold.stands(n)
