"""The report of an archive: one page with its games and the results about each game.

The page needs no other file: charts are drawn into it, there is no script, and its policy lets nothing be
loaded. All text from the archive is escaped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from gamelog.archive import INCOMPLETE_NOTE, Archives, Pseudonyms, Reader, SubprocessReader, row_errors
from gamelog.errors import ArchiveError, PlayError
from gamelog.play.contract import registry
from gamelog.question_limits import QuestionLimits
from gamelog.record.escaping import escape_invisible
from gamelog.version import __version__
from gamelog_reports import bundle
from gamelog_reports.index_links import index_address
from gamelog_reports.report import (
    dice_by_person,
    fairness_sections,
    faults,
    game_course,
    notable_games,
    seat_sections,
    short_answers,
)
from gamelog_reports.report.methods import methods
from gamelog_reports.report.results import MAX_LISTED, Result, results, results_table
from gamelog_reports.report.section import Section, Test
from gamelog_reports.report.source import Pages, People, Source
from gamelog_reports.report.wording import LEVEL, MIN_DRAWN, Wording
from gamelog_reports.templates import page_template, texts

_SECTIONS = (
    seat_sections.seats_section,
    seat_sections.turn_order_section,
    seat_sections.standings_section,
    game_course.endings_section,
    game_course.lengths_section,
    fairness_sections.dice_section,
    dice_by_person.dice_by_person_section,
    fairness_sections.contests_section,
    fairness_sections.luck_section,
    fairness_sections.players_section,
    game_course.leads_section,
    game_course.places_section,
    notable_games.notable_section,
    short_answers.short_answers_section,
    faults.rules_broken_section,
    faults.findings_section,
)
"""The sections of each game, in this order."""

_MAX_LISTED_RESULTS = 12
"""Maximum number of results that stand out on the first page, with the least likely first."""


class ShownSection(Struct, frozen=True):
    """A section on the page.

    Attributes:
        id: Name of the section on the page.
        title: Answer in one sentence.
        basis: Sentences on the sample and the uncertainty behind the answer.
        stands_out: Whether the answer differs from chance.
    """

    id: str
    title: str
    basis: str
    stands_out: bool
    section: Section


class Outlier(Struct, frozen=True):
    """A result that stands out.

    Attributes:
        text: The result as a sentence.
        game: Title of the game.
        id: Id of its section on the page.
        basis: The data behind the result, as a sentence.
    """

    text: str
    game: str
    id: str
    basis: str


class Chapter(Struct, frozen=True):
    """A game of the archive.

    Attributes:
        id: Name on the page.
        record_notes: Sentences about the records of the game.
        sections: Sections with charts or lists, those of the width of the page last.
        bare: Subjects of sections that have only a sentence, and the sentence.
        weak: The same of sections with too few games.
        victories: Sentence on the players with the most victories.
        summary: Sections whose answers are a part of the first page.
        no_difference: Sentence on the comparisons of which none stands out.
        too_few_games: Sentence on the subjects with too few games.
    """

    id: str
    title: str
    record_notes: tuple[str, ...]
    sections: tuple[ShownSection, ...]
    bare: tuple[tuple[str, str], ...]
    weak: tuple[tuple[str, str], ...]
    victories: str
    summary: tuple[ShownSection, ...]
    no_difference: str
    too_few_games: str


class Draft(Struct, frozen=True):
    """The sections of a game, before the number of comparisons in the report is known.

    Attributes:
        wording: Sentences in the language of the report.
        counted_records: Number of records that count.
        record_notes: Sentences about the records of the game.
        victories: Sentence on the players with the most victories.
        results: The result of each game, unless the archive has too many games.
    """

    wording: Wording
    title: str
    counted_records: int
    record_notes: tuple[str, ...]
    victories: str
    sections: tuple[Section, ...]
    results: tuple[Result, ...]


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
    limits: QuestionLimits | None = None,
    of_league: bool = False,
    pseudonyms: Pseudonyms | None = None,
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
        limits: Limits on each question, which then runs in another process
            (`gamelog.archive.SubprocessReader`); None for no limits.
        of_league: Whether the page is in the site of a league, with links to its pages.
        pseudonyms: The pseudonyms of people on an anonymous page; by default, new ones.

    Raises:
        ArchiveError: The archive cannot be read or does not have the game.
        ValueError: Pages do not have the language.
    """
    words = texts(language)
    opened = (
        Reader(archive, people=people) if limits is None else SubprocessReader(archive, limits, people=people)
    )
    say = Wording(language)
    with opened as reader:
        pages = Pages(Path(site) if site is not None else None, Path(home))
        names = People(reader, anonymous, pseudonyms)
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
        is_short = sum(row["records"] for row in overview) <= MAX_LISTED
        with row_errors(opened.paths):
            drafts = [
                _draft(Source(reader, row["game"], names, pages, say), row, lists_results=is_short)
                for row in overview
            ]
            whole = Source(reader, game, names, pages, say)
            others = (short_answers.league_section(whole), faults.unreadable_section(whole))
        notes = [
            say(note) for note in reader.notes("SELECT 1") if not anonymous or note == INCOMPLETE_NOTE
        ]  # the other notes name people
    heading = escape_invisible(title) or _usual_heading(say, opened.paths, anonymous)
    comparisons = sum(len(section.tests) for draft in drafts for section in draft.sections)
    chapters = [_chapter(draft, f"game{number}", comparisons) for number, draft in enumerate(drafts, 1)]
    outliers = _outliers(drafts, comparisons)
    style = bundle.style("base", "report", "site_links")
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
            counted=_total_sentence(say, overview),
            results=results_table(say, [one for draft in drafts for one in draft.results]),
            notes=notes,
            index=index,
            is_league=of_league,
            chapters=chapters,
            verdict=_verdict(say, len(outliers), comparisons),
            outliers=outliers[:_MAX_LISTED_RESULTS],
            methods=methods(say),
            others=[_titled_section(say, section, "", comparisons) for section in others if section],
            version=__version__,
        )


def _usual_heading(say: Wording, archives: Sequence[Path], anonymous: bool) -> str:
    """Return the heading of a report without a title, which names the archives unless it is anonymous."""
    if anonymous:
        return say("Report")
    names = [escape_invisible(path.name) for path in archives]
    return say("Report on {=archives}", archives=say.join(names))


def _total_sentence(say: Wording, overview: list[dict[str, Any]]) -> str:
    """Return the sentence on the records of all games."""
    return say(
        "{records} {records:record|records} of {games} {games:game|games}; {counted} {counted:counts|count}.",
        records=sum(row["records"] for row in overview),
        games=len(overview),
        counted=sum(row["counted"] for row in overview),
    )


def _draft(source: Source, row: dict[str, Any], *, lists_results: bool) -> Draft:
    """Return the sections about the game of `source`, and its results if the report `lists_results`.

    `row` is the overview of the game.
    """
    try:
        installed = registry.find(source.game or "")
        say = Wording(source.wording.language, installed)
        title = installed.title
    except PlayError:
        say = source.wording
        title = say("{=game} (not installed)", game=source.game)
    source = structs.replace(source, wording=say)
    sections = _without_repetition(source, [make(source) for make in _SECTIONS]) if row["records"] else []
    if row["counted"] < MIN_DRAWN:
        sections = [structs.replace(section, figures=(), charts=()) for section in sections]
    held = (*_record_sentences(say, row, source.people.anonymous), *source.pooling_note())
    victories = fairness_sections.victories_sentence(source) if row["counted"] >= MIN_DRAWN else ""
    listed = tuple(results(source, title)) if lists_results else ()
    return Draft(say, title, row["counted"], held, victories, tuple(sections), listed)


def _without_repetition(source: Source, sections: list[Section]) -> list[Section]:
    """Return `sections` without the comparison by turn order if it repeats the comparison by seat."""
    seats, order, *others = sections
    same = [sorted(round(test.p, 9) for test in section.tests) for section in (seats, order)]
    if same[0] and same[0] == same[1]:
        note = source.wording("The numbers are the same as for the seats.")
        order = Section(order.slug, order.topic, note)
    return [seats, order, *others]


def _chapter(draft: Draft, id: str, comparisons: int) -> Chapter:
    """Return the chapter of `draft` in a report with this many comparisons."""
    say = draft.wording
    shown = [_titled_section(say, section, f"{id}-", comparisons) for section in draft.sections]
    full = [shown_section for shown_section in shown if not shown_section.section.is_bare]
    alike = [
        shown_section.section
        for shown_section in shown
        if shown_section.section.tests and not shown_section.stands_out
    ]
    weak = [shown_section.section.topic for shown_section in shown if shown_section.section.is_weak]
    return Chapter(
        id,
        draft.title,
        draft.record_notes,
        tuple(sorted(full, key=lambda shown_section: shown_section.section.needs_width)),
        tuple(_sentence_only_sections(say, [one for one in shown if not one.section.is_weak])),
        tuple(_sentence_only_sections(say, [one for one in shown if one.section.is_weak])),
        draft.victories,
        tuple(
            shown_section
            for shown_section in full
            if shown_section.stands_out or shown_section.section.is_summary
        ),
        _no_difference_sentence(say, draft.counted_records, alike, comparisons),
        say("Too few games or dice for: {=topics}.", topics=say.join(weak)) if weak else "",
    )


def _sentence_only_sections(say: Wording, shown: list[ShownSection]) -> Iterator[tuple[str, str]]:
    """Yield the subjects of the sections that have only a sentence, and the sentence, each once."""
    topics: dict[str, list[str]] = {}
    for shown_section in shown:
        if shown_section.section.is_bare:
            sentences = (
                f"{shown_section.title.removesuffix('.')}.",
                shown_section.basis,
                *shown_section.section.notes,
            )
            text = " ".join(filter(None, sentences))
            topics.setdefault(text, []).append(shown_section.section.topic)
    for text, of_text in topics.items():
        yield say.join(of_text), text


def _no_difference_sentence(say: Wording, games: int, sections: list[Section], comparisons: int) -> str:
    """Return the sentence on the comparisons of which none stands out."""
    if not sections:
        return ""
    return say(
        "No difference beyond chance in {games} {games:game|games}: {=topics} (smallest {=p}).",
        games=games,
        topics=say.join([section.topic for section in sections]),
        p=say.corrected_probability(
            min(test.p for section in sections for test in section.tests), comparisons
        ),
    )


def _titled_section(say: Wording, section: Section, prefix: str, comparisons: int) -> ShownSection:
    """Return `section` with the result that stands out most, or else its own answer, as its title."""
    parts, title, stands_out = [section.basis], section.title, False
    if section.tests:
        least = min(section.tests, key=lambda test: test.p)
        stands_out = least.p * comparisons < LEVEL
        title = least.statement if stands_out else title
        smallest = say.corrected_probability(least.p, comparisons)
        parts.append(say("Smallest probability by chance: {=p}.", p=smallest))
    return ShownSection(f"{prefix}{section.slug}", title, " ".join(filter(None, parts)), stands_out, section)


def _outliers(drafts: list[Draft], comparisons: int) -> list[Outlier]:
    """Return the results that stand out, the least likely first."""
    outliers = [
        (test.p, _outlier(draft, f"game{number}-{section.slug}", test, comparisons))
        for number, draft in enumerate(drafts, 1)
        for section in draft.sections
        for test in section.tests
        if test.p * comparisons < LEVEL
    ]
    return [outlier for _, outlier in sorted(outliers, key=lambda pair: pair[0])]


def _outlier(draft: Draft, id: str, test: Test, comparisons: int) -> Outlier:
    basis = "; ".join((test.basis, test.interval, draft.wording.corrected_probability(test.p, comparisons)))
    return Outlier(test.statement, draft.title, id, f"{basis}.")


def _verdict(say: Wording, count: int, comparisons: int) -> tuple[str, str]:
    """Return the number of results that stand out, and the rule for them."""
    if not comparisons:
        return say("Nothing stands out."), say(
            "There are too few games for a comparison with chance, so this report can only describe them."
        )
    verdict = (
        say("{n} {n:result stands|results stand} out.", n=count) if count else say("Nothing stands out.")
    )
    rule = say(
        "A result stands out if its probability by chance, multiplied by the {n} "
        "{n:comparison|comparisons} of this report, is below {=level}.",
        n=comparisons,
        level=say.number(LEVEL, 2),
    )
    return verdict, rule


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
        first, last = (f"{row[name]:%Y-%m-%d}" for name in ("first", "last"))
        days = say("{=first} to {=last}", first=first, last=last) if first < last else first
        sentences.append(say("Start of the games: {=days}.", days=days))
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
    parts = say.join([say(text, n=count) for count, text in reasons if count > 0])
    if parts:
        sentences.append(say("Not counted: {=parts}.", parts=parts))
    return (" ".join(sentences),)
