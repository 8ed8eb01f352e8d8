"""The report of an archive: one page with its games and the results about each game.

The page needs no other file: charts are drawn into it, there is no script, and its policy lets nothing be
loaded. All text from the archive is escaped.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from gamelog import __version__
from gamelog.archive import Archives, Reader, SubprocessReader
from gamelog.archive.asking.reader import INCOMPLETE
from gamelog.archive.asking.row_errors import row_errors
from gamelog.errors import ArchiveError, PlayError
from gamelog.play.contract import registry
from gamelog.question_limits import QuestionBounds
from gamelog.record.escaping import escape_invisible
from gamelog_reports import bundle
from gamelog_reports.report import advantage, fairness_panels, faults, game_course
from gamelog_reports.report.section import Section, Test
from gamelog_reports.report.source import Pages, People, Source
from gamelog_reports.report.wording import LEVEL, MIN_DRAWN, Wording
from gamelog_reports.site import index_address
from gamelog_reports.templates import page_template, texts

_SECTIONS = (
    advantage.seats_section,
    advantage.turn_order_section,
    advantage.standings_section,
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
"""The sections of each game, in this order."""

_LISTED = 6
"""Maximum number of listed results that differ from chance, with the least likely first."""


class Chapter(Struct, frozen=True):
    """A game of the archive: title, records in words, sections, and results that differ from chance."""

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
    language: str = "en",
    people: str | os.PathLike[str] | None = None,
    site: str | os.PathLike[str] | None = None,
    home: str | os.PathLike[str] = ".",
    title: str = "",
    bounds: QuestionBounds | None = None,
) -> str:
    """Return the page about an archive, about several as one, or about one game in them, as HTML.

    In a language other than English, findings are quoted in English, because an archive has their messages
    only in English.

    Args:
        archive: The path of the archive, or several paths.
        game: The id of a game, or None for all games.
        anonymous: Whether people are replaced by pseudonyms. This leaves out files, dates, messages, people's
            texts, and games that are not installed and have no record that counts.
        language: The language of the page.
        people: A file of aliases (`gamelog.archive.rows.people`), or None for the file beside the archive, if
            there is one.
        site: A folder of replay pages to link to, or None.
        home: The folder of the report. Links to `site` are relative to it.
        title: The title of the page; empty for a title from the games.
        bounds: Limits on each question, which then runs in another process
            (`gamelog.archive.SubprocessReader`); None for no limits.

    Raises:
        ArchiveError: The archive cannot be read or does not have the game.
        MissingExtra: The charts cannot be drawn.
        ValueError: Pages do not have the language.
    """
    words = texts(language)
    opened = (
        Reader(archive, people=people) if bounds is None else SubprocessReader(archive, bounds, people=people)
    )
    say = Wording(language)
    with opened as reader:
        pages = Pages(Path(site) if site is not None else None, Path(home))
        names = People(reader, anonymous)
        overview = reader.ask("overview").dicts()
        if anonymous:  # a game that no rules have judged may have any name
            overview = [row for row in overview if row["counted"] or row["game"] in registry.names()]
        if game is not None:
            known = [str(row["game"]) for row in overview]
            overview = [row for row in overview if row["game"] == game]
            if not overview:
                raise ArchiveError(
                    f'The archive has no records of "{game}"; it has: {", ".join(known) or "no games"}.'
                )
        with row_errors(opened.paths):
            chapters = [_chapter(Source(reader, row["game"], names, pages, say), row) for row in overview]
            unreadable = faults.unreadable(Source(reader, game, names, pages, say))
        notes = [
            say(note) for note in reader.notes("SELECT 1") if not anonymous or note == INCOMPLETE
        ]  # the other notes name people
    heading = escape_invisible(title) or (
        say("Report")
        if anonymous
        else say(
            "Report on {=archives}", archives=say.join([escape_invisible(path.name) for path in opened.paths])
        )
    )
    records = sum(row["records"] for row in overview)
    counted = say(
        "{records} {records:record|records} of {games} {games:game|games}.",
        records=records,
        games=len(chapters),
    )
    style = bundle.style("base", "report")
    index = index_address(Path(site), Path(home)) if site is not None else ""
    with row_errors(opened.paths):
        return page_template("report").render(
            policy=f"default-src 'none'; style-src '{bundle.csp_digest(style)}'; img-src data:; base-uri "
            "'none'; form-action 'none'",
            language=language,
            t=words,
            number=say.number,
            style=style,
            heading=heading,
            counted=counted,
            notes=notes,
            index=index,
            chapters=chapters,
            unreadable=unreadable,
            version=__version__,
        )


def _chapter(source: Source, row: dict[str, Any]) -> Chapter:
    """Return the chapter about the game of `source`. `row` is its overview."""
    try:
        installed = registry.find(source.game or "")
        say = Wording(source.say.language, installed)
        title = installed.title
    except PlayError:
        say = source.say
        title = say("{=game} (not installed)", game=source.game)
    source = structs.replace(source, say=say)
    sections = _without_repetition(source, [make(source) for make in _SECTIONS]) if row["records"] else []
    if row["counted"] < MIN_DRAWN:
        sections = [structs.replace(section, figures=()) for section in sections]
    return Chapter(
        title,
        (*_record_sentences(say, row, source.people.anonymous), *source.pooling_note()),
        tuple(sections),
        *_results(say, [test for section in sections for test in section.tests]),
    )


def _without_repetition(source: Source, sections: list[Section]) -> list[Section]:
    """Return `sections` without the comparison by turn order if it repeats the comparison by seat."""
    seats, order, *others = sections
    same = [sorted(round(test.p, 9) for test in section.tests) for section in (seats, order)]
    if same[0] and same[0] == same[1]:
        order = Section(order.title, (source.say("The numbers are the same as for the seats."),))
    return [seats, order, *others]


def _results(say: Wording, tests: list[Test]) -> tuple[str, tuple[str, ...]]:
    """Return the comparisons that differ from chance: a sentence and a list, the least likely first."""
    finds = sorted((test for test in tests if test.p * len(tests) < LEVEL), key=lambda test: test.p)
    if not tests:
        return "", ()
    count = len(tests)
    summary = say("{n} {n:comparison|comparisons} with chance {n:was|were} made for this game.", n=count)
    if not finds:
        return f"{summary} {say('No result differs from chance.')}", ()
    differ = (
        say(
            "These results are hardly due to chance, even if their probability is multiplied by {n}:", n=count
        )
        if count > 1
        else say("This result is hardly due to chance:")
    )
    results = [f"{test.found} ({say.probability(test.p)})" for test in finds[:_LISTED]]
    more = [say("and {n} more, below", n=len(finds) - _LISTED)] if finds[_LISTED:] else []
    return f"{summary} {differ}", (*results, *more)


def _record_sentences(say: Wording, row: dict[str, Any], anonymous: bool) -> tuple[str, ...]:
    """Return the sentences on the records of a game, and on those that do not count."""
    counts = {
        "records": row["records"],
        "events": row["events"],
        "fewest": row["fewest"],
        "most": row["most"],
    }
    text = (
        "{records} {records:record|records} with {events} {events:event|events}, {fewest} to {most} players."
        if row["fewest"] < row["most"]
        else "{records} {records:record|records} with {events} {events:event|events}, {most} "
        "{most:player|players}."
    )
    sentences = [say(text, **counts)]
    if not anonymous and row["first"] is not None:
        days = {"first": f"{row['first']:%Y-%m-%d}", "last": f"{row['last']:%Y-%m-%d}"}
        sentences.append(say("The games began from {=first} to {=last}.", **days))
    text = "{counted} {counted:record counts|records count}, {finished} of them finished."
    sentences.append(say(text, counted=row["counted"], finished=row["finished"]))
    if row["unplayed"]:
        text = "{n} of the finished games ended by a walkover or a ruling, not by play."
        sentences.append(say(text, n=row["unplayed"]))
    reasons = (
        (row["disputed"], "{n} disputed"),
        (row["broken"], "{n} broken"),
        (row["copies"], "{n} {n:copy|copies} of a record that counts (question: copies)"),
        (row["forks"], "{n} with two files that differ (question: findings)"),
        (row["branches"], "{n} {n:branch|branches} of a record in this archive"),
    )
    why = say.join([say(text, n=count) for count, text in reasons if count > 0])
    if why:
        sentences.append(say("Not counted: {=why}.", why=why))
    scope = say("Everything below is about the records that count, unless stated otherwise.")
    return sentences[0], " ".join((*sentences[1:], scope))
