"""Two people who record one game at the same time: an event is recorded only if its writer has seen all others."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from gamelog_cli.conversation.session import RecordingSession
from gamelog_cli.conversation.terminal import MakePrompt, OtherWriters, TypedLine

from gamelog.play.contract.game import Legal
from gamelog.play.contract.registry import find
from gamelog.play.judging.event_decoding import decode
from gamelog.play.judging.verdict import validate
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog
from tests.cli.terminal import Terminal


class Script:
    """A person who types these lines. A function in the list runs before the next line is finished."""

    is_interactive = False

    def __init__(self, *lines: str | Callable[[], object]) -> None:
        self.lines = list(lines)
        self.prompts: list[str] = []

    def ask(self, prompt: MakePrompt, draft: str = "", others: OtherWriters | None = None) -> TypedLine:  # noqa: ARG002
        self.prompts.append(str(prompt()))
        while self.lines:
            line = self.lines.pop(0)
            if isinstance(line, str):
                return TypedLine(line, False)
            line()
        raise EOFError


def said(path: Path) -> list[tuple[str, str]]:
    events, _ = decode(find("slicewars"), read_record(path).bodies)
    return [(str(type(event).__struct_config__.tag), event.by) for event in events]


def test_an_event_typed_for_another_position_is_not_recorded(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = EventRecorder(game)
    script = Script(lambda: other.append([{"do": "claim", "at": "A1"}]), "B2", "B2", "quit")
    RecordingSession(lambda: EventRecorder(game)).run(script)
    out = capsys.readouterr().out
    assert "Someone else has recorded 1 event:\n3. Rui claims A1." in out
    assert 'Not recorded: "B2"' in out
    assert said(game)[2:] == [("claim", "blue"), ("claim", "red")], "Rui's event was not recorded for Ana"
    assert [prompt.split(":")[0] for prompt in script.prompts] == ["Rui", "Ana", "Rui"]


def test_undo_takes_back_no_unseen_event(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = EventRecorder(game)
    script = Script("A1", lambda: other.append([{"do": "claim", "at": "B2"}]), "undo", "quit")
    RecordingSession(lambda: EventRecorder(game)).run(script)
    assert 'Not recorded: "undo"' in capsys.readouterr().out
    assert [tag for tag, _ in said(game)] == ["start_roll", "claim", "claim", "claim"]


def test_an_event_recorded_between_reading_and_writing_is_a_conflict(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = EventRecorder(game)
    evening = RecordingSession(lambda: EventRecorder(game))
    other.append([{"do": "claim", "at": "A1"}])
    evening.answer("B2")
    out = capsys.readouterr().out
    assert "3. Rui claims A1." in out
    assert 'Not recorded: "B2"' in out
    assert len(said(game)) == 3


def test_commands_that_only_show_something_need_no_second_try(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = EventRecorder(game)
    RecordingSession(lambda: EventRecorder(game)).run(
        Script(lambda: other.append([{"do": "claim", "at": "A1"}]), "legal", "quit")
    )
    out = capsys.readouterr().out
    assert "Not recorded" not in out
    assert "claim: A2" in out


def test_many_events_of_another_person_are_shortened(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = EventRecorder(game)

    def chat() -> None:
        other.append([{"do": "@note", "by": "table", "text": f"note {number}"} for number in range(40)])

    RecordingSession(lambda: EventRecorder(game)).run(Script(chat, "", "quit"))
    out = capsys.readouterr().out
    assert "Someone else has recorded 40 events:\n… 28 earlier events\n" in out
    assert "note 27" not in out
    assert "note 39" in out


def test_two_terminals_on_one_file(game: Path) -> None:
    with Terminal("record", game) as a, Terminal("record", game) as b:
        a.sees("Rui: claim>")
        b.sees("Rui: claim>")
        a.types("claim A1\r")
        a.sees("3. Rui claims A1.", "Ana: claim>")
        begin = time.monotonic()
        b.sees("Someone else has recorded 1 event:", "3. Rui claims A1.", "Ana: claim>")
        shown_after = time.monotonic() - begin
        b.types("B2\r")
        b.sees("4. Ana claims B2.", "Rui: claim>")
        a.sees("4. Ana claims B2.", "Rui: claim>")
        a.types("claim C")  # half a line, while the other person records
        a.sees("claim C")
        b.types("D1\r")
        b.sees("5. Rui claims D1.")
        a.sees("5. Rui claims D1.", "Ana: claim>", "claim C")
        a.types("1\r")
        a.sees(
            'Not recorded: "claim C1". Someone else',
            "anyway.",
            "claim C1",
        )
        assert len(said(game)) == 5
        a.types("\r")
        a.sees("6. Ana claims C1.", "Rui: claim>")
        b.sees("6. Ana claims C1.")
        a.types("undo\r")
        a.sees("takes the game back to event 5")
        b.sees("takes the game back to event 5")
    assert [by for _, by in said(game)][2:] == ["blue", "red", "blue", "red", "table"]
    assert validate(game).status == "ok"
    assert shown_after < 30


def test_ctrl_c_clears_the_line_and_leaves_when_it_is_empty(game: Path) -> None:
    with Terminal("record", game) as screen:
        screen.sees("Rui: claim>")
        screen.types("claim A")
        screen.sees("claim A")
        screen.types("\x03")
        screen.types("B2\r")
        screen.sees("3. Rui claims B2.", "Ana: claim>")
        screen.types("\x03")
        screen.sees("Stop the clock until you continue? [Y/n]")
        screen.types("n\r")
        screen.sees("3 events saved in game.jsonl. To continue, run: gamelog record game.jsonl")
        assert screen.ends() == 0
    assert len(said(game)) == 3


@pytest.mark.parametrize("leave", ["quit\r", "\x04"])
def test_leaving_during_a_game_offers_to_stop_the_clock(game: Path, leave: str) -> None:
    with Terminal("record", game) as screen:
        screen.sees("Rui: claim>")
        screen.types(leave)
        screen.sees("Stop the clock")
        screen.types("\r")
        screen.sees("The clock stops.", "3 events saved")
        assert screen.ends() == 0
    with Terminal("record", game) as screen:
        screen.sees("The clock is stopped. Start it again? [Y/n]")
        screen.types("\r")
        screen.sees("The clock runs.", "Rui: claim>")
        screen.types("\x03")
        screen.sees("Stop the clock")
        screen.types("\x04")
        screen.sees("4 events saved")
    assert [tag for tag, _ in said(game)[2:]] == ["@clock", "@clock"]


def test_the_answers_of_a_correction_are_kept_if_someone_else_records_meanwhile(game: Path) -> None:
    for at in ("A1", "B2", "C5"):
        EventRecorder(game).append([{"do": "claim", "at": at}])

    def elsewhere() -> None:
        EventRecorder(game).append([{"do": "claim", "at": "E1"}])

    script = Script("fix 3 B2", elsewhere, "A1", "quit")
    RecordingSession(lambda: EventRecorder(game)).run(script)
    asked = [prompt for prompt in script.prompts if prompt.startswith("skip, stop")]
    assert len(asked) == 1, "the answer is kept"
    recorder = EventRecorder(game)
    places = [getattr(recorder.events[n - 1], "at", None) for n in recorder.fold.main_line_numbers()]
    assert places[1:] == ["C3", "B2", "A1", "C5", "E1"]


def test_links_are_revealed_as_soon_as_another_player_has_decided(gamelog: Gamelog) -> None:
    """A person with a secret who only watches does not have to press Enter."""
    sides, commits = ("north", "east", "south", "west"), []
    for seat in sides:
        (made,) = gamelog(
            "dice", "commit", "--seat", seat, "-o", f"{seat}.secret", "--id", "x", "--links", 20, "--json"
        ).json
        commits += ["--seat", f"{seat}={seat.title()}", "--commit", f"{seat}={made['commitment']}"]
    start = ("new", "zone_control", "game.jsonl", "--dice", "commit-reveal", "--id", "x", *commits)
    assert gamelog(*start).status == 0
    secrets = [f"--secret={seat}.secret" for seat in sides]
    assert gamelog("dice", "reveal", "game.jsonl", *secrets).status == 0
    while EventRecorder("game.jsonl").fold.pending.chance:
        assert gamelog("dice", "reveal", "game.jsonl", *secrets).status == 0
    with (
        Terminal("record", "game.jsonl", *secrets[:3]) as deciding,
        Terminal("record", "game.jsonl", secrets[3]) as watching,
    ):
        deciding.sees("end_turn")
        watching.sees("end_turn")
        deciding.types("end_turn\r")
        watching.sees("turn is over", "West reveals a secret.", "steps left")
        deciding.sees("Someone else has recorded", "steps left")


def test_the_recorder_asks_for_events_that_cannot_be_listed(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game of sealed choices has no list of legal events, because only the player knows the choice."""

    def sealed() -> EventRecorder:
        recorder = EventRecorder(game)
        recorder.fold.game = replace(
            recorder.fold.game, legal=lambda _state, _seat: Legal((), complete=False, cut=True)
        )
        return recorder

    script = Script("legal", "claim A1", "quit")
    RecordingSession(sealed).run(script)
    assert script.prompts[0] == "Rui: remove, claim, add, place, …> "
    assert "The legal events cannot be listed. Their forms are: " in capsys.readouterr().out
    assert said(game)[2:] == [("claim", "blue")]
