"""Where a conversation takes place: a terminal with completion, or lines from a pipe."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gamelog_cli.conversation.choices import Choices
from gamelog_cli.conversation.interrupts import LEAVES, raised
from gamelog_cli.output import print_line, showable, shown

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

OFTEN = 0.5
"""Seconds between two looks at what others have written."""


class Line(NamedTuple):
    """What was typed. `old`: the record has moved on since its first letter."""

    text: str
    old: bool


class OtherWriters(Protocol):
    """What other writers do meanwhile."""

    def news(self) -> bool:
        """Whether they have written anything; costs next to nothing."""
        ...

    def follow(self) -> bool:
        """Show what they have written, and write what has to follow without being asked.
        Says whether there was anything.
        """
        ...


class Prompt(Protocol):
    """Where somebody types. `asks`: questions besides the prompt reach a person, and a line can be edited."""

    asks: bool

    def ask(self, prompt: Callable[[], str], draft: str = "", others: OtherWriters | None = None) -> Line:
        """The next line. `draft` stands there already, where a line can be edited; what `others` write is
        shown meanwhile.

        Raises EOFError at the end, and KeyboardInterrupt when somebody wants to leave.
        """
        ...


class Lines:
    """Lines from a pipe or a file. What others write is shown at the next line."""

    asks = False

    def ask(self, prompt: Callable[[], str], draft: str = "", others: OtherWriters | None = None) -> Line:  # noqa: ARG002 - nothing to edit
        print(shown(prompt()), end="", flush=True)
        with raised():
            line = sys.stdin.readline()
        if not line:
            raise EOFError
        print_line(line.rstrip())
        return Line(line.strip(), False)


class Screen:
    """A terminal: Tab completes, the arrows bring back what was typed, what others write appears while one
    types.

    Ctrl-C clears the line; on an empty one it leaves. One that was pressed before the prompt was there had
    nothing to clear, and does not leave alone.
    """

    asks = True

    def __init__(self, choices: Callable[[], Choices]) -> None:
        """`choices` are those of the record as it is open now."""
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer

        class Completions(Completer):
            def get_completions(self, document: Document, complete_event: object) -> Iterable[Completion]:  # noqa: ARG002 - the library's signature
                return choices().completions(document)

        self._session: PromptSession[str] = PromptSession(
            completer=Completions(), complete_while_typing=False, key_bindings=self._keys()
        )
        self._drawn = 0
        self._early = 0

    def ask(self, prompt: Callable[[], str], draft: str = "", others: OtherWriters | None = None) -> Line:
        from prompt_toolkit.application import get_app

        old = False

        async def watch(others: OtherWriters) -> None:
            nonlocal old
            from prompt_toolkit.application import run_in_terminal

            while True:
                await asyncio.sleep(OFTEN)
                if others.news() and await run_in_terminal(others.follow):
                    old = old or bool(get_app().current_buffer.text)

        def begin() -> None:
            self._drawn, self._early = get_app().render_counter, 0
            if others:
                get_app().create_background_task(watch(others))

        text = self._session.prompt(lambda: showable(prompt()), default=draft, pre_run=begin)
        return Line(text.strip(), old)

    def _keys(self) -> KeyBindings:
        from prompt_toolkit.key_binding import KeyBindings

        keys = KeyBindings()

        @keys.add("c-c")
        @keys.add("<sigint>")
        def _(event: KeyPressEvent) -> None:
            self._early += event.app.render_counter == self._drawn
            if event.current_buffer.text:
                event.current_buffer.reset()
            elif event.app.render_counter > self._drawn or self._early >= LEAVES:
                event.app.exit(exception=KeyboardInterrupt)

        return keys
