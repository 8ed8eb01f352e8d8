"""The page of a person in a league."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct

from gamelog_reports.league_site.rating_chart import RatingPoint, rating_figure
from gamelog_reports.league_site.source import LeagueSource, Result
from gamelog_reports.league_site.tables import games_table
from gamelog_reports.report.section import Section, TableCell, table

_UP = "../"
"""The way from the page of a person to the site."""

_MAX_OPENINGS = 5
"""Maximum number of openings for each game."""

_OPENINGS = """
SELECT games.person, games.game, events.kind, events.data::VARCHAR AS data, count(*) AS games,
  count(*) FILTER (seats.won) AS won
FROM (
    SELECT DISTINCT id, game, person, seat FROM settled.league_results($as_of::DATE) WHERE seat IS NOT NULL
  ) AS games
  JOIN events USING (id, seat) JOIN seats USING (id, seat)
WHERE events.decision = 1 AND seats.sitters = 1
GROUP BY ALL ORDER BY games.person, games.game, count(*) DESC, kind, data
"""

_TIMES = """
WITH mine AS (
  SELECT sittings.* FROM sittings
    JOIN (SELECT DISTINCT id FROM settled.league_results($as_of::DATE)) USING (id)
  WHERE bot IS NULL
), longest AS (
  SELECT mine.person, events.id, events.n, events.elapsed_ms
  FROM mine JOIN events ON events.id = mine.id AND events.seat = mine.seat AND events.n >= mine.from_n
    AND events.n <= coalesce(mine.to_n, events.n)
  WHERE events.decision IS NOT NULL
  QUALIFY row_number()
    OVER (PARTITION BY mine.person ORDER BY events.elapsed_ms DESC, events.id, events.n) = 1
)
SELECT mine.person, sum(thinking) / nullif(sum(decisions), 0) / 1000 AS seconds,
  sum(thinking) / 60000 AS minutes,
  count(DISTINCT mine.id) AS games, any_value(longest.id) AS id, any_value(longest.n) AS n,
  any_value(longest.elapsed_ms) / 1000 AS longest
FROM mine LEFT JOIN longest USING (person) GROUP BY mine.person
"""


class PersonPage(Struct, frozen=True):
    """The page of a person: a heading, a sentence, and sections."""

    heading: str
    sentence: str
    sections: tuple[Section, ...]


class PersonPages:
    """The pages of the people of a league. The questions about all people are asked once."""

    def __init__(self, source: LeagueSource) -> None:
        self._source, self._say = source, source.say
        self._results: dict[str, list[Result]] = defaultdict(list)
        for result in source.results:
            if result.person:
                self._results[result.person].append(result)
        self._ranks = {source.person_of(row["player"]): row for row in source.standings}

    def page(self, person: str) -> PersonPage:
        """Return the page of a person."""
        say, row = self._say, self._ranks[person]
        text = (
            "Rank {rank} with {=points} points from {games} {games:game|games}: {=wins} won, {=draws} drawn, "
            "{=losses} lost."
        )
        counts = {name: self._source.points(row[name]) for name in ("points", "wins", "draws", "losses")}
        sentence = say(text, rank=row["rank"], games=row["games"], **counts)
        results = self._results.get(person, [])
        sections = (
            *self._best_and_worst(results),
            *self._rating(person),
            *self._by_opponent(person, results),
            *self._by_seat(results),
            *self._luck(person),
            *self._openings(person),
            *self._thinking(person),
            *self._games(person, results),
        )
        return PersonPage(self._source.names[person], sentence, sections)

    def _games(self, person: str, results: Sequence[Result]) -> Iterator[Section]:
        if results:
            games = [
                self._source.games[id] for id in dict.fromkeys(result.id for result in reversed(results))
            ]
            say = self._say
            title = say("{n} {n:game|games} in the league", n=len(games))
            grid = games_table(self._source, games, say("Games"), person=person, up=_UP)
            yield Section("games", say("Games"), title, tables=(grid,), is_wide=True)

    def _best_and_worst(self, results: Sequence[Result]) -> Iterator[Section]:
        """Yield the section on the best and the worst game by points, then by the distance of the scores."""
        recorded = [result for result in results if result.id in self._source.hrefs]
        if len(recorded) < 2:
            return
        say = self._say

        def worth(result: Result) -> tuple[float, float]:
            return result.points, result.difference or 0.0

        best, worst = max(recorded, key=worth), min(recorded, key=worth)
        rows = [
            {
                "which": text,
                "day": self._source.day(result.day),
                "game": self._game(result),
                "score": self._difference(result),
            }
            for text, result in ((say("best"), best), (say("worst"), worst))
        ]
        heads = {
            "which": "",
            "day": say("day"),
            "game": say("game"),
            "score": say("score difference"),
        }
        if self._source.anonymous:
            del heads["day"]
        title = say("Best and worst game")
        yield Section(
            "best",
            say("Games"),
            title,
            say("By points, then by the difference to the mean score of the others."),
            tables=(table(rows, heads, title),),
        )

    def _game(self, result: Result) -> TableCell:
        return self._source.page(result.id, self._source.people_of(self._source.games[result.id]), _UP)

    def _difference(self, result: Result) -> str:
        value = result.difference
        return "" if value is None else self._say.number(value, int(value % 1 > 0), sign="+")

    def _by_opponent(self, person: str, results: Sequence[Result]) -> Iterator[Section]:
        met: dict[str, list[tuple[Result, Result]]] = defaultdict(list)
        for result in results:
            for other in self._source.games[result.id]:
                if other.person not in (None, person):
                    met[str(other.person)].append((result, other))
        rows = [
            {
                "player": self._source.link(other, _UP),
                "games": self._say.number(len(games)),
                "ahead": self._say.number(sum(own.place < theirs.place for own, theirs in games)),
                "level": self._say.number(sum(own.place == theirs.place for own, theirs in games)),
                "behind": self._say.number(sum(own.place > theirs.place for own, theirs in games)),
            }
            for other, games in sorted(
                met.items(), key=lambda item: (-len(item[1]), self._source.names[item[0]])
            )
        ]
        if rows:
            say = self._say
            heads = {
                "player": say("opponent"),
                "games": say("games"),
                "ahead": say("ahead"),
                "level": say("level"),
                "behind": say("behind"),
            }
            title = say("Results by opponent")
            yield Section("opponents", say("Opponents"), title, tables=(table(rows, heads, title),))

    def _by_seat(self, results: Sequence[Result]) -> Iterator[Section]:
        seats: dict[tuple[str, str, int], list[Result]] = defaultdict(list)
        for result in results:
            if result.game and result.seat:
                seats[result.game, result.seat, len(self._source.games[result.id])].append(result)
        say = self._say
        rows = [
            {
                "game": self._source.game_title(game),
                "players": say.number(players),
                "seat": self._source.words(game).word(seat),
                "games": say.number(len(found)),
                "won": say.number(sum(result.won for result in found)),
                "points": self._source.points(sum(result.points for result in found)),
            }
            for (game, seat, players), found in sorted(seats.items())
        ]
        if rows:
            heads = {
                "game": say("game"),
                "players": say("players"),
                "seat": say("seat"),
                "games": say("games"),
                "won": say("won"),
                "points": say("points"),
            }
            title = say("Results by seat")
            yield Section("seats", say("Seats"), title, tables=(table(rows, heads, title),))

    @cached_property
    def _ratings(self) -> dict[str, dict[str, list[RatingPoint]]]:
        """The ratings of each person after the days on which they played, by game."""
        found: dict[str, dict[str, list[RatingPoint]]] = defaultdict(lambda: defaultdict(list))
        for row in self._source.ask("rating_history", **self._source.until):
            if person := self._source.person_of(row["player"]):
                label = self._source.day(row["day"])
                found[person][row["game"]].append((label, row["rating"], row["margin"]))
        return found

    def _rating(self, person: str) -> Iterator[Section]:
        say = self._say
        for game, points in self._ratings.get(person, {}).items():
            _, rating, margin = points[-1]
            title = say(
                "Rating in {=game}: {=rating} ± {=margin}",
                game=self._source.game_title(game), rating=say.number(rating), margin=say.number(margin),
            )  # fmt: skip
            basis = say(
                "The rating rests on all games up to the day. The true strength on that day is within the "
                "margin in at least 95 of 100 cases, also if strengths change. 400 points more are odds of "
                "ten to one, and the mean is 1500."
            )
            caption = say("Rating after the games of each day (the line), with its margin (the band)")
            figures = (rating_figure(points, say.number, caption),) if len(points) > 1 else ()
            rows = [
                {"day": day, "rating": say.number(value), "margin": f"± {say.number(margin)}"}
                for day, value, margin in points
            ]
            heads = {"day": say("day"), "rating": say("rating"), "margin": say("margin")}
            if self._source.anonymous:
                del heads["day"]
            grid = table(rows, heads, say("All ratings"), folded=True)
            yield Section(f"rating-{game}", say("Rating"), title, basis, figures=figures, tables=(grid,))

    @cached_property
    def _luck_rows(self) -> list[dict[str, Any]]:
        return self._source.ask("luck", **self._source.until)

    def _luck(self, person: str) -> Iterator[Section]:
        say = self._say
        rows = [
            {
                "game": self._source.game_title(row["game"]),
                "contests": say.number(row["contests"]),
                "won": say.number(row["won"]),
                "expected": say.number(row["expected"], 1),
                "luck": say.number(row["luck"], 1, sign="+"),
                "z": "" if row["z"] is None else say.number(row["z"], 1, sign="+"),
            }
            for row in self._luck_rows
            if row["who"] is not None and self._source.person_of(row["who"]) == person
        ]
        if rows:
            heads = {
                "game": say("game"),
                "contests": say("contests"),
                "won": say("won"),
                "expected": say("expected by the odds"),
                "luck": say("luck"),
                "z": say("standard deviations"),
            }
            basis = say("Luck does not show skill, and past luck does not predict the next roll.")
            title = say("Luck in contests")
            yield Section("luck", say("Luck"), title, basis, tables=(table(rows, heads, title),))

    @cached_property
    def _opening_rows(self) -> Mapping[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in self._source.ask(_OPENINGS, as_of=self._source.as_of):
            found[row["person"]].append(row)
        return found

    def _openings(self, person: str) -> Iterator[Section]:
        say, rows = self._say, list[dict[str, TableCell]]()
        counts: dict[str, int] = defaultdict(int)
        for row in self._opening_rows.get(person, ()):
            counts[row["game"]] += 1
            if counts[row["game"]] <= _MAX_OPENINGS:
                rows.append(
                    {
                        "game": self._source.game_title(row["game"]),
                        "opening": self._event(row),
                        "games": say.number(row["games"]),
                        "won": say.number(row["won"]),
                    }
                )
        if rows:
            heads = {
                "game": say("game"),
                "opening": say("first decision"),
                "games": say("games"),
                "won": say("won"),
            }
            title = say("Usual openings")
            yield Section("openings", say("Openings"), title, tables=(table(rows, heads, title),))

    def _event(self, row: Mapping[str, Any]) -> str:
        """Return a decision as words: its kind and the values of its members."""
        members = msgspec.json.decode(row["data"])
        values = [
            value if isinstance(value, str) else msgspec.json.encode(value).decode()
            for value in members.values()
        ]
        return " ".join((self._source.words(row["game"]).word(row["kind"]), *values))

    @cached_property
    def _time_rows(self) -> Mapping[str, dict[str, Any]]:
        return {row["person"]: row for row in self._source.ask(_TIMES, as_of=self._source.as_of)}

    def _thinking(self, person: str) -> Iterator[Section]:
        row = self._time_rows.get(person)
        if row is None or row["seconds"] is None:
            return
        say = self._say
        title = say("Thinking time: {=seconds} s for each decision", seconds=say.number(row["seconds"], 1))
        rows: list[dict[str, TableCell]] = [
            {"what": say("all decisions, in minutes"), "value": say.number(row["minutes"], 1)},
            {"what": say("games"), "value": say.number(row["games"])},
        ]
        if row["longest"] is not None:
            game = self._source.page(row["id"], say.number(row["longest"], 1), _UP)
            rows.append({"what": say("longest decision, in seconds"), "value": game})
        grid = table(rows, {"what": "", "value": ""}, say("Thinking time"))
        yield Section("time", say("Thinking time"), title, tables=(grid,))
