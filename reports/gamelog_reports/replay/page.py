"""The replay page: one HTML file that shows a game event by event, offline, on any device."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from gamelog.play.fold import game_errors
from gamelog.play.judging.replay import FoldedRecord
from gamelog.record.escaping import visible
from gamelog_reports import packed
from gamelog_reports.replay.page_data import page_data
from gamelog_reports.replay.privacy import Privacy
from gamelog_reports.site_files import Shared
from gamelog_reports.templates import packed_shell, page_template, texts

STYLES = ("base", "page", "board", "panels", "print")

UNTOLD = (game_errors.BROKEN, "play.unknown_game")
"""Findings that are not the record's fault, and leave a page without its game or a part of it."""

_NAME = 60
"""Characters of a name that a title shows."""


class PageLinks(Struct, frozen=True):
    """Addresses, as seen from a page, of the index that lists it and of the pages before and after it."""

    index: str = ""
    previous: str = ""
    next: str = ""


class Page(Struct, frozen=True):
    """A page; what kept it from telling the game, in a sentence; and what it leaves out of a game that goes
    on, in a few words. Empty where all is told.
    """

    html: str
    untold: str = ""
    withheld: str = ""


def replay_page(
    replayed: FoldedRecord,
    *,
    seat: str | None = None,
    language: str = "en",
    heading: str = "",
    around: PageLinks = PageLinks(),  # noqa: B008 - it is frozen
) -> str:
    """Return the page of `replayed`: the whole record or what `seat` sees, with the title `heading` if given.

    It makes no request of any kind, runs from a file, and holds the record itself unless
    something is hidden. Whatever the record contains is shown as text.

    Its address takes ``#n=57`` (open at event 57) and ``?embed`` or ``#embed&n=57`` (the board
    alone, for a frame in another page). Scripts find ``gamelog.goto(n)``, ``gamelog.play()``,
    ``gamelog.pause()``, ``gamelog.n`` and ``gamelog.last``, and hear of every step by the event
    ``gamelog:step`` on the document, whose ``detail`` has ``n``, ``from`` and ``by``.

    Raises ValueError for a language there is none of and for a seat the record does not have.
    """
    return made(replayed, seat=seat, language=language, heading=heading, around=around).html


def made(
    replayed: FoldedRecord,
    *,
    seat: str | None = None,
    language: str = "en",
    heading: str = "",
    around: PageLinks = PageLinks(),  # noqa: B008 - it is frozen
    shared: Shared | None = None,
    reveal: bool = True,
) -> Page:
    """The same, with what its maker has to know; in a site, which has `shared` files beside its pages.

    Unless it may `reveal` them, a game that goes on is shown without the seed of its dice and without what
    players hide from each other.
    """
    told = texts(language)
    header = replayed.record.header
    if header is None and replayed.anonymous:
        seat = None  # without its game, a record without people has no header
    if seat is not None and (header is None or seat not in header.seat_ids):
        raise ValueError(f'the record has no seat "{seat}"')
    privacy = Privacy.of(replayed, seat, reveal)
    game, people = _game(replayed), _people(replayed, privacy)
    name = _cut(visible(heading)) or _titled(game, people)
    summary = _summary(replayed, privacy)
    replayed, (stage, data) = _told(replayed, privacy, language)
    data |= {"title": name, "seat": seat, "anonymous": privacy.anonymous}
    known = msgspec.json.encode(stage)
    parts = {"policy": shared.policy} if shared else packed_shell(language, "replay", *STYLES)
    html = page_template("replay").render(
        language=language,
        title=name,
        game="" if heading else game,
        people=[] if heading else people,
        around=around,
        summary=summary,
        status=replayed.status,
        seen_by=told["seen_by"].replace("{0}", people[header.seat_ids.index(seat)])
        if header and seat
        else told["seen_by_all"]
        if privacy.seat
        else "",
        t=told,
        shared=shared,
        **parts,
        stage=packed.embedded_text(known),
        page_data=packed.embedded_text(msgspec.json.encode(data), known),
    )
    return Page(html, missing_parts(replayed), privacy.withheld)


def missing_parts(replayed: FoldedRecord) -> str:
    """Return the reason why a page has not all of the game: its code failed, or the game is not installed."""
    return next((f"{found.message}." for found in replayed.findings if found.code in UNTOLD), "")


def _told(
    replayed: FoldedRecord, privacy: Privacy, language: str
) -> tuple[FoldedRecord, tuple[dict[str, Any], dict[str, Any]]]:
    """What the page tells; where the game's own code fails at it, a finding, and the record alone."""
    try:
        return replayed, page_data(replayed, privacy, language)
    except Exception as error:
        found = game_errors.failure_finding(error, replayed.fold.game if replayed.fold else None)
        alone = FoldedRecord(
            replayed.record, None, [], [*replayed.findings, found], anonymous=replayed.anonymous
        )
        return alone, page_data(alone, privacy, language)


def _people(replayed: FoldedRecord, privacy: Privacy) -> list[str]:
    """Who sits at the table now, names cut to a length for titles."""
    header, fold = replayed.record.header, replayed.fold
    if header is None:
        return []
    return [
        _cut(privacy.name(person.seat, person.name))
        for person in (fold.session.seats if fold else header.seats)
    ]


def title(replayed: FoldedRecord, privacy: Privacy) -> str:
    """The game and who plays it."""
    return _titled(_game(replayed), _people(replayed, privacy))


def _titled(game: str, people: list[str]) -> str:
    return f"{game}: {' – '.join(people)}" if people else game


def _game(replayed: FoldedRecord) -> str:
    header = replayed.record.header
    return replayed.fold.game.title if replayed.fold else _cut(visible(header.game)) if header else "Gamelog"


def _cut(name: str) -> str:
    return name if len(name) <= _NAME else name[: _NAME - 1] + "…"


def _summary(replayed: FoldedRecord, privacy: Privacy) -> str:
    """Date and tags in one line, for whoever shows a preview of the page."""
    header = replayed.record.header
    if header is None or privacy.anonymous:
        return ""
    return " · ".join(
        [visible(header.started[:10]), *(_cut(visible(tag)) for tag in list(header.tags.values())[:4])]
    )
