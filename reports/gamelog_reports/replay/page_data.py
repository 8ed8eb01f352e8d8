"""What a replay page tells, as plain data: what every game of the kind has, and what each event changed.

`page_data` goes through what the fold has kept: the states, and what the common events did to the table
(names, clock, penalties, results) as it was after each; and it asks the game for scenes, effects
and points. Nothing is judged here. What a page can work out for itself
(sentences, sums of luck, which lines a takeback undid) is left to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import structs

from gamelog.play.contract.effects import Effect
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.contract.translation import ENGINE, translation
from gamelog.play.fold.common import COMMON
from gamelog.play.fold.findings import Finding
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.seat_times import seat_times
from gamelog.play.fold.session import Session
from gamelog.play.judging.legal_moves import legal_now
from gamelog.play.judging.replay import FoldedRecord
from gamelog.play.telling.events import consequences, with_standings
from gamelog.play.telling.messages import ENGINE_MESSAGES
from gamelog.play.telling.seeing import observed, onlooker, score_for, seats_in, seen_in, told_as
from gamelog.play.telling.session_effects import effects_beside, phrase_of
from gamelog.play.telling.translator import translator
from gamelog.record.envelope import Event, Seat, tag_of
from gamelog_reports.replay.columns import Writer, form
from gamelog_reports.replay.privacy import Privacy
from gamelog_reports.replay.scene_tracks import SceneTracks, Stock, lay_out, painted_words
from gamelog_reports.replay.tracks import MAX_CELLS_NAMED
from gamelog_reports.replay.views import Views
from gamelog_reports.seat_style import seat_styles

UNPLACED = {"do", "effect", "by", "text", "reason"}
"""Members of events and effects that name no cells."""

DIGITS = 4
"""Decimals of probabilities and means that a page is told:
it shows none of them, or the first of a percentage.
"""

_encode = msgspec.json.Encoder().encode


def page_data(
    replayed: FoldedRecord, privacy: Privacy, language: str = "en"
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Everything the page of `replayed` shows, as far as `privacy` lets it be seen, in `language`.

    First what does not depend on the record but on its game, board and seats (nothing, where the
    game is unknown), then what does.
    """
    record, fold = replayed.record, replayed.fold
    stage, setting = _stage(fold, language) if fold else ({}, None)
    writer = Writer(setting)
    data: dict[str, Any] = {"status": replayed.status, "played": fold.n if fold else 0}
    shown, lines = privacy.shown(replayed)
    if lines is None or not writer.add("lines", lines):  # text that columns cannot hold: one character a byte
        lines = None
        data["raw"] = [body.decode("latin-1")[:-1] for body in record.bodies]
    data |= shown
    findings = privacy.findings(replayed)
    if fold is not None:
        walk = _Walk(fold, replayed.events, privacy, findings)
        data |= walk.tell(writer, lines)
        findings = walk.findings
        rules = rulebook(fold.game, language)
        data["rules"] = {
            id_: rules[id_].text
            for id_ in sorted({found.rule for found in findings if found.rule})
            if id_ in rules
        }
    told = findings_told(replayed, findings, language)
    data["findings"] = [msgspec.to_builtins(found) for found in told]
    return stage, data | writer.plain()


def findings_told(replayed: FoldedRecord, findings: Sequence[Finding], language: str) -> list[Finding]:
    """`findings` of `replayed` in the page's language."""
    if not findings:
        return []
    told, people = translator(replayed.fold.game if replayed.fold else None, language), _people(replayed)
    return [structs.replace(found, message=told.remark(found.message, people)) for found in findings]


def _people(replayed: FoldedRecord) -> frozenset[str]:
    """The names of everybody who has sat at the table."""
    header, fold = replayed.record.header, replayed.fold
    known = [header.seats] if header else []
    known += (
        [fold.session_at(event.n).seats for event in fold.events if type(event) in COMMON] if fold else []
    )
    return frozenset(person.name for seats in known for person in seats if person.name)


def _stage(fold: Fold, language: str) -> tuple[dict[str, Any], Writer]:
    """What every game of the kind has on this board: its name, its seats' looks, its words, the ground."""
    game, seats, writer = fold.game, fold.header.seat_ids, Writer()
    ground = game.scene(fold.states[0], None).ground
    lay_out(ground, writer)
    stage = {
        "game": game.title,
        "unit": game.unit,
        "remark": ground.remark,
        "rim": painted_words(ground),
        "legend": ground.legend,
        "seats": [
            {"seat": seat, **structs.asdict(look)}
            for seat, look in zip(seats, seat_styles(seats), strict=True)
        ],
        "templates": message_templates(game, language),
        "words": game_words(game, language),
        "forms": _forms(fold),
    }
    return stage | writer.plain(), writer


def _forms(fold: Fold) -> list[str]:
    """What headers and events of the game look like: what a record has of it is not written again."""
    game, header = fold.game, fold.header
    usual = {"game": game.id, "rules": game.rules_version, "options": game.Options(), "board": header.board}
    forms = [
        form(tag_of(kind), [member.encode_name for member in structs.fields(kind) if member.required])
        for kind in game.events
    ]
    return [*forms, _encode(usual).decode()] if isinstance(header.board, str) else forms


def message_templates(game: AnyGame, language: str) -> dict[str, str]:
    """The templates for all in `game`: its own, else the engine's; in `language`, else in English."""
    engine = {**ENGINE_MESSAGES, **translation(ENGINE, language).messages}
    told = {**engine, **game.messages, **game.translation(language).messages}
    return {tag: text for tag, text in told.items() if text}


def game_words(game: AnyGame, language: str) -> dict[str, str]:
    """What the game's own words are in `language`; none are there in English."""
    return {**translation(ENGINE, language).words, **game.translation(language).words}


@cache
def _fractions(kind: type[Effect]) -> tuple[str, ...]:
    """The members of an effect that are fractions."""
    return tuple(member.name for member in structs.fields(kind) if member.type is float)


def _rounded(effect: Effect) -> Effect:
    fractions = _fractions(type(effect))
    if fractions:
        return structs.replace(effect, **{name: round(getattr(effect, name), DIGITS) for name in fractions})
    return effect


def _near(lines: Sequence[str] | None, effects: Sequence[str], cells: Mapping[str, int]) -> list[list[int]]:
    """By event, the start first, the cells that it and its effects name. The page reckons the same."""
    out: list[list[int]] = [[]]
    for n, found in enumerate(effects):
        things = (
            [msgspec.json.decode("{" + lines[n]), *msgspec.json.decode(found)] if lines is not None else []
        )
        values = (value for thing in things for member, value in thing.items() if member not in UNPLACED)
        named = dict.fromkeys(cells[text] for value in values for text in _texts(value) if text in cells)
        out.append(list(named)[:MAX_CELLS_NAMED])
    return out


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


class _Walk:
    """Goes through the events of `fold` once more and looks about after each."""

    def __init__(
        self, fold: Fold, events: Sequence[Event], privacy: Privacy, findings: list[Finding]
    ) -> None:
        self.fold = fold
        self.events = events
        self.privacy = privacy
        self.findings = findings
        self.flagged = fold.violations.keys()
        self.stock = Stock(fold.header.seat_ids)
        self.ground = fold.game.scene(fold.states[0], None).ground
        self.people: tuple[Seat, ...] = ()
        self.views = (
            Views(fold.game, self.ground, fold.header.seat_ids, self.stock)
            if not seats_in(privacy.seat)
            else None
        )

    def tell(self, writer: Writer, lines: Sequence[str] | None) -> dict[str, Any]:
        """The moving part: tracks and effects of every event; ``lines`` is what the page has of them."""
        fold = self.fold
        painter = SceneTracks(self.ground, fold.header.seat_ids, self.stock)
        legal = self._legal()
        self.findings = [
            structs.replace(found, legal=legal.get(found.n or 0, ()))
            if found.rule and not found.legal
            else found
            for found in self.findings
        ]
        effects: list[str] = []
        table = fold.session_at(0)
        self._look(painter, 0, table, True)
        painter.clock(0, 0)
        for event, clock in zip(self.events, fold.clocks(), strict=True):
            n, before = event.n, table
            table = fold.session_at(n)
            effects.append(_encode([_rounded(effect) for effect in self._effects(event, before)]).decode())
            self._look(
                painter,
                n,
                table,
                fold.states[n] is not fold.states[n - 1] or table.penalties != before.penalties,
            )
            painter.clock(n, event.t - clock)
            if self.views:
                self.views.hear(fold, event)
        writer.add("effects", effects)
        near = _near(lines, effects, painter.cells)
        return {
            "jumps": sorted(fold.takebacks.items()),
            "slips": sorted(fold.slips),
            **self._clocks(),
            "messages": list(self._messages()),
            "gone": list(fold.rulings.withdrawn()),
            "corrected": sorted(fold.corrected()),
            "views": self.views.plain(near) if self.views else {},
            **painter.write(writer, near),
        }

    def _clocks(self) -> dict[str, Any]:
        """What rulings have added to the time that each seat has used, by number, where there are such."""
        if not any(ruling.kind == "clock" for ruling in self.fold.rulings.made.values()):
            return {}
        seats, corrections = self.fold.header.seat_ids, seat_times(self.fold).corrections
        return {"clocks": [(n, [added.get(seat, 0) for seat in seats]) for n, added in corrections.items()]}

    def _messages(self) -> Iterator[tuple[int, str]]:
        """By number, what is told in other words than others of its tag."""
        game, view = self.fold.game, self.privacy.seat
        for event in self.events:
            if type(event) in COMMON:
                phrase = phrase_of(self.fold, event)
            elif not seats_in(view):
                continue
            else:
                phrase = told_as(game, event, seen_in(self.fold, event, view))
            if phrase != tag_of(type(event)):
                yield event.n, phrase

    def _look(self, painter: SceneTracks, n: int, table: Session, moved: bool) -> None:
        """The position after event `n`, and who sits where and is to move."""
        fold, game, view, state = self.fold, self.fold.game, self.privacy.seat, self.fold.states[n]
        if moved:
            seen = observed(game, state, view)
            painter.paint(n, game.scene(seen, onlooker(view)), score_for(game, state, fold.score_at(n), seen))
            if self.views:
                self.views.look(n, state)
        painter.turn(n, fold.pending_at(n))
        if table.seats is not self.people:
            painter.names(
                n, {person.seat: self.privacy.name(person.seat, person.name) for person in table.seats}
            )
            self.people = table.seats

    def _effects(self, event: Event, table: Session) -> tuple[Effect, ...]:
        """The consequences of `event`, which found `table`; what is not seen has none."""
        if self.privacy.hides(self.fold, event):
            return ()
        beside = effects_beside(self.fold, event)
        if type(event) in COMMON:
            return beside
        n, states, clock = event.n, self.fold.states, table.clock(event.t)
        timed = structs.replace(event, t=clock) if clock != event.t else event
        told = consequences(self.fold.game, states[n - 1], timed, states[n], illegal=n in self.flagged)
        return (*with_standings(self.fold.game, told, states[n]), *beside)

    def _legal(self) -> dict[int, tuple[dict[str, Any], ...]]:
        """What would have been legal in place of each illegal event that stood; nothing for a seat."""
        if seats_in(self.privacy.seat):
            return {}
        broken = [n for n, violation in self.fold.violations.items() if violation.rule]
        known = self.fold.known(n - 1 for n in broken)
        return {n: legal_now(then, self.events[n - 1].t) for n, then in zip(broken, known, strict=True)}
