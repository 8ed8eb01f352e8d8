"""A league in an archive: names and records are looked up, and the tables about the league are written."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import PurePath

import msgspec
from msgspec import Struct

from gamelog.archive import Reader, people_file, read_aliases
from gamelog.archive.indexing.store import Store, sole_writer
from gamelog.archive.schema import league_tables as tables
from gamelog.errors import ArchiveError
from gamelog.league.league_file import LeagueFile
from gamelog.league.model import Correction, Kind, League
from gamelog.league.toml_lines import Place
from gamelog.message import Message
from gamelog.record.names import name_key, tidy

_PEOPLE = (
    "SELECT person, player, same_name, key FROM seats UNION SELECT person, player, same_name, key FROM stays"
)

_RECORDS = """
SELECT games.id, path, member, copy_of, list(DISTINCT person) FILTER (person IS NOT NULL) AS people
FROM games JOIN (SELECT id, person FROM seats UNION ALL SELECT id, person FROM stays) USING (id)
GROUP BY games.id, path, member, copy_of
"""

_UNSCORED = """
SELECT any_value(id), players FROM league_records() WHERE players NOT IN (SELECT players FROM league_points)
GROUP BY players ORDER BY players LIMIT 1
"""
"""A game that counts, for whose number of players the league has no points."""


def apply_league(
    file: LeagueFile, archive: str | os.PathLike[str], *, people: str | os.PathLike[str] | None = None
) -> None:
    """Write the league to the archive. It replaces the earlier league.

    Args:
        file: The league.
        archive: The path of the archive.
        people: A file of aliases. By default, the people of the league, or ``people.toml`` beside the
            archive or the league.

    Raises:
        ArchiveError: The archive cannot be read or written, or the league does not fit it: it names a person
            or a record that the archive does not have, or has no points for a game that counts. The archive
            then keeps its earlier league.
    """
    aliases = people_file([archive, file.path], people)
    if aliases and file.league.people:
        text = "People are listed here and in {=path}. Move them to one of the two files."
        raise file.error(("people",), Message.of(text, path=str(aliases)))
    names, _ = read_aliases(aliases or file.path, named=True)
    with Reader(archive, people=aliases or file.path) as reader:
        rows = _Rows(file, reader, names).rows()
    with sole_writer(archive), Store(archive) as store:
        for name in tables.LEAGUE_TABLES:
            store.sql(f"DELETE FROM {name}")
            store.add(name, rows.get(name, []))
        store.load()
        for id, players in store.sql(_UNSCORED):
            text = (
                "The league has no points for games of {n} {n:player|players}, for example {=id}. Add a line "
                "for them, or limit the games that count."
            )
            raise file.error(("points", "places"), Message.of(text, n=players, id=id))


class IndexedRecord(Struct, frozen=True):
    """A record of the archive.

    Attributes:
        member: Name of the record in its pack; empty for a record in a file of its own.
        copy_of: Id of the record that counts instead, if this one is a copy.
        people: The people who sat in it, as in the column ``person``.
    """

    id: str
    path: str
    member: str
    copy_of: str | None
    people: list[str]


def indexed_records(reader: Reader) -> list[IndexedRecord]:
    """Return the records of an archive."""
    return [IndexedRecord(*row) for row in reader.ask(_RECORDS).rows]


def records_named(name: str, records: Iterable[IndexedRecord]) -> list[IndexedRecord]:
    """Return the record with this id, or the records with this file name or path.

    A record in a pack has its name in the pack, with or without the path of the pack and a colon before it.
    """
    records, end = [*records], f"/{name.lstrip('/')}"
    return [record for record in records if record.id == name] or [
        record
        for record in records
        if (f"{record.path}:{record.member}" if record.member else record.path).endswith(end)
        or f"/{record.member}".endswith(end)
    ]


class _Rows:
    """The rows of a league's tables, with its names and records as the archive knows them."""

    def __init__(self, file: LeagueFile, reader: Reader, aliases: dict[str, list[str]]) -> None:
        self._file, self._league, self._aliases = file, file.league, aliases
        self._players: dict[str, str] = {}
        self._people: dict[str, set[str]] = defaultdict(set)
        self._exact: dict[str, set[str]] = defaultdict(set)
        for person, player, same_name, key in reader.ask(_PEOPLE).rows:
            if person is None:
                continue
            self._players[person] = player
            self._exact[player].add(person)
            for name in (same_name, name_key(player), *(key or "").partition(":")[2:]):
                self._people[name].add(person)
        self._newcomers = {name_key(name): f"name:{name_key(name)}" for name in self._league.newcomers}
        for alias in aliases:
            if name_key(alias) in self._newcomers:
                self._newcomers[name_key(alias)] = f"alias:{name_key(alias)}"
        self._records = indexed_records(reader)

    def rows(self) -> dict[str, list[Struct]]:
        """Return the rows of each table.

        Raises:
            ArchiveError: The league names a person or record that the archive does not have.
        """
        league = self._league
        for position, separate in enumerate(league.separate):
            for name in separate.records:
                self._record(("separate", position, "records"), name)
        win, loss = league.points.walkover or (None, None)
        row = tables.LeagueRow(
            name=tidy(league.name),
            path=os.path.abspath(self._file.path),
            places_by=league.places_by,
            ties=league.points.ties,
            draw=league.points.draw,
            walkover_win=win,
            walkover_loss=loss,
            credit=league.substitutes,
            round_tag=league.round_tag,
            meetings=league.meetings,
            tie_breaks=tuple(league.tie_breaks),
        )
        return {
            "league": [row],
            "league_kinds": [*map(_kind_row, league.games)],
            "league_points": [*_point_rows(league)],
            "league_rounds": [
                tables.LeagueRoundRow(
                    position=position,
                    round=round.name,
                    first_day=str(round.first_day) if round.first_day else None,
                    last_day=str(round.last_day) if round.last_day else None,
                )
                for position, round in enumerate(league.rounds, 1)
            ],
            "league_pairings": [*self._pairing_rows()],
            "league_people": [*self._person_rows()],
            "league_corrections": [*self._correction_rows()],
        }

    def _person_rows(self) -> Iterator[tables.LeaguePersonRow]:
        newcomers = dict(self._newcomers)
        for person, names in self._aliases.items():
            newcomer = newcomers.pop(name_key(person), None)
            key = f"alias:{name_key(person)}"
            if person in self._league.people and not newcomer and key not in self._players:
                raise self._unknown(("people", person), person)
            yield tables.LeaguePersonRow(
                person=key, player=tidy(person), names=tuple(names), newcomer=bool(newcomer)
            )
        for name in self._league.newcomers:
            if name_key(name) in newcomers:
                person = self._found(name) or newcomers.pop(name_key(name))
                yield tables.LeaguePersonRow(
                    person=person, player=self._players.get(person, tidy(name)), newcomer=True
                )

    def _pairing_rows(self) -> Iterator[tables.LeaguePairingRow]:
        for position, round in enumerate(self._league.rounds):
            for number, names in enumerate(round.pairings):
                place = ("rounds", position, "pairings", number)
                people = tuple(sorted(self._person(place, name) for name in names))
                yield tables.LeaguePairingRow(position=position + 1, number=number + 1, people=people)

    def _correction_rows(self) -> Iterator[tables.LeagueCorrectionRow]:
        for position, correction in enumerate(self._league.corrections):
            place = ("corrections", position)
            record = (
                self._record((*place, "record"), correction.record) if correction.record is not None else None
            )
            places = _given_places(correction)
            key = {"forfeit": "winner", "result": "places"}.get(correction.decision, "people")
            people = [self._person((*place, key), name) for name in places]
            if record:
                self._check_seated((*place, key), record, zip(places, people, strict=True))
            yield tables.LeagueCorrectionRow(
                number=position + 1,
                record=record.id if record else None,
                kind=correction.decision,
                people=tuple(people),
                places=tuple(places.values()),
                round=correction.round,
                day=str(correction.day) if correction.day else None,
                reason=tidy(correction.reason),
            )

    def _check_seated(self, place: Place, record: IndexedRecord, people: Iterable[tuple[str, str]]) -> None:
        """Raise `ArchiveError` unless all these people sat in the record."""
        for name, person in people:
            if person not in record.people:
                seated = ", ".join(sorted(self._players[other] for other in record.people))
                text = "{=name} does not play in the record {=id}. Its people: {=people}."
                message = Message.of(text, name=name, id=record.id, people=seated)
                raise self._file.error(place, message, name)

    def _record(self, place: Place, name: str) -> IndexedRecord:
        """Return the record with this id, file name or path.

        Raises:
            ArchiveError: There is no such record, several have the name, or another record counts instead.
        """
        found = records_named(name, self._records)
        if not found:
            names = [name for record in self._records for name in (record.id, PurePath(record.path).name)]
            close = get_close_matches(name, names, n=1)
            if close:
                text = 'The archive has no record "{=name}". Did you mean {=close}?'
                raise self._file.error(place, Message.of(text, name=name, close=close[0]), name)
            text = 'The archive has no record "{=name}". Write the id or the file of a record.'
            raise self._file.error(place, Message.of(text, name=name), name)
        if len(found) > 1:
            text = (
                'Several records have the name "{=name}", for example {=first} and {=second}. Write the id.'
            )
            message = Message.of(text, name=name, first=found[0].id, second=found[1].id)
            raise self._file.error(place, message, name)
        if found[0].copy_of is not None:
            text = "This record is a copy and does not count. Write the record that counts: {=id}."
            raise self._file.error(place, Message.of(text, id=found[0].copy_of), name)
        return found[0]

    def _found(self, name: str) -> str | None:
        """Return the only person with this name or id, or None."""
        for people in (self._exact.get(tidy(name), set()), self._people.get(name_key(name), set())):
            if len(people) == 1:
                return next(iter(people))
        return None

    def _person(self, place: Place, name: str) -> str:
        """Return the person with this name or id.

        Raises:
            ArchiveError: No person has the name, or several have it.
        """
        person = self._found(name) or self._newcomers.get(name_key(name))
        if person is not None:
            return person
        if several := self._people.get(name_key(name)):
            ids = ", ".join(sorted(self._players[other] for other in several))
            text = '"{=name}" may be any of these: {=ids}. Write the id of the person.'
            raise self._file.error(place, Message.of(text, name=name, ids=ids), name)
        raise self._unknown(place, name)

    def _unknown(self, place: Place, name: str) -> ArchiveError:
        """Return an error: no game has this person."""
        close = get_close_matches(name, sorted(self._players.values()), n=1)
        if close:
            text = (
                'No game has the person "{=name}". Did you mean {=close}? If the person has not played yet, '
                "add the name to newcomers."
            )
            return self._file.error(place, Message.of(text, name=name, close=close[0]), name)
        text = (
            'No game has the person "{=name}". Correct the name, or add it to newcomers if the person has '
            "not played yet."
        )
        return self._file.error(place, Message.of(text, name=name), name)


def _kind_row(kind: Kind) -> tables.LeagueKindRow:
    return tables.LeagueKindRow(
        game=kind.game,
        boards=None if kind.boards is None else tuple(kind.boards),
        players=None if kind.players is None else tuple(kind.players),
        options={
            name: value if isinstance(value, str) else msgspec.json.encode(value).decode()
            for name, value in kind.options.items()
        },
    )


def _point_rows(league: League) -> Iterator[tables.LeaguePointsRow]:
    for players, values in league.points.places.items():
        for place, points in enumerate(values, 1):
            yield tables.LeaguePointsRow(players=players, place=place, points=points)


def _given_places(correction: Correction) -> dict[str, int]:
    """Return the places that a correction gives to people. In a forfeit, all but the winner are second."""
    if correction.decision == "result":
        return correction.places
    if correction.winner is None:
        return {}
    return {correction.winner: 1} | {name: 2 for name in correction.people if name != correction.winner}
