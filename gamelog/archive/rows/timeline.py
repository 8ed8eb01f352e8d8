"""The play of one record as columns: its events, its turns, and the results of its seats."""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256
from itertools import compress, count, pairwise
from typing import Any

import msgspec

from gamelog.archive.rows.columns import Columns
from gamelog.archive.rows.consequences import corrected_rolls, fold_consequences, turn_ends
from gamelog.archive.rows.elapsed_times import elapsed_times
from gamelog.archive.rows.people import person_key, player_name
from gamelog.archive.rows.score_timeline import ScoreTimeline
from gamelog.archive.rows.stays import Stays
from gamelog.archive.schema import tables
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold import common_events
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.digest import played_structs
from gamelog.play.visibility.events import visible_in_fold
from gamelog.play.visibility.viewer import running_viewer
from gamelog.record.envelope import Event, Seat, tag_of
from gamelog.record.names import name_key

_STAMPED = re.compile(rb'^"do":"[^"\\]*+","n":[0-9]++,"t":[0-9]++,"by":"[^"\\]*+"(?:,(.*))?\}$', re.MULTILINE)
"""The body of an event as this package writes it: the stamp, then the event's own members."""

_RESULTS: dict[type[Event], str] = {
    common_events.Resign: "resignation",
    common_events.Agree: "agreement",
    common_events.Accept: "agreement",
    common_events.Ruling: "ruling",
}
"""The origin of a result that did not come by play, by the event that ended the game."""

_PLAY, _WALKOVER = "play", "walkover"
"""Origins of a result: the game reached its end, or ended otherwise before two seats had decided anything."""

_BEGINNING_EVENTS = 4
"""Number of decisions, dice and draws in a beginning."""

_NOT_PLAY = common_events.COMMON - {common_events.Resign}
"""Common events that do not count as play. A resignation counts."""

_encoder = msgspec.json.Encoder(order="deterministic")


def seat_row(id: str, person: Seat, position: int) -> tables.SeatRow:
    """Return the row of a seat without its result."""
    return tables.SeatRow(
        id=id,
        seat=person.seat,
        position=position,
        name=person.name,
        same_name=name_key(person.name),
        bot=person.bot,
        key=person_key(person),
        person=person_key(person),
        player=player_name(person),
    )


class Timeline:
    """The rows of a folded record. Lists have one value for each event, in the order of the record.

    Attributes:
        turns: The number of turns.
        duration: The time of play in ms.
        consequences: The consequences of all events.
        corrected_rolls: The dice of events that were corrected as slips.
        stays: The people at seats at which several people sat.
    """

    def __init__(self, fold: Fold, events: Sequence[Event], bodies: Sequence[bytes]) -> None:
        """Work out the columns of a folded record. `bodies` are the encoded `events`."""
        self.fold = fold
        self._bodies = bodies
        self._events = events
        self._kinds = [*map(type, events)]
        self._kinds_used = {*self._kinds}
        self._authors = [event.by for event in events]
        line = self._line = fold.main_line_numbers()
        standing = frozenset(line) if len(line) < len(events) else None
        self._stands = (
            [True] * len(events) if standing is None else [n in standing for n in range(1, len(events) + 1)]
        )
        self._corrected_events = fold.corrected_events()
        self._slips = self._slip_marks()
        self.duration = fold.play_time
        self._elapsed_times = elapsed_times(fold, self._corrected_events)
        self._visible_events = _seen_by_all(fold, events)
        unseen = {n for n, seen in self._visible_events.items() if seen is None}
        self.beginning_digest = None if running_viewer(fold).seats else beginning_digest(fold, events, line)
        self._points = ScoreTimeline(fold, line)
        self.consequences = fold_consequences(fold, events, self._stands, self._corrected_events, unseen)
        self.corrected_rolls = [*corrected_rolls(fold, events, self._corrected_events, unseen)]
        self._number_decisions()
        self.stays = Stays(fold, events if common_events.Substitute in self._kinds_used else ())
        self.stays.count_decisions(self._deciders, self._elapsed_times)
        self._divide_into_turns()

    def _number_decisions(self) -> None:
        """Find the decisions that are not undone, and number them for each seat."""
        game = self.fold.game
        decisions = frozenset(game.events).difference(game.chance_events)
        decision_counts = dict.fromkeys(self.fold.header.seat_ids, 0)
        thinking = dict(decision_counts)
        self._first_decision: dict[str, int] = {}
        self._deciders: list[str | None] = [None] * len(self._kinds)
        self._decision_numbers: list[int | None] = [None] * len(self._kinds)
        for index in compress(count(), map(decisions.__contains__, self._kinds)):
            seat = self._authors[index]
            if seat in decision_counts and self._stands[index]:
                if not decision_counts[seat]:
                    self._first_decision[seat] = index + 1
                decision_counts[seat] = self._decision_numbers[index] = decision_counts[seat] + 1
                thinking[seat] += self._elapsed_times[index]
                self._deciders[index] = seat
        self._decision_counts, self._thinking_ms = decision_counts, thinking

    def _divide_into_turns(self) -> None:
        """Assign each event that is not undone to the turn that ends with it or after it."""
        self._turn_of: list[int | None] = []
        self._turns: dict[str, list[Any]] = {"turn": [], "n": [], "seat": [], "elapsed_ms": []}
        self._order: dict[str, int] = {}
        turn = 1
        for n, seat, stands in turn_ends(self.consequences):
            if stands:
                self._add_turn(turn, n)
                turn += 1
                self._order.setdefault(seat, n)
        self._add_turn(turn, len(self._events))
        self.turns: int = max(self._turns["turn"], default=0)

    def _add_turn(self, turn: int, end: int) -> None:
        """Add the turn with the number `turn`, which ends with event `end`."""
        begin = len(self._turn_of)
        stands, elapsed = self._stands[begin:end], self._elapsed_times[begin:end]
        if False in stands:
            self._turn_of += [turn if standing else None for standing in stands]
            elapsed = [*compress(elapsed, stands)]
        else:
            self._turn_of += [turn] * len(stands)
        if elapsed:
            deciders = {*self._deciders[begin:end]} - {None}
            self._turns["turn"].append(turn)
            self._turns["n"].append(begin + stands.index(True) + 1)
            self._turns["seat"].append(deciders.pop() if len(deciders) == 1 else None)
            self._turns["elapsed_ms"].append(sum(elapsed))

    def table_columns(self) -> dict[str, Columns]:
        """Return the columns of the tables events, turns and scores."""
        by_table = {"events": self._event_columns(), "turns": self._turns, "scores": self._points.columns()}
        return {
            name: {"id": [self.fold.header.id] * len(columns["n"]), **columns}
            for name, columns in by_table.items()
        }

    def _event_columns(self) -> Columns:
        """Return the columns of events, one row for each event."""
        kinds = self._kinds
        tags = {kind: tag_of(kind) for kind in self._kinds_used}
        return {
            "n": range(1, len(kinds) + 1),
            "elapsed_ms": self._elapsed_times,
            "seat": self._authors,
            "kind": list(map(tags.__getitem__, kinds)),
            "chance": list(map(frozenset(self.fold.game.chance_events).__contains__, kinds)),
            "stands": self._stands,
            "slip": self._slips,
            "turn": self._turn_of,
            "decision": self._decision_numbers,
            "data": self._data(),
        }

    def _data(self) -> list[bytes]:
        """Return the own members of each event, in an unfinished game only as far as all seats see them."""
        data = _members(self._bodies, self._events)
        for n, seen in self._visible_events.items():
            data[n - 1] = _own_members(seen or {})
        return data

    @property
    def gaps(self) -> int:
        """Number of declared positions, without undone ones."""
        return sum(
            isinstance(self._events[n - 1], common_events.Gap)
            for n in self.fold.main_line.discontinuities
            if self._stands[n - 1]
        )

    def result_by(self, outcome: Outcome | None) -> str | None:
        """Return the value of the column ``result_by``."""
        if outcome is None:
            return None
        end = self._ending_event()
        cause = _RESULTS.get(type(self._events[end - 1]), _PLAY) if end else _PLAY
        return cause if cause == _PLAY or sum(map(bool, self._decision_counts.values())) > 1 else _WALKOVER

    def _ending_event(self) -> int:
        """Return the number of the event that ended the game.

        That is the common event that ended it, or the last event of the main line that changed the state.
        """
        fold = self.fold
        if fold.session.outcome:
            return fold.ending_event(fold.n)
        changes = (
            n
            for n, before in pairwise([*reversed(self._line), 0])
            if fold.states[n] is not fold.states[before]
        )
        return next(changes, 0)

    def _half_way_event(self) -> int:
        """Return the number of the event after which half of the events, without slips, have happened."""
        if not any(self._slips):
            return len(self._events) // 2
        played = [n for n, slip in enumerate(self._slips, 1) if not slip]
        return played[len(played) // 2 - 1] if len(played) > 1 else 0

    def _slip_marks(self) -> list[bool]:
        """Return, for each event, whether it is a slip or the correction of a slip."""
        if not self._corrected_events and common_events.Takeback not in self._kinds_used:
            return [False] * len(self._kinds)
        corrections = (isinstance(event, common_events.Takeback) and event.slip for event in self._events)
        return [slip or n in self._corrected_events for n, slip in enumerate(corrections, 1)]

    def seats(self, outcome: Outcome | None) -> list[tables.SeatRow]:
        """Return the seats with their results.

        The turn order follows the first turns that ended, or the first decisions if a seat ended no turn.
        """
        points, deficits, overtakes = (
            self._points.final_points(),
            self._points.max_deficits(),
            self._points.overtakes(),
        )
        half_way = self._points.leader_after(self._half_way_event())
        first = {
            seat: (seat not in self._order, self._order.get(seat, n))
            for seat, n in (self._first_decision | self._order).items()
        }
        order = {seat: position for position, seat in enumerate(sorted(first, key=first.__getitem__), 1)}
        people = [
            seat_row(self.fold.header.id, person, position)
            for position, person in enumerate(self.fold.session.seats, 1)
        ]
        for person in people:
            seat = person.seat
            person.turn_order = order.get(seat)
            person.sitters = self.stays.sitters(seat)
            if seat in points:
                person.score = points[seat]
                person.overtakes, person.half_way = overtakes[seat], seat == half_way
                person.max_deficit, person.max_deficit_at = deficits[seat]
            person.decisions, person.thinking = self._decision_counts[seat], self._thinking_ms[seat]
            if outcome:
                person.won = seat in outcome.winners
                sharing = outcome.winners or self.fold.header.seat_ids
                person.share = (seat in sharing) / len(sharing)
                person.place, person.team = outcome.place_of(seat), outcome.team_of(seat)
                if outcome.payoffs:
                    person.payoff = float(outcome.payoffs[seat])
        return people


def _seen_by_all(fold: Fold, events: Sequence[Event]) -> dict[int, dict[str, Any] | None]:
    """Return the members that all seats see of each event with hidden ones, by number.

    The value is None if they see nothing of the event. A finished game hides nothing.
    """
    viewer = running_viewer(fold)
    if not viewer.seats:
        return {}
    members_by_number = {event.n: visible_in_fold(fold, event, viewer) for event in events}
    return {
        n: members for n, members in members_by_number.items() if members is None or isinstance(members, dict)
    }


def _own_members(members: dict[str, Any]) -> bytes:
    """Return the members of an event without its stamp, as JSON."""
    return msgspec.json.encode(
        {name: value for name, value in members.items() if name not in ("do", "n", "t", "by")}
    )


def _members(bodies: Sequence[bytes], events: Sequence[Event]) -> list[bytes]:
    """Return the own members of each event as JSON: its body without the stamp.

    A body with its members in an unusual order is encoded again.
    """
    stamped = _STAMPED.findall(b"".join(bodies))
    if stamped and len(stamped) == len(bodies):
        return (b"{" + b"}\n{".join(stamped) + b"}").split(b"\n")
    return [_own_body(body, event) for body, event in zip(bodies, events, strict=True)]


def _own_body(body: bytes, event: Event) -> bytes:
    match = _STAMPED.match(body)
    if match:
        return b"{%b}" % (match[1] or b"")
    return _own_members(msgspec.to_builtins(event))


def beginning_digest(fold: Fold, events: Sequence[Event], line: Sequence[int]) -> str | None:
    """Return the digest of the first events on `line`, in any order, or None if the play is too short."""
    first: list[Event] = []
    for n in line:
        if type(events[n - 1]) not in _NOT_PLAY:
            first.append(events[n - 1])
            if len(first) == _BEGINNING_EVENTS:
                break
    else:
        return None
    header = fold.header
    setup = [header.game, header.rules, header.options, header.board, header.seat_ids]
    lines = sorted(map(_encoder.encode, played_structs(fold, first)))
    return urlsafe_b64encode(sha256(_encoder.encode(setup) + b"\n".join(lines)).digest()[:12]).decode()
