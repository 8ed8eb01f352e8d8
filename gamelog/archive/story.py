"""The play of one record as rows: events, dice, contests, scores and whatever else the game has words for."""

from __future__ import annotations

from collections import defaultdict
from functools import cache, lru_cache

import msgspec
from msgspec import Raw, Struct, structs

from gamelog.archive import schema
from gamelog.archive.schema import Rows
from gamelog.play import common
from gamelog.play.effects import Contest, Effect, Rolled, TurnOver
from gamelog.play.fold import COMMON, Fold
from gamelog.play.game import AnyGame, Outcome
from gamelog.play.narrate import tag_of
from gamelog.play.table import Table
from gamelog.play.telling import consequences
from gamelog.record.envelope import Event, Seat

COMMA = ord(",")

_encode = msgspec.json.encode


def seat_row(id: str, person: Seat, position: int) -> schema.Seat:
    """Who sits where; how they fared is left out."""
    player = person.id or person.bot or person.name or None
    return schema.Seat(id=id, seat=person.seat, position=position, name=person.name, player=player, bot=person.bot)


class Story:
    """One pass over a folded record's events.

    ``turns`` is the number of the last turn in which something stands, ``last`` the game's clock at the end in ms.
    """

    def __init__(self, fold: Fold, events: list[Event], bodies: list[bytes]) -> None:
        self.fold = fold
        self.id = fold.header.id
        self.turns = 0
        self.last = 0
        self.rows: Rows = defaultdict(list)
        self._turn = 1
        self._first = self._took = 0
        self._deciders: set[str] = set()
        self._half = len(events) / 2
        self._scores: dict[str, int] = {}
        self._ahead: str | None = None
        self._half_way: str | None = None
        self._overtakes = dict.fromkeys(fold.header.seat_ids, 0)
        self._behind: dict[str, tuple[int, int]] = dict.fromkeys(fold.header.seat_ids, (0, 0))
        self._penalties = dict(fold.table.penalties)
        self._points: dict[str, int] = {}
        self._decisions: dict[str, int] = dict.fromkeys(fold.header.seat_ids, 0)
        self._thinking = dict(self._decisions)
        self._began: dict[str, tuple[int, int]] = {}
        self._tell(events, bodies)

    def _tell(self, events: list[Event], bodies: list[bytes]) -> None:
        game, states = self.fold.game, self.fold.states
        standing, kinds = frozenset(self.fold.line()), _kinds(game)
        flagged = {n for n, _ in self.fold.flags}
        add, effects, score, id, row = self.rows["events"].append, game.effects, game.score, self.id, schema.Event
        penalties, clock = self._penalties, Table.of(self.fold.header)
        paused = any(type(event) is common.Clock for event in events)
        after = states[0]
        self._scored(0, score(after))
        for event, body, state in zip(events, bodies, states[1:], strict=True):
            n, t, by = event.n, event.t, event.by
            tag, chance, own = kinds[type(event)]
            stands = n in standing
            before, after = after, state
            if paused:
                if isinstance(event, common.Clock):
                    clock = _switched(clock, event)
                t = clock.clock(t)
            took, self.last = t - self.last, t
            turn = decision = None
            if stands:
                turn = self._turn
                if turn != self.turns:
                    self._turn_ended()
                    self.turns, self._first, self._took, self._deciders = turn, n, 0, set()
                self._took += took
            if own:
                if stands and not chance:
                    decision = self._decide(by, n, took)
                if n not in flagged:
                    told = effects(before, event, after)
                else:
                    told = () if after is before else consequences(game, before, event, after, illegal=True)
                if told:
                    self._effects(n, told, stands)
            if stands and (after is not before or n in penalties):
                points = score(after)
                if points != self._scores or penalties:
                    self._scored(n, points)
            data = _members(body, tag, event)
            add(
                row(
                    id=id,
                    n=n,
                    took=took,
                    seat=by,
                    kind=tag,
                    chance=chance,
                    stands=stands,
                    turn=turn,
                    decision=decision,
                    data=data,
                )
            )
        self._turn_ended()

    def _turn_ended(self) -> None:
        if self.turns:
            seat = next(iter(self._deciders)) if len(self._deciders) == 1 else None
            self.rows["turns"].append(schema.Turn(id=self.id, turn=self.turns, n=self._first, seat=seat, took=self._took))

    def _decide(self, seat: str, n: int, took: int) -> int | None:
        if seat not in self._decisions:
            return None
        self._deciders.add(seat)
        self._decisions[seat] += 1
        self._thinking[seat] += took
        self._began.setdefault(seat, (1, n))
        return self._decisions[seat]

    def _scored(self, n: int, now: dict[str, int]) -> None:
        """Take down the points after event `n`, where they are others than before."""
        before = self._scores
        if n in self._penalties:
            for seat, points in self._penalties[n].items():
                self._points[seat] = self._points.get(seat, 0) + points
        if self._points:
            now = {seat: score + self._points.get(seat, 0) for seat, score in now.items()}
        if now != before:
            add = self.rows["scores"].append
            most = max(now.values())
            first, *others = [seat for seat, score in now.items() if score == most]
            leader = None if others else first
            for seat, score in now.items():
                if before.get(seat) != score:
                    add(schema.Score(id=self.id, n=n, seat=seat, score=score, most=most, leader=leader))
                if most - score > self._behind[seat][0]:
                    self._behind[seat] = most - score, n
            self._scores = now
            if n <= self._half:
                self._half_way = leader
            if leader and leader != self._ahead:
                if self._ahead:
                    self._overtakes[leader] += 1
                self._ahead = leader

    def _effects(self, n: int, effects: tuple[Effect, ...], stands: bool) -> None:
        for effect in effects:
            if isinstance(effect, Rolled):
                self.rows["rolls"].append(
                    schema.Roll(id=self.id, n=n, seat=effect.seat, sides=effect.sides, faces=effect.faces, stands=stands)
                )
            elif isinstance(effect, Contest):
                self.rows["contests"].append(_contest(self.id, n, effect, stands))
            else:
                if isinstance(effect, TurnOver) and stands:
                    self._turn += 1
                    if self._began.get(effect.seat, (1, 0))[0]:
                        self._began[effect.seat] = (0, n)
                self.rows["facts"].append(_fact(self.id, n, effect, stands))

    def seats(self, outcome: Outcome | None) -> list[schema.Seat]:
        """The seats with how they fared. Turn order is by the first turn that ended, else by the first decision."""
        order = {seat: at for at, seat in enumerate(sorted(self._began, key=self._began.__getitem__), 1)}
        people = [seat_row(self.id, person, at) for at, person in enumerate(self.fold.table.seats, 1)]
        for person in people:
            seat = person.seat
            person.turn_order = order.get(seat)
            person.score = self._scores.get(seat)
            person.overtakes, person.half_way = self._overtakes[seat], seat == self._half_way
            person.behind, person.behind_at = self._behind[seat]
            person.decisions, person.thinking = self._decisions[seat], self._thinking[seat]
            if outcome:
                person.won = seat in outcome.winners
                sharing = outcome.winners or self.fold.header.seat_ids
                person.share = (seat in sharing) / len(sharing)
        return people


@cache
def _kinds(game: AnyGame) -> dict[type[Event], tuple[str, bool, bool]]:
    """Of each event type its tag, whether it records chance, and whether it is the game's own."""
    own = {kind: (tag_of(kind), kind in game.chance_events, True) for kind in game.events}
    return {kind: (tag_of(kind), False, False) for kind in COMMON} | own


def _contest(id: str, n: int, effect: Contest, stands: bool) -> schema.Contest:
    return schema.Contest(
        id=id,
        n=n,
        seat=effect.by,
        against=effect.against,
        place=effect.at or None,
        attack=effect.attack,
        defence=effect.defence,
        attack_sum=effect.attack_sum,
        defence_sum=effect.defence_sum,
        won=effect.won,
        odds=effect.odds,
        stands=stands,
    )


def _fact(id: str, n: int, effect: Effect, stands: bool) -> schema.Fact:
    tag = tag_of(type(effect))
    return schema.Fact(
        id=id,
        n=n,
        kind=tag,
        seat=_text(effect, "seat") or _text(effect, "by"),
        place=_text(effect, "at"),
        count=_number(effect, "count"),
        stands=stands,
        data=Raw(_object(_encode(effect)[len(_tagged(tag)) :])),
    )


def _text(effect: Struct, name: str) -> str | None:
    value = getattr(effect, name, None)
    return value if isinstance(value, str) else None


def _number(effect: Struct, name: str) -> int | None:
    value = getattr(effect, name, None)
    return value if isinstance(value, int) else None


def _members(body: bytes, tag: str, event: Event) -> Raw:
    """An event's own members as JSON: its body without the stamp. Members in an unusual order are written anew."""
    stamp = _stamp(tag, event.by) % (event.n, event.t)
    rest = body[len(stamp) : -1]
    if body.startswith(stamp) and rest[:1] in (b",", b"}"):
        return Raw(_object(rest))
    members = msgspec.to_builtins(event)
    return Raw(_encode({name: value for name, value in members.items() if name not in ("do", "n", "t", "by")}))


@lru_cache(1024)
def _stamp(tag: str, by: str) -> bytes:
    """How this package begins a body, with places for ``n`` and ``t``."""
    return b'"do":%b,"n":%%d,"t":%%d,"by":%b' % tuple(_encode(text).replace(b"%", b"%%") for text in (tag, by))


@lru_cache(1024)
def _tagged(tag: str) -> bytes:
    """How an effect's JSON begins."""
    return b'{"effect":' + _encode(tag)


def _object(rest: bytes) -> bytes:
    """The JSON object of which `rest` is left: a comma and members, or the closing brace alone."""
    return b"{" + rest[1:] if rest[0] == COMMA else b"{}"


def _switched(clock: Table, event: common.Clock) -> Table:
    """The table's clock after a pause or a resumption."""
    if not event.running:
        return structs.replace(clock, paused_at=event.t)
    return structs.replace(clock, paused=clock.paused + event.t - (clock.paused_at or 0), paused_at=None)
