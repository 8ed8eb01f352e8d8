"""The matters that the organiser of a league has to decide, each with the lines to write."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import combinations
from json import dumps as json_text
from pathlib import PurePath
from typing import Literal

from msgspec import Struct

from gamelog.archive import FORK, PEOPLE, KnownPerson, Reader, near_people
from gamelog.league.applying import indexed_records, records_named
from gamelog.league.league_file import LeagueFile
from gamelog.message import Message

Matter = Literal["file", "disputed", "people", "copy", "result", "round", "pairing"]

_UNREAD = """
SELECT findings.path || if(findings.member = '', '', ':' || findings.member) AS path,
  first(message ORDER BY code) AS problem
FROM findings LEFT JOIN files ON files.path = findings.path AND files.member = findings.member
WHERE severity = 'error' AND files.id IS NULL GROUP BY findings.path, findings.member ORDER BY path
"""

_OPEN_RECORDS = f"""
SELECT games.id, games.path || if(games.member = '', '', ':' || games.member) AS path,
  games.started::DATE AS day, status, games.valid, coalesce(games.finished, false) AS finished,
  list(coalesce(player, seat) ORDER BY position) AS people,
  games.id IN (SELECT id FROM findings WHERE code = '{FORK}') AS forked
FROM league_candidates() AS games JOIN seats USING (id)
WHERE games.id NOT IN (SELECT record FROM league_corrections WHERE record IS NOT NULL)
  AND (NOT games.valid OR forked OR (games.counted AND NOT coalesce(games.finished, false)))
GROUP BY ALL ORDER BY day, path
"""

_ROUNDLESS = """
SELECT records.id, any_value(records.path) AS path, any_value(records.day) AS day,
  any_value(records.round) AS round, list(coalesce(player, seats.seat) ORDER BY position) AS people
FROM league_records() AS records JOIN seats USING (id) CROSS JOIN league
WHERE (records.round IS NULL AND (round_tag IS NOT NULL OR EXISTS (FROM league_rounds)))
  OR (records.round NOT IN (SELECT round FROM league_rounds) AND EXISTS (FROM league_rounds))
GROUP BY records.id ORDER BY day, path
"""

_BEGUN_ROUNDS = """
SELECT league_rounds.round FROM league_rounds
WHERE CASE WHEN last_day IS NOT NULL THEN last_day < $today::DATE ELSE first_day < $today::DATE OR EXISTS (
  FROM league_records() AS records JOIN league_rounds AS other USING (round)
  WHERE other.position >= league_rounds.position) END
"""

_SITTERS = """
SELECT DISTINCT person FROM sittings JOIN league_candidates() AS games USING (id)
WHERE bot IS NULL AND id NOT IN (SELECT record FROM league_corrections WHERE kind = 'annulled')
"""
"""The people in the games of the league, without annulled games (for example a second sheet of a game)."""

_STATUS = {
    "disputed": Message.of("it is disputed"),
    "illegal": Message.of("an event of it breaks the rules"),
    "torn": Message.of("its last line is incomplete"),
    "damaged": Message.of("a part of it is damaged"),
    "unread": Message.of("it could not be read"),
    "unknown": Message.of("its game is not installed"),
}
"""The reasons why a record is not valid, by its status."""

_REASONS = {
    message.text: message
    for message in (
        Message.of("the same people and play, but not on neighbouring days"),
        Message.of("the same people and play, but too short to be sure"),
        Message.of("the same play, with the people at other seats"),
        Message.of("the same play, with names that are nearly the same"),
        Message.of("the beginning of the other by the same people, but too short to be sure"),
        Message.of("the same people, and plays that begin alike"),
    )
}
"""The reasons why two records may be one game, as the stock question copies gives them."""


class Remedy(Struct, frozen=True):
    """A way to decide a matter: a sentence, and the lines to write in the file of the league."""

    text: Message
    lines: tuple[str, ...] = ()


class OpenMatter(Struct, frozen=True):
    """Something that the organiser has to decide.

    Attributes:
        problem: A sentence about it.
        choices: The ways to decide it.
        records: Ids of the records, or paths of files without an id.
        people: Names of the people.
    """

    matter: Matter
    problem: Message
    choices: tuple[Remedy, ...]
    records: tuple[str, ...] = ()
    people: tuple[str, ...] = ()


class _OpenRecord(Struct, frozen=True):
    """A record that does not count or has no result, without a correction."""

    id: str
    path: str
    day: date | None
    status: str
    valid: bool
    finished: bool
    people: list[str]
    forked: bool

    @property
    def name(self) -> str:
        """The name of the file."""
        return PurePath(self.path).name


def open_matters(
    file: LeagueFile,
    archive: str | os.PathLike[str],
    *,
    people: str | os.PathLike[str] | None = None,
    today: date,
) -> list[OpenMatter]:
    """Return everything that the organiser of a league has to decide.

    Args:
        file: The league, which `gamelog.league.applying.apply_league` has written to the archive.
        archive: The path of the archive.
        people: A file of aliases, as in `apply_league`.
        today: The day on which rounds are over.

    Raises:
        ArchiveError: The archive cannot be read.
    """
    with Reader(archive, people=people) as reader:
        return [
            *_unread(reader),
            *_records(reader),
            *_people(reader),
            *_copies(reader, file),
            *_rounds(reader, file),
            *_pairings(reader, today),
        ]


def _unread(reader: Reader) -> Iterator[OpenMatter]:
    for path, problem in reader.ask(_UNREAD).rows:
        text = "{=file} cannot be read: {=problem}."
        message = Message.of(text, file=PurePath(path).name, problem=problem.rstrip("."))
        choice = Remedy(Message.of("Ask for another copy of the file, or remove it from the folder."))
        yield OpenMatter("file", message, (choice,), (path,))


def _records(reader: Reader) -> Iterator[OpenMatter]:
    """Yield the records that are disputed or broken, and those without a result."""
    for row in reader.ask(_OPEN_RECORDS).rows:
        record = _OpenRecord(*row)
        values = {"file": record.name, "people": ", ".join(record.people)}
        if record.forked and record.valid:
            text = "{=file} ({=people}) does not count: another file of this record differs from it."
            choice = Remedy(Message.of("Keep the right file, and remove the other one from the folder."))
            yield OpenMatter("disputed", Message.of(text, **values), (choice,), (record.id,))
            continue
        is_open = record.valid and not record.finished
        matter: Matter = "result" if is_open else "disputed"
        if is_open:
            problem = Message.of("{=file} ({=people}) has no result.", **values)
            end = Message.of("Finish the record, or decide the result at the end of league.toml:")
        else:
            text = "{=file} ({=people}) does not count: {problem}."
            problem = Message.of(text, **values, problem=_STATUS[record.status])
            text = "Let an arbiter rule on the record, or decide the result at the end of league.toml:"
            end = Message.of(text)
        places = ", ".join(f"{_toml(name)} = {place}" for place, name in enumerate(record.people, 1))
        result = _correction(record.name, "result", f"places = {{ {places} }}")
        annulled = Remedy(
            Message.of("If the game does not count, write there:"), _correction(record.name, "annulled")
        )
        yield OpenMatter(matter, problem, (Remedy(end, result), annulled), (record.id,), tuple(record.people))


def _correction(record: str, decision: str, *more: str) -> tuple[str, ...]:
    """Return the lines of a correction, to which the organiser adds the reason."""
    lines = ("[[corrections]]", f"record = {_toml(record)}", f'decision = "{decision}"', *more)
    return (*lines, 'reason = ""')


class _People:
    """The people in the records of the league, and in its file."""

    def __init__(self, reader: Reader) -> None:
        listed = reader.ask("SELECT person, player, names FROM league_people").rows
        paired = reader.ask("SELECT DISTINCT unnest(people) FROM league_pairings").rows
        sitters = {person for (person,) in reader.ask(_SITTERS).rows}
        persons = [KnownPerson(**row) for row in reader.ask(PEOPLE).dicts() if row["person"] in sitters]
        self._listed = {person: (player, names) for person, player, names in listed}
        self._known = {*self._listed} | {person for (person,) in paired}
        self._by_person = {person.person: person for person in persons}
        self._near = near_people(persons)
        self.strangers = [
            person
            for person in sorted(persons, key=lambda person: person.player)
            if person.person not in self._known
        ]
        self.is_list = any(names is not None for _, names in self._listed.values())

    def likely(self, person: KnownPerson) -> list[KnownPerson]:
        """Return the better known people with names near to the name of a person, the best known first."""
        near = (self._by_person[other] for other in self._near.get(person.person, ()))
        return sorted(
            (other for other in near if self._rank(other) > self._rank(person)), key=self._rank, reverse=True
        )

    def _rank(self, person: KnownPerson) -> tuple[bool, bool, int, str]:
        return person.person in self._known, person.has_id, person.games, person.player

    def has_line(self, person: KnownPerson) -> bool:
        """Return whether the file has a line for a person."""
        return self._listed.get(person.person, ("", None))[1] is not None

    def line(self, person: KnownPerson, *others: str) -> str:
        """Return the line of a person in the file, with further names."""
        player, names = self._listed.get(person.person, (person.player, None))
        if names is None and person.person.startswith("id:") and person.names:
            player, names = person.names[0], [person.player]
        return f"{_toml(player)} = [{', '.join(map(_toml, (*(names or ()), *others)))}]"


def _people(reader: Reader) -> Iterator[OpenMatter]:
    """Yield the people whose names are near to others, and those whom the league does not list."""
    people = _People(reader)
    unlisted: list[KnownPerson] = []
    for person in people.strangers:
        if others := people.likely(person):
            yield _near_names(people, person, others)
        else:
            unlisted.append(person)
    if unlisted and people.is_list:
        text = "{n} {n:person|people} of the games {n:is|are} not in the list of people: {=people}."
        players = tuple(person.player for person in unlisted)
        message = Message.of(text, n=len(unlisted), people=", ".join(players))
        text = "If they belong to the league, write in league.toml under [people]:"
        add = Remedy(Message.of(text), tuple(map(people.line, unlisted)))
        yield OpenMatter("people", message, (add,), people=players)


def _near_names(people: _People, person: KnownPerson, others: Sequence[KnownPerson]) -> OpenMatter:
    names = [other.player for other in others]
    text = '"{=name}" ({n} {n:game|games}) may be {=others}.'
    message = Message.of(text, name=person.player, n=person.games, others=", ".join(names))
    text = "If they are one person, write in league.toml under [people]:"
    if len(others) > 1:
        text = "If two of them are one person, write one of these lines in league.toml under [people]:"
    one = Remedy(Message.of(text), tuple(people.line(other, person.player) for other in others))
    apart = (person, *(other for other in others if not people.has_line(other)))
    different = Remedy(
        Message.of("If they are different people, write there:"), tuple(map(people.line, apart))
    )
    return OpenMatter("people", message, (one, different), people=(person.player, *names))


def _copies(reader: Reader, file: LeagueFile) -> Iterator[OpenMatter]:
    """Yield the pairs of records that are perhaps one game."""
    records = indexed_records(reader)
    apart = {
        frozenset(pair)
        for separate in file.league.separate
        for pair in combinations(
            [record.id for name in separate.records for record in records_named(name, records)], 2
        )
    }
    annulled = {
        id for (id,) in reader.ask("SELECT record FROM league_corrections WHERE kind = 'annulled'").rows
    }
    ids = {id for (id,) in reader.ask("SELECT id FROM league_candidates()").rows} - annulled
    for row in reader.ask("copies").dicts():
        pair = (row["id"], row["copy"])
        if row["certainty"] == "sure" or not ids.issuperset(pair) or frozenset(pair) in apart:
            continue
        names = _distinct_names(row["path"], row["copy_path"], pair)
        text = "{=first} ({=people}) and {=second} ({=others}) may be one game: {reason}."
        message = Message.of(
            text,
            first=names[0],
            people=", ".join(row["names"]),
            second=names[1],
            others=", ".join(row["copy_names"]),
            reason=_REASONS[row["reason"]],
        )
        choices = (
            Remedy(
                Message.of("If they are one game, write at the end of league.toml:"),
                _correction(names[1], "annulled"),
            ),
            Remedy(
                Message.of("If they are two games, write there:"),
                ("[[separate]]", f"records = [{_toml(names[0])}, {_toml(names[1])}]"),
            ),
        )
        yield OpenMatter("copy", message, choices, pair)


def _distinct_names(path: str, other: str, ids: Sequence[str]) -> tuple[str, str]:
    """Return the names of two files, or the ids of the records if the names are equal."""
    names = PurePath(path).name, PurePath(other).name
    return names if names[0] != names[1] else (ids[0], ids[1])


def _rounds(reader: Reader, file: LeagueFile) -> Iterator[OpenMatter]:
    """Yield the games that are of no round, or of a round that the league does not list."""
    for row in reader.ask(_ROUNDLESS).dicts():
        values = {
            "file": PurePath(row["path"]).name,
            "people": ", ".join(row["people"]),
            "day": str(row["day"]),
        }
        if row["round"] is None:
            message = Message.of("{=file} ({=people}, {=day}) is of no round and does not count.", **values)
        else:
            text = '{=file} ({=people}, {=day}) is of the round "{=round}", which the league does not list.'
            message = Message.of(text, **values, round=row["round"])
        text = "Correct the days or the pairings of the rounds in league.toml."
        if file.league.round_tag is not None:
            text = 'Correct the tag "{=tag}" of the record, or the rounds in league.toml.'
        correct = Message.of(text, tag=file.league.round_tag)
        without = Remedy(
            Message.of("If the game does not count, write at the end of league.toml:"),
            _correction(values["file"], "annulled"),
        )
        yield OpenMatter("round", message, (Remedy(correct), without), (row["id"],), tuple(row["people"]))


def _pairings(reader: Reader, today: date) -> Iterator[OpenMatter]:
    """Yield the games that are missing in rounds that are over, or that have begun and have no last day."""
    begun = {round for (round,) in reader.ask(_BEGUN_ROUNDS, {"today": str(today)}).rows}
    missing: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for row in reader.ask("league_to_play").dicts():
        if row["round"] in begun:
            missing[row["round"]] += [tuple(row["people"])] * row["games"]
    for round, games in missing.items():
        for people in games:
            text = "In round {=round}, the game of {=people} is missing."
            message = Message.of(text, round=round, people=", ".join(people))
            yield OpenMatter("pairing", message, _unplayed(round, people, today), people=people)


def _unplayed(round: str, people: Iterable[str], today: date) -> tuple[Remedy, ...]:
    names = [_toml(name) for name in people]
    head = ("[[corrections]]", 'decision = "forfeit"', f"people = [{', '.join(names)}]")
    rest = (f"winner = {names[0]}", f"round = {_toml(round)}", f"day = {today}", 'reason = ""')
    text = "Add its record to the folder. If someone wins by forfeit, write at the end of league.toml:"
    return (Remedy(Message.of(text), (*head, *rest)),)


def _toml(text: str) -> str:
    """Return a text as in TOML."""
    return json_text(text, ensure_ascii=False).replace("\x7f", "\\u007f")
