"""Input of a conversation: a terminal with completion, or lines from a pipe."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gamelog.message import Message
from gamelog_cli.conversation.interrupts import PRESSES_TO_LEAVE, raise_interrupts
from gamelog_cli.events.choices import Choices
from gamelog_cli.printing.layout import wrap
from gamelog_cli.printing.output import escape_unshowable, print_line, safe_line

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

_CHECK_SECONDS = 0.5
"""Seconds between two checks for events of other writers."""


MakePrompt = Callable[[], Message]
"""Function that returns the prompt; called again when others have recorded events."""


class TypedLine(NamedTuple):
    """Typed line. `old`: other writers have recorded events since its first letter."""

    text: str
    old: bool


class OtherWriters(Protocol):
    """Events of other writers that arrive during a prompt."""

    def has_news(self) -> bool:
        """Return whether there are new events; fast."""
        ...

    def follow(self) -> bool:
        """Print the new events and record links and dice that are due. Return whether there were events."""
        ...


class LineInput(Protocol):
    """Source of typed lines. `is_interactive`: a person answers questions and can edit lines."""

    is_interactive: bool

    def ask(self, prompt: MakePrompt, draft: str = "", others: OtherWriters | None = None) -> TypedLine:
        """Return the next line. `draft` is its initial text. Events of `others` are printed meanwhile.

        Raises:
            EOFError: There are no more lines.
            KeyboardInterrupt: The user wants to leave.
        """
        ...


class PipeInput:
    """Lines from a pipe or a file. Events of other writers are printed before the next line."""

    is_interactive = False

    def ask(self, prompt: MakePrompt, draft: str = "", others: OtherWriters | None = None) -> TypedLine:  # noqa: ARG002 - nothing to edit
        """Print the prompt, and read one line from standard input.

        Args:
            prompt: Makes the prompt.
            draft: Not used: there is nothing to edit.
            others: Not used.

        Raises:
            EOFError: There are no more lines.
        """
        print(safe_line(prompt()), end="", flush=True)
        with raise_interrupts():
            line = sys.stdin.readline()
        if not line:
            raise EOFError
        print_line(line.rstrip())
        return TypedLine(line.strip(), False)


class TerminalInput:
    """Terminal with completion and history; events of other writers are printed while the user types.

    Ctrl-C clears the line; on an empty line it ends the conversation. A single press before the prompt
    appears does not end it.
    """

    is_interactive = True

    def __init__(self, choices: Callable[[], Choices]) -> None:
        """Make the terminal; `choices` returns the choices of the record."""
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer

        class Completions(Completer):
            """The completions of the words before the cursor."""

            def get_completions(self, document: Document, complete_event: object) -> Iterable[Completion]:  # noqa: ARG002 - the library's signature
                return choices().completions(document)

        self._session: PromptSession[str] = PromptSession(
            completer=Completions(), complete_while_typing=False, key_bindings=self._keys()
        )
        self._drawn = 0
        self._early = 0

    def ask(self, prompt: MakePrompt, draft: str = "", others: OtherWriters | None = None) -> TypedLine:
        """Return the line that a person types, starting from `draft`, while other writers are followed."""
        from prompt_toolkit.application import get_app

        old = False

        async def watch(others: OtherWriters) -> None:
            nonlocal old
            from prompt_toolkit.application import run_in_terminal

            while True:
                await asyncio.sleep(_CHECK_SECONDS)
                if others.has_news() and await run_in_terminal(others.follow):
                    old = old or bool(get_app().current_buffer.text)

        def begin() -> None:
            self._drawn, self._early = get_app().render_counter, 0
            if others:
                get_app().create_background_task(watch(others))

        text = self._session.prompt(
            lambda: _fit_lines(escape_unshowable(prompt())), default=draft, pre_run=begin
        )
        return TypedLine(text.strip(), old)

    def _keys(self) -> KeyBindings:
        """Return the key bindings: Ctrl-C clears the line, and on an empty line leaves."""
        from prompt_toolkit.key_binding import KeyBindings

        keys = KeyBindings()

        @keys.add("c-c")
        @keys.add("<sigint>")
        def _(event: KeyPressEvent) -> None:
            self._early += event.app.render_counter == self._drawn
            if event.current_buffer.text:
                event.current_buffer.reset()
            elif event.app.render_counter > self._drawn or self._early >= PRESSES_TO_LEAVE:
                event.app.exit(exception=KeyboardInterrupt)

        return keys


def _fit_lines(prompt: str) -> str:
    """Return a prompt as lines that fit the terminal, without a break inside a word."""
    return "\n".join(wrap(prompt)) + prompt[len(prompt.rstrip()) :]
