"""What a judge says of a record, in another language: English remarks, found among the templates.

Games and the engine say their remarks in English, with names and numbers in them. A translation has a
template for each (`Translation.remarks`), with places for these; whatever none of them matches stays English.
Nothing here fails, and the time it takes is in proportion to what is said, whoever wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import product

from msgspec import Struct

from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.translation import ENGINE, Translation, translation
from gamelog.play.telling.messages import PLACE

_DEEPEST = 24
"""How many remarks may stand one inside the other,
as each of several rulings stands in the list of those before it.
"""

MAX_REMARK = 1 << 17
"""Characters of a remark that is translated."""

_BETWEEN = (" and ", " or ", ", ")
"""What stands between people."""


class Template(Struct, frozen=True):
    """English ``literals`` round the places ``names``, the ``forms`` chosen there (0 one, 1 other),
    and what is said instead.
    """

    literals: tuple[str, ...]
    names: tuple[str, ...]
    forms: dict[str, int]
    other: str

    def values(self, text: str) -> dict[str, str] | None:
        """What stands in the places, if `text` is of this kind: each as short as can be."""
        first, *middle = self.literals
        last = middle.pop() if middle else ""
        at, end, found = len(first), len(text) - len(last), list[str]()
        if not self.names:
            return {} if text == first else None
        if at > end or not (text.startswith(first) and text.endswith(last)):
            return None
        for literal in middle:
            there = text.find(literal, at, end)
            if there < 0:
                return None
            found.append(text[at:there])
            at = there + len(literal)
        return dict(zip(self.names, (*found, text[at:end]), strict=True))


def templates(english: str, other: str) -> Iterator[Template]:
    """The template `english`, once with each of its forms."""
    counted = sorted({name for _, name, one, several in PLACE.findall(english) if one or several})
    for picked in product((0, 1), repeat=len(counted)):
        forms: dict[str, int] = dict(zip(counted, picked, strict=True))
        parts = [str(part or "") for part in PLACE.split(english)]
        literals, names = [parts[0]], list[str]()
        for name, one, several, after in zip(*(parts[at::5] for at in (2, 3, 4, 5)), strict=True):
            if one or several:
                literals[-1] += (one, several)[forms[name]] + after
            else:
                names.append(name)
                literals.append(after)
        yield Template(tuple(literals), tuple(names), forms, other)


class Translator:
    """What is said in one language of all that `translations` know, the first of them first."""

    def __init__(self, *translations: Translation) -> None:
        self.messages: Mapping[str, str] = {
            tag: text for one in reversed(translations) for tag, text in one.messages.items()
        }
        self.words = {word: other for one in reversed(translations) for word, other in one.words.items()}
        longest = sorted(self.words, key=len, reverse=True)
        self._known = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b") if longest else None
        found = [
            one for told in translations for remark in told.remarks.items() for one in templates(*remark)
        ]
        self._templates = sorted(found, key=lambda one: -sum(map(len, one.literals)))

    def remark(self, text: str, people: Collection[str] = ()) -> str:
        """`text`, a finding's or violation's, with the names of `people` kept; itself if untranslated."""
        told = self._remark(text, people, _DEEPEST) if len(text) <= MAX_REMARK else None
        return text if told is None else told

    def _remark(self, text: str, people: Collection[str], deep: int) -> str | None:
        for template in self._templates if deep else ():
            values = template.values(text)
            if values is not None:
                return self._filled(template, values, people, deep)
        return None

    def _filled(self, template: Template, values: dict[str, str], people: Collection[str], deep: int) -> str:
        def place(met: re.Match[str]) -> str:
            at, name, *forms = met.groups()
            value = values.get(name, "")
            if forms[0] is not None:
                return str(forms[template.forms.get(name, value.lstrip("+-") != "1")])
            if at:
                return self._people(value, people)
            told = self._remark(value, people, deep - 1)
            return self.word(value) if told is None else told

        return PLACE.sub(place, template.other)

    def word(self, text: str) -> str:
        """`text`, a value of the game's or the engine's, with the words in it translated."""
        return self._known.sub(lambda met: self.words[met[0]], text) if self._known else text

    def _people(self, text: str, people: Collection[str]) -> str:
        """`text`, who somebody is or several are: names stay, seats that nobody is named at are words."""
        if text in people:
            return text
        for between in _BETWEEN:
            first, found, last = text.rpartition(between)
            parts = [*first.split(", "), last]
            if found and all(part in people or part in self.words for part in parts):
                names = [self._people(part, people) for part in parts]
                return f"{', '.join(names[:-1])}{self.word(between)}{names[-1]}"
        return self.words.get(text, text)


@cache
def translator(game: AnyGame | None, language: str, *homes: str) -> Translator:
    """What `game`, where there is one, the engine and the packages `homes` say in `language`."""
    told = [translation(home, language) for home in (ENGINE, *homes)]
    return Translator(*([game.translation(language)] if game else []), *told)
