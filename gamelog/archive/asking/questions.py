"""Stock questions: SQL with a name, a title, the question in words, and parameters with defaults.

Each is a file ``sql/<name>.sql``, or ``sql/<name>.<what it works out>.sql``, that begins with comments of
this form::

    -- Title in a few words
    -- The question in full sentences,
    -- over as many lines as it takes.
    -- $most INTEGER = 20: how many to show
    -- $by player|seat = player: whose luck
    SELECT variant, … FROM $counted_games …

``$counted_games`` stands for the games that the question is about, and brings the parameters that all of
these have; ``$picked`` the same with records that do not count, ``$played`` only those whose result the
players made. ``$credited`` are the seats with whose result it is, by the question's parameter ``credit``,
which ``$ratings`` needs too. ``variant`` is a column of theirs: what tells rows apart where
somebody asks for one row a value of an option, and left out of the statement where nobody does. A parameter's
default, and what people type for it, are texts that DuckDB casts to its type; where that is words with bars
between, it is one of these.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct

from gamelog.archive.schema.tables import TABLES
from gamelog.archive.schema.views import VIEWS
from gamelog.errors import NO_JSON, ArchiveError
from gamelog.message import join_words

SOURCE = re.compile(r"\$(picked|counted_games|played|ratings|seat_effects|credited)\b(?:\((\w+)\))?")
"""What stands in a question for the macro of that name, with all parameters that choose games."""

VARIANT = re.compile(
    r"\s+AND (?:\w+\.)?variant IS NOT DISTINCT FROM (?:\w+\.)?variant\b|(?:\b\w+\.)?\bvariant,\s+"
)
"""What tells variants apart in a question's statement."""

PARAMETER = re.compile(r"\$(\w+) ([\w|]+) = (.*?): (.*)")
USE = re.compile(r"\$(\w+)")


class Parameter(Struct, frozen=True):
    """A parameter of a stock question. ``default`` is text that DuckDB casts to ``type``; None is NULL.

    ``choices`` are all that it may be, where there are not more.
    """

    name: str
    type: str
    default: str | None
    meaning: str
    choices: tuple[str, ...] = ()

    def value(self, given: Any) -> Any:
        """What DuckDB gets for what is `given`. Raises `ArchiveError` for what it cannot be."""
        if given is None or self.type == "JSON":
            return given
        if self.choices and given not in self.choices:
            raise ArchiveError(f'{self.name} is {join_words(self.choices, "or")}, not "{given}".')
        kind, told = _KINDS.get(self.type, (str, ""))
        try:
            return kind(given)
        except ValueError:
            raise ArchiveError(f'{self.name} is {told}, not "{given}".') from None


def _number(given: Any) -> int:
    number = int(str(given))
    if not 0 <= number < 1 << 31:
        raise ValueError
    return number


def _time(given: Any) -> str:
    """A time as SQL writes it, in UTC."""
    time = given if isinstance(given, datetime) else datetime.fromisoformat(str(given).strip())
    return (time.astimezone(UTC) if time.tzinfo else time).replace(tzinfo=None).isoformat(" ")


def _truth(given: Any) -> bool:
    word = str(given).lower()
    if word not in ("true", "1", "yes", "false", "0", "no"):
        raise ValueError
    return word in ("true", "1", "yes")


_KINDS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "INTEGER": (_number, "a whole number, 0 or more"),
    "TIMESTAMP": (_time, "a day or a time, 2026-02-28 or 2026-02-28 20:00"),
    "BOOLEAN": (_truth, "true or false"),
}
"""How what is given becomes a value of a type, and what it has to be, in words."""


CHOICE = (
    Parameter("game", "VARCHAR", None, "only this game"),
    Parameter("since", "TIMESTAMP", None, "only what was begun then or later"),
    Parameter("until", "TIMESTAMP", None, "only what was begun before"),
    Parameter("players", "INTEGER", None, "only games of so many seats"),
    Parameter("who", "VARCHAR", None, "only games of people, of bots, or mixed", ("people", "bots", "mixed")),
    Parameter("rules", "VARCHAR", None, "only games by this version of the rules"),
    Parameter(
        "option", "JSON", None, "only games with this option, as NAME=VALUE; may be given several times"
    ),
    Parameter(
        "variant",
        "VARCHAR",
        None,
        "one row a value of what stands here: rules, or option=NAME; the same as --by",
    ),
)
"""The parameters that say which games a question is about."""

UNCOUNTED = Parameter(
    "uncounted", "BOOLEAN", "false", "also records that do not count (disputed, copies, branches, forks)"
)


class Question(Struct, frozen=True):
    """A stock question. ``sql`` casts each parameter to its type;
    it tells variants apart, ``pooled`` does not.
    """

    name: str
    title: str
    text: str
    parameters: tuple[Parameter, ...]
    sql: str
    pooled: str

    @property
    def part(self) -> Literal["counted_games", "played", "to_the_end"]:
        """Which of the chosen games it is about:
        all, those whose result the players made, or those played to their end.
        """
        if "to_the_end(" in self.sql:
            return "to_the_end"
        return "played" if re.search(r"\b(played|seat_effects|made_by_play)\(", self.sql) else "counted_games"

    @property
    def groups(self) -> bool:
        """It takes games together, or parts of games."""
        return re.search(r"GROUP BY .*\bvariant\b", self.sql) is not None

    def statement(self, values: Mapping[str, Any]) -> str:
        """The SQL that answers it for these values."""
        return self.pooled if values.get("variant") is None else self.sql

    def values(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The defaults, overridden by what is `given`. Raises `ArchiveError` for a parameter it lacks."""
        values: dict[str, Any] = {parameter.name: parameter.default for parameter in self.parameters}
        unknown = [name for name in given if name not in values]
        if unknown:
            known = ", ".join(values) or "none"
            near = get_close_matches(unknown[0], values, n=1)
            meant = f"; did you mean {near[0]}? It has: {known}." if near else f"; it has: {known}."
            raise ArchiveError(f'The question {self.name} has no parameter "{unknown[0]}"{meant}')
        values |= {one.name: one.value(given[one.name]) for one in self.parameters if one.name in given}
        if values.get("option") is not None:
            values["option"] = msgspec.json.encode(_options(values["option"])).decode()
        return values


def _options(given: Any) -> dict[str, Any]:
    """Options by name, from a mapping or from one or several texts NAME=VALUE. Raises `ArchiveError`."""
    if isinstance(given, Mapping):
        return dict(given)
    found: dict[str, Any] = {}
    for text in [given] if isinstance(given, str) else given:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise ArchiveError(f'Write an option as option=NAME=VALUE, not "{text}".')
        try:
            found[name] = msgspec.json.decode(value.encode())
        except NO_JSON:
            found[name] = value
    return found


@cache
def all_questions() -> dict[str, Question]:
    """The stock questions by name, in alphabetical order."""
    folder = files("gamelog.archive.asking").joinpath("sql")
    found = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda entry: entry.name
    )
    return {
        name: parse_question(name, entry.read_text("utf-8"))
        for entry in found
        for name in [entry.name.partition(".")[0]]
    }


def meant(word: str) -> str | None:
    """What to say of one word that names no question and does not begin SQL; None for anything longer."""
    if not re.fullmatch(r"\w+", word.strip()):
        return None
    word = word.strip()
    near = get_close_matches(word.lower(), all_questions(), n=1)
    if word in TABLES or word in VIEWS:
        hint = f"what stands in that table is asked by: FROM {word}."
    else:
        hint = f"did you mean {near[0]}?" if near else "gamelog query --list shows what can be asked."
    return f'There is no stock question "{word}"; {hint}'


def meanings(sql: str, columns: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return what the columns (name, type) of an answer mean, with their units.

    A column means what the column of its name and type in the tables and views that `sql` names means. It has
    no meaning if these differ, or if `sql` gives it that name.
    """
    named = set(re.findall(r"\w+", sql))
    known = defaultdict[tuple[str, str], set[str]](set)
    for table in (*TABLES.values(), *VIEWS.values()):
        for column in table.columns if table.name in named else ():
            known[column.name, column.sql].add(column.meaning)
    made = {name.lower() for name in re.findall(r'\bAS\s+"?(\w+)', sql, re.IGNORECASE)}
    found = {name: known.get((name, type), set()) for name, type in columns if name.lower() not in made}
    return {name: meaning for name, several in found.items() if len(several) == 1 for meaning in several}


def parse_question(name: str, source: str) -> Question:
    """The question in the text of its file. Raises ValueError where its parameters are not those declared."""
    lines = source.splitlines()
    head = [
        line[3:] for line in lines[: next(at for at, line in enumerate(lines) if not line.startswith("-- "))]
    ]
    body = "\n".join(lines[len(head) :])
    declared = [match for line in head if (match := PARAMETER.fullmatch(line))]
    parameters = tuple(_declared(*match.groups()) for match in declared)
    sources = {match[1] for match in SOURCE.finditer(body)}
    if sources:
        parameters = (*CHOICE, *([UNCOUNTED] if sources != {"picked"} else []), *parameters)
    types = {parameter.name: parameter.type for parameter in parameters}
    sql, pooled = (_bound(name, text, types) for text in (body, VARIANT.sub("", body)))
    title, *text = (line for line in head if not PARAMETER.fullmatch(line))
    return Question(name, title, " ".join(text), parameters, sql, pooled)


def _declared(name: str, type: str, default: str, meaning: str) -> Parameter:
    choices = tuple(type.split("|")) if "|" in type else ()
    return Parameter(
        name, "VARCHAR" if choices else type, None if default == "NULL" else default, meaning, choices
    )


def _bound(name: str, body: str, types: dict[str, str]) -> str:
    """The statement with macros called and parameters cast. Raises ValueError for a strange or unused one."""
    body = SOURCE.sub(_call, body)
    used = set(USE.findall(body))
    if used != set(types):
        raise ValueError(f"{name}.sql declares the parameters {sorted(types)} and uses {sorted(used)}")
    return USE.sub(lambda use: f"CAST({use[0]} AS {types[use[1]]})", body)


def _call(use: re.Match[str]) -> str:
    if use[1] == "credited":
        return "credited($credit)"
    names = [parameter.name for parameter in CHOICE] + ([] if use[1] == "picked" else [UNCOUNTED.name])
    names += ["credit"] if use[1] == "ratings" else []
    return f"{use[1]}({', '.join([f'${name}' for name in names] + ([use[2]] if use[2] else []))})"
