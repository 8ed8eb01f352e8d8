"""People with near names, who may be one person, and lines for a file of aliases that join them.

Names are near in three cases: they differ only in accents and order ("Reis, Ole"), one of them leaves out or
shortens parts ("K. Melo", "Ana"), or they differ in about one letter ("Catharina"). To be fast, the search
does not compare all pairs. It looks each name up by the forms that a near name can have.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import combinations, product
from typing import TYPE_CHECKING

from msgspec import Struct

from gamelog.record.names import name_key

if TYPE_CHECKING:
    import duckdb

_MIN_LIKENESS = 0.8
"""Smallest similarity of two near names (the ratio of difflib)."""

_MAX_COMBINED_WORDS = 4
"""Largest number of words in a name of which all combinations are left out or shortened."""

_MAX_PEOPLE_PER_FORM = 8
"""Largest number of people with one form of a name. A more common form identifies no one."""

TABLE = "settled.near_people"
"""Table of the people with near names. It is filled for a question that reads it."""

PEOPLE = """
SELECT person, any_value(player) AS player, count(DISTINCT id) FILTER (counted) AS games,
  coalesce(list(DISTINCT name ORDER BY name) FILTER (name <> ''), []) AS names
FROM sittings JOIN games USING (id) WHERE person IS NOT NULL AND bot IS NULL
GROUP BY person ORDER BY games DESC, player, person
"""
"""The question for the people in an archive, each row a `KnownPerson`."""

_LETTERS = re.compile(r"[^\W_]+")
"""A run of letters and digits."""


class KnownPerson(Struct, frozen=True):
    """A person in an archive.

    Attributes:
        person: Value of the column ``person``.
        player: Value of the column ``player``.
        names: All names of the person.
        games: Number of their games.
    """

    person: str
    player: str
    names: Sequence[str]
    games: int = 0

    @property
    def has_id(self) -> bool:
        """Whether an id or a file of aliases identifies this person."""
        return not self.person.startswith("name:")


class AliasSuggestion(Struct, frozen=True):
    """A suggestion to join people: a line for a file of aliases, or a remark if the user has to choose."""

    line: str = ""
    remark: str = ""


def create_near_people(connection: duckdb.DuckDBPyConnection) -> None:
    """Create and fill the table of people with near names."""
    rows = connection.execute(PEOPLE).fetchall()
    near = near_people([KnownPerson(person, player, names) for person, player, _, names in rows])
    pairs = [(person, other) for person, others in near.items() for other in sorted(others)]
    connection.execute(
        f"CREATE TABLE {TABLE} AS SELECT unnest($person::VARCHAR[]) AS person, "
        "unnest($other::VARCHAR[]) AS other",
        {"person": [first for first, _ in pairs], "other": [second for _, second in pairs]},
    )


def near_people(people: Sequence[KnownPerson]) -> dict[str, set[str]]:
    """Return, for each `KnownPerson.person`, the other people who may be the same person.

    Two people with different ids are never the same.
    """
    exact: dict[tuple[str, ...], set[str]] = defaultdict(set)
    typed: dict[str, set[str]] = defaultdict(set)
    words: dict[str, set[tuple[str, ...]]] = {first.person: _forms(first) for first in people}
    with_id = {first.person for first in people if first.has_id}
    for person, names in words.items():
        for name in names:
            exact[name].add(person)
            for form in _typo_forms(name):
                typed[form].add(person)
    near: dict[str, set[str]] = defaultdict(set)

    def add_pair(first: str, second: str) -> None:
        if first != second and not {first, second} <= with_id:
            near[first].add(second)
            near[second].add(first)

    for person, names in words.items():
        for shorter in {form for name in names for form in _short_forms(name)}:
            for second in exact.get(shorter, set()):
                add_pair(person, second)
    for persons in typed.values():
        for first, second in (
            combinations(sorted(persons), 2) if 1 < len(persons) <= _MAX_PEOPLE_PER_FORM else ()
        ):
            if second not in near[first] and any(
                map(_are_alike, *zip(*product(words[first], words[second]), strict=True))
            ):
                add_pair(first, second)
    return {person: near_persons for person, near_persons in near.items() if near_persons}


def _forms(person: KnownPerson) -> set[tuple[str, ...]]:
    """Return the words of each name of a person, sorted."""
    return {tuple(sorted(words)) for name in (*person.names, person.player) if (words := _words(name))}


def _words(name: str) -> list[str]:
    """Return the words of `name`, without case and accents. "Reis, Ole" has the order of "Ole Reis"."""
    apart = unicodedata.normalize("NFKD", name_key(name))
    surname, comma, rest = "".join(sign for sign in apart if not unicodedata.combining(sign)).partition(",")
    return _LETTERS.findall(f"{rest} {surname}" if comma else surname)


def _short_forms(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the name, and its forms with some words left out and some shortened to initials."""
    if len(words) > _MAX_COMBINED_WORDS:
        yield words
        yield from (words[:position] + words[position + 1 :] for position in range(len(words)))
        return
    for form in product(*((word, word[0], "") for word in words)):
        shortened = tuple(sorted(filter(None, form)))
        if any(len(word) > 1 for word in shortened):
            yield shortened


def _typo_forms(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the name, and the name without each of its letters. A name with digits has no such forms."""
    text = " ".join(words)
    if not any(map(str.isdigit, text)):
        yield text
        yield from {text[:position] + text[position + 1 :] for position in range(len(text))}


def _are_alike(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    return SequenceMatcher(None, " ".join(first), " ".join(second)).ratio() >= _MIN_LIKENESS


def alias_suggestions(
    people: Sequence[KnownPerson], near: Mapping[str, set[str]], quoted: Mapping[str, str]
) -> Iterator[AliasSuggestion]:
    """Yield lines for a file of aliases that join `near` people, and remarks on the others.

    A line joins people who are all near to each other and to no one else. `quoted` has the names as TOML.
    """
    by_person = {person.person: person for person in people}
    unambiguous = {
        name
        for name, others in near.items()
        if len(others) <= _MAX_PEOPLE_PER_FORM and all(b in near[a] for a, b in combinations(others, 2))
    }
    used_names = set(by_person)
    handled: set[str] = set()
    for person in sorted(people, key=lambda person: (-person.games, person.player)):
        if person.person in handled or person.person not in near:
            continue
        handled.add(person.person)
        group = [person, *(by_person[name] for name in sorted(near[person.person] & unambiguous - handled))]
        if person.person not in unambiguous:
            others = sorted(by_person[name].player for name in near[person.person])
            yield AliasSuggestion(remark=f"{person.player} may be {_join_names(others)}")
            continue
        handled |= {member.person for member in group}
        if len(group) > 1:
            yield _group_suggestion(group, used_names, quoted)


def _group_suggestion(
    group: Sequence[KnownPerson], used_names: set[str], quoted: Mapping[str, str]
) -> AliasSuggestion:
    """Return the line that joins a group, or a remark if another person also has a name of the group."""
    first = next((member for member in group if member.has_id), group[0])
    other_names = [member.player for member in group if member is not first]
    main_name = first.player
    if first.person.startswith("alias:"):
        return AliasSuggestion(
            remark=f"{main_name} is in the file already: add {_join_names(other_names)} to that line"
        )
    claimed = {f"id:{member.player}" for member in group} | {
        f"name:{name_key(member.player)}" for member in group
    }
    if claimed & used_names - {member.person for member in group}:
        return AliasSuggestion(remark=f"{main_name} may be {_join_names(other_names)}")
    return AliasSuggestion(line=f"{quoted[main_name]} = [{', '.join(quoted[name] for name in other_names)}]")


def _join_names(names: Sequence[str]) -> str:
    shown = [*names[:_MAX_PEOPLE_PER_FORM], *(["…"] if len(names) > _MAX_PEOPLE_PER_FORM else [])]
    return " or ".join(shown)
