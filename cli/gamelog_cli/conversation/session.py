"""One conversation about one record: typed lines become events, and events of others are shown first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from gamelog.errors import (
    AppendError,
    BadSetup,
    Conflict,
    GamelogError,
    Locked,
    NotReadable,
    Refused,
    Torn,
    WriteFailed,
)
from gamelog.message import Message
from gamelog.play.fold.common_events import Clock
from gamelog.play.recording.recorder import EventRecorder, recover_record
from gamelog.play.recording.setup_pause import setup_pause
from gamelog.record.envelope import TABLE, as_proposal, tag_of
from gamelog.record.record_file import Ack
from gamelog_cli.conversation import correcting, prompts, screen, show_commands, undoing
from gamelog_cli.conversation.interrupts import PRESSES_TO_LEAVE, Interrupts
from gamelog_cli.conversation.terminal import LineInput, PipeInput, TypedLine
from gamelog_cli.errors import Misread
from gamelog_cli.events import corrections, reading, remarks, typed_commands
from gamelog_cli.events.choices import VIEW_COMMANDS, Choices
from gamelog_cli.printing.output import print_line

RecordDue = Callable[[EventRecorder], Iterator[Ack]]
"""Function that records links and dice that need no typing."""

_CLOCK_COMMANDS = ("pause", "resume")


def idle_text(ms: int) -> Message:
    """Return `ms` milliseconds as a duration, rounded down: ``20 hours``."""
    minutes = ms // 60_000
    if minutes < 2 * 60:
        return Message.of("{n} {n:minute|minutes}", n=minutes)
    if minutes < 48 * 60:
        return Message.of("{n} {n:hour|hours}", n=minutes // 60)
    return Message.of("{n} {n:day|days}", n=minutes // (24 * 60))


class RecordingSession:
    """Conversation about one record.

    An event is recorded only if its writer has seen all earlier events.
    """

    def __init__(
        self, open_: Callable[[], EventRecorder], due: RecordDue = lambda _recorder: iter(())
    ) -> None:
        """Open the record with `open_`, which is called again if needed.

        Raises:
            GamelogError: `open_` cannot open the record.
        """
        self._open = open_
        self.recorder = open_()
        self.choices = Choices(self.recorder)
        self.due = due
        self.last_shown = self.recorder.n
        self.line_input: LineInput = PipeInput()
        self.draft = ""
        self._drawn: int | None = None
        self._rule: str | None = None
        self._broken = False
        self._has_unsaved_line, self._kept_line = False, ""
        self._interrupts = Interrupts()

    def run(self, line_input: LineInput) -> None:
        """Ask for lines until the user leaves.

        Raises:
            GamelogError: The record cannot be continued.
        """
        self.line_input, self.choices.choose = line_input, prompts.chooser(line_input)
        with self._interrupts.count_presses():
            self._show_board()
            if not self._ask_about_idle_time(line_input):
                self._offer_clock_change(line_input, True)
            while self._take_line(line_input):
                pass
            print_line(screen.saved_message(self.recorder))

    def _take_line(self, line_input: LineInput) -> bool:
        """Ask for a line and carry it out. Return whether the conversation continues."""
        self.record_due_events()
        try:
            if self._interrupts.pressed >= (PRESSES_TO_LEAVE if line_input.is_interactive else 1):
                raise KeyboardInterrupt
            self._interrupts.pressed = 0
            draft, self.draft = self.draft, ""
            line = line_input.ask(self.prompt, draft, self)
        except (EOFError, KeyboardInterrupt):
            line = TypedLine("quit", False)
        self._interrupts.pressed = 0
        self._broken = False
        leaves = line.text in ("quit", "exit")
        if self._has_unsaved_line and (leaves or line.text.partition(" ")[0] not in VIEW_COMMANDS):
            again = self._try_disk_again("" if leaves else line.text)
            if not again and not (leaves and not self._has_unsaved_line):
                return not leaves
        moved = self.show() or line.old
        if leaves:
            self._ask_about_idle_time(line_input)
            self._offer_clock_change(line_input, False)
            return bool(self.draft)
        if moved and line.text and line.text.split()[0] not in VIEW_COMMANDS:
            print_line(
                Message.of(
                    'Not recorded: "{=line}". Someone else recorded event {n} first. Look at the '
                    "board. {again}",
                    line=line.text,
                    n=self.recorder.n,
                    again=self._repeat_hint,
                )
            )
            self.draft = line.text
        else:
            self.answer(line.text)
        return True

    def has_news(self) -> bool:
        """Return whether others have recorded events."""
        return not self._broken and not self._has_unsaved_line and self.recorder.file.has_grown

    def show(self) -> bool:
        """Print the events that others have recorded. Return whether there were any."""
        if self._has_unsaved_line:
            return False
        try:
            self._refresh()
        except Locked:
            return False
        except GamelogError as error:
            self._broken = True  # print the problem once, and again after each line
            print_line(error.message)
            return False
        if self.recorder.n == self.last_shown:
            return False
        screen.print_others(self.recorder, self.last_shown, self.recorder.n)
        self.last_shown = self.recorder.n
        self._show_board()
        return True

    def follow(self) -> bool:
        """Print the events that others have recorded, and record links and dice that are due."""
        shown = self.show()
        if shown:
            self.record_due_events()
        return shown

    def _refresh(self) -> None:
        try:
            self.recorder.refresh()
        except Refused:
            if self.recorder.is_good:
                raise
        if not self.recorder.is_good:
            self._reopen()

    def _reopen(self) -> None:
        """Open the record again, because this recorder takes no more events."""
        self.recorder = self._open()
        self.choices = Choices(self.recorder, prompts.chooser(self.line_input))

    def prompt(self) -> Message:
        """Return the prompt."""
        return prompts.prompt(self.recorder, self.choices, self._is_confirmed, self.line_input.is_interactive)

    @property
    def _is_confirmed(self) -> bool:
        view = self.recorder.record_view
        return view.is_declared and not view.result_differs

    @property
    def _asks_for_result(self) -> bool:
        return self.recorder.is_over and not self._is_confirmed

    def record_due_events(self) -> None:
        """Record and print the links and dice that need no typing."""
        wrote = not self._has_unsaved_line
        try:
            while wrote:
                wrote = False
                for ack in self.due(self.recorder):
                    wrote = True
                    screen.print_others(self.recorder, self.last_shown, ack.n - 1)
                    self._print(ack.n)
        except Conflict:
            self.show()
        except (AppendError, BadSetup) as error:
            print_line(error.message)
        except WriteFailed as error:
            self._keep("", error)

    def answer(self, line: str) -> None:
        """Carry out a typed line, or print why it cannot be carried out."""
        event: dict[str, Any] = {}
        unsaved = line
        try:
            word, _, rest = line.partition(" ")
            if show_commands.run_view_command(self.choices, word, rest, self._rule):
                return
            text, roll = reading.split_roll(self.choices, line)
            text, times = reading.split_repetition(self.choices, text)
            word, _, rest = text.partition(" ")
            players = self.recorder.record_view.pending.by
            for written in range(times):
                if written and self.recorder.record_view.pending.by != players:
                    note = "Recorded {n} of {times} times. Then the turn was over."
                    print_line(Message.of(note, n=written, times=times))
                    break
                unsaved = f"{text}x{times - written}" if written < times - 1 else f"{text} {roll}".strip()
                events = self._events(word, rest, text)
                event = events[-1] if events else {}
                if events:
                    self.record(*events)
                    screen.print_filled_in(self.recorder, text)
            if roll:
                unsaved, event = roll, reading.parse_line(self.choices, roll)
                self.record(event)
        except Conflict:
            self.show()
            text = 'Not recorded: "{=line}". Type it again if it is still right.'
            print_line(Message.of(text, line=line))
        except AppendError as error:
            self._rule = screen.print_refusal(self.choices, error, event)
        except (Misread, NotReadable) as error:
            print_line(error.message)
        except WriteFailed as error:
            self._keep(unsaved, error)
        if not self.recorder.is_good and not self._has_unsaved_line:
            self._reopen()

    def _keep(self, line: str, error: WriteFailed) -> None:
        """Keep `line`, which the disk did not take, for another try.

        Raises:
            WriteFailed: No person is there to try again.
        """
        if not self.line_input.is_interactive:
            raise error
        print_line(error.message)
        if line:
            text = (
                'Not recorded: "{=line}". The line is kept. Solve the problem, then press Enter to try again.'
            )
            print_line(Message.of(text, line=line))
        else:
            print_line(Message.of("Solve the problem, then press Enter to try again."))
        self.draft = self._kept_line = line
        self._has_unsaved_line = True

    def _try_disk_again(self, line: str) -> bool:
        """Open the record again after a failed write. Return whether `line` is to be carried out now.

        A torn end of an unconfirmed event is moved to another file. If the disk has the events after all,
        they are printed, and a line that has changed since stays for the user to confirm.
        """
        shown = self.recorder.n
        try:
            try:
                self._reopen()
            except Torn:
                recover_record(self.recorder.file.path)
                self._reopen()
        except WriteFailed as error:
            self._keep(line, error)
            return False
        self._has_unsaved_line = False
        added = range(shown + 1, self.recorder.n + 1)
        saved = any(self.recorder.record_view.event(n)["do"] != "@recovered" for n in added)
        if saved:
            print_line(Message.of("These events were recorded after all:"))
            self.draft = "" if line == self._kept_line else line
        for n in added:
            self._print(n)
        self.last_shown = self.recorder.n
        return not saved

    def _events(self, word: str, rest: str, line: str) -> list[dict[str, Any]]:
        """Return the events to record; several for a ruling of several parts."""
        own = word in map(tag_of, self.recorder.record_view.game.events)
        parts = typed_commands.parse_ruling(self.recorder, rest) if word == "ruling" and not own else None
        if parts and len(parts) > 1:
            return [{"do": "@ruling", **part} for part in parts]
        event = self._event(word, rest, line)
        return [event] if event else []

    def _event(self, word: str, rest: str, line: str) -> dict[str, Any]:
        """Return the event to record; an empty dict if there is none."""
        answer = prompts.yes_or_no(line) if self._asks_for_result else None
        if answer is False:
            print_line(
                Message.of(
                    "The result is not recorded. To take the last decision back, type undo. To correct event "
                    "N, type: fix N EVENT"
                )
            )
            return {}
        if not line or answer:
            return self._enter()
        own = word in map(tag_of, self.recorder.record_view.game.events)  # events of the game take precedence
        if word == "undo" and not own:
            return self._undo(rest)
        if word == "fix" and not own:
            self._fix(rest)
            return {}
        return reading.parse_line(self.choices, line)

    def _enter(self) -> dict[str, Any]:
        """Return the event that Enter alone records: the result, or the only legal event; never a timeout."""
        outcome = self.recorder.record_view.pending.outcome
        if self.choices.timeout:
            print_line(prompts.TIME_IS_UP)
            return {}
        if outcome and self._asks_for_result:
            return {
                "do": "@result",
                "by": TABLE,
                "outcome": {"winners": list(outcome.winners), "reason": outcome.reason},
            }
        forced = (
            self.choices.only_legal_event if self.line_input.is_interactive else None
        )  # an empty line in a file records nothing
        return as_proposal(forced) if forced else {}

    def _undo(self, rest: str) -> dict[str, Any]:
        event = typed_commands.parse_undo(self.recorder, rest)
        question = (
            undoing.takeback_question(self.recorder, event["to"])
            if rest and self.line_input.is_interactive
            else None
        )
        if question and not self._confirm(question, False):
            print_line(Message.of("Nothing is undone."))
            return {}
        return event

    def _confirm(self, question: Message, default: bool, commands: Mapping[str, bool] | None = None) -> bool:
        """Return whether the answer to `question` is yes. The end of the input is a no.

        The words in `commands` are answers, too. An event or command that is typed instead of an answer
        becomes the next line.
        """
        accepts = partial(reading.may_be_input, self.choices)
        try:
            answer = prompts.ask_yes_or_no(self.line_input, question, default, accepts, commands or {})
        except (EOFError, KeyboardInterrupt):
            return False
        if isinstance(answer, str):
            self.draft = answer
            text = '"{=line}" is not an answer to the question. {again}'
            print_line(Message.of(text, line=answer, again=self._repeat_hint))
            return False
        return answer

    @property
    def _repeat_hint(self) -> Message:
        if self.line_input.is_interactive:
            return Message.of("Press Enter to record it anyway.")
        return Message.of("Type it again if it is still right.")

    def _fix(self, rest: str) -> None:
        """Correct an event and print the result. Answers are kept if others record events meanwhile."""
        dialog = correcting.parse_fix(self.recorder, rest)
        while True:
            try:
                correction = correcting.correct(self.line_input, self.recorder, dialog)
                if correction:
                    correction.write(self.recorder)
                break
            except Conflict:
                if not dialog.has_begun:
                    raise
                self.show()
                print_line(Message.of("Your answers are kept. The correction continues with the new events."))
        if correction is None:
            print_line(Message.of("Nothing is recorded."))
            return
        corrections.print_correction(correction, self.recorder)
        self.last_shown = self.recorder.n
        self._show_board()

    def record(self, *events: dict[str, Any]) -> None:
        """Record `events`, all or none, and print them.

        A takeback or ruling is followed by its result and the board.

        Args:
            events: The members of each event, with its tag as ``do``.

        Raises:
            Conflict: Someone else has recorded an event that has not been printed here.
            Refused: The rules do not allow an event.
            WriteFailed: The disk failed. The record must be opened again.
            Locked: Another program holds the lock of the record.
        """
        waiting = frozenset(self.recorder.record_view.open_claims)
        back = events[0]["do"] == "@takeback" and self.recorder.record_view.undone_by_return(events[0]["to"])
        recorded = [*setup_pause(self.recorder, events[0]), *events]
        acks = self.recorder.append(recorded, expect=self.last_shown)
        for event, ack in zip(recorded, acks, strict=True):
            self._print(ack.n)
            if event["do"] == "@takeback":
                undoing.print_takeback(self.recorder, ack.n, event["to"], back or [])
                self._show_board()
            elif event["do"] == "@ruling":
                still_open = frozenset(self.recorder.record_view.open_claims)
                screen.print_ruling(self.recorder, ack.n, waiting if ack is acks[-1] else still_open)
        if events[-1]["do"] == "@ruling" and self.recorder.record_view.last_played == acks[-1].n:
            self._show_board()

    def _show_board(self) -> None:
        """Print the board, and mark what has changed since it was printed last."""
        screen.show_board(self.recorder, self._drawn)
        self._drawn = self.recorder.record_view.last_played

    def _print(self, n: int) -> None:
        self.last_shown = n
        remarks.print_event(self.recorder, n)
        view = self.recorder.record_view
        if not view.is_step(n) and not view.is_outside_play(n):  # then the event is of chance
            self._show_board()

    def _ask_about_idle_time(self, line_input: LineInput) -> bool:
        """Ask whether a long time since the last event counts; if not, record that the clock was stopped.

        A typed ``pause`` or ``resume`` is a no that also decides whether the clock runs from now on. Return
        whether the answer was one of these words.
        """
        recorder = self.recorder
        if not recorder.is_idle_long:
            return False
        text = "The last event was recorded {time} ago, and the clock has run since then."
        print_line(Message.of(text, time=idle_text(recorder.idle)))
        if not line_input.is_interactive:
            text = "If that time does not count, run: gamelog pause FILE --t {t}"
            print_line(Message.of(text, t=recorder.record_view.t))
            return False
        question = Message.of("Does that time count? [y/N] ")
        try:
            answer = prompts.ask_yes_or_no(line_input, question, False, _CLOCK_COMMANDS.__contains__)
            if answer is not True:
                self.record(dict(recorder.idle_pause()))
            if answer == "resume":
                self._run_clock(True)
        except (EOFError, KeyboardInterrupt):
            return False
        except (Conflict, Refused) as error:
            print_line(error.message)
            return False
        except WriteFailed as error:
            self._keep("", error)
            return False
        return answer in _CLOCK_COMMANDS

    def _run_clock(self, running: bool) -> None:
        """Record that the clock runs or stops from now on."""
        self.record({"do": "@clock", "by": TABLE, "running": running})

    def _offer_clock_change(self, line_input: LineInput, running: bool) -> None:
        """Offer to start or stop the clock when a conversation begins or ends during a game."""
        recorder = self.recorder
        change = Clock(recorder.n + 1, recorder.now(), TABLE, running=running)
        if not recorder.n or recorder.is_over or recorder.failed_finding or recorder.judge(change):
            return
        if running:
            note = Message.of("The clock is stopped. To start it, type: resume")
            question = Message.of("The clock is stopped. Start it again? [Y/n] ")
        else:
            note = Message.of("The clock is running. To stop it, run: gamelog pause FILE")
            question = Message.of("Stop the clock until you continue? [Y/n] ")
        if not line_input.is_interactive:
            print_line(note)
            return
        try:
            if self._confirm(question, True, {"resume": running, "pause": not running}):
                self._run_clock(running)
        except (Conflict, Refused) as error:
            print_line(error.message)
        except WriteFailed as error:
            self._keep("", error)
