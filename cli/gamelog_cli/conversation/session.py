"""One conversation about one record: what is typed becomes events,
what others write is shown before anything is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from gamelog.errors import AppendError, BadSetup, Conflict, GamelogError, Locked, NotReadable, Refused
from gamelog.message import many
from gamelog.play.fold.common import Clock
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import TABLE, proposal, tag_of
from gamelog.record.log import Ack
from gamelog_cli import typed_members
from gamelog_cli.conversation import correcting, looking, prompts, reading, screen, undoing
from gamelog_cli.conversation.choices import LOOKING, Choices
from gamelog_cli.conversation.interrupts import LEAVES, Interrupts
from gamelog_cli.conversation.terminal import Line, Lines, Prompt
from gamelog_cli.output import print_wrapped

Due = Callable[[EventRecorder], Iterator[Ack]]
"""Writes the links and dice that nobody has to type."""


def idle_words(ms: int) -> str:
    """How long nothing was recorded: ``20 hours``."""
    minutes = ms // 60_000
    if minutes < 2 * 60:
        return many(minutes, "minute")
    return many(minutes // 60, "hour") if minutes < 48 * 60 else many(minutes // (24 * 60), "day")


class RecordingSession:
    """A conversation about one record. Whatever is written was typed by somebody who had seen all that stood
    before it.
    """

    def __init__(self, open_: Callable[[], EventRecorder], due: Due = lambda _recorder: iter(())) -> None:
        """`open_` opens the record, and opens it again should that be needed. Raises what it raises."""
        self._open = open_
        self.recorder = open_()
        self.choices = Choices(self.recorder)
        self.due = due
        self.shown = self.recorder.n
        self.place: Prompt = Lines()
        self.draft = ""
        self._rule: str | None = None
        self._broken = False
        self._interrupts = Interrupts()

    def run(self, place: Prompt) -> None:
        """Ask until somebody leaves. Raises `GamelogError` when the record cannot be gone on with."""
        self.place, self.choices.choose = place, prompts.chooser(place)
        with self._interrupts.held():
            screen.show_board(self.recorder)
            self._idle_counts(place)
            self._clock_runs(place, True)
            while self._goes_on(place):
                pass
            print_wrapped(screen.saved(self.recorder))

    def _goes_on(self, place: Prompt) -> bool:
        """Ask for a line and do what it says; whether the conversation goes on."""
        self.unasked()
        try:
            if self._interrupts.pressed >= (LEAVES if place.asks else 1):
                raise KeyboardInterrupt
            self._interrupts.pressed = 0
            draft, self.draft = self.draft, ""
            line = place.ask(self.prompt, draft, self)
        except (EOFError, KeyboardInterrupt):
            line = Line("quit", False)
        self._interrupts.pressed = 0
        self._broken = False
        moved = self.show() or line.old
        if line.text in ("quit", "exit"):
            self._idle_counts(place)
            self._clock_runs(place, False)
            return bool(self.draft)
        if moved and line.text and line.text.split()[0] not in LOOKING:
            print_wrapped(f'"{line.text}" is not written, for the record has moved on: {self._again}.')
            self.draft = line.text
        else:
            self.answer(line.text)
        return True

    def news(self) -> bool:
        """Whether others have written anything."""
        return not self._broken and self.recorder.log.has_grown

    def show(self) -> bool:
        """Show what others have written; whether there was anything."""
        try:
            self._refresh()
        except Locked:
            return False
        except GamelogError as error:
            self._broken = True  # said once, and again when something is typed
            print_wrapped(f"{error}")
            return False
        if self.recorder.n == self.shown:
            return False
        screen.tell_others(self.recorder, self.shown, self.recorder.n)
        self.shown = self.recorder.n
        screen.show_board(self.recorder)
        return True

    def follow(self) -> bool:
        """The same while nobody types; what has to follow without being asked, a link say, is written."""
        shown = self.show()
        if shown:
            self.unasked()
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
        """Open the record afresh: this handle is of no more use."""
        self.recorder = self._open()
        self.choices = Choices(self.recorder, prompts.chooser(self.place))

    def prompt(self) -> str:
        """Who is asked for what."""
        return prompts.prompt(self.recorder, self.choices, self._confirmed, self.place.asks)

    @property
    def _confirmed(self) -> bool:
        return self.recorder.fold.session.declared is not None and not self.recorder.fold.result_differs

    @property
    def _asks_for_result(self) -> bool:
        return self.recorder.fold.outcome is not None and not self._confirmed

    def unasked(self) -> None:
        """Write what is due without anybody typing it, and say so."""
        wrote = True
        try:
            while wrote:
                wrote = False
                for ack in self.due(self.recorder):
                    wrote = True
                    screen.tell_others(self.recorder, self.shown, ack.n - 1)
                    self._told(ack.n)
        except Conflict:
            self.show()
        except (AppendError, BadSetup) as error:
            print_wrapped(f"{error}")

    def answer(self, line: str) -> None:
        """Do what was typed, or say why not."""
        event: dict[str, Any] = {}
        try:
            word, _, rest = line.partition(" ")
            if looking.look(self.choices, word, rest, self._rule):
                return
            text, roll = reading.with_roll(self.choices, line)
            text, times = reading.repeated(self.choices, text)
            word, _, rest = text.partition(" ")
            players = self.recorder.fold.pending.by
            for written in range(times):
                if written and self.recorder.fold.pending.by != players:
                    print_wrapped(f"Written {written} of {times} times; then the turn was over.")
                    break
                event = self._event(word, rest, text)
                if event:
                    self.take(event)
                    screen.tell_filled_in(self.recorder, text)
            if roll:
                event = reading.event(self.choices, roll)
                self.take(event)
        except Conflict:
            self.show()
            print_wrapped(f'"{line}" is not written; type it again if it is still right.')
        except AppendError as error:
            self._rule = screen.refusal(self.choices, error, event)
        except (typed_members.Misread, BadSetup, NotReadable) as error:
            print_wrapped(f"{error}")
        if not self.recorder.is_good:
            self._reopen()

    def _event(self, word: str, rest: str, line: str) -> dict[str, Any]:
        """The event that was typed; none for an empty line that asks for nothing, and where all is done."""
        if self._asks_for_result and line.casefold() in prompts.NO:
            print_wrapped(
                "Then it is not written down. undo takes the last step back; fix N EVENT corrects what was "
                "written wrong."
            )
            return {}
        if not line or (self._asks_for_result and line.casefold() in prompts.YES):
            return self._enter()
        own = word in map(tag_of, self.recorder.fold.game.events)  # the game's own words come first
        if word == "undo" and not own:
            return self._undo(rest)
        if word == "fix" and not own:
            self._fix(rest)
            return {}
        return reading.event(self.choices, line)

    def _enter(self) -> dict[str, Any]:
        """What Enter alone writes: that the result is right, or the only thing that is legal. Never that time
        is up.
        """
        outcome = self.recorder.fold.outcome
        if self.choices.timeout:
            print_wrapped(prompts.TIME_IS_UP)
            return {}
        if outcome and self._asks_for_result:
            return {
                "do": "@result",
                "by": TABLE,
                "outcome": {"winners": list(outcome.winners), "reason": outcome.reason},
            }
        forced = self.choices.forced if self.place.asks else None  # an empty line in a file says nothing
        return proposal(forced) if forced else {}

    def _undo(self, rest: str) -> dict[str, Any]:
        event = undoing.parse_undo(self.recorder, rest)
        question = undoing.question(self.recorder, event["to"]) if rest and self.place.asks else None
        if question and not self._agreed(question, False):
            print_wrapped("Nothing is undone.")
            return {}
        return event

    def _agreed(self, question: str, default: bool) -> bool:
        """Whether somebody says yes; what is typed instead of an answer comes next.
        Nothing said, at the end, is a no.
        """
        try:
            said = prompts.yes(self.place, question, default, partial(reading.means, self.choices))
        except (EOFError, KeyboardInterrupt):
            return False
        if isinstance(said, str):
            self.draft = said
            print_wrapped(f'"{said}" is not an answer to that; {self._again}.')
            return False
        return said

    @property
    def _again(self) -> str:
        return "Enter writes it all the same" if self.place.asks else "type it again if it is still right"

    def _fix(self, rest: str) -> None:
        """Correct what was written, and say what became of it. Answers hold when others write meanwhile."""
        asked = correcting.parse_fix(self.recorder, rest)
        while True:
            try:
                correction = correcting.correct(self.place, self.recorder, asked)
                if correction:
                    correction.write(self.recorder)
                break
            except Conflict:
                if not asked.began:
                    raise
                self.show()
                print_wrapped("Your answers are kept; the correction goes on with what is new.")
        if correction is None:
            print_wrapped("Nothing is written.")
            return
        correcting.tell_correction(correction, self.recorder)
        self.shown = self.recorder.n
        screen.show_board(self.recorder)

    def take(self, event: dict[str, Any]) -> None:
        """Append, and say what happened. Raises `Conflict` when somebody else has written since."""
        waiting = frozenset(self.recorder.fold.rulings.claims.open)
        back = event["do"] == "@takeback" and undoing.undone(self.recorder, event["to"])
        (ack,) = self.recorder.append([event], expect=self.shown)
        self._told(ack.n)
        if event["do"] == "@takeback":
            undoing.tell_takeback(self.recorder, ack.n, event["to"], back or [])
            screen.show_board(self.recorder)
        elif event["do"] == "@ruling":
            screen.tell_ruling(self.recorder, ack.n, waiting)

    def _told(self, n: int) -> None:
        self.shown = n
        screen.tell_event(self.recorder, n)
        if type(self.recorder.events[n - 1]) in self.recorder.fold.game.chance_events:
            screen.show_board(self.recorder)

    def _idle_counts(self, place: Prompt) -> None:
        """Ask whether the time since the last event counts, if it is long; if not, the clock stood then."""
        recorder = self.recorder
        if not recorder.long_idle:
            return
        since = f"The last event was recorded {idle_words(recorder.idle)} ago, and the clock has run since."
        print_wrapped(since)
        if not place.asks:
            print_wrapped(f"If that time does not count: gamelog pause FILE --t {recorder.events[-1].t}")
            return
        try:
            if not prompts.yes(place, "Does that time count? [y/N] ", False, lambda _answer: False):
                self.take(dict(recorder.idle_pause()))
        except (EOFError, KeyboardInterrupt):
            return
        except (Conflict, Refused) as error:
            print_wrapped(f"{error}")

    def _clock_runs(self, place: Prompt, running: bool) -> None:
        """Offer to let the clock run, or stand, while nobody is at the table:
        when a conversation begins or ends in mid-game.
        """
        recorder = self.recorder
        change = Clock(recorder.n + 1, recorder.now(), TABLE, running=running)
        if not recorder.n or recorder.is_over or recorder.failed or recorder.fold.judge(change):
            return
        said, question = (
            ("The clock stands; resume lets it run.", "The clock stands. Let it run again? [Y/n] ")
            if running
            else ("The clock runs on; gamelog pause stops it.", "Stop the clock until you go on? [Y/n] ")
        )
        if not place.asks:
            print_wrapped(said)
            return
        try:
            if self._agreed(question, True):
                self.take({"do": "@clock", "by": TABLE, "running": running})
        except (Conflict, Refused) as error:
            print_wrapped(f"{error}")
