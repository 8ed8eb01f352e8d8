"""The pages about a league, as files of a site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from gamelog.archive import Pseudonyms, Reader
from gamelog.record.atomic_files import write_atomically
from gamelog.record.escaping import escape_invisible
from gamelog_reports import bundle
from gamelog_reports.league_site import tables
from gamelog_reports.league_site.person_page import PersonPages
from gamelog_reports.league_site.records_in_league import RecordInLeague, records_in_league
from gamelog_reports.league_site.source import PEOPLE_FOLDER, LeagueSource, Result
from gamelog_reports.publishing import MadePage, keep_page
from gamelog_reports.report.section import ReportTable, Section, TableCell, table
from gamelog_reports.report.wording import Wording
from gamelog_reports.templates import page_template, texts

_LATEST = 10
"""Number of the latest games on the first page."""

_LEAGUE = "SELECT name, tie_breaks FROM league"

_PATHS = "SELECT id, path || if(member = '', '', ':' || member) FROM games"

_UNCOUNTED = """
SELECT games.id, games.copy_of, games.started::DATE AS day, games.valid, games.finished, games.status,
  league_corrections.kind = 'annulled' AS annulled, league_corrections.reason,
  list(seats.person ORDER BY position) AS people
FROM games JOIN seats USING (id) LEFT JOIN league_corrections ON record = games.id
WHERE games.id NOT IN (SELECT id FROM settled.league_results($as_of::DATE))
  AND ($as_of::DATE IS NULL OR games.started::DATE <= $as_of::DATE)
GROUP BY ALL ORDER BY day, games.id
"""


class _Page(Struct, frozen=True):
    """A page of the site.

    Attributes:
        file: The file, as seen from the site.
        heading: The heading.
        sentences: The sentences below the heading.
        sections: The sections.
    """

    file: str
    heading: str
    sentences: tuple[str, ...]
    sections: tuple[Section, ...]


class LeaguePages(Struct, frozen=True):
    """The pages about a league, read from its archive and not written yet.

    Attributes:
        files: The name of the page of each person.
        records: The records by their paths in the archive.
        pages: The pages.
    """

    files: Mapping[str, str]
    records: Mapping[str, RecordInLeague]
    pages: tuple[_Page, ...]


def read_league_pages(
    reader: Reader,
    hrefs: Mapping[str, str],
    *,
    language: str = "en",
    as_of: str | None = None,
    pseudonyms: Pseudonyms | None = None,
    files: Mapping[str, str] | None = None,
) -> LeaguePages:
    """Return the pages about the league of an archive, except the list of games.

    Args:
        reader: The archive.
        hrefs: The replay page of each record by its path in the archive (in a pack, with a colon and its name
            in the pack), as seen from the site.
        language: The language of the pages.
        as_of: The last day whose games count, or None.
        pseudonyms: The pseudonyms of people, or None for their names.
        files: The names of the pages of people, or None for new names.

    Raises:
        ArchiveError: The archive cannot be read.
    """
    pages_by_id = {id: hrefs[path] for id, path in reader.ask(_PATHS).rows if path in hrefs}
    source = LeagueSource(
        reader, pages_by_id, language=language, as_of=as_of, pseudonyms=pseudonyms, files=files
    )
    ((name, tie_breaks),) = reader.ask(_LEAGUE).rows
    pages = (*_pages(source, escape_invisible(name), tie_breaks),)
    return LeaguePages(source.files, records_in_league(source), pages)


def write_league_pages(
    league: LeaguePages,
    site: Path,
    earlier: Mapping[str, MadePage],
    *,
    language: str,
    anonymous: bool = False,
) -> int:
    """Write the pages about a league, and return their number.

    A page whose content is the same as in the journal of the site is neither made nor written. Pages of
    people who are gone are deleted.

    Args:
        league: The pages.
        site: The folder of the site.
        earlier: The pages in the journal of the site (`gamelog_reports.publishing.made_pages`).
        language: The language of the pages.
        anonymous: Whether people have pseudonyms. All pages are then written.

    Raises:
        WriteFailed: A page cannot be written.
    """
    style = bundle.style("base", "report", "site_links", "league")
    for page in league.pages:
        make = partial(_html, page, language, style)
        if anonymous:  # the journal would have names
            write_atomically(site / page.file, make().encode())
        else:
            content = msgspec.json.encode((language, style, page), enc_hook=str).decode()
            keep_page(site, page.file, content, make, earlier.get(page.file))
    written = {page.file for page in league.pages}
    for file in (site / PEOPLE_FOLDER).glob("*.html"):
        if f"{PEOPLE_FOLDER}/{file.name}" not in written:
            file.unlink()
    return len(league.pages)


def _pages(source: LeagueSource, name: str, tie_breaks: Sequence[str]) -> Iterator[_Page]:
    say = source.say
    as_of = (say("After the games of {=day}.", day=source.as_of),) if source.as_of else ()
    unplayed = (*_unplayed(source, name),)
    yield _home(source, name, tie_breaks, as_of, unplayed)
    standings = tables.standings_table(source, tie_breaks, all_columns=True)
    cross, form = tables.crosstable(source), tables.form_table(source)
    basis = say("Wins, draws and losses. The columns are the people in the order of the rows.")
    sections = (
        Section("standings", name, standings.name, tables=(standings,), is_wide=True),
        Section("crosstable", name, cross.name, basis, tables=(cross,), is_wide=True),
        Section("form", name, form.name, say("The last game is on the right."), tables=(form,)),
        *unplayed,
    )
    yield _Page("standings.html", standings.name, as_of, sections)
    yield _Page("rounds.html", say("Rounds"), as_of, (*_rounds(source), *_uncounted(source)))
    listing = _people(source)
    yield _Page(
        "people.html",
        say("People"),
        as_of,
        (Section("people", name, listing.name, tables=(listing,), is_wide=True),),
    )
    pages = PersonPages(source)
    for person in source.members:
        page = pages.page(person)
        yield _Page(source.file(person), page.heading, (page.sentence, *as_of), page.sections)


def _home(
    source: LeagueSource,
    name: str,
    tie_breaks: Sequence[str],
    as_of: tuple[str, ...],
    unplayed: tuple[Section, ...],
) -> _Page:
    """Return the first page.

    Args:
        source: The league.
        name: The name of the league.
        tie_breaks: The tie-breaks in their order.
        as_of: The sentence on the last day, if there is one.
        unplayed: The section on the games to be played, if there are any.
    """
    say, games = source.say, [*source.games.values()]
    standings = tables.standings_table(source, tie_breaks, all_columns=False)
    latest = tables.games_table(source, games[::-1][:_LATEST], say("Latest games"))
    text = "{games} {games:game counts|games count}, by {people} {people:person|people}."
    counted = say(text, games=len(games), people=len(source.members))
    sections = (
        Section("standings", name, standings.name, tables=(standings,), is_wide=True),
        Section("latest", name, latest.name, tables=(latest,), is_wide=True),
        *unplayed,
    )
    return _Page("index.html", name, (counted, *as_of), sections)


def _unplayed(source: LeagueSource, name: str) -> Iterator[Section]:
    grid = tables.unplayed_table(source)
    if grid.rows:
        yield Section("unplayed", name, grid.name, tables=(grid,))


def _rounds(source: LeagueSource) -> Iterator[Section]:
    say = source.say
    rounds: dict[str | None, list[list[Result]]] = {}
    for game in source.games.values():
        rounds.setdefault(game[0].round, []).append(game)
    for number, (round, games) in enumerate(rounds.items(), 1):
        title = say("Round {=round}", round=round) if round is not None else say("All games")
        grid = tables.games_table(source, games, title, of_round=round is not None)
        topic = say("{n} {n:game|games}", n=len(games))
        yield Section(f"round{number}", topic, title, tables=(grid,), is_wide=True)


def _uncounted(source: LeagueSource) -> Iterator[Section]:
    """Yield the section with the records that do not count, copies included, and the reasons."""
    say = source.say
    statuses = {
        "disputed": say("disputed"),
        "illegal": say("an event breaks the rules"),
        "torn": say("incomplete"),
        "damaged": say("damaged"),
        "unknown": say("the game is not installed"),
    }
    rows: list[dict[str, TableCell]] = []
    for row in source.ask(_UNCOUNTED, as_of=source.as_of):
        if row["copy_of"] is not None:
            reason = say("another record of the same game counts")
        elif row["annulled"]:
            reason = say("annulled by the organiser")
            if row["reason"] and not source.anonymous:
                reason = f"{reason}: {row['reason']}"
        elif not row["valid"]:
            reason = statuses.get(row["status"], row["status"])
        else:
            reason = say("other game or round") if row["finished"] else say("no result")
        people = " – ".join(source.names.get(person, say("unnamed")) for person in row["people"])
        other: TableCell = source.page(row["copy_of"], say("that record")) if row["copy_of"] else ""
        rows.append(
            {
                "day": source.day(row["day"]),
                "people": source.page(row["id"], people),
                "reason": reason,
                "other": other,
            }
        )
    if rows:
        heads = {"day": say("day"), "people": say("people"), "reason": say("reason"), "other": ""}
        if source.anonymous:
            del heads["day"]
        title = say("Records that do not count")
        topic = say("{n} {n:record|records}", n=len(rows))
        yield Section("uncounted", topic, title, tables=(table(rows, heads, title),), is_wide=True)


def _people(source: LeagueSource) -> ReportTable:
    say = source.say
    names = {} if source.anonymous else {
        row["player"]: row["names"]
        for row in source.ask(
            "SELECT player, list(DISTINCT name ORDER BY name) FILTER (name <> '') AS names FROM sittings "
            "WHERE player IS NOT NULL GROUP BY player"
        )
    }  # fmt: skip
    last = {result.person: result.day for result in source.results}
    rows = []
    for row in source.standings:
        person = source.person_of(row["player"])
        shown = source.names.get(person or "", row["player"])
        others = [escape_invisible(name) for name in names.get(row["player"]) or () if name != shown]
        rows.append(
            {
                "player": source.link(person),
                "games": say.number(row["games"]),
                "points": source.points(row["points"]),
                "last": source.day(last.get(person)),
                "names": say.join(others),
            }
        )
    rows.sort(key=lambda row: str(getattr(row["player"], "text", row["player"])).casefold())
    heads = {"player": say("player"), "games": say("games"), "points": say("points")}
    if not source.anonymous:
        heads |= {"last": say("last game"), "names": say("also written as")}
    return table(rows, heads, say("People"))


def _html(page: _Page, language: str, style: str) -> str:
    say = Wording(language)
    return page_template("league").render(
        policy=f"default-src 'none'; style-src '{bundle.csp_digest(style)}'; img-src data:; base-uri 'none'; "
        "form-action 'none'",
        language=language,
        t=texts(language),
        number=say.number,
        style=style,
        heading=page.heading,
        here=page.file,
        up="../" if "/" in page.file else "",
        sentences=page.sentences,
        sections=page.sections,
    )
