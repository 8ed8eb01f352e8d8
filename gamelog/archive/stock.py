"""Stock questions: SQL with a name, a title, the question in words, and parameters with defaults.

Each is a file ``questions/<name>.sql`` that begins with comments of this form::

    -- Title in a few words
    -- The question in full sentences,
    -- over as many lines as it takes.
    -- $game VARCHAR = NULL: only this game
    -- $uncounted BOOLEAN = false: also records that do not count
    SELECT …

A parameter's default, and what people type for it, are texts that DuckDB casts to its type.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct

from gamelog.archive.schema import TABLES
from gamelog.archive.views import VIEWS
from gamelog.errors import ArchiveError

PARAMETER = re.compile(r"\$(\w+) ([\w\[\]]+) = (.*?): (.*)")
USE = re.compile(r"\$(\w+)")


class Parameter(Struct, frozen=True):
    """A parameter of a stock question. ``default`` is text that DuckDB casts to ``type``; None is NULL."""

    name: str
    type: str
    default: str | None
    meaning: str


class Question(Struct, frozen=True):
    """A stock question. ``sql`` casts each parameter to its type."""

    name: str
    title: str
    text: str
    parameters: tuple[Parameter, ...]
    sql: str

    def values(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The defaults, overridden by what is `given`. Raises `ArchiveError` for a parameter it does not have."""
        values: dict[str, Any] = {parameter.name: parameter.default for parameter in self.parameters}
        strange = [name for name in given if name not in values]
        if strange:
            known = ", ".join(values) or "none"
            raise ArchiveError(f'The question {self.name} has no parameter "{strange[0]}"; it has: {known}.')
        return values | dict(given)


@cache
def all_questions() -> dict[str, Question]:
    """The stock questions by name, in alphabetical order."""
    folder = files("gamelog.archive").joinpath("questions")
    found = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda entry: entry.name)
    return {name: parse(name, entry.read_text("utf-8")) for entry in found for name in [entry.name.removesuffix(".sql")]}


def meant(word: str) -> str | None:
    """What to say of one word that is neither a stock question nor the beginning of SQL; None for anything longer."""
    if not re.fullmatch(r"\w+", word.strip()):
        return None
    word = word.strip()
    near = get_close_matches(word.lower(), all_questions(), n=1)
    if word in TABLES or word in VIEWS:
        hint = f"what stands in that table is asked by: FROM {word}."
    else:
        hint = f"did you mean {near[0]}?" if near else "gamelog query --list shows what can be asked."
    return f'There is no stock question "{word}"; {hint}'


def parse(name: str, source: str) -> Question:
    """The question in the text of its file. Raises ValueError for one whose parameters are not all declared, or not used."""
    lines = source.splitlines()
    head = [line[3:] for line in lines[: next(at for at, line in enumerate(lines) if not line.startswith("-- "))]]
    body = "\n".join(lines[len(head) :])
    declared = [match for line in head if (match := PARAMETER.fullmatch(line))]
    parameters = tuple(
        Parameter(name, type, None if default == "NULL" else default, meaning)
        for name, type, default, meaning in (match.groups() for match in declared)
    )
    types = {parameter.name: parameter.type for parameter in parameters}
    if set(USE.findall(body)) != set(types):
        raise ValueError(f"{name}.sql declares the parameters {sorted(types)} and uses {sorted(set(USE.findall(body)))}")
    title, *text = (line for line in head if not PARAMETER.fullmatch(line))
    sql = USE.sub(lambda use: f"CAST({use[0]} AS {types[use[1]]})", body)
    return Question(name, title, " ".join(text), parameters, sql)
