"""Sentences as data: a template and its arguments, rendered in the reader's language.

A template is an English sentence with placeholders. It is also the key of its translations.

- ``{src}`` is a value, whose words are translated. A list is joined by spaces and a mapping by commas. A
  `Message` is rendered as part of the sentence.
- ``{@by}`` is one seat or several, shown as the people who sit there. A mapping from seats shows each seat
  with its value.
- ``{=text}`` is text that people wrote, shown verbatim.
- ``{$file}`` is one word of a command, quoted for a shell.
- ``{n:die|dice}`` is the word form for the number in ``n``: first the form for one, then the form for all
  others. Languages with other forms name each one by its category: ``{n:one=…|few=…|other=…}``. A form named
  ``zero`` is for 0 in every language. ``#`` in a form is the number.

The text of a message without arguments is shown verbatim, braces included.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, Literal

from msgspec import Struct, field

_PLACE: Final = re.compile(r"\{([@=$]?)([a-z_]+)(?::([^{}|]*(?:\|[^{}|]*)+))?\}")
"""A placeholder: its kind, its name and its word forms."""
_FORM: Final = re.compile(r"(?:(zero|one|two|few|many|other)=)?(.*)", re.S)
"""A word form: its plural category, if it is named, and the words."""


class Message(Struct, frozen=True, array_like=True):
    """A sentence that can be translated.

    Attributes:
        text: English template.
        args: Arguments that fill the placeholders.

    >>> str(Message.of("{@by} rolls {n} {n:die|dice}", by="red", n=2))
    'red rolls 2 dice'
    """

    text: str
    args: dict[str, Any] = {}

    @staticmethod
    def of(text: str, /, **args: Any) -> Message:
        """Return the message with this template and these arguments.

        An argument may be missing in `text`. For some templates, the command line has sentences of its own,
        which name the command to run. Such a sentence can need the number of an event or a path.
        """
        return Message(text, args)

    @staticmethod
    def join(messages: Sequence[Message], separator: Literal[", ", "; "] = "; ") -> Message:
        """Return `messages` as one message with `separator` between them. Without messages, it is empty."""
        *others, joined = messages or (Message.of(""),)
        for message in reversed(others):
            joined = Message(f"{{first}}{separator}{{rest}}", {"first": message, "rest": joined})
        return joined

    def __str__(self) -> str:
        return IN_ENGLISH.text(self)


class Placeholder(Struct, frozen=True):
    """A placeholder of a template.

    Attributes:
        kind: Empty, ``@``, ``=`` or ``$``.
        forms: Words by plural category.
    """

    kind: str
    name: str
    forms: Mapping[str, str] = {}


@lru_cache(8192)
def parse_template(template: str) -> tuple[str | Placeholder, ...]:
    """Return the parts of `template`: literal text and placeholders."""
    pieces: list[str | Placeholder] = []
    end = 0
    for match in _PLACE.finditer(template):
        if match.start() > end:
            pieces.append(template[end : match.start()])
        pieces.append(Placeholder(match[1], match[2], _forms(match[3])))
        end = match.end()
    if end < len(template):
        pieces.append(template[end:])
    return tuple(pieces)


def _forms(text: str | None) -> dict[str, str]:
    if text is None:
        return {}
    forms_by_category = [match.groups() for form in text.split("|") if (match := _FORM.fullmatch(form))]
    unnamed_categories = ("one", "other")
    forms = {
        category or unnamed_categories[min(position, 1)]: words
        for position, (category, words) in enumerate(forms_by_category)
    }
    return {**forms, "other": forms.get("other", forms_by_category[-1][1])}


def placeholders(template: str) -> list[Placeholder]:
    """Return the placeholders of `template`, in the order of the text."""
    return [piece for piece in parse_template(template) if isinstance(piece, Placeholder)]


class Locale(Struct, frozen=True, dict=True):
    """The texts of a language.

    Attributes:
        language: Code of the language, for example ``pt``.
        messages: Templates by English template.
        words: Words by English word.
        plural: Rule of each plural category for whole numbers, in the notation of the CLDR (``i = 0..1``).
        lists: Two patterns: one joins two parts of a list, the other joins the last part.
    """

    language: str = "en"
    messages: Mapping[str, str] = {}
    words: Mapping[str, str] = {}
    plural: Mapping[str, str] = field(default_factory=lambda: {"one": "i = 1"})
    lists: Sequence[str] = ("{0}, {1}", "{0} and {1}")

    @cached_property
    def _word_pattern(self) -> re.Pattern[str] | None:
        longest = sorted(self.words, key=len, reverse=True)
        some = "|".join(map(re.escape, longest))
        return re.compile(rf"\b(?:{some})\b") if some and self.language != "en" else None

    def word(self, text: str) -> str:
        """Return `text`, a value of a game or of the engine, with its words translated.

        English translates whole values only, such as ``majority_full``.
        """
        whole = self.words.get(text)
        if whole is not None:
            return whole
        if self.language == "en" or self._word_pattern is None:
            return text
        return self._word_pattern.sub(lambda match: self.words[match[0]], text)

    def category(self, number: int) -> str:
        """Return the plural category of `number`."""
        return next((name for name, rule in self.plural.items() if _matches_rule(rule, abs(number))), "other")

    @cached_property
    def separators(self) -> tuple[str, str]:
        """The text between two parts of a list, and the text before the last part."""
        middle, last = (pattern.removeprefix("{0}").removesuffix("{1}") for pattern in self.lists)
        return middle, last

    def join(self, parts: Sequence[str]) -> str:
        """Return `parts` as one list, or an empty string if there are none."""
        middle, last = self.separators
        return middle.join(parts[:-1]) + (last if len(parts) > 1 else "") + parts[-1] if parts else ""


_RELATION: Final = re.compile(r"([a-z])(?: % (\d+))? (!?=) ([\d.,]+)")
"""A relation in a plural rule of the CLDR, for example ``i % 10 = 2..4``."""


@lru_cache(1024)
def _matches_rule(rule: str, number: int) -> bool:
    """Return whether the whole number `number` matches a CLDR plural rule."""
    return any(
        all(_matches_relation(relation, number) for relation in part.split(" and "))
        for part in rule.split(" or ")
    )


def _matches_relation(relation: str, number: int) -> bool:
    match = _RELATION.fullmatch(relation.strip())
    if match is None:
        raise ValueError(f'"{relation}" is not a valid relation of a CLDR plural rule, such as "i = 0..1".')
    operand, modulus, sign, ranges = match.groups()
    value = number if operand in "ni" else 0  # a whole number has no decimals
    value = value % int(modulus) if modulus else value
    ends = ((low, high or low) for low, _, high in (part.partition("..") for part in ranges.split(",")))
    return any(int(low) <= value <= int(high) for low, high in ends) is (sign == "=")


class Part(Struct, frozen=True):
    """A part of a rendered message: literal text of the template, or a value."""

    text: str
    is_value: bool = False


class Renderer:
    """A renderer of messages in one language. `name_of` gives the person at a seat."""

    def __init__(self, locale: Locale, name_of: Callable[[str], str] = str) -> None:
        self.locale, self._name_of = locale, name_of

    def parts(self, message: Message) -> list[Part]:
        """Return the parts of `message`. A placeholder without an argument stays empty."""
        return [Part(text, value) for text, value in self._render(message)]

    def text(self, message: Message, mark: Callable[[str], str] | None = None) -> str:
        """Return `message` as text. `mark` is applied to each value (`gamelog.record.escaping.isolate`)."""
        parts = self._render(message)
        if mark is None:
            return "".join([text for text, _ in parts])
        return "".join([mark(text) if value else text for text, value in parts])

    def html(self, message: Message) -> str:
        """Return `message` as HTML. Each value is isolated so that its text direction has no other effect."""
        from html import escape  # its table of entities is needed for pages only

        return "".join(
            f"<bdi>{escape(text)}</bdi>" if value else escape(text) for text, value in self._render(message)
        )

    def _render(self, message: Message) -> list[tuple[str, bool]]:
        parts: list[tuple[str, bool]] = []
        self._add(message, parts)
        return parts

    def _add(self, message: Message, parts: list[tuple[str, bool]]) -> None:
        """Append the parts of `message` to `parts`, each with whether it is a value."""
        template, args = self.locale.messages.get(message.text, message.text), message.args
        if not args:
            parts.append((template, False))
            return
        for piece in parse_template(template):
            if type(piece) is str:
                parts.append((piece, False))
                continue
            assert isinstance(piece, Placeholder)
            value = args.get(piece.name)
            if piece.forms:
                category = self.locale.category(value) if isinstance(value, int) else "other"
                category = "zero" if value == 0 and "zero" in piece.forms else category
                form = piece.forms.get(category, piece.forms["other"])
                parts.append((form.replace("#", str(value)), False))
            elif piece.kind == "@":
                self._add_people(value, parts)
            elif piece.kind == "=":
                parts.append((plain_text(value), True))
            elif piece.kind == "$":
                parts.append((shlex.quote(plain_text(value)), True))
            else:
                self._add_value(value, parts)

    def _add_value(self, value: Any, parts: list[tuple[str, bool]]) -> None:
        if type(value) is Message:
            self._add(value, parts)
        elif isinstance(value, list | tuple) and any(type(item) is Message for item in value):
            for position, item in enumerate(value):
                parts.append((" " if position else "", False))
                self._add_value(item, parts)
        else:
            parts.append((self.locale.word(plain_text(value)), True))

    def _add_people(self, value: Any, parts: list[tuple[str, bool]]) -> None:
        """Append the people at the seats in `value`: one, several, a mapping or an outcome.

        None means no one.
        """
        word = self.locale.word
        if type(value) is str:
            parts.append((self._person_name(value), True))
        elif type(value) is Message:
            self._add(value, parts)
        elif isinstance(value, Mapping) and "winners" in value:
            if value["winners"]:
                self._add_people(value["winners"], parts)
            else:
                parts.append((word("draw"), False))
            parts += [(" (", False), (word(value.get("reason", "")), True), (")", False)]
        elif isinstance(value, Mapping):
            for position, (seat, item) in enumerate(value.items()):
                parts.append((", " if position else "", False))
                parts.append((self._person_name(str(seat)), True))
                parts.append((f" {word(plain_text(item))}", False))
        elif not value and (value is None or isinstance(value, list | tuple)):
            parts.append((word("no one"), False))
        elif isinstance(value, list | tuple):
            middle, last = self.locale.separators
            for position, item in enumerate(value):
                parts.append(("" if not position else last if position == len(value) - 1 else middle, False))
                self._add_people(item, parts)
        else:
            parts.append((self._person_name(str(value)), True))

    def _person_name(self, seat: str) -> str:
        name = self._name_of(seat)
        return self.locale.word(seat) if name == seat else name


def plain_text(value: Any) -> str:
    """Return `value` as text in a sentence, or an empty string for None."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {plain_text(item)}" for key, item in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return " ".join(map(plain_text, value))
    return "" if value is None else str(value)


def with_names(message: Message, name_of: Callable[[str], str]) -> Message:
    """Return `message` with seats replaced by people, so that it stays true when the people change.

    A seat without a named person stays a seat.
    """
    if not message.args:
        return message
    seats = {place.name for place in placeholders(message.text) if place.kind == "@"}
    args = {
        name: _replace_seats(value, name_of) if name in seats else _with_names_inside(value, name_of)
        for name, value in message.args.items()
    }
    return Message(message.text, args)


def _with_names_inside(value: Any, name_of: Callable[[str], str]) -> Any:
    if isinstance(value, Message):
        return with_names(value, name_of)
    return [_with_names_inside(item, name_of) for item in value] if isinstance(value, list | tuple) else value


def _replace_seats(value: Any, name_of: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        name = name_of(value)
        return value if name == value else verbatim(name)
    if isinstance(value, Mapping):
        return _replace_seats_in_mapping(value, name_of)
    if isinstance(value, list | tuple):
        return [_replace_seats(item, name_of) for item in value]
    return _with_names_inside(value, name_of)


def _replace_seats_in_mapping(value: Mapping[str, Any], name_of: Callable[[str], str]) -> Any:
    """Return a mapping from seats, or an outcome, with seats replaced by people."""
    if "winners" in value:
        return {**value, "winners": _replace_seats(value["winners"], name_of)}
    each = [
        Message.of("{@seat} {what}", seat=_replace_seats(seat, name_of), what=item)
        for seat, item in value.items()
    ]
    return Message.join(each, ", ")


def verbatim(text: str) -> Message:
    """Return `text`, which people wrote or which is a name, as a message that is never translated."""
    return Message("{=text}", {"text": text})


ENGLISH: Final = Locale()
"""British English."""

IN_ENGLISH: Final = Renderer(ENGLISH)
"""Renderer of English sentences that show seats instead of people."""


def reason_of(error: Exception) -> Message:
    """Return the message that `error` was raised with, or its text verbatim."""
    for cause in (error, error.__cause__):
        if cause is not None and cause.args and isinstance(cause.args[0], Message):
            return cause.args[0]
    return Message(str(error))


def many(count: int, one: str, several: str = "") -> str:
    """Return ``1 game`` or ``1,204 games``. `several` is the plural if it is not `one` with an s."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``, with `last` before the last word, or an empty string."""
    *first, end = [*words] or [""]
    return f"{', '.join(first)} {last} {end}" if first else end
