"""The source of the pages about a league: answers of the archive, names of people, and links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property
from random import SystemRandom
from typing import Any
from unicodedata import combining, normalize

from msgspec import Struct

from gamelog.archive import Pseudonyms, Reader
from gamelog.play.contract.registry import find
from gamelog.play.contract.registry import names as game_names
from gamelog.record.escaping import escape_invisible
from gamelog_reports.players import NAMES, names_by_person
from gamelog_reports.report.section import Hyperlink, TableCell
from gamelog_reports.report.wording import Wording
from gamelog_reports.site import page_names

PEOPLE_FOLDER = "people"
"""The folder of the pages of people, in the site."""

_RESULTS = "FROM settled.league_results($as_of::DATE) ORDER BY started, id, place, seat"

_NEWCOMERS = "SELECT person, player FROM league_people"


class Result(Struct, frozen=True):
    """The result of a person at a seat in a game of the league.

    Attributes:
        round: The name of the round; None without rounds.
        day: The day of the game.
        person: The person in the archive; None if the result counts for no one.
        place: The place by the rules of the league, from 1.
        won: Whether the person has the first place, and others have not.
        drawn: Whether all have the same place.
        score: The score at the end, if the game has scores.
        difference: The distance of the score to the mean score of the others.
        points: The points in the league.
        result: The origin of the result.
        reason: The organiser's reason for a decision.
    """

    id: str
    round: str | None
    day: date
    game: str | None
    seat: str | None
    person: str | None
    place: int
    won: bool
    drawn: bool
    score: float | None
    difference: float | None
    points: float
    result: str
    reason: str | None


def _plain(name: str) -> str:
    """Return a name without accents, for the name of a file."""
    return "".join(sign for sign in normalize("NFKD", name) if not combining(sign))


class LeagueSource:
    """The answers of an archive about its league, and the names and addresses of a site."""

    def __init__(
        self,
        reader: Reader,
        hrefs: Mapping[str, str],
        *,
        language: str = "en",
        as_of: str | None = None,
        pseudonyms: Pseudonyms | None = None,
        files: Mapping[str, str] | None = None,
    ) -> None:
        """Read the people.

        Args:
            reader: The archive.
            hrefs: The replay page of each record by its id, as seen from the site.
            language: The language of the pages.
            as_of: The last day, or None.
            pseudonyms: The pseudonyms of people, or None for their names.
            files: The names of the pages of people from another source, or None for new names.
        """
        self.reader, self.hrefs, self.as_of = reader, hrefs, as_of
        self.anonymous = pseudonyms is not None
        self.say = Wording(language)
        self._words: dict[str | None, Wording] = {}
        rows = reader.ask(NAMES).rows
        names = names_by_person(rows)
        newcomers = reader.ask(_NEWCOMERS).rows
        for person, player in newcomers:
            names.setdefault(person, escape_invisible(player))
        self._players = {player: person for person, player, _ in rows}
        self._players |= {player: person for person, player in newcomers}
        if pseudonyms:
            names = {
                person: name
                if person.startswith("bot:")
                else pseudonyms.pseudonym_of(person.partition(":")[2])
                for person, name in names.items()
            }
        self.names = names
        people = sorted(self.names, key=lambda person: self.names[person].casefold())
        if pseudonyms:
            SystemRandom().shuffle(people)
        names_of_pages = page_names((_plain(self.names[person]) for person in people), self.anonymous)
        self.files = files or dict(zip(people, names_of_pages, strict=True))

    def ask(self, question: str, **values: Any) -> list[dict[str, Any]]:
        """Return the rows of a question about the league on the day of the pages."""
        if question.startswith("league_"):
            values["as_of"] = self.as_of
        return self.reader.ask(question, values).dicts()

    @property
    def until(self) -> dict[str, str]:
        """The parameter that limits a question to games up to the last day; empty without such a day."""
        return {"until": str(date.fromisoformat(self.as_of) + timedelta(1))} if self.as_of else {}

    def words(self, game: str | None) -> Wording:
        """Return the words of a game."""
        if game not in self._words:
            installed = find(game) if game in game_names() else None
            self._words[game] = Wording(self.say.language, installed) if installed else self.say
        return self._words[game]

    def game_title(self, game: str) -> str:
        """Return the title of a game."""
        return find(game).title if game in game_names() else escape_invisible(game)

    @cached_property
    def results(self) -> list[Result]:
        """All results of the league, the earliest game first."""
        columns = ", ".join(Result.__struct_fields__)
        rows = self.reader.ask(f"SELECT {columns} FROM ({_RESULTS})", {"as_of": self.as_of}).rows
        return [Result(*row) for row in rows]

    @cached_property
    def games(self) -> dict[str, list[Result]]:
        """The results of each game, in the order of the games."""
        games: dict[str, list[Result]] = {}
        for result in self.results:
            games.setdefault(result.id, []).append(result)
        return games

    @cached_property
    def has_several_games(self) -> bool:
        """Whether people of the league play different games."""
        return len({result.game for result in self.results if result.game}) > 1

    @cached_property
    def members(self) -> list[str]:
        """The people of the league, in the order of the standings."""
        return [person for row in self.standings if (person := self.person_of(row["player"]))]

    @cached_property
    def _with_page(self) -> frozenset[str]:
        return frozenset(self.members)

    @cached_property
    def standings(self) -> list[dict[str, Any]]:
        """The rows of the standings."""
        return self.ask("league_standings")

    def person_of(self, player: str) -> str | None:
        """Return the person with a name in answers."""
        return self._players.get(player)

    def file(self, person: str) -> str:
        """Return the page of a person, as seen from the site."""
        return f"{PEOPLE_FOLDER}/{self.files[person]}"

    def page_of(self, person: str | None, up: str = "") -> str:
        """Return the page of a person who has one, or an empty text. `up` leads from the page to the site."""
        return up + self.file(person) if person in self._with_page and person else ""

    def link(self, person: str | None, up: str = "") -> TableCell:
        """Return the name of a person as a link to their page. `up` leads from the page to the site."""
        if person is None:
            return self.say("no one")
        name = self.names.get(person, self.say("unnamed"))
        return Hyperlink(name, page) if (page := self.page_of(person, up)) else name

    def player(self, player: str, up: str = "") -> TableCell:
        """Return the name of a player of an answer as a link."""
        person = self.person_of(player)
        return self.link(person, up) if person else escape_invisible(player)

    def name_of(self, player: str) -> str:
        """Return the name of a player of an answer."""
        return self.names.get(self.person_of(player) or "", "") or escape_invisible(player)

    def day(self, day: date | None) -> str:
        """Return a day, or an empty text in an anonymous site."""
        return "" if self.anonymous or day is None else str(day)

    def page(self, id: str, text: str, up: str = "") -> TableCell:
        """Return a text as a link to the replay page of a record, if there is one."""
        return Hyperlink(text, up + self.hrefs[id]) if id in self.hrefs else text

    def people_of(self, results: Sequence[Result]) -> str:
        """Return the names of the people of a game, in the order of their places."""
        return " – ".join(map(self.name_of_result, results))

    def name_of_result(self, result: Result) -> str:
        """Return the name of the person with a result."""
        return self.names[result.person] if result.person else self.say("no one")

    def points(self, value: float | None, decimals: int | None = None) -> str:
        """Return points, by default with decimals only if they need them."""
        if value is None:
            return ""
        return self.say.number(value, 2 * bool(value % 1) if decimals is None else decimals)

    @cached_property
    def _origins(self) -> dict[str, str]:
        """The origins of results in words."""
        say = self.say
        return {
            "play": "",
            "resignation": say("resignation"),
            "agreement": say("agreement"),
            "ruling": say("ruling"),
            "walkover": say("walkover"),
            "forfeit": say("forfeit"),
            "result": say("decided by the organiser"),
        }

    def origin(self, result: str) -> str:
        """Return the origin of a result in words."""
        return self._origins.get(result, result)
