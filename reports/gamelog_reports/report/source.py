"""The source of a report's sections: numbers from an archive, names of people, and links to replay pages."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any, Literal
from urllib.parse import quote

from msgspec import Struct

from gamelog.archive import Pseudonyms, Reader, SubprocessReader, first_values
from gamelog.record.escaping import escape_invisible
from gamelog_reports.report.section import Hyperlink, ReportTable, TableCell, table
from gamelog_reports.report.wording import Wording
from gamelog_reports.site import GAMES_FOLDER, page_name

_SETUPS = "SELECT DISTINCT rules, options::VARCHAR FROM counted_games($game) LIMIT 1000"
"""The versions of the rules and the options of the games that count."""

_GAME = """
WITH asked AS (
  SELECT game, CASE WHEN NOT $anonymous THEN strftime(started, '%Y-%m-%d') END AS day FROM games
  WHERE id = $id
), called AS (
  SELECT games.id, path, member, day, list(seat ORDER BY position) AS seats,
    list(name ORDER BY position) AS names, list(player ORDER BY position) AS players,
    list(bot ORDER BY position) AS bots
  FROM games JOIN seats USING (id) JOIN asked USING (game)
  WHERE (counted OR games.id = $id) AND (day IS NULL OR strftime(started, '%Y-%m-%d') = day)
  GROUP BY ALL
)
SELECT path, member, day, seats, names, players, bots,
  (SELECT count(*) FROM called AS other
    WHERE if($anonymous, other.players = called.players, other.names = called.names))
FROM called WHERE id = $id
"""
"""The file, the day and the seats of a record, and the number of games that these texts name."""

_MAX_NAMED_OPTIONS = 3
"""Maximum number of options that a sentence names. The others are counted."""

_SHARED_RESULTS = """
SELECT count(*) FROM counted_games($game) JOIN (
  SELECT id, seat FROM stays WHERE decisions > 0 GROUP BY id, seat
  HAVING count(DISTINCT coalesce(person, '')) > 1
) USING (id)
WHERE finished AND made_by_play(result_by)
"""
"""The number of results of seats at which several people made decisions."""


class People:
    """The names of players, as the archive distinguishes players, or their pseudonyms.

    Bots keep their names, because they are not people.
    """

    def __init__(
        self, reader: Reader | SubprocessReader, anonymous: bool, pseudonyms: Pseudonyms | None = None
    ) -> None:
        self.anonymous = anonymous
        self._reader = reader
        self._pseudonyms = pseudonyms or (Pseudonyms() if anonymous else None)

    def name(self, player: str) -> str:
        """Return the name of `player`."""
        return self._known.get(player) or self._name(player, False, None, None)

    @cached_property
    def _known(self) -> dict[str, str]:
        """The name of each player in the archive."""
        rows = self._reader.ask(
            "SELECT player, coalesce(bool_and(bot IS NOT DISTINCT FROM player), false), mode(name), "
            "min(person) FROM sittings WHERE player IS NOT NULL GROUP BY player"
        ).rows
        return {player: self._name(player, *known) for player, *known in rows}

    def _name(self, player: str, bot: bool, name: str | None, person: str | None) -> str:
        if bot:
            return f"{player} (bot)"
        kind, _, known = (person or "").partition(":")
        if self._pseudonyms:
            return self._pseudonyms.pseudonym_of(known or player)
        return escape_invisible(f"{name} ({player})" if name and kind == "id" and name != player else player)

    def record(self, id: str) -> str:
        """Return the short name of a record: the beginning of its id."""
        return (self._pseudonyms.record(id) if self._pseudonyms else id)[:8]


class Pages:
    """The replay pages of the site in the folder `site`, as seen from the folder `home` of the report.

    A page is found by its name, which comes from the path of its record. The page is not opened, so a page of
    another record with the same name would be taken for it.
    """

    def __init__(self, site: Path | None, home: Path) -> None:
        self._prefix = ""
        self._names: frozenset[str] = frozenset()
        if site is not None and (folder := site / GAMES_FOLDER).is_dir():
            self._names = frozenset(path.name for path in folder.glob("*.html"))
            self._prefix = quote(Path(os.path.relpath(folder, home)).as_posix())

    def __len__(self) -> int:
        return len(self._names)

    def href(self, path: str, member: str = "", n: int | None = None) -> str:
        """Return the address of a record's page at event `n`, by file or pack and name, or an empty text."""
        parts = PurePath(member or path).parts
        for first in range(len(parts)):  # the longest name is the surest
            name = page_name("/".join(parts[first:]))
            if name in self._names:
                return f"{self._prefix}/{quote(name)}{f'#n={n}' if n else ''}"
        return ""


class Source(Struct, frozen=True):
    """The origin of the numbers and names of a report.

    Attributes:
        reader: Archive that answers the questions.
        game: Id of one of its games, or None for all games.
        people: Names of people.
        pages: Replay pages.
        wording: Sentences in the language of the report.
    """

    reader: Reader | SubprocessReader
    game: str | None
    people: People
    pages: Pages
    wording: Wording

    def ask(self, question: str, **values: Any) -> list[dict[str, Any]]:
        """Return the rows of a stock question about the game, or of SQL in which ``$game`` is the game."""
        return self.reader.ask(question, {"game": self.game, **values}).dicts()

    def table(
        self, rows: list[dict[str, Any]], heads: dict[str, str], name: str = "Numbers", **more: Any
    ) -> ReportTable:
        """Return a table of `rows` with translated headings.

        Args:
            rows: The data.
            heads: The English heading of each member to show.
            name: The English name of the table.
            more: Further members of `ReportTable`.
        """
        columns = {member: self.wording(head) for member, head in heads.items()}
        return table(rows, columns, self.wording(name), **more)

    def player(self, player: str | None) -> str:
        """Return the name of `player`, or a text that says there is none."""
        return self.wording("unnamed") if player is None else self.people.name(player)

    def player_at(self, id: str, seat: str | None, n: int) -> str:
        """Return the player who sat at `seat` in the record `id` at event `n`, with the seat."""
        if seat is None:
            return ""
        rows = self.reader.ask(
            "SELECT player FROM sittings WHERE id = $id AND seat = $seat AND $n >= from_n "
            "AND $n <= coalesce(to_n, $n)",
            {"id": id, "seat": seat, "n": n},
        ).rows
        place = self.wording.word(seat)
        return f"{self.people.name(rows[0][0])}, {place}" if rows and rows[0][0] else place

    def pooling_note(self) -> tuple[str, ...]:
        """Return the sentence on versions of the rules and values of options that are counted together."""
        values_by_name: dict[str, set[str]] = defaultdict(set)
        for rules, options in self.reader.ask(_SETUPS, {"game": self.game}).rows:
            values_by_name[self.wording("rules")].add(rules)
            for name, value in json.loads(options).items():
                option = self.wording("option {=name}", name=name)
                values_by_name[option].add(value if isinstance(value, str) else json.dumps(value))
        several = [
            f"{name} ({first_values(sorted(values))})"
            for name, values in values_by_name.items()
            if len(values) > 1
        ]
        if not several:
            return ()
        rest = len(several) - _MAX_NAMED_OPTIONS
        more = [self.wording("{n} more", n=rest)] if rest > 0 else []
        text = "Games that differ in {=what} are counted together."
        return (self.wording(text, what="; ".join(several[:_MAX_NAMED_OPTIONS] + more)),)

    def finished_games_without(
        self, part: Literal["made_by_play(result_by)", "to_the_end(result_by, gaps)"]
    ) -> int:
        """Return the number of finished games that count but do not meet the condition `part`."""
        ((count,),) = self.reader.ask(
            f"SELECT count(*) FROM counted_games($game) WHERE finished AND NOT {part}", {"game": self.game}
        ).rows
        return int(count)

    def shared_results_note(self) -> tuple[str, ...]:
        """Return the sentence on results that several people made at one seat, if there are any."""
        ((count,),) = self.reader.ask(_SHARED_RESULTS, {"game": self.game}).rows
        if not count:
            return ()
        text = (
            "{n} {n:result was|results were} made by several people at one seat. {n:It "
            "counts|They count} for none of these people, because such a result "
            "shows little about each of them."
        )
        return (self.wording(text, n=count),)

    def record(self, id: str, n: int | None = None) -> TableCell:
        """Return the players and the day of a record, as a link to its page at event `n` if there is one.

        The id is added only if another game on that day has the same players.
        """
        rows = self.reader.ask(_GAME, {"id": id, "anonymous": self.people.anonymous}).rows
        if not rows:
            return self.people.record(id)
        path, member, day, seats, names, players, bots, games = rows[0]
        people = zip(seats, names, players, bots, strict=True)
        text = " – ".join(self.short_name(*one) for one in people)
        text = f"{text}, {day}" if day else text
        return self.file(path, member, n, f"{text} ({self.people.record(id)})" if games > 1 else text)

    def short_name(self, seat: str, name: str, player: str | None, bot: str | None) -> str:
        """Return the name of a player without an id, or of the seat of a player without a name.

        Args:
            seat: The seat.
            name: The name of the person there, or an empty text.
            player: The player in answers, or None.
            bot: The bot that plays, or None.
        """
        if bot is not None or self.people.anonymous:
            return self.people.name(player) if player else self.wording.word(seat)
        return escape_invisible(name) or self.wording.word(seat)

    def file(self, path: str, member: str, n: int | None, text: str) -> TableCell:
        """Return a text, as a link to the page of a record if there is one. An anonymous report has no links.

        Args:
            path: The path of the file in the archive.
            member: The name of the record in its pack, or an empty text.
            n: The number of the event to show, or None for the start.
            text: The text.
        """
        href = "" if self.people.anonymous else self.pages.href(path, member, n)
        return Hyperlink(text, href) if href else text
