"""The replay page: one HTML file that shows a game event by event, offline, on any device."""

from __future__ import annotations

from typing import Any

import msgspec
from markupsafe import escape
from msgspec import Struct

from gamelog.analysis.analysis import Analysis
from gamelog.play.fold import game_errors
from gamelog.play.judging.fold_record import FoldedRecord, gc_paused
from gamelog.record.escaping import escape_invisible, isolate
from gamelog_reports import packed
from gamelog_reports.replay_page.chances import Chances, chances_of
from gamelog_reports.replay_page.page_data import page_data
from gamelog_reports.replay_page.shown_record import ShownRecord
from gamelog_reports.replay_page.summary import summary_of
from gamelog_reports.replay_page.turning_points import NO_MEASURED
from gamelog_reports.site_files import SharedFiles, shared_files
from gamelog_reports.templates import cut, packed_page_parts, page_template, texts

_STYLES = ("base", "heading")
"""The style sheets of a page without its script. The script adds the styles of the parts that it adds."""

_NO_FAULT = (game_errors.BROKEN, "play.unknown_game")
"""Findings that are not a fault of the record, and because of which a page cannot show the whole game."""


class PageLinks(Struct, frozen=True):
    """The addresses of other pages as seen from a page, and the notes of the site.

    Attributes:
        index: The list of all games.
        previous: The page of the game before.
        next: The page of the game after.
        people: The pages of the people by their seats.
        remark: A few words of the site about the result.
        notes: Sentences of the site about the record. Names in them are escaped.
    """

    index: str = ""
    previous: str = ""
    next: str = ""
    people: dict[str, str] = {}
    remark: str = ""
    notes: tuple[str, ...] = ()


class Page(Struct, frozen=True):
    """A page. The texts about what is missing are empty if the page shows everything.

    Attributes:
        html: The whole file.
        incompleteness: The reason why the page does not show the whole game, as a sentence.
        withheld: Names of the things that the page of an unfinished game leaves out.
        shared: The files of the site that the page needs, or None if it works alone.
    """

    html: str
    incompleteness: str = ""
    withheld: str = ""
    shared: SharedFiles | None = None


def replay_page(
    folded: FoldedRecord,
    *,
    seat: str | None = None,
    language: str = "en",
    heading: str = "",
    around: PageLinks = PageLinks(),  # noqa: B008 - it is frozen
    analysis: Analysis | None = None,
) -> str:
    """Return the page of `folded` as HTML.

    The page makes no requests and works from a file. It contains the record itself unless something is
    hidden. All content of the record is shown as text.

    The address of the page can have ``#n=57`` to open at event 57, and ``?embed`` or ``#embed&n=57`` to show
    only the board, for a frame in another page. Scripts can use ``gamelog.goto(n)``, ``gamelog.play()``,
    ``gamelog.pause()``, ``gamelog.n`` and ``gamelog.last``. Each step dispatches the event ``gamelog:step``
    on the document, whose ``detail`` has ``n``, ``from`` and ``by``.

    Args:
        folded: The record with its replay.
        seat: The seat whose view the page shows; by default the page shows the whole table.
        language: The language of the page.
        heading: The title; by default the game and the players.
        around: The links to the index and to other pages.
        analysis: The analysis of the record (`gamelog.analysis.analysis_file.read_analysis`), or None.

    Raises:
        ValueError: Pages do not have the language, or the record does not have the seat.
    """
    return make_page(
        folded, seat=seat, language=language, heading=heading, around=around, analysis=analysis
    ).html


@gc_paused()
def make_page(
    folded: FoldedRecord,
    *,
    seat: str | None = None,
    language: str = "en",
    heading: str = "",
    around: PageLinks = PageLinks(),  # noqa: B008 - it is frozen
    is_single: bool = True,
    reveal: bool = True,
    analysis: Analysis | None = None,
) -> Page:
    """Return the page of `folded` as `replay_page` does, with the problems and omissions to report.

    Args:
        folded: The folded record.
        seat: The seat whose knowledge limits the page, or None. A record without people and without its game
            has no seats, so the seat is ignored.
        language: The language of the page.
        heading: The title, instead of the names of the game and the people; empty for these names.
        around: The links to the index and to other pages; by default, none.
        is_single: Whether the page works alone. Otherwise, it needs the shared files of a site.
        reveal: Whether the page of an unfinished game shows hidden information and the seed of the dice.
        analysis: The analysis of the record, or None. A page that hides something does not show it.

    Raises:
        ValueError: The record has no seat `seat`.
    """
    words = texts(language)
    header = folded.record.header
    if header is None and folded.is_anonymous:
        seat = None  # without its game, a record without people has no header
    if seat is not None and (header is None or seat not in header.seat_ids):
        raise ValueError(f'the record has no seat "{seat}"')
    shown = ShownRecord.of(folded, seat, reveal)
    game, people = _game(shown), [*shown.people.values()]
    name = cut(escape_invisible(heading)) or _title_of(game, [*map(isolate, people)])
    summary = _summary(shown)
    shown, chances, (stage, data) = _content(shown, language, analysis)
    data |= {"title": name, "seat": seat, "anonymous": shown.anonymous}
    overview = summary_of(shown, data.get("moments", ()), language)
    known = msgspec.json.encode(stage)
    packed_stage = packed.embedded_text(known)
    script, styles = ("analysed", (*_STYLES, "chances")) if chances else ("replay", _STYLES)
    shared = None if is_single else shared_files(language, script, *styles).with_data("stage", packed_stage)
    parts = (
        {"policy": shared.policy}
        if shared
        else packed_page_parts(language, script, *styles, has_page_frame=True)
    )
    html = page_template("replay").render(
        language=language,
        title=escape(name),  # names are escaped already, and keep their direction marks
        game="" if heading else game,
        people=[]
        if heading
        else [(name, around.people.get(seat, "")) for seat, name in shown.people.items()],
        around=around,
        summary=summary,
        overview=overview,
        chances=chances,
        status=shown.status,
        seen_by=words["seen_by"].replace("{0}", people[header.seat_ids.index(seat)])
        if header and seat
        else words["seen_by_all"]
        if shown.viewer.seats
        else "",
        t=words,
        shared=shared,
        **parts,
        stage=packed_stage,
        page_data=packed.embedded_text(msgspec.json.encode(data), known),
    )
    return Page(html, incompleteness(shown.folded), shown.withheld, shared)


def incompleteness(folded: FoldedRecord) -> str:
    """Return the reason why a page lacks a part of the game: its code failed, or it is not installed."""
    return next((f"{finding.message}." for finding in folded.findings if finding.code in _NO_FAULT), "")


def _content(
    shown: ShownRecord, language: str, analysis: Analysis | None
) -> tuple[ShownRecord, Chances | None, tuple[dict[str, Any], dict[str, Any]]]:
    """Return `shown`, the part about its `analysis`, and the data of its page.

    If the game's code fails, the record and the data are without the game, and there are no chances.
    """
    try:
        chances = chances_of(shown, analysis, language) if analysis else None
        return shown, chances, page_data(shown, language, chances.moments if chances else NO_MEASURED)
    except Exception as error:
        alone = shown.without_game(error)
        return alone, None, page_data(alone, language)


def title(shown: ShownRecord) -> str:
    """Return the title of a page: the game and its players."""
    return _title_of(_game(shown), [*shown.people.values()])


def _title_of(game: str, people: list[str]) -> str:
    return f"{game}: {' – '.join(people)}" if people else game


def _game(shown: ShownRecord) -> str:
    if shown.game:
        return shown.game.title
    return cut(escape_invisible(shown.header.game)) if shown.header else "Gamelog"


def _summary(shown: ShownRecord) -> str:
    """Return date and tags in one line, for previews of the page in other programs."""
    header = shown.header
    if header is None or shown.anonymous:
        return ""
    return " · ".join(
        [
            escape_invisible(header.started[:10]),
            *(cut(escape_invisible(tag)) for tag in list(header.tags.values())[:4]),
        ]
    )
