"""The content of a replay page as plain data: the data that records of one game share, and the changes.

`page_data` packs the steps of a record, as far as the viewer of the page can see them. Nothing is judged
here. The page computes the rest: sentences, sums of luck, and the events that a takeback undid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import structs

from gamelog.message import Locale, Message
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.growing_board import used_cells, visible_ground
from gamelog.play.contract.locales import load_locale
from gamelog.play.contract.scene import BoardLayout
from gamelog.play.contract.translation import ENGINE, translation
from gamelog.play.rendering.sentences import ENGINE_MESSAGES
from gamelog.play.view.finding_data import finding_data, translated_findings
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.step import Fact, StepView
from gamelog.play.visibility.events import UNSEEN
from gamelog.record.envelope import Event, Header, tag_of
from gamelog.record.reading import Record
from gamelog_reports.packed import TableWriter, event_shape
from gamelog_reports.replay_page.scene_tracks import PieceTable, SceneTracks, add_layout, painted_words
from gamelog_reports.replay_page.seat_tracks import SeatTracks
from gamelog_reports.replay_page.shown_record import ShownRecord
from gamelog_reports.replay_page.tracks import MAX_CELLS_NAMED
from gamelog_reports.replay_page.turning_points import NO_MEASURED, TurningPoint, TurningPoints
from gamelog_reports.seat_style import COLOURS, ink, seat_styles

REPORTS = "gamelog_reports"
"""The package with the translations of the sentences of pages."""

_PUBLIC_MEMBERS = ("gamelog", "game", "rules", "options", "started", "tags")
"""Members of the header that are shown on a page without the record."""

_MEMBERS_WITHOUT_CELLS = {"do", "effect", "by", "text", "reason"}
"""Members of events and effects that name no cells."""

_LIST_TYPES = frozenset((list, tuple))
"""Types of values that can name several cells."""

_DECIMALS = 4
"""Decimals of probabilities and means in the data. Pages show at most one decimal of a percentage."""

_encode, _decode = msgspec.json.Encoder().encode, msgspec.json.Decoder().decode


def page_data(
    shown: ShownRecord, language: str = "en", measured: Mapping[int, Message] = NO_MEASURED
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the content of the page of `shown` in `language`.

    The first dict depends only on game, board and seats, and is empty if the game is unknown. The second dict
    has the content of the record. The turning points that an analysis has `measured` come first.
    """
    record, view = shown.folded.record, shown.view
    seat_views = shown.seat_views()
    ground = _ground(view, seat_views) if view else BoardLayout(())
    stage, setting = _stage(view, ground, language) if view else ({}, None)
    writer = TableWriter(setting)
    data: dict[str, Any] = {"status": shown.status, "played": view.last_played if view else 0}
    lines: list[str] | None
    if shown.is_whole:
        data |= _first_line(record)
        lines = _bodies(record)
        if lines is None or not writer.add_unchanged("lines", lines):
            lines = None  # text that columns cannot hold: one character a byte
            data["raw"] = [body.decode("latin-1")[:-1] for body in record.bodies]
    else:
        data["header"] = _seen_header(record, shown.anonymous)
        lines = _seen_lines(view)
        writer.add("lines", lines)
    if view is not None:
        packer = _Packer(view, seat_views, ground, shown.name)
        data |= packer.pack(writer, lines)
        data |= _moments(packer.turning_points(measured), load_locale(language, shown.game, REPORTS))
        data["findings"], data["rules"] = finding_data(view, shown.findings, language)
    else:
        data["findings"] = list(translated_findings(language, shown.game, shown.findings))
    return stage, data | writer.plain()


def _seen_lines(view: RecordView | None) -> list[str]:
    """Return the events that `view` shows, as JSON without the opening brace, or none without a view."""
    return [_encode(view.event(n)).decode()[1:] for n in range(1, view.last_played + 1)] if view else []


def _seen_header(record: Record, anonymous: bool) -> dict[str, Any]:
    """Return the members of the header that a page shows which cannot hold the record."""
    left_out = ("started", "tags") if anonymous else ()
    return {
        name: record.members[name]
        for name in _PUBLIC_MEMBERS
        if name not in left_out and name in record.members
    }


def _bodies(record: Record) -> list[str] | None:
    """Return the record's own bodies without their line feeds, or None if they are not UTF-8."""
    try:
        return [body.decode()[:-1] for body in record.bodies]
    except UnicodeDecodeError:
        return None


def _first_line(record: Record) -> dict[str, Any]:
    """Return the first line and the head of the record, or the members of the header if it is not UTF-8."""
    try:
        first = record.opening.decode()[:-1]
    except UnicodeDecodeError:
        first = ""
    return {"first": first, "head": record.head} if first else {"header": record.members}


def _ground(view: RecordView, seat_views: Sequence[RecordView]) -> BoardLayout:
    """Return the board of the page: the part of a growing board that the whole record uses."""
    ground = view.scene(0).ground
    if not ground.margin:
        return ground
    used = (
        used_cells(shown_view.scene(n))
        for shown_view in (view, *seat_views)
        for n in range(view.last_played + 1)
    )
    return visible_ground(ground, set().union(*used))


def _stage(view: RecordView, ground: BoardLayout, language: str) -> tuple[dict[str, Any], TableWriter]:
    """Return the data that all records of the game on `ground` share: title, looks, words, ground."""
    game, writer = view.game, TableWriter()
    looks = dict(zip(game.all_seats, seat_styles(game.all_seats), strict=True))
    add_layout(ground, writer)
    stage: dict[str, Any] = {
        "game": game.title,
        "unit": game.unit,
        "remark": _remark(ground.remark, game, language),
        "rim": painted_words(ground, load_locale(language, game)),
        "legend": ground.legend,
        **({"icons": ground.icons} if ground.icons else {}),
        **({"margin": ground.margin} if ground.margin else {}),
        "colours": [
            (word, COLOURS[name], ink(COLOURS[name]))
            for word, name in ground.colours
            if name in COLOURS and word.isascii() and word.isalpha()
        ],
        "seats": [{"seat": seat, **structs.asdict(looks[seat])} for seat in view.header.seat_ids],
        "templates": message_templates(game, language),
        "words": game_words(game, language),
        "forms": _shapes(game, view.header),
    }
    return stage | writer.plain(), writer


def _shapes(game: AnyGame, header: Header) -> list[str]:
    """Return the shapes of headers and events of the game. Records do not repeat the text of these shapes."""
    usual = {"game": game.id, "rules": game.rules_version, "options": game.Options(), "board": header.board}
    kinds: tuple[type[Event], ...] = game.events
    forms = [_event_shape(kind) for kind in kinds]
    return [*forms, _encode(usual).decode()] if isinstance(header.board, str) else forms


@cache
def _event_shape(kind: type[Event]) -> str:
    """Return the shape of events of `kind` without optional members."""
    return event_shape(
        tag_of(kind), [member.encode_name for member in structs.fields(kind) if member.required]
    )


def message_templates(game: AnyGame, language: str) -> dict[str, str]:
    """Return the templates of `game` and of the engine, in `language` if they are translated."""
    texts = load_locale(language, game).messages
    return {tag: texts.get(text, text) for tag, text in {**ENGINE_MESSAGES, **game.messages}.items() if text}


def game_words(game: AnyGame, language: str) -> dict[str, str]:
    """Return the translations of the game's words into `language`, without whole sentences.

    There are none for English.
    """
    words = {**translation(ENGINE, language).words, **game.translation(language).words}
    return {word: own for word, own in words.items() if not word.endswith(".")}


def _remark(remark: str, game: AnyGame, language: str) -> str:
    """Return the remark on a board in `language`, as far as the game translates its sentences."""
    for sentences, own in game.translation(language).words.items():
        if sentences.endswith("."):
            remark = remark.replace(sentences, own)
    return remark


def _effect_data(effect: Fact) -> dict[str, Any]:
    """Return an effect as plain data, with rounded fractions."""
    members = effect.members
    if float in map(type, members.values()):
        members = {
            name: round(value, _DECIMALS) if type(value) is float else value
            for name, value in members.items()
        }
    return {"effect": effect.tag, **members}


def _named_cells(event: dict[str, Any], effects: Iterable[Fact], cells: Mapping[str, int]) -> list[int]:
    """Return the first cells that an event and its effects name. The page computes the same."""
    numbers: dict[int, None] = {}
    for members in (event, *[fact.members for fact in effects]):
        for member, value in members.items():
            if type(value) is str:
                if value in cells and member not in _MEMBERS_WITHOUT_CELLS:
                    numbers[cells[value]] = None
            elif type(value) in _LIST_TYPES and member not in _MEMBERS_WITHOUT_CELLS:
                numbers |= dict.fromkeys(cells[text] for text in _texts(value) if text in cells)
    return list(numbers)[:MAX_CELLS_NAMED]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif type(value) in _LIST_TYPES:
        for item in value:
            yield from _texts(item)


class _Packer:
    """A packer of the steps of a view, and of each seat that sees less."""

    def __init__(
        self,
        view: RecordView,
        seat_views: Iterable[RecordView],
        ground: BoardLayout,
        name: Callable[[str, str], str],
    ) -> None:
        self._view, self._name = view, name
        header = view.header
        stock = PieceTable(header.seat_ids)
        self._tracks = SceneTracks(ground, header.seat_ids, stock)
        self._turning = TurningPoints(header.seat_ids)
        self._seats = [SeatTracks(seat_view, ground, stock) for seat_view in seat_views]

    def turning_points(self, measured: Mapping[int, Message]) -> list[TurningPoint]:
        """Return the turning points of the packed events, with those that an analysis has `measured`."""
        return self._turning.find(self._view.main_line_numbers(), measured)

    def pack(self, writer: TableWriter, lines: Sequence[str] | None) -> dict[str, Any]:
        """Return the tracks and effects of all events. `lines` are the events in the page."""
        view, effects, changes = self._view, list[str](), _SessionTracks(self._view.header.seat_ids)
        cells_by_event: list[list[int]] = [[]]
        for n in range(view.last_played + 1):
            step = view.step(n)
            self._tracks.push(step, self._name)
            self._turning.push(step)
            for seat in self._seats:
                seat.add_position(n)
            if not n:
                continue
            event, *after = step.facts
            changes.push(step)
            effects.append(_encode([*map(_effect_data, after)]).decode())
            event_cells = (
                [] if lines is None else _named_cells(_decode("{" + lines[n - 1]), after, self._tracks.cells)
            )
            cells_by_event.append(event_cells)
            for seat in self._seats:
                seat.add_event(n, event)
        for n in range(view.last_played + 1, view.last_number + 1):
            self._tracks.push_names(view.step(n), self._name)
        writer.add("effects", effects)
        seats = self._seats if any(seat.begun for seat in self._seats) else []
        return {
            **changes.plain(),
            "corrected": [*view.corrections().items()],
            "views": {seat.view.viewer.seats[0]: seat.plain(cells_by_event) for seat in seats},
            **self._tracks.write(writer, cells_by_event),
        }


class _SessionTracks:
    """The rare changes of a game, each with its event: the main line, rulings and their effects, phrases."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        self._places = {seat: index for index, seat in enumerate(seats)}
        self._jumps, self._slips = list[tuple[int, int]](), list[int]()
        self._withdrawn, self._phrases = list[tuple[int, int]](), list[tuple[int, str]]()
        self._clocks = list[tuple[int, list[int]]]()
        self._totals: dict[str, list[tuple[int, list[tuple[int, int]]]]] = {"penalties": [], "warnings": []}

    def push(self, step: StepView) -> None:
        """Add the changes of `step`, which has an event."""
        n, event, line, table = step.n, step.facts[0], step.line, step.table
        if event.tag != event.members.get("do", event.tag) or event.tag == UNSEEN:
            self._phrases.append((n, event.tag))
        if line is not None:
            if line.to is not None:
                self._jumps.append((n, line.to))
                self._slips += [n] if line.slip else []
            self._withdrawn += [(ruling, n) for ruling in line.withdrawn]
        if table is not None and table.used is not None:
            self._clocks.append((n, [table.used.get(seat, 0) for seat in self._places]))
        for name, track in self._totals.items():
            if table is not None and (totals := getattr(table, name)):
                track.append((n, [(self._places[seat], number) for seat, number in totals.items()]))

    def plain(self) -> dict[str, Any]:
        """Return the changes as plain data."""
        return {
            "jumps": self._jumps,
            "slips": self._slips,
            **({"clocks": self._clocks} if self._clocks else {}),
            **{name: track for name, track in self._totals.items() if track},
            "messages": self._phrases,
            "gone": self._withdrawn,
        }


def _moments(turning_points: Iterable[TurningPoint], locale: Locale) -> dict[str, Any]:
    """Return turning points as plain data: number of the event, template in the language, arguments."""
    moments = [
        (point.n, locale.messages.get(point.message.text, point.message.text), point.message.args)
        for point in turning_points
    ]
    return {"moments": moments} if moments else {}
