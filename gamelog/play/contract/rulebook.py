"""RULES.md as data: every numbered rule and ruling of a game.

A rule is a list item that begins with its id in bold, ``- **SW-11** text``. It ends at the next item or blank
line. Ids with an ``A`` before the number are rulings: the source text is silent or ambiguous, and the author
of the rulebook decided. A rule that no event can break ends with the reason: ``_(not checkable: …)_``.
Headings give each rule its section. A rulebook in another language has the same form, including the mark
``not checkable``.
"""

from __future__ import annotations

import re

from msgspec import Struct

from gamelog.play.contract.game import AnyGame

_ITEM = re.compile(r"^- \*\*([A-Z]{2}-(A?)\d+[a-z]?)\*\*\s+(.*)$")
_NOT_CHECKABLE = re.compile(r"\s*_\(not checkable: (.+?)\)_\s*$", re.DOTALL)


class Rule(Struct, frozen=True, omit_defaults=True):
    """One numbered rule.

    Attributes:
        section: Title of its section.
        ruling: Whether it is a ruling on a gap in the rules.
        unchecked: The reason why no event can break it, or None.
    """

    id: str
    text: str
    section: str = ""
    ruling: bool = False
    unchecked: str | None = None


def parse_rulebook(text: str) -> dict[str, Rule]:
    """Return the rules of a RULES.md by id, in the order of the text.

    Raises:
        ValueError: An id is listed twice.
    """
    rules: dict[str, Rule] = {}
    section = ""
    item: tuple[str, bool, list[str]] | None = None

    def close() -> None:
        """Add the rule that was read last, if there is one, to `rules`.

        Raises:
            ValueError: The rule is listed twice.
        """
        nonlocal item
        if item is None:
            return
        id_, ruling, lines = item
        words = " ".join(lines)
        reason = _NOT_CHECKABLE.search(words)
        if id_ in rules:
            raise ValueError(f"rule {id_} is listed twice")
        rules[id_] = Rule(
            id_, _NOT_CHECKABLE.sub("", words), section, ruling, reason.group(1) if reason else None
        )
        item = None

    for line in text.splitlines():
        match = _ITEM.match(line)
        if match:
            close()
            item = (match.group(1), bool(match.group(2)), [match.group(3)])
        elif line.startswith("#"):
            close()
            section = line.lstrip("# ").strip()
        elif not line.strip() or line.startswith(("- ", "|")):
            close()
        elif item is not None:
            item[2].append(line.strip())
    close()
    return rules


def rulebook(game: AnyGame, language: str = "en") -> dict[str, Rule]:
    """Return the numbered rules of `game` in `language`. Rules without a translation are in English."""
    english = parse_rulebook(game.rules())
    if language == "en":
        return english
    translated = parse_rulebook(game.translation(language).rules)
    return {id_: translated.get(id_, rule) for id_, rule in english.items()}
