"""The summary at the top of a replay page, and the end of the game for browsers without JavaScript."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from gamelog.message import Message, Renderer
from gamelog.play.contract.locales import load_locale
from gamelog.play.rendering.ascii_board import ascii_board, initials, plain_lines
from gamelog.play.rendering.sentences import game_over_message
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.events import UNSEEN
from gamelog.record.envelope import Header
from gamelog.record.escaping import escape_invisible, isolate
from gamelog_reports.replay_page.page_data import REPORTS
from gamelog_reports.replay_page.shown_record import ShownRecord
from gamelog_reports.templates import cut, number_text, texts

_PLACES = ("place", "site", "venue", "location")
"""Tags of a header that name the place of the game, in the order of preference."""

_MAX_WORDS = 6_000
"""Maximum number of characters of the events in words. A longer list would make the page too large."""

_SHORTEST_SENTENCE = 12
"""Characters of the shortest sentence about an event, such as ``Ana: b2-b3.``"""

_BOARD_WIDTH = 96
"""Width of the final position as text, in characters."""


class Player(Struct, frozen=True):
    """A player with the payoff or the final points (empty without both)."""

    name: str
    points: str
    won: bool


class Summary(Struct, frozen=True):
    """The summary of a page.

    Attributes:
        facts: Event, round, place and date, as far as the page shows them.
        players: The players in the order of their seats.
        result: The result as a sentence, or an empty text if the game is not over.
        moments: The turning points: number of the event and sentence.
        board: The last position as text.
        events: The events: number and sentence, or None if the list is too long. Successive events that a
            reader does not see are one entry.
    """

    facts: Sequence[str] = ()
    players: Sequence[Player] = ()
    result: Markup = Markup()
    moments: Sequence[tuple[int, Markup]] = ()
    board: str = ""
    events: Sequence[tuple[str, str]] | None = None


def summary_of(shown: ShownRecord, moments: Iterable[Any], language: str) -> Summary:
    """Return the summary of `shown` in `language`. `moments` are the turning points in the page's data."""
    header, view = shown.header, shown.view
    facts = _facts(header, texts(language)) if header and not shown.anonymous else ()
    if view is None:
        return Summary(facts)
    names = shown.people
    renderer = Renderer(load_locale(language, view.game, REPORTS), lambda seat: names.get(seat, seat))
    outcome = view.pending.outcome
    numbers = view.result_in_numbers()
    winners = outcome.winners if outcome else ()
    players = [
        Player(name, number_text(numbers[seat]) if seat in numbers else "", seat in winners)
        for seat, name in names.items()
    ]
    # the renderer escapes every part
    result = Markup(renderer.html(game_over_message(outcome))) if outcome else Markup()
    told = [
        (n, Markup(Renderer(renderer.locale, shown.names_at(n)).html(Message(template, args))))
        for n, template, args in moments
    ]
    seen = shown.common_view() or view
    letters = initials(view.header.seat_ids)
    board = plain_lines(ascii_board(seen.scene(seen.last_played), letters, _BOARD_WIDTH, renderer))
    return Summary(facts, players, result, told, escape_invisible(board, keep="\n"), _events(seen, language))


def _facts(header: Header, words: Mapping[str, str]) -> list[str]:
    """Return event, round and place, as far as the header has them, and the date."""
    tags = header.tags
    place = next((tags[name] for name in _PLACES if tags.get(name)), "")
    number = tags.get("round", "")
    played = words["round"].replace("{0}", number) if number else ""
    facts = (tags.get("event"), played, place, header.started[:10])
    return [cut(escape_invisible(fact)) for fact in facts if fact]


def _events(view: RecordView, language: str) -> list[tuple[str, str]] | None:
    """Return the entries of the list of events, or None if they are too long together."""
    if view.last_played * _SHORTEST_SENTENCE > _MAX_WORDS and not view.viewer.seats:
        return None
    locale = load_locale(language, view.game)
    name = isolate if view.viewer.seats else str  # otherwise, `mark` isolates names too
    entries: list[tuple[str, str]] = []
    room = _MAX_WORDS
    for unseen, run in groupby(
        range(1, view.last_played + 1), lambda n: bool(view.viewer.seats) and view.event_fact(n).tag == UNSEEN
    ):
        numbers = [*run]
        if unseen and len(numbers) > 1:
            text = texts(language)["unseen_events"].replace("{0}", str(len(numbers)))
            entries.append((f"{numbers[0]}–{numbers[-1]}", text))
            continue
        for n in numbers:
            entries.append((str(n), view.sentence(n, name, isolate, locale)))
            room -= len(entries[-1][1])
            if room < 0:
                return None
    return entries
