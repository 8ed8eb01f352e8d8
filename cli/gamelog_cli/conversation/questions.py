"""Questions beside the prompt: yes or no, and nothing that was typed is lost."""

from __future__ import annotations

from collections.abc import Callable

from gamelog_cli.conversation.terminal import Place
from gamelog_cli.output import prose

YES, NO = frozenset({"y", "yes"}), frozenset({"n", "no"})


def yes(place: Place, question: str, default: bool, means: Callable[[str], bool]) -> bool | str:
    """The answer to `question`, asked again until it is one; or the line that was typed instead, where it `means` something.

    Raises what `place.ask` raises.
    """
    while True:
        answer = place.ask(lambda: question).text
        said = answer.casefold()
        if not said:
            return default
        if said in YES | NO:
            return said in YES
        if means(answer):
            return answer
        prose(f'"{answer}" is not an answer: type yes or no.')
