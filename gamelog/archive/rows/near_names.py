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

from msgspec import Struct

from gamelog.record.names import name_key

ALIKE = 0.8
"""Smallest similarity of two near names (the ratio of difflib)."""

_WORDS = 4
"""Largest number of words in a name of which all combinations are left out or shortened."""

_MANY = 8
"""Largest number of people with one form of a name. A more common form identifies no one."""

PEOPLE = """
SELECT person, any_value(player) AS player, count(DISTINCT id) FILTER (counted) AS games,
  coalesce(list(DISTINCT name ORDER BY name) FILTER (name <> ''), []) AS names
FROM sittings JOIN games USING (id) WHERE person IS NOT NULL AND bot IS NULL
GROUP BY person ORDER BY games DESC, player, person
"""
"""The question for the people in an archive, each row a `KnownPerson`."""

_WORD = re.compile(r"[^\W_]+")


class KnownPerson(Struct, frozen=True):
    """A person in an archive: the columns ``person`` and ``player``, all their names, and their games."""

    person: str
    player: str
    names: Sequence[str]
    games: int = 0

    @property
    def has_id(self) -> bool:
        """Whether an id or a file of aliases identifies this person."""
        return not self.person.startswith("name:")


class Suggestion(Struct, frozen=True):
    """A suggestion to join people: a line for a file of aliases, or a remark if the user has to choose."""

    line: str = ""
    remark: str = ""


def near_people(people: Sequence[KnownPerson]) -> dict[str, set[str]]:
    """Return, for each `KnownPerson.person`, the other people who may be the same person.

    Two people with different ids are never the same.
    """
    exact: dict[tuple[str, ...], set[str]] = defaultdict(set)
    typed: dict[str, set[str]] = defaultdict(set)
    words: dict[str, set[tuple[str, ...]]] = {one.person: _forms(one) for one in people}
    known = {one.person for one in people if one.has_id}
    for person, names in words.items():
        for name in names:
            exact[name].add(person)
            for form in _typo_forms(name):
                typed[form].add(person)
    found: dict[str, set[str]] = defaultdict(set)

    def pair(one: str, other: str) -> None:
        if one != other and not {one, other} <= known:
            found[one].add(other)
            found[other].add(one)

    for person, names in words.items():
        for shorter in {form for name in names for form in _short_forms(name)}:
            for other in exact.get(shorter, set()):
                pair(person, other)
    for some in typed.values():
        for one, other in combinations(sorted(some), 2) if 1 < len(some) <= _MANY else ():
            if other not in found[one] and any(
                map(_are_alike, *zip(*product(words[one], words[other]), strict=True))
            ):
                pair(one, other)
    return {person: others for person, others in found.items() if others}


def _forms(one: KnownPerson) -> set[tuple[str, ...]]:
    """Return the words of each name of a person, sorted."""
    return {tuple(sorted(words)) for name in (*one.names, one.player) if (words := _words(name))}


def _words(name: str) -> list[str]:
    """Return the words of `name`, without case and accents. "Reis, Ole" has the order of "Ole Reis"."""
    apart = unicodedata.normalize("NFKD", name_key(name))
    surname, comma, rest = "".join(sign for sign in apart if not unicodedata.combining(sign)).partition(",")
    return _WORD.findall(f"{rest} {surname}" if comma else surname)


def _short_forms(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the name, and its forms with some words left out and some shortened to initials."""
    if len(words) > _WORDS:
        yield words
        yield from (words[:at] + words[at + 1 :] for at in range(len(words)))
        return
    for form in product(*((word, word[0], "") for word in words)):
        kept = tuple(sorted(filter(None, form)))
        if any(len(word) > 1 for word in kept):
            yield kept


def _typo_forms(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the name, and the name without each of its letters. A name with digits has no such forms."""
    text = " ".join(words)
    if not any(map(str.isdigit, text)):
        yield text
        yield from {text[:at] + text[at + 1 :] for at in range(len(text))}


def _are_alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return SequenceMatcher(None, " ".join(one), " ".join(other)).ratio() >= ALIKE


def suggestions(
    people: Sequence[KnownPerson], near: Mapping[str, set[str]], quoted: Mapping[str, str]
) -> Iterator[Suggestion]:
    """Yield lines for a file of aliases that join `near` people, and remarks on the others.

    A line joins people who are all near to each other and to no one else. `quoted` has the names as TOML.
    """
    by_person = {one.person: one for one in people}
    plain = {
        person
        for person, others in near.items()
        if len(others) <= _MANY and all(b in near[a] for a, b in combinations(others, 2))
    }
    taken = set(by_person)
    done: set[str] = set()
    for one in sorted(people, key=lambda one: (-one.games, one.player)):
        if one.person in done or one.person not in near:
            continue
        done.add(one.person)
        group = [one, *(by_person[person] for person in sorted(near[one.person] & plain - done))]
        if one.person not in plain:
            others = sorted(by_person[person].player for person in near[one.person])
            yield Suggestion(remark=f"{one.player} may be {_join_names(others)}")
            continue
        done |= {other.person for other in group}
        if len(group) > 1:
            yield _line(group, taken, quoted)


def _line(group: Sequence[KnownPerson], taken: set[str], quoted: Mapping[str, str]) -> Suggestion:
    """Return the line that joins a group, or a remark if another person also has a name of the group."""
    first = next((one for one in group if one.has_id), group[0])
    others = [one.player for one in group if one is not first]
    called = first.player
    if first.person.startswith("alias:"):
        return Suggestion(remark=f"{called} is in the file already: add {_join_names(others)} to that line")
    claimed = {f"id:{one.player}" for one in group} | {f"name:{name_key(one.player)}" for one in group}
    if claimed & taken - {one.person for one in group}:
        return Suggestion(remark=f"{called} may be {_join_names(others)}")
    return Suggestion(line=f"{quoted[called]} = [{', '.join(quoted[name] for name in others)}]")


def _join_names(names: Sequence[str]) -> str:
    shown = [*names[:_MANY], *(["…"] if len(names) > _MANY else [])]
    return " or ".join(shown)
