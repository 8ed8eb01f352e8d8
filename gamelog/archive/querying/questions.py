"""Stock questions: SQL with a name, a title, the question in words, and parameters with defaults.

Each question is a file ``sql/<name>.sql`` or ``sql/<name>.<method>.sql`` of this form::

    -- Title in a few words
    -- The question in full sentences,
    -- over as many lines as it takes.
    -- @games played
    -- @groups
    -- $most INTEGER = 20: number of rows
    -- $by player|seat = player: one row for each player or for each seat
    SELECT variant, … FROM $counted_games …

``@games`` is the macro that limits the games: ``played`` for games with a result by play, ``to_the_end`` for
games that were played to their end. Without it, all counted games are used. ``@groups`` says that a row is
about several games, or about parts of several games. ``@table`` names the columns for a narrow table, with
commas between them: ``name``, ``heading = name``, or ``heading = name–name`` for the ends of a range.

A statement reads the chosen games by one of these names, each of which stands for a macro of that name and
adds its parameters to the question:

- ``$counted_games``: the chosen games that count.
- ``$picked``: the chosen games, also those that do not count.
- ``$played``: the chosen games with a result by play.
- ``$credited``: the seats with the people who get the result, by the question's parameter ``credit``.
  ``$ratings`` needs this parameter too.

Their column ``variant`` divides rows by the values of an option. It is removed from the statement if the user
does not ask for that. The default of a parameter and the value that a user types are texts, which DuckDB
casts to the parameter's type. A type of several words with bars between them allows only these words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct

from gamelog.archive.schema.tables import TABLES
from gamelog.archive.schema.views import VIEWS
from gamelog.errors import JSON_ERRORS, ArchiveError
from gamelog.message import Message, join_words

_SOURCE = re.compile(r"\$(picked|counted_games|played|ratings|seat_effects|credited)\b(?:\((\w+)\))?")
"""A name in a statement that stands for the macro of that name, called with all its parameters."""

_VARIANT = re.compile(
    r"\s+AND (?:\w+\.)?variant IS NOT DISTINCT FROM (?:\w+\.)?variant\b|(?:\b\w+\.)?\bvariant,\s+"
)
"""The column ``variant`` in a statement, with the comma or the condition around it."""

_PARAMETER = re.compile(r"\$(\w+) ([\w|]+) = (.*?): (.*)")
"""A line of a question that declares a parameter: name, type, default and meaning."""
_FACT = re.compile(r"@(\w+)(?: (.+))?")
"""A line of a question that states a fact about it."""
_PLACEHOLDER = re.compile(r"\$(\w+)")
"""A parameter in the SQL of a question."""


Part = Literal["counted_games", "played", "to_the_end"]
"""The macro that limits the games of a question."""


class Parameter(Struct, frozen=True):
    """A parameter of a stock question.

    Attributes:
        type: SQL type of the value.
        default: Text that DuckDB casts to ``type``; None is NULL.
        meaning: Sentence about the parameter, for help.
        choices: Allowed values; empty if any value of the type is allowed.
    """

    name: str
    type: str
    default: str | None
    meaning: str
    choices: tuple[str, ...] = ()

    def value(self, given: Any) -> Any:
        """Return the value for DuckDB from a `given` one.

        Raises:
            ArchiveError: The value is not allowed.
        """
        if given is None or self.type == "JSON":
            return given
        if self.choices and given not in self.choices:
            raise ArchiveError(f'{self.name} must be {join_words(self.choices, "or")}, not "{given}".')
        convert, allowed = _CONVERTERS.get(self.type, (str, ""))
        try:
            return convert(given)
        except ValueError:
            raise ArchiveError(f'{self.name} must be {allowed}, not "{given}".') from None


def _parse_number(given: Any) -> int:
    number = int(str(given))
    if not 0 <= number < 1 << 31:
        raise ValueError
    return number


def _parse_time(given: Any) -> str:
    """Return a time in the format of SQL, in UTC."""
    time = given if isinstance(given, datetime) else datetime.fromisoformat(str(given).strip())
    return (time.astimezone(UTC) if time.tzinfo else time).replace(tzinfo=None).isoformat(" ")


def _parse_day(given: Any) -> str:
    """Return a day in the format of SQL."""
    return (given if isinstance(given, date) else date.fromisoformat(str(given).strip())).isoformat()


def _parse_truth(given: Any) -> bool:
    word = str(given).lower()
    if word not in ("true", "1", "yes", "false", "0", "no"):
        raise ValueError
    return word in ("true", "1", "yes")


_CONVERTERS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "INTEGER": (_parse_number, "a whole number, 0 or more"),
    "TIMESTAMP": (_parse_time, "a day or a time, for example 2026-02-28 or 2026-02-28 20:00"),
    "DATE": (_parse_day, "a day, for example 2026-02-28"),
    "BOOLEAN": (_parse_truth, "true or false"),
}
"""For each SQL type, a converter of given values, and the allowed values in words."""


GAME_PARAMETERS = (
    Parameter("game", "VARCHAR", None, "only this game"),
    Parameter("since", "TIMESTAMP", None, "only games that began at this time or later"),
    Parameter("until", "TIMESTAMP", None, "only games that began before this time"),
    Parameter("players", "INTEGER", None, "only games with this number of seats"),
    Parameter("who", "VARCHAR", None, "only games of people, of bots, or mixed", ("people", "bots", "mixed")),
    Parameter("rules", "VARCHAR", None, "only games by this version of the rules"),
    Parameter("option", "JSON", None, "only games with this option, as NAME=VALUE; can be given repeatedly"),
    Parameter("variant", "VARCHAR", None, "one row for each value of: rules, or option=NAME"),
)
"""The parameters that choose the games of a question."""

PICKED_GAMES = (
    f"picked({', '.join(f'CAST(${parameter.name} AS {parameter.type})' for parameter in GAME_PARAMETERS)})"
)
"""The records that these parameters choose, as a table for FROM."""

UNCOUNTED = Parameter(
    "uncounted", "BOOLEAN", "false", "also records that do not count (disputed, copies, branches, forks)"
)
"""The parameter that also includes records that do not count."""


class Question(Struct, frozen=True):
    """A stock question.

    Attributes:
        sql: Query with a row for each variant.
        pooled_sql: Query that takes all variants together.
        part: The macro that limits the games: all, games with a result by play, or games played to their end.
        is_about_groups: Whether a row is about several games or parts of games.
        table: Columns of a narrow table: the heading, and one column or the two ends of a range. Empty for
            all columns.
    """

    name: str
    title: str
    text: str
    parameters: tuple[Parameter, ...]
    sql: str
    pooled_sql: str
    part: Part = "counted_games"
    is_about_groups: bool = False
    table: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def statement(self, values: Mapping[str, Any]) -> str:
        """Return the SQL that answers the question for these values."""
        return self.pooled_sql if values.get("variant") is None else self.sql

    def values(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the `given` values, with defaults for the others.

        Raises:
            ArchiveError: A name or a value is not allowed, or a value is missing.
        """
        values: dict[str, Any] = {parameter.name: parameter.default for parameter in self.parameters}
        unknown = [name for name in given if name not in values]
        if unknown:
            matches = get_close_matches(unknown[0], values, n=1)
            hint = f"Did you mean {matches[0]}? " if matches else ""
            raise ArchiveError(
                f'The question {self.name} has no parameter "{unknown[0]}". {hint}'
                f"Its parameters: {', '.join(values) or 'none'}."
            )
        values |= {
            parameter.name: parameter.value(given[parameter.name])
            for parameter in self.parameters
            if parameter.name in given
        }
        if values.get("option") is not None:
            values["option"] = msgspec.json.encode(_parse_options(values["option"])).decode()
        return values


def _parse_options(given: Any) -> dict[str, Any]:
    """Return options by name, from a mapping or from one or several texts NAME=VALUE.

    Raises:
        ArchiveError: A text has another form.
    """
    if isinstance(given, Mapping):
        return dict(given)
    options: dict[str, Any] = {}
    for text in [given] if isinstance(given, str) else given:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise ArchiveError(f'Write an option as option=NAME=VALUE, not "{text}".')
        try:
            options[name] = msgspec.json.decode(value.encode())
        except JSON_ERRORS:
            options[name] = value
    return options


@cache
def all_questions() -> dict[str, Question]:
    """Return the stock questions by name, in alphabetical order."""
    folder = files("gamelog.archive.querying").joinpath("sql")
    entries = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda entry: entry.name
    )
    return {
        name: parse_question(name, entry.read_text("utf-8"))
        for entry in entries
        for name in [entry.name.partition(".")[0]]
    }


def suggestion_for(word: str) -> Message | None:
    """Return an error message for a word that names no question, or None for a longer text (maybe SQL)."""
    if not re.fullmatch(r"\w+", word.strip()):
        return None
    word = word.strip()
    if word in TABLES or word in VIEWS:
        hint = Message.of("To read the table of that name, ask: FROM {=word}.", word=word)
    elif matches := get_close_matches(word.lower(), all_questions(), n=1):
        hint = Message.of("Did you mean {=name}?", name=matches[0])
    else:
        hint = Message.of("Look at the list of stock questions.")
    return Message.of('There is no stock question "{=word}". {hint}', word=word, hint=hint)


def meanings(sql: str, columns: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the meanings of an answer's columns (name, type), with their units.

    A column has the meaning of the column with the same name and type in the tables and views that `sql`
    names. It has no meaning if these differ, or if `sql` gives it its name by AS.
    """
    words = set(re.findall(r"\w+", sql))
    known = defaultdict[tuple[str, str], set[str]](set)
    for table in (*TABLES.values(), *VIEWS.values()):
        for column in table.columns if table.name in words else ():
            known[column.name, column.sql].add(column.meaning)
    aliases = {name.lower() for name in re.findall(r'\bAS\s+"?(\w+)', sql, re.IGNORECASE)}
    candidates = {
        name: known.get((name, type), set()) for name, type in columns if name.lower() not in aliases
    }
    return {
        name: meaning
        for name, meanings_of_name in candidates.items()
        if len(meanings_of_name) == 1
        for meaning in meanings_of_name
    }


def parse_question(name: str, source: str) -> Question:
    """Return the question in the text of its file.

    Raises:
        ValueError: The statement uses other parameters than the comments declare, or a fact is unknown.
    """
    lines = source.splitlines()
    head = [
        line[3:]
        for line in lines[: next(number for number, line in enumerate(lines) if not line.startswith("-- "))]
    ]
    body = "\n".join(lines[len(head) :])
    declared = [match for line in head if (match := _PARAMETER.fullmatch(line))]
    parameters = tuple(_read_parameter(*match.groups()) for match in declared)
    sources = {match[1] for match in _SOURCE.finditer(body)}
    if sources:
        parameters = (*GAME_PARAMETERS, *([UNCOUNTED] if sources != {"picked"} else []), *parameters)
    types = {parameter.name: parameter.type for parameter in parameters}
    sql, pooled = (_bind_parameters(name, text, types) for text in (body, _VARIANT.sub("", body)))
    facts = {match[1]: match[2] for line in head if (match := _FACT.fullmatch(line))}
    part, groups = msgspec.convert(facts.pop("games", "counted_games"), Part), "groups" in facts
    table = tuple(map(_table_column, facts.pop("table").split(", "))) if "table" in facts else ()
    if facts.keys() - {"groups"}:
        raise ValueError(f"{name}.sql has unknown facts: {sorted(facts)}")
    title, *text = (line for line in head if not (_PARAMETER.fullmatch(line) or _FACT.fullmatch(line)))
    return Question(name, title, " ".join(text), parameters, sql, pooled, part, groups, table)


def _table_column(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the heading and the columns of one part of ``@table``."""
    heading, _, columns = text.rpartition(" = ")
    return heading or columns, tuple(columns.split("–"))


def _read_parameter(name: str, type: str, default: str, meaning: str) -> Parameter:
    choices = tuple(type.split("|")) if "|" in type else ()
    return Parameter(
        name, "VARCHAR" if choices else type, None if default == "NULL" else default, meaning, choices
    )


def _bind_parameters(name: str, body: str, types: dict[str, str]) -> str:
    """Return the statement with macros called and parameters cast.

    Raises:
        ValueError: A parameter is undeclared or unused.
    """
    body = _SOURCE.sub(_call, body)
    used = set(_PLACEHOLDER.findall(body))
    if used != set(types):
        raise ValueError(f"{name}.sql declares the parameters {sorted(types)} but uses {sorted(used)}")
    return _PLACEHOLDER.sub(lambda use: f"CAST({use[0]} AS {types[use[1]]})", body)


def _call(use: re.Match[str]) -> str:
    if use[1] == "credited":
        return "credited($credit)"
    names = [parameter.name for parameter in GAME_PARAMETERS] + (
        [] if use[1] == "picked" else [UNCOUNTED.name]
    )
    names += ["credit"] if use[1] == "ratings" else []
    return f"{use[1]}({', '.join([f'${name}' for name in names] + ([use[2]] if use[2] else []))})"
