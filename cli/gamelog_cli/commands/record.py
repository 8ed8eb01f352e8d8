"""`gamelog record`: one event after the other, at the table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from gamelog.errors import AppendError
from gamelog.play.narrate import tag_of
from gamelog.play.recorder import Recorder
from gamelog.play.sketch import initials, sketch
from gamelog.play.verify import proposal
from gamelog.record.log import Ack
from gamelog_cli import typed
from gamelog_cli.arguments import File, Secrets
from gamelog_cli.commands.dice import answers, chain_in
from gamelog_cli.output import drawing, say

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completion
    from prompt_toolkit.document import Document

    from gamelog.record.envelope import Event

HELP = """Type an event as its name and its parts: attack C3 C4. Tab completes; names may be shortened.
Dice are typed as 4 3 3, or 433; those that follow from a seed or from revealed links are written by themselves.
  legal           what may be played now     board               draws the board again
  undo [N]        takes the last decision back, or goes back to the position after event N
  played EVENT    records an illegal event that was played
  @note TEXT      a comment                  @claim SEAT TEXT    a player's claim
  @resign SEAT    gives up                   quit                stops; gamelog record FILE goes on later"""

COMMANDS = ("legal", "board", "undo", "played", "@note", "@claim", "@resign", "help", "quit")


class Evening:
    """A conversation about one record."""

    def __init__(
        self, recorder: Recorder, ask: Callable[[str], str], due: Callable[[Recorder], Iterator[Ack]] = lambda _recorder: iter(())
    ) -> None:
        """`due` writes the links and dice that nobody has to type."""
        self.recorder = recorder
        self.ask = ask
        self.due = due

    def run(self) -> None:
        """Ask until the game is over or somebody quits."""
        self.board()
        while True:
            self.unasked()
            if self.recorder.is_over:
                break
            try:
                line = self.ask(self.prompt()).strip()
            except EOFError:
                return
            if line in ("quit", "exit"):
                return
            self.answer(line)
        outcome = self.recorder.fold.outcome
        if outcome:
            winners = " and ".join(map(self.recorder.fold.table.name_of, outcome.winners)) or "nobody"
            say(f"The game is over: {winners} ({outcome.reason}).")

    def prompt(self) -> str:
        """Who is asked for what."""
        fold = self.recorder.fold
        pending = fold.pending
        alarm = self.alarm()
        if alarm:
            return f"the clock has run out: {' '.join(typed.words(alarm))} (Enter writes it)> "
        if fold.reveals and fold.reveals.missing:
            names = ", ".join(map(fold.table.name_of, fold.reveals.missing))
            return f"links of {names} (gamelog dice reveal; Enter looks again)> "
        if pending.chance:
            return f"{fold.table.name_of(pending.chance.by)}, {typed.asked(pending.chance)}> "
        return f"{' or '.join(map(fold.table.name_of, pending.by))}> "

    def alarm(self) -> Event | None:
        """What the table has to record before anything else, because the game's clock has run out."""
        fold = self.recorder.fold
        alarm = fold.pending.alarm
        return alarm.event if alarm and fold.table.clock(self.recorder.now()) >= alarm.at else None

    def unasked(self) -> None:
        """Write what is due without anybody typing it, and say so."""
        try:
            while acks := list(self.due(self.recorder)):
                for ack in acks:
                    self.tell(ack.n)
        except AppendError as error:
            say(f"{error}")

    def answer(self, line: str) -> None:
        """Do what was typed, or say why not. Nothing typed looks at what others have written meanwhile, and at the clock."""
        command, _, rest = line.partition(" ")
        if command in map(tag_of, self.recorder.fold.game.events):
            command = ""  # the game's own words come first
        try:
            match command:
                case "" if not line:
                    self.recorder.append([])
                    alarm = self.alarm()
                    if alarm:
                        self.take(proposal(alarm))
                case "help" | "?":
                    say(HELP)
                case "board":
                    self.board()
                case "legal":
                    self.legal()
                case "undo":
                    self.take(
                        {"do": "@takeback", "by": "table", "to": int(rest) if rest else self.recorder.before_last_decision()}
                    )
                    self.board()
                case "@note":
                    self.take({"do": "@note", "by": "table", "text": rest})
                case "@claim":
                    seat, _, text = rest.partition(" ")
                    self.take({"do": "@claim", "by": seat, "text": text})
                case "@resign":
                    self.take({"do": "@resign", "by": rest})
                case "played":
                    self.take(self.event(rest), as_played=True)
                case _:
                    self.take(self.event(line))
        except (typed.Misread, AppendError, ValueError) as error:
            say(f"{error}")

    def event(self, line: str) -> dict[str, Any]:
        """The event that was typed."""
        fold = self.recorder.fold
        pending = fold.pending
        if pending.chance and line[:1].isalnum() and not any(line.startswith(tag_of(kind)) for kind in fold.game.events):
            return proposal(fold.game.chance(fold.state, typed.dice(pending.chance, line)))
        if not line:
            raise typed.Misread("played what? write: played EVENT")
        legal = () if pending.chance or pending.outcome else fold.game.legal(fold.state).events
        return typed.parse(fold.game, line, legal)

    def take(self, event: dict[str, Any], as_played: bool = False) -> None:
        """Append, and say what happened."""
        self.recorder.append([event], as_played=as_played)
        self.tell(self.recorder.n)

    def tell(self, n: int) -> None:
        """Say what happened in event `n`."""
        fold, last = self.recorder.fold, self.recorder.events[n - 1]
        say(f"{n}. {self.recorder.text(n)}")
        if fold.table.lost == last.n:
            say("Nobody can say what that did to the position: undo takes it back, or a @gap declares what stood there.")
        elif n in fold.flags:
            rule = f"gamelog ruling {self.recorder.log.path} --about {n}"
            say(f"{fold.flags[n].text}. It stands, disputed until somebody rules: {rule}")
        if type(last) in fold.game.chance_events:
            self.board()

    def legal(self) -> None:
        """List what may be played."""
        fold = self.recorder.fold
        alarm = self.alarm()
        if alarm:
            say(" ".join(typed.words(alarm)))
            return
        if fold.pending.chance:
            say(typed.asked(fold.pending.chance))
            return
        legal = fold.game.legal(fold.state)
        say("; ".join(" ".join(typed.words(event)) for event in legal.events))
        if not legal.complete:
            say("(and others that lead to the same)")

    def board(self) -> None:
        """Draw the position."""
        fold = self.recorder.fold
        seats = fold.header.seat_ids
        drawing(sketch(fold.game.scene(fold.state, None), initials(seats)), seats)

    def completions(self, document: Document) -> Iterable[Completion]:
        """What the word being typed may become, from the legal events."""
        from prompt_toolkit.completion import Completion

        fold = self.recorder.fold
        before = document.text_before_cursor.split(" ")
        done, word = before[:-1], before[-1]
        events = [] if fold.pending.chance or fold.pending.outcome else fold.game.legal(fold.state).events
        candidates = {text[len(done)] for text in map(typed.words, events) if text[: len(done)] == done and len(text) > len(done)}
        if not done:
            candidates |= set(COMMANDS)
        for candidate in sorted(candidates):
            if candidate.lower().startswith(word.lower()):
                yield Completion(candidate, start_position=-len(word))


def record(file: File, secret: Secrets = []) -> None:
    """Record a game at the table: the board is drawn, legal events complete with Tab, dice are typed as 4 3 3."""
    recorder = Recorder(file)
    hands = {path: chain_in(path) for path in secret}

    def due(recorder: Recorder) -> Iterator[Ack]:
        return answers(recorder, hands)

    if not sys.stdin.isatty():
        Evening(recorder, _read_line, due).run()
        return
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer

    class Choices(Completer):
        def get_completions(self, document: Document, complete_event: object) -> Iterable[Completion]:  # noqa: ARG002 - the library's signature
            return evening.completions(document)

    session: PromptSession[str] = PromptSession(completer=Choices(), complete_while_typing=False)
    evening = Evening(recorder, session.prompt, due)
    say("Type help for help.")
    evening.run()


def _read_line(prompt: str) -> str:
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    say(line.rstrip())
    return line
