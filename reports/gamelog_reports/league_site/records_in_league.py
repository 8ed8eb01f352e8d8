"""Everything that a league says about a record: its people, and the decision of the organiser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, groupby
from operator import itemgetter
from typing import Any

from msgspec import Struct, structs

from gamelog.record.escaping import escape_invisible, isolate
from gamelog.record.names import name_key
from gamelog_reports.league_site.source import LeagueSource, Result
from gamelog_reports.replay_page.page import PageLinks
from gamelog_reports.site import Entry

_SEATED = """
SELECT files.path || if(files.member = '', '', ':' || files.member) AS path, sittings.id, sittings.seat,
  sittings.person, sittings.name
FROM files JOIN sittings USING (id) JOIN seats ON seats.id = sittings.id AND seats.seat = sittings.seat
WHERE to_n IS NULL ORDER BY path, seats.position
"""
"""The people who sat last at the seats of the records, in the order of the seats."""

_DECISIONS = """
SELECT record, kind, reason FROM league_corrections
WHERE record IS NOT NULL AND ($as_of::DATE IS NULL OR day IS NULL OR day <= $as_of::DATE)
"""


class RecordInLeague(Struct, frozen=True):
    """A record in a league.

    Attributes:
        links: The pages of the people who sat last at the seats, and the notes on the replay page.
        names: The names in the league of people whose names in the record are different.
        winners: Whether each seat won by the organiser's decision; None without such a decision.
        decision: The decision of the organiser in a few words, or an empty text.
        remark: The decision with its reason, for the list of games, or an empty text.
    """

    links: PageLinks = PageLinks()
    names: dict[str, str] = {}
    winners: tuple[bool, ...] | None = None
    decision: str = ""
    remark: str = ""

    def complete(self, entry: Entry) -> Entry:
        """Return the entry of the record in the list of games, with the league's names and result."""
        people = tuple(self.names.get(name, name) for name in entry.people)
        result, victors = entry.result, entry.victors
        if result:
            result = tuple(self.names.get(name, name) for name in result[0]), result[1]
        if self.winners is not None and len(self.winners) == len(people):
            result = tuple(compress(people, self.winners)), self.decision
            victors = result[0] if entry.players else ()
        tags = (*entry.tags, self.remark) if self.remark else entry.tags
        return structs.replace(entry, people=people, result=result, victors=victors, tags=tags)


def records_in_league(source: LeagueSource) -> dict[str, RecordInLeague]:
    """Return the records of the archive by their paths (in a pack, with a colon and the name in the pack)."""
    decisions = {row["record"]: row for row in source.ask(_DECISIONS, as_of=source.as_of)}
    found = {}
    for (path, id), rows in groupby(source.ask(_SEATED), key=itemgetter("path", "id")):
        seats = [*rows]
        pages = {row["seat"]: page for row in seats if (page := source.page_of(row["person"], up="../"))}
        names = {} if source.anonymous else _other_names(source, seats)
        say = source.say
        sentences = [
            say("The league lists {=name} as {=other}.", name=name, other=other)
            for name, other in names.items()
        ]
        if not (decision := decisions.get(id)):
            found[path] = RecordInLeague(PageLinks(people=pages, notes=(*sentences,)), names)
            continue
        kind = decision["kind"]
        reason = "" if source.anonymous else escape_invisible(decision["reason"])
        short = say("annulled by the organiser") if kind == "annulled" else source.origin(kind)
        first = [result for result in source.games.get(id, []) if result.place == 1]
        winners = {result.seat for result in first if result.won}
        notes = (_sentence(source, kind, first), *filter(None, [reason]), *sentences)
        found[path] = RecordInLeague(
            PageLinks(people=pages, remark=short, notes=notes),
            names,
            None if kind == "annulled" else tuple(row["seat"] in winners for row in seats),
            short,
            f"{short}: {reason}" if reason else short,
        )
    return found


def _other_names(source: LeagueSource, seats: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the names in the league of people whose names in the record are different."""
    names = ((row["name"] or "", source.names.get(row["person"], "")) for row in seats if not _is_bot(row))
    return {
        escape_invisible(name): other
        for name, other in names
        if name and other and name_key(name) != name_key(other)
    }


def _is_bot(row: Mapping[str, Any]) -> bool:
    return str(row["person"]).startswith("bot:")


def _sentence(source: LeagueSource, kind: str, first: Sequence[Result]) -> str:
    """Return the sentence on a decision of the organiser.

    Args:
        source: The league.
        kind: The kind of the decision.
        first: The results with the first place.
    """
    say, people = source.say, ", ".join(map(isolate, map(source.name_of_result, first)))
    if kind == "annulled":
        return say("The organiser of the league annulled this game.")
    if kind == "forfeit":
        return say("In the league, {=people} won this game by forfeit.", people=people)
    if not any(result.won for result in first):
        return say("The organiser of the league decided the result of this game: a draw.")
    return say(
        "The organiser of the league decided the result of this game: the winner is {=people}.", people=people
    )
