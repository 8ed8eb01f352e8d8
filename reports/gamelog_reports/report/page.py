"""The report of an archive: one page with what it holds and what follows from it, game by game.

The page needs nothing but itself: charts are drawn into it, there is no script, and its policy
lets nothing be loaded. Whatever comes from the archive is escaped.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from gamelog import __version__
from gamelog.archive import Archives, Reader, SubprocessReader
from gamelog.archive.asking.reader import INCOMPLETE
from gamelog.archive.schema.connecting import row_errors
from gamelog.bounds import QuestionBounds
from gamelog.errors import ArchiveError, PlayError
from gamelog.message import join_words, many
from gamelog.play.contract import registry
from gamelog.record.escaping import visible
from gamelog_reports import bundle
from gamelog_reports.pages import page_template
from gamelog_reports.report import advantage, fairness_panels, faults, game_course, standings
from gamelog_reports.report.people import People
from gamelog_reports.report.replay_links import Pages
from gamelog_reports.report.section import Section, Test
from gamelog_reports.report.source import Source
from gamelog_reports.report.wording import LEVEL, MIN_DRAWN, probability
from gamelog_reports.site import index_of

SECTIONS = (
    advantage.seats_section,
    advantage.turn_order_section,
    standings.standings_section,
    game_course.endings_section,
    game_course.lengths_section,
    fairness_panels.dice_section,
    fairness_panels.contests_section,
    fairness_panels.luck_section,
    fairness_panels.players_section,
    game_course.leads_section,
    game_course.places_section,
    faults.rules_broken_section,
    faults.findings_section,
    faults.slow_section,
)
"""What is said of each game, in this order."""


_LISTED = 6
"""How many of the things that stand out are told, the least likely first."""


class Chapter(Struct, frozen=True):
    """A game of the archive: its title, what there is of it in words, its sections, what stands out."""

    title: str
    held: tuple[str, ...]
    sections: tuple[Section, ...]
    out: str
    finds: tuple[str, ...]


def report(
    archive: Archives,
    *,
    game: str | None = None,
    anonymous: bool = False,
    people: str | os.PathLike[str] | None = None,
    site: str | os.PathLike[str] | None = None,
    home: str | os.PathLike[str] = ".",
    title: str = "",
    bounds: QuestionBounds | None = None,
) -> str:
    """The page about `archive`, or about several as one, or about one `game` in them, as HTML.

    `anonymous` replaces people by pseudonyms. It leaves out files, dates, messages, what people wrote, and
    games that are not installed and of which no record counts. `people` is a file of aliases
    (`gamelog.archive.rows.people`). `site` is a folder with replay pages to lead to, as seen from the folder
    `home` in which the page will lie. `title` is what the page is called. With `bounds` each question has
    these, in a process of its own (`gamelog.archive.SubprocessReader`).

    Raises `ArchiveError` for an archive that cannot be read or has no such game, and `MissingExtra`
    where the charts cannot be drawn.
    """
    asked = (
        Reader(archive, people=people) if bounds is None else SubprocessReader(archive, bounds, people=people)
    )
    with asked as reader:
        pages = Pages(Path(site) if site is not None else None, Path(home))
        names = People(reader, anonymous)
        held = reader.ask("overview").dicts()
        if anonymous:  # what no rules have judged may be called anything
            held = [row for row in held if row["counted"] or row["game"] in registry.names()]
        if game is not None:
            known = [str(row["game"]) for row in held]
            held = [row for row in held if row["game"] == game]
            if not held:
                raise ArchiveError(
                    f'The archive has no records of "{game}"; it has: {", ".join(known) or "no games"}.'
                )
        with row_errors(asked.paths):
            chapters = [_chapter(Source(reader, row["game"], names, pages), row) for row in held]
            unreadable = faults.unreadable(Source(reader, game, names, pages))
        notes = [
            note for note in reader.notes("SELECT 1") if not anonymous or note == INCOMPLETE
        ]  # others name people
    heading = visible(title) or (
        "Report" if anonymous else f"Report on {join_words([visible(path.name) for path in asked.paths])}"
    )
    with row_errors(asked.paths):
        return _page(
            chapters,
            unreadable,
            held,
            heading,
            notes,
            index_of(Path(site), Path(home)) if site is not None else "",
        )


def _chapter(source: Source, row: dict[str, Any]) -> Chapter:
    try:
        title = registry.find(source.game or "").title
    except PlayError:
        title = f"{source.game} (not installed)"
    sections = _told_once([make(source) for make in SECTIONS]) if row["records"] else []
    if row["counted"] < MIN_DRAWN:
        sections = [structs.replace(section, figures=()) for section in sections]
    return Chapter(
        title,
        (*_held(row, source.people.anonymous), *source.pooled()),
        tuple(sections),
        *_out([test for one in sections for test in one.tests]),
    )


def _told_once(sections: list[Section]) -> list[Section]:
    """`sections` without the comparison by turn order where it says what that of the seats does."""
    seats, order, *others = sections
    same = [sorted(round(test.p, 9) for test in section.tests) for section in (seats, order)]
    if same[0] and same[0] == same[1]:
        order = Section(order.title, ("The numbers are those of the comparison of seats.",))
    return [seats, order, *others]


def _out(tests: list[Test]) -> tuple[str, tuple[str, ...]]:
    """What stands out of all comparisons of a game, in a sentence, and one by one, the least likely first."""
    finds = sorted((test for test in tests if test.p * len(tests) < LEVEL), key=lambda test: test.p)
    if not tests:
        return "", ()
    made = (
        f"{many(len(tests), 'comparison')} with chance {'was' if len(tests) == 1 else 'were'} made for "
        "this game"
    )
    if not finds:
        return f"{made}; nothing stands out that chance alone does not make.", ()
    counted = f" even when its probability is multiplied by {len(tests)}" if len(tests) > 1 else ""
    told = [f"{test.found} ({probability(test.p)})" for test in finds[:_LISTED]]
    more = [f"and {many(len(finds) - _LISTED, 'more', 'more')}, below"] if finds[_LISTED:] else []
    return f"{made}; this is hardly chance{counted}:", (*told, *more)


def _held(row: dict[str, Any], anonymous: bool) -> tuple[str, ...]:
    seats = (
        f"{row['fewest']} to {row['most']} players"
        if row["fewest"] < row["most"]
        else many(row["most"], "player")
    )
    when = (
        ""
        if anonymous or row["first"] is None
        else f", begun from {row['first']:%Y-%m-%d} to {row['last']:%Y-%m-%d}"
    )
    out = (
        (row["disputed"], "disputed", "disputed"),
        (row["broken"], "broken", "broken"),
        (
            row["copies"],
            "copy of one that does (gamelog query copies)",
            "copies of others (gamelog query copies)",
        ),
        (row["forks"], "with two files that differ (gamelog query findings)", ""),
        (row["branches"], "branch of a record that is here", "branches of records that are here"),
    )
    why = join_words([many(count, one, several or one) for count, one, several in out if count > 0])
    told = f"{many(row['records'], 'record')} with {many(row['events'], 'event')}, {seats}{when}."
    counts = (
        f"{row['counted']:,} {'counts' if row['counted'] == 1 else 'count'}, {row['finished']:,} of "
        "them finished"
    )
    if row["unplayed"]:
        counts += f" ({row['unplayed']:,} of these by a walkover or a ruling, not by play)"
    return (
        told,
        f"{counts}{f'; these do not: {why}' if why else ''}. All below is about those that count, unless "
        "it says otherwise.",
    )


def _page(
    chapters: list[Chapter],
    unreadable: Section | None,
    held: list[dict[str, Any]],
    heading: str,
    notes: Sequence[str],
    index: str,
) -> str:
    style = bundle.style("base", "report")
    return page_template("report").render(
        policy=f"default-src 'none'; style-src '{bundle.csp_digest(style)}'; img-src data:; base-uri "
        "'none'; form-action 'none'",
        style=style,
        heading=heading,
        notes=notes,
        index=index,
        chapters=chapters,
        unreadable=unreadable,
        records=sum(row["records"] for row in held),
        version=__version__,
    )
