"""A folder of replays with an index: one page a record, and one that finds them.

`publish` writes the page of one record and says what the index needs to know of it; it may run
in as many processes as there are, on one record each. `index` writes the page that lists them all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from gamelog.errors import GamelogError
from gamelog.play.findings import Status
from gamelog.play.verify import Replay, replay
from gamelog.record.reading import read
from gamelog_reports.pages import shell, template
from gamelog_reports.privacy import Privacy
from gamelog_reports.replay import page, title
from gamelog_reports.texts import texts

GAMES = "games"
"""The folder of the pages, beside the index."""

UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


class Entry(Struct, frozen=True):
    """A record as the index lists it.

    ``href`` is the page, relative to the index; empty where the file could not be read, and then
    ``problem`` says why. ``result`` is None while the game is not finished, else its winners'
    names and the reason.
    """

    path: str
    href: str = ""
    title: str = ""
    game: str = ""
    people: tuple[str, ...] = ()
    started: str = ""
    tags: tuple[str, ...] = ()
    events: int = 0
    status: Status = "damaged"
    result: tuple[tuple[str, ...], str] | None = None
    problem: str = ""


def publish(
    path: str | os.PathLike[str],
    site: str | os.PathLike[str],
    *,
    below: str | os.PathLike[str] = "",
    anonymous: bool = False,
    language: str = "en",
) -> Entry:
    """Write the page of the record at `path` into `site`, and say what is in it.

    The page is named after the record's file, and after the folders that lead there from the
    folder `below` where one is given: records of equal names in several folders then have a page
    each. Raises nothing for the record; `OSError` when the page cannot be written.
    """
    try:
        replayed = replay(read(path))
    except GamelogError as error:
        return Entry(str(path), problem=str(error))
    named = Path(path).relative_to(below).as_posix() if below else Path(path).name
    name = page_name(named)
    target = Path(site) / GAMES / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(replayed, anonymous=anonymous, language=language), encoding="utf-8", newline="\n")
    return entry(replayed, f"{GAMES}/{name}", Privacy(None, anonymous))


def page_name(path: str) -> str:
    """The file name of the page of the record at `path`, which is relative to what was exported."""
    return f"{UNFIT.sub('-', path.removesuffix('.zst').removesuffix('.jsonl')) or 'record'}.html"


def entry(replayed: Replay, href: str, privacy: Privacy) -> Entry:
    """What the index says of `replayed`, whose page is at `href`."""
    header, fold = replayed.record.header, replayed.fold
    if header is None:
        problem = replayed.findings[0].message if replayed.findings else ""
        return Entry(replayed.record.path, href, Path(href).stem, status=replayed.status, problem=problem)
    names = {seat.seat: privacy.name(seat.seat, seat.name) for seat in (fold.table.seats if fold else header.seats)}
    outcome = fold.outcome if fold else None
    return Entry(
        path=replayed.record.path,
        href=href,
        title=title(replayed, privacy),
        game=fold.game.title if fold else header.game,
        people=tuple(names.values()),
        started="" if privacy.anonymous else header.started,
        tags=() if privacy.anonymous else tuple(header.tags.values()),
        events=len(replayed.events),
        status=replayed.status,
        result=(tuple(names[seat] for seat in outcome.winners), outcome.reason) if outcome else None,
        problem=replayed.findings[0].message if replayed.findings and not privacy.anonymous else "",
    )


def index(entries: Iterable[Entry], site: str | os.PathLike[str], *, heading: str = "", language: str = "en") -> Path:
    """Write ``index.html`` into `site`, the newest game first. It lists every entry without any script; with it, it searches."""
    words = texts(language)
    listed = sorted(entries, key=lambda one: (one.started, one.path), reverse=True)
    people = sorted({name for one in listed for name in one.people}, key=str.casefold)
    html = template("index").render(
        language=language,
        heading=heading or words["replays"],
        t=words,
        entries=[(one, _date(one.started)) for one in listed],
        games=sorted({one.game for one in listed if one.game}),
        people=people if len(people) <= 500 else [],
        statuses=sorted({one.status for one in listed}),
        **shell("index", "base", "index"),
    )
    target = Path(site) / "index.html"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(html, encoding="utf-8", newline="\n")
    return target


def _date(started: str) -> str:
    """The day of an RFC 3339 time; what is none is left out."""
    try:
        return datetime.fromisoformat(started.replace("Z", "+00:00")).date().isoformat()
    except ValueError:
        return ""
