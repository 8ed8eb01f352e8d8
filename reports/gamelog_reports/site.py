"""A site of replays: a page for each record, and an index that lists and searches them.

`page_names` gives the page of each record its name. `publish` writes one page and returns its entry for the
index. Several processes can run it at once, each on another record. `write_index` writes the index.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import count, pairwise
from pathlib import Path, PurePath
from typing import TypeVar

import msgspec
from msgspec import Struct, structs

from gamelog.analysis.analysis_file import analysis_beside
from gamelog.errors import GamelogError
from gamelog.play.anonymity.anonymous_record import anonymous_replay
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.outcome import Outcome
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.view.finding_data import translated_findings
from gamelog.play.view.record_view import RecordView
from gamelog.record.atomic_files import write_atomically
from gamelog.record.escaping import escape_invisible
from gamelog.record.reading import read_opening, read_record
from gamelog_reports.board_thumbnail import Thumbnail, thumbnail
from gamelog_reports.index_links import report_address
from gamelog_reports.packed import embedded_text
from gamelog_reports.replay_page.page import PageLinks, incompleteness, make_page, title
from gamelog_reports.replay_page.page_data import game_words
from gamelog_reports.replay_page.shown_record import ShownRecord, ShownStatus
from gamelog_reports.site_files import write_boards
from gamelog_reports.templates import (
    cut,
    number_text,
    page_parts,
    page_template,
    script_texts,
    tag_text,
    texts,
)

GAMES_FOLDER = "games"
"""The folder of the pages, next to the index."""

LEAGUE_GAMES = "games.html"
"""The list of games in the site of a league, whose index is about the league."""

_UNFIT_CHARACTERS = re.compile(r"[^A-Za-z0-9._-]+")
"""Characters that the name of a page does not have."""
_NUMBER = re.compile(r"\d+")
"""A number in a path, for the order of the pages."""

_Listed = TypeVar("_Listed")


class Entry(Struct, frozen=True):
    """A record as the index lists it. The command prints `incompleteness`, `withheld` and `ignored`.

    Attributes:
        path: The record's file, or empty if the site is anonymous.
        href: Page of the record, relative to the index; empty if the file cannot be read.
        people: Names of the players in the order of their seats.
        started: Start of the game, or empty if it is unknown.
        tags: Texts of the header's tags without the event and the round.
        result: Names of the winners and the reason, or None if the game is not finished.
        problem: The reason why the file cannot be read.
        incompleteness: The reason why the page does not show the game, as a sentence.
        withheld: Names of the things that the page of an unfinished game leaves out.
        ignored: The reason why the page does not show the analysis beside the record, as a sentence.
        players: People by their names on the whole site (`gamelog_reports.players`).
        victors: Winners by their names on the whole site.
        copy: Whether the record is another record of a listed game.
        board: Name of the board in the language of the site.
        event: Name of the event in which the game was played.
        round: Round of the event.
        points: Payoff, or points at the end, of each of `people`; empty in a game without both.
        thumbnail: Picture of the last position that all players know.
    """

    path: str
    href: str = ""
    title: str = ""
    game: str = ""
    people: tuple[str, ...] = ()
    started: str = ""
    tags: tuple[str, ...] = ()
    events: int = 0
    status: ShownStatus = "damaged"
    result: tuple[tuple[str, ...], str] | None = None
    problem: str = ""
    incompleteness: str = ""
    withheld: str = ""
    ignored: str = ""
    players: tuple[str, ...] = ()
    victors: tuple[str, ...] = ()
    copy: bool = False
    board: str = ""
    event: str = ""
    round: str = ""
    points: tuple[int | float | None, ...] = ()
    thumbnail: Thumbnail | None = None


class _Row(Struct, frozen=True, array_like=True):
    """The data of a game in the order in which ``game_list.js`` reads them.

    Attributes:
        started: The start, or empty if it is unknown.
        title: The title, if there are no names of players.
        file: The name of the record's file without its ending.
        winners: The winners, or None if the game is not finished.
        players: The players by their names on the site, or None if these are `names`.
        victors: The winners by their names on the site, or None if these are `winners`.
        details: Time and board, if another game has the same players.
    """

    started: str
    game: str
    href: str
    title: str
    names: list[str]
    event: str
    round: str
    tags: list[str]
    file: str
    winners: list[str] | None
    reason: str
    points: tuple[int | float | None, ...]
    events: int
    status: ShownStatus
    problem: str
    players: list[str] | None
    victors: list[str] | None
    copy: bool
    details: str

    @property
    def day(self) -> str:
        """The day of the start."""
        return self.started[:10]

    @property
    def score(self) -> str:
        """The points of all players in their order."""
        return ":".join("–" if points is None else number_text(points) for points in self.points)

    @property
    def remarks(self) -> list[str]:
        """Texts that distinguish the game from other games of its players."""
        return [text for text in (self.details, *self.tags, self.event) if text]


def publish(
    path: str | os.PathLike[str],
    site: str | os.PathLike[str],
    *,
    name: str = "",
    anonymous: bool = False,
    language: str = "en",
    single: bool = False,
    links: PageLinks = PageLinks(),  # noqa: B008 - it is frozen
    within: Path | None = None,
    reveal: bool = True,
) -> Entry:
    """Write the page of the record at `path` into `site`, and return its entry.

    A record that cannot be read raises no error: its entry has the problem.

    Args:
        path: The record's file.
        site: The folder of the site.
        name: The file name of the page, by default from the record's file name.
        anonymous: Whether to leave out people.
        language: The language of the page.
        single: Whether the page needs no other file. Other pages share files (`gamelog_reports.site_files`).
        links: The links to the index and to other pages.
        within: A folder in the site for temporary files.
        reveal: Whether to show the hidden information of an unfinished game.

    Raises:
        WriteFailed: The page cannot be written.
    """
    try:
        folded = fold_record(read_record(path))
    except GamelogError as error:
        problem = escape_invisible(str(error))
        return Entry(
            "" if anonymous else escape_invisible(str(path)),
            problem="" if anonymous else problem,
            incompleteness=problem,
        )
    name = name or page_name(Path(path).name)
    target = Path(site) / GAMES_FOLDER / name
    analysis, ignored = analysis_beside(path, folded)
    shown = anonymous_replay(folded) if anonymous else folded
    page = make_page(
        shown, language=language, around=links, is_single=single, reveal=reveal, analysis=analysis
    )
    if page.shared:
        page.shared.write(site, within)
    write_atomically(target, page.html.encode(), within=within)
    incomplete = incompleteness(folded) or page.incompleteness
    if not incomplete and folded.record.header is None:
        incomplete = f"{path}: {folded.findings[0].message}."
    return structs.replace(
        entry(shown, f"{GAMES_FOLDER}/{name}", language, reveal=reveal),
        incompleteness=escape_invisible(incomplete),
        withheld=page.withheld,
        ignored=escape_invisible(str(ignored or "")),
    )


def page_links(
    paths: Sequence[str | os.PathLike[str]],
    names: Sequence[str],
    anonymous: bool = False,
    of_league: bool = False,
    around: Sequence[PageLinks] = (),
) -> list[PageLinks]:
    """Return for each record the links to the list of games, and to the previous and next page in it.

    Args:
        paths: The records.
        names: The names of their pages.
        anonymous: Whether people are left out.
        of_league: Whether it is the site of a league.
        around: For each record, its other links, or nothing.
    """
    start_and_path: dict[int, tuple[str, str]] = {}
    for index, path in enumerate(paths):
        with suppress(GamelogError):
            header = read_opening(path).header
            start_and_path[index] = ("", "") if anonymous else (header.started if header else "", str(path))
    newest_first = _newest_first(start_and_path, start_and_path.__getitem__)
    listing = f"../{LEAGUE_GAMES if of_league else 'index.html'}"
    around = [structs.replace(links, index=listing) for links in around or [PageLinks()] * len(paths)]
    for above, below in pairwise(newest_first):
        around[above] = structs.replace(around[above], next=names[below])
        around[below] = structs.replace(around[below], previous=names[above])
    return around


def page_names(paths: Iterable[str], anonymous: bool = False) -> list[str]:
    """Return a name for the page of each record, by its path in the folder.

    All names differ, in any file system. They come from `page_name`, and equal names get a number. Anonymous
    pages have only numbers, because the name of a file can contain the name of a person.
    """
    if anonymous:
        return [f"{number}.html" for number, _ in enumerate(paths, 1)]
    names: dict[str, str] = {}
    for path in paths:
        stem = page_name(path).removesuffix(".html")
        tries = (f"{stem}{f'-{number}' if number > 1 else ''}.html" for number in count(1))
        name = next(name for name in tries if name.casefold() not in names)
        names[name.casefold()] = name
    return list(names.values())


def page_name(path: str) -> str:
    """Return the file name of the page of the record at `path`, which is relative to the exported folder."""
    return f"{_UNFIT_CHARACTERS.sub('-', _without_ending(path)) or 'record'}.html"


def _without_ending(path: str) -> str:
    """Return the path of a record without the ending of record files."""
    return path.removesuffix(".zst").removesuffix(".jsonl")


def entry(folded: FoldedRecord, href: str, language: str = "en", *, reveal: bool = True) -> Entry:
    """Return the entry of a record in the index of a site.

    Args:
        folded: The folded record.
        href: The address of its page, as seen from the index.
        language: The language of the site.
        reveal: Whether the page of an unfinished game shows everything. If not, the entry hides what the page
            hides.
    """
    shown = ShownRecord.of(folded, None, reveal)
    header, view = shown.header, shown.view
    findings = [] if shown.anonymous else [*translated_findings(language, shown.game, shown.findings[:1])]
    problem = escape_invisible(findings[0]["message"]) if findings else ""
    if header is None:
        path = "" if shown.anonymous else escape_invisible(folded.record.path)
        return Entry(
            path,
            href,
            Path(path or href).name,
            status=folded.status,
            problem=problem,
        )
    names = {person.seat: shown.name(person.seat, person.name) for person in shown.seats}
    outcome = view.outcome if view else None
    tags = {} if shown.anonymous else {**(view.tags if view else header.tags)}
    points, picture = _final_position(shown)
    return Entry(
        path="" if shown.anonymous else escape_invisible(folded.record.path),
        href=href,
        title=title(shown),
        game=view.game.title if view else escape_invisible(header.game),
        people=tuple(names.values()),
        started="" if shown.anonymous else header.started,
        event=escape_invisible(tags.pop("event", "")),
        round=escape_invisible(tags.pop("round", "")),
        tags=tuple(tag_text(name, text, language) for name, text in tags.items() if text),
        events=view.last_played if view else 0,
        status=shown.status,
        result=(tuple(names[seat] for seat in outcome.winners), _reason(view.game, outcome, language))
        if view and outcome
        else None,
        problem=problem,
        board=_board(view, language) if view else "",
        points=points,
        thumbnail=picture,
    )


def _final_position(shown: ShownRecord) -> tuple[tuple[float | None, ...], Thumbnail | None]:
    """Return the final payoffs or points of the players and the picture of the last position that all know.

    If the game's code fails, there are no points and no picture.
    """
    view = shown.view
    with suppress(Exception):
        if view is not None:
            numbers = view.result_in_numbers()
            points = tuple(numbers.get(person.seat) for person in shown.seats) if numbers else ()
            scene = (shown.common_view() or view).scene(view.last_played)
            return points, thumbnail(scene, view.game.all_seats)
    return (), None


def write_index(
    entries: Iterable[Entry],
    site: str | os.PathLike[str],
    *,
    heading: str = "",
    language: str = "en",
    of_league: bool = False,
) -> Path:
    """Write ``index.html`` into a site, with the newest game first, and return its path.

    The page loads small boards on request. It keeps its link to a report, or else links to ``report.html``.

    Args:
        entries: The entries, in any order.
        site: The folder of the site.
        heading: The title, or an empty text for the usual one. The page of a league has its own.
        language: The language of the page.
        of_league: Whether it is ``games.html`` in the site of a league, without copies.

    Raises:
        WriteFailed: A file cannot be written.
    """
    words = texts(language)
    target = Path(site) / (LEAGUE_GAMES if of_league else "index.html")
    entries = [entry for entry in entries if not (of_league and entry.copy)]
    listed = _newest_first(entries, lambda entry: (entry.started, entry.path))
    alike = Counter((entry.game, entry.people) for entry in listed)
    rows = [_row(listed_entry, alike[listed_entry.game, listed_entry.people] > 1) for listed_entry in listed]
    boards = write_boards([entry.thumbnail for entry in listed], Path(site))
    parts = page_parts("index", "base", "controls", "kinds", "index", "site_links", loads=bool(boards))
    html = page_template("index").render(
        language=language,
        heading=words["league_games"] if of_league else escape_invisible(heading) or words["replays"],
        report="" if of_league else report_address(target),
        of_league=of_league,
        boards=boards,
        t=words,
        rows=rows,
        has_rounds=any(entry.round for entry in listed),
        packed_rows=embedded_text(msgspec.json.encode(rows)),
        script_texts=script_texts(language, parts["script"]),
        **_choices(listed, words),
        **parts,
    )
    write_atomically(target, html.encode())
    return target


def _choices(listed: Sequence[Entry], words: Mapping[str, str]) -> dict[str, list[tuple[str, str]]]:
    """Return the values of each filter of the index with their texts."""
    counts = Counter(name for entry in listed for name in set(_players(entry)))
    names = sorted(
        {name for entry in listed for name in _players(entry)}, key=lambda name: (name.casefold(), name)
    )
    people = [(cut(name), f"{cut(name)} ({counts[name]})") for name in names] if len(names) <= 500 else []
    reasons = sorted({entry.result[1] for entry in listed if entry.result})
    return {
        "people": people,
        "winners": [(name, name) for name, _ in people],
        "games": [(game, game) for game in sorted({entry.game for entry in listed if entry.game})],
        "reasons": [("-", words["unfinished"]), *((reason, reason) for reason in reasons)],
        "statuses": [
            (status, words[f"status_{status}"]) for status in sorted({entry.status for entry in listed})
        ],
    }


def _newest_first(things: Iterable[_Listed], key: Callable[[_Listed], tuple[str, str]]) -> list[_Listed]:
    """Return things by their start, the latest first; those of one start by their paths, 2 before 10."""
    by_path = sorted(things, key=lambda thing: _NUMBER.sub(lambda digits: digits[0].zfill(18), key(thing)[1]))
    return sorted(by_path, key=lambda thing: key(thing)[0], reverse=True)


def _row(entry: Entry, is_alike: bool) -> _Row:
    """Return the data of a game, with long texts cut. Another game `is_alike` if it has the same players."""
    people, tags = ([cut(text) for text in texts] for texts in (entry.people, entry.tags))
    winners, reason = (
        ([cut(name) for name in entry.result[0]], entry.result[1]) if entry.result else (None, "")
    )
    players, victors = ([cut(name) for name in names] for names in (_players(entry), _victors(entry)))
    return _Row(
        entry.started if _date(entry.started) else "",
        entry.game,
        entry.href,
        "" if people else cut(entry.title if entry.href else entry.path or "…"),
        people,
        cut(entry.event),
        cut(entry.round),
        tags,
        cut(_without_ending(PurePath(entry.path).name)),
        winners,
        reason,
        entry.points,
        entry.events,
        entry.status,
        cut(entry.problem, 200),
        None if players == people else players,
        None if victors == (winners or []) else victors,
        entry.copy,
        _details(entry) if is_alike else "",
    )


def _details(entry: Entry) -> str:
    """Return the time (UTC) and the board of a game, which distinguish it from other games of its players."""
    with suppress(ValueError):
        started = datetime.fromisoformat(entry.started.replace("Z", "+00:00"))
        return " · ".join(filter(None, (f"{started:%H:%M} UTC", cut(entry.board))))
    return cut(entry.board)


def _players(entry: Entry) -> tuple[str, ...]:
    """Return the players of a game, by their names in the list of players."""
    return entry.players or entry.people


def _victors(entry: Entry) -> tuple[str, ...]:
    """Return the winners of a game, by their names in the list of players."""
    return entry.victors if entry.players else entry.result[0] if entry.result else ()


def _reason(game: AnyGame, outcome: Outcome, language: str) -> str:
    """Return the reason why the game ended, in `language` if the game has a translation."""
    return game_words(game, language).get(outcome.reason, outcome.reason).replace("_", " ")


def _board(view: RecordView, language: str) -> str:
    """Return the name of the board in words, or an empty text if the game has only one."""
    board, game = view.header.board, view.game
    if isinstance(board, dict):
        return texts(language)["own_board"]
    name = board.partition("@")[0]
    plain = game.translation("en").words.get(name, name)
    return game_words(game, language).get(plain, plain) if len(game.boards) > 1 else ""


def _date(started: str) -> str:
    """Return the day of an RFC 3339 time, or an empty string for other text."""
    try:
        return datetime.fromisoformat(started.replace("Z", "+00:00")).date().isoformat()
    except ValueError:
        return ""
