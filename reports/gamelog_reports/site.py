"""A folder of replays with an index: one page a record, and one that finds them.

`page_names` gives every record's page a name, `publish` writes one page and says what the index
needs to know of it; it may run in as many processes as there are, on one record each. `write_index`
writes the page that lists them all.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import count, pairwise
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote, unquote

from msgspec import Struct, structs

from gamelog.errors import GamelogError
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold.findings import Status
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.replay import FoldedRecord, replay
from gamelog.play.recording.anonymity import anonymous_replay
from gamelog.record.atomic_files import write_atomically
from gamelog.record.escaping import visible
from gamelog.record.reading import read_opening, read_record
from gamelog_reports.replay.page import STYLES, PageLinks, made, missing_parts, title
from gamelog_reports.replay.page_data import findings_in, game_words
from gamelog_reports.replay.privacy import Privacy
from gamelog_reports.site_files import shared
from gamelog_reports.templates import page_template, script_texts, shell, texts

GAMES_FOLDER = "games"
"""The folder of the pages, beside the index."""

_INDEX = "../index.html"
"""The index, as seen from a page."""

REPORT = re.compile(r'(<a id="report")(?: href="([^"<>]*)")?>')
"""Where an index leads to a report; without an address there is none yet."""

UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


class Entry(Struct, frozen=True):
    """A record as the index lists it.

    ``path`` is the record's file, empty where nobody is named. ``href`` is the page, relative to
    the index; empty where the file could not be read, and then ``problem`` says why. ``result``
    is None while the game is not finished, else its winners' names and the reason. ``players`` and
    ``victors`` are the people by the names that they have all over the site (`gamelog_reports.players`);
    a ``copy`` is another record of a game that is there, and only what is ``counted`` counts as a game of
    its players. Two are not in the index, but for the person who makes the site: ``untold`` is a sentence
    about what kept the page from telling the game, ``withheld`` what the page of a game that goes on leaves
    out.
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
    untold: str = ""
    withheld: str = ""
    players: tuple[str, ...] = ()
    victors: tuple[str, ...] = ()
    copy: bool = False
    counted: bool = True


def publish(
    path: str | os.PathLike[str],
    site: str | os.PathLike[str],
    *,
    name: str = "",
    anonymous: bool = False,
    language: str = "en",
    single: bool = False,
    around: PageLinks = PageLinks(),  # noqa: B008 - it is frozen
    within: Path | None = None,
    reveal: bool = True,
) -> Entry:
    """Write the page of the record at `path` into `site`, and say what is in it.

    The page is called `name` or else after the record's file; `around` is what it leads to. A `single` one
    needs nothing beside it; others share what they have in common, see `gamelog_reports.site_files`. Files
    are made in the folder `within` the site before they get their names, where one is given. Raises nothing
    for the record; `WriteFailed` when the page cannot be written.
    """
    try:
        replayed = replay(read_record(path))
    except GamelogError as error:
        problem = visible(str(error))
        return Entry(
            "" if anonymous else visible(str(path)), problem="" if anonymous else problem, untold=problem
        )
    name = name or page_name(Path(path).name)
    target = Path(site) / GAMES_FOLDER / name
    common = None if single else shared(language, "replay", *STYLES)
    shown = anonymous_replay(replayed) if anonymous else replayed
    done = made(shown, language=language, around=around, shared=common, reveal=reveal)
    if common:
        common.write(site, within)
    write_atomically(target, done.html.encode(), within=within)
    untold = missing_parts(replayed) or done.untold
    if not untold and replayed.record.header is None:
        untold = f"{path}: {replayed.findings[0].message}."
    return structs.replace(
        entry(shown, f"{GAMES_FOLDER}/{name}", language),
        untold=visible(untold),
        withheld=done.withheld,
    )


def neighbours(
    paths: Sequence[str | os.PathLike[str]], names: Sequence[str], anonymous: bool = False
) -> list[PageLinks]:
    """For each record what its page leads to: index, pages above and below. Unreadable ones have none."""
    begun: dict[int, tuple[str, str]] = {}
    for at, path in enumerate(paths):
        with suppress(GamelogError):
            header = read_opening(path).header
            begun[at] = ("", "") if anonymous else (header.started if header else "", str(path))
    listed = sorted(begun, key=begun.__getitem__, reverse=True)
    around = [PageLinks(_INDEX) for _ in paths]
    for above, below in pairwise(listed):
        around[above] = structs.replace(around[above], next=names[below])
        around[below] = structs.replace(around[below], previous=names[above])
    return around


def page_names(paths: Iterable[str], anonymous: bool = False) -> list[str]:
    """A page's name for each record, by its path below the folder; no two are alike, in any file system.

    They are called as `page_name` says, the second of a name gets a number. Where nobody is named
    they are numbered, for files may be called after people.
    """
    if anonymous:
        return [f"{at}.html" for at, _ in enumerate(paths, 1)]
    names: dict[str, str] = {}
    for path in paths:
        stem = page_name(path).removesuffix(".html")
        tries = (f"{stem}{f'-{at}' if at > 1 else ''}.html" for at in count(1))
        name = next(name for name in tries if name.casefold() not in names)
        names[name.casefold()] = name
    return list(names.values())


def page_name(path: str) -> str:
    """The file name of the page of the record at `path`, which is relative to what was exported."""
    return f"{UNFIT.sub('-', path.removesuffix('.zst').removesuffix('.jsonl')) or 'record'}.html"


def entry(replayed: FoldedRecord, href: str, language: str = "en") -> Entry:
    """Return the entry of `replayed`, whose page is at `href`, in the index."""
    privacy = Privacy(anonymous=replayed.anonymous)
    header, fold = replayed.record.header, replayed.fold
    shown = [] if privacy.anonymous else [*findings_in(language, replayed, replayed.findings[:1])]
    problem = visible(shown[0]["message"]) if shown else ""
    if header is None:
        path = "" if privacy.anonymous else visible(replayed.record.path)
        return Entry(
            path,
            href,
            Path(path or href).name,
            status=replayed.status,
            problem=problem,
        )
    names = {
        seat.seat: privacy.name(seat.seat, seat.name)
        for seat in (fold.session.seats if fold else header.seats)
    }
    outcome = fold.outcome if fold else None
    return Entry(
        path="" if privacy.anonymous else visible(replayed.record.path),
        href=href,
        title=title(replayed, privacy),
        game=fold.game.title if fold else visible(header.game),
        people=tuple(names.values()),
        started="" if privacy.anonymous else header.started,
        tags=() if privacy.anonymous else tuple(map(visible, header.tags.values())),
        events=len(replayed.events),
        status=replayed.status,
        result=(tuple(names[seat] for seat in outcome.winners), _reason(fold, outcome, language))
        if fold and outcome
        else None,
        problem=problem,
    )


def write_index(
    entries: Iterable[Entry], site: str | os.PathLike[str], *, heading: str = "", language: str = "en"
) -> Path:
    """Write ``index.html`` into `site`, the newest game first: without a script a list, with it a search.

    It leads to the report that the index before it led to, or else to ``report.html``, where there is one.
    """
    told = texts(language)
    target = Path(site) / "index.html"
    listed = sorted(entries, key=lambda one: (one.started, one.path), reverse=True)
    games = Counter(name for one in listed for name in set(_players(one)) if one.counted)
    people = sorted(
        {name for one in listed for name in _players(one)}, key=lambda name: (name.casefold(), name)
    )
    parts = shell("index", "base", "index")
    html = page_template("index").render(
        language=language,
        heading=visible(heading) or told["replays"],
        report=_report_of(target),
        t=told,
        rows=[_row(one) for one in listed],
        games=sorted({one.game for one in listed if one.game}),
        people=[(_cut(name), games[name]) for name in people] if len(people) <= 500 else [],
        reasons=sorted({one.result[1] for one in listed if one.result}),
        statuses=sorted({one.status for one in listed}),
        spoken=script_texts(language, parts["script"]),
        **parts,
    )
    write_atomically(target, html.encode())
    return target


def _row(one: Entry) -> tuple[Any, ...]:
    """What the index tells of a game, in the order in which `index.js` reads it; texts are cut."""
    people, tags = ([_cut(text) for text in texts] for texts in (one.people, one.tags))
    winners, reason = ([_cut(name) for name in one.result[0]], one.result[1]) if one.result else (None, "")
    title = _cut(one.title if one.href else one.path or "…")
    shown = (_date(one.started), one.game, one.href, title, people, tags, _cut(PurePath(one.path).name))
    found_by = ([_cut(name) for name in names] for names in (_players(one), _victors(one)))
    return (*shown, winners, reason, one.events, one.status, _cut(one.problem, 200), *found_by, one.copy)


def _players(one: Entry) -> tuple[str, ...]:
    """Return who plays in a game, by the names in the list of players."""
    return one.players or one.people


def _victors(one: Entry) -> tuple[str, ...]:
    """Return who won a game, by the names in the list of players."""
    return one.victors if one.players else one.result[0] if one.result else ()


def _cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def lead_to_report(site: str | os.PathLike[str], report: str | os.PathLike[str]) -> bool:
    """Let the index of `site` lead to the page `report`; False where `site` has no index of ours."""
    target = Path(site) / "index.html"
    if not target.is_file():
        return False
    html = target.read_text(encoding="utf-8", errors="surrogateescape")
    href = quote(Path(os.path.relpath(report, site)).as_posix())
    led, found = REPORT.subn(lambda match: f'{match[1]} href="{href}">', html, count=1)
    if found:
        write_atomically(target, led.encode(errors="surrogateescape"))
    return bool(found)


def _report_of(target: Path) -> str:
    """The address of the report of the site whose index is `target`, empty where there is none."""
    before = REPORT.search(target.read_text(encoding="utf-8", errors="replace")) if target.is_file() else None
    href = before[2] if before and before[2] else "report.html"
    return href if (target.parent / unquote(href)).is_file() else ""


def index_of(site: Path, home: Path) -> str:
    """The address of the index of `site` as seen from the folder `home`, empty where it has none."""
    if (site / "index.html").is_file():
        return quote(Path(os.path.relpath(site / "index.html", home)).as_posix())
    return ""


def _reason(fold: Fold, outcome: Outcome, language: str) -> str:
    """Why the game ended, in `language` as far as the game speaks it."""
    return game_words(fold.game, language).get(outcome.reason, outcome.reason).replace("_", " ")


def _date(started: str) -> str:
    """The day of an RFC 3339 time; what is not one is left out."""
    try:
        return datetime.fromisoformat(started.replace("Z", "+00:00")).date().isoformat()
    except ValueError:
        return ""
