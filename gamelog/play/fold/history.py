"""The past of a fold: states, the session, the course of play and the time.

Nothing is judged here. The session is stored only when it changes, so a long quiet record costs nothing, and
questions about an earlier event need no second fold.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from msgspec import structs

from gamelog.chance.sources import recomputable_source
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame, Pending
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.violation import Violation, forbids
from gamelog.play.fold import common_events
from gamelog.play.fold.game_errors import broken_game
from gamelog.play.fold.parts.ancestry import Ancestry, last_inherited
from gamelog.play.fold.parts.event_list import EventList
from gamelog.play.fold.parts.main_line import MainLine, removed_ranges
from gamelog.play.fold.parts.reveal_book import RevealBook
from gamelog.play.fold.parts.ruling_book import RulingBook
from gamelog.play.fold.session import Offer, Session, Signature
from gamelog.play.fold.start import start
from gamelog.record.envelope import ARBITER, TABLE, Event, Header, Seat
from gamelog.record.names import name_key

_PLAY = (common_events.Clock, common_events.Takeback, common_events.Resign, common_events.Gap)
"""Common events that count as play if they take effect at once: the time up to them is time of play."""


class History:
    """The play of a record so far.

    Attributes:
        header: The header of the record.
        game: The game, in the version of the header.
        line_heads: The head of each line, the header's first, as far as they were given.
        ancestry: The proof of what the record shares with its parents.
        last_inherited: The number of the last event that was recorded for a parent; 0 without a parent.
        states: ``states[k]`` is the game's state after event ``k``; ``states[0]`` is the start.
        events: ``events[k]`` is event ``k + 1``.
        authors: The possible authors of an event: the seats, the table and the arbiter.
        session: What common events have changed: names, clock, penalties, an end that was not played.
        tags: The current tags of the record.
        t: The time of the last event, in ms since the start.
        play_time: The time of play up to the last event of play, in ms.
        chance_events: The types of the game's chance events.
        source: The source of dice that can be recomputed, or None.
        chance_count: The number of chance events that count.
        reveals: The links of commit-reveal dice, or None for other dice.
        offers: The open offers by the number of their event.
        awaited_seats: By event, the seats whose answer an offer still waited for.
        lapsed_offers: By event, the offers that it ended without an answer.
        main_line: The main line, with takebacks and ends.
        slips: The takebacks that correct mistakes of recording.
        ends: Ends of the game other than by play, by event.
        violations: Illegal events that count, and declared positions, by event.
        unknown_effects: Illegal events that count although their effect is unknown.
        rulings: The rulings, and the claims that they answer.
        signatures: The valid signatures, in order.
    """

    def __init__(
        self, header: Header, game: AnyGame, line_heads: Iterable[bytes], ancestry: Ancestry | None
    ) -> None:
        """Start the game of a record.

        Args:
            header: The header of the record.
            game: The game, in the version of the header.
            line_heads: The digests of the header and of the events, in order. They may be fewer than the
                events: only signatures and commit-reveal dice need them.
            ancestry: The heads of the parents, or None if no record is there to prove them.

        Raises:
            BadSetup: The game does not accept the header.
        """
        self.header = header
        self.game = game
        self.line_heads: list[bytes] = list(line_heads)
        self.ancestry = ancestry or Ancestry(header)
        self.last_inherited = last_inherited(header)
        self.states: list[Any] = [start(game, header)]
        self.authors = frozenset((*header.seat_ids, TABLE, ARBITER))
        self.chance_events = frozenset(game.chance_events)
        self.source = recomputable_source(header.dice, header.id)
        self.chance_count = 0
        self.reveals = RevealBook(header) if header.dice.source == "commit-reveal" else None
        self.events: EventList = EventList(game)
        self.session = Session.of(header)
        self.offers: dict[int, Offer] = {}
        self.awaited_seats: dict[int, frozenset[str]] = {}
        self.lapsed_offers: dict[int, tuple[Offer, ...]] = {}
        self.tags = dict(header.tags)
        self.t = 0
        self.play_time = 0
        self.main_line = MainLine()
        self.slips: set[int] = set()
        self.ends: dict[int, Outcome] = {}
        self.violations: dict[int, Violation] = {}
        self.unknown_effects: set[int] = set()
        self.rulings = RulingBook()
        self.signatures: list[Signature] = []
        self._played_at: dict[int, int] = {}
        self._pending_cache: tuple[Any, Pending] = (None, Pending())
        self._sessions: list[Session] = [self.session]
        self._session_starts = [0]

    @property
    def n(self) -> int:
        """Number of the last event."""
        return len(self.states) - 1

    @property
    def state(self) -> Any:
        """The game's state now."""
        return self.states[-1]

    @property
    def pending(self) -> Pending:
        """The possible next steps, including ends decided at the table."""
        outcome = self.session.outcome
        return Pending(outcome=outcome) if outcome else self.pending_in(self.states[-1])

    def pending_in(self, state: Any) -> Pending:
        """Return the possible next steps of the game in `state`, cached for the last state.

        Raises:
            BrokenGame: The game's function returned something else.
        """
        if self._pending_cache[0] is not state:
            pending = self.game.pending(state)
            if not isinstance(pending, Pending):
                raise broken_game(self.game, f"pending gives {type(pending).__name__}, not a Pending")
            self._pending_cache = (state, pending)
        return self._pending_cache[1]

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None if the game is not over."""
        return self.pending.outcome

    @property
    def result_differs(self) -> bool:
        """Whether the recorded result differs from the result of the play."""
        declared = self.session.declared_result
        return declared is not None and not (self.outcome and self.outcome.agrees(declared))

    def score_with_final_penalties(self, n: int | None = None) -> dict[str, int]:
        """Return the points of each seat after event `n` (default: the last), with the current penalties."""
        return self._score(self.n if n is None else n, self.session)

    def score_at(self, n: int) -> dict[str, int]:
        """Return the points of each seat after event `n`, with the penalties at that time."""
        return self._score(n, self.session_at(n))

    def _score(self, n: int, session: Session) -> dict[str, int]:
        score = dict(self.game.score(self.states[n]))
        for seat, number in session.penalties.items():
            score[seat] = score.get(seat, 0) + number
        return score

    def pending_at(self, n: int) -> Pending:
        """Return the possible next steps after event `n`, including ends decided at the table by then.

        While the effect of an illegal event is unknown, there are none.
        """
        session = self.session_at(n)
        if session.outcome or session.unknown_since:
            return Pending(outcome=session.outcome)
        return self.pending_in(self.states[n])

    def main_line_numbers(self, end: int | None = None) -> list[int]:
        """Return the numbers of the events that count after event `end` (by default the last)."""
        return self.main_line.numbers(self.n if end is None else end)

    def stands(self, number: int, n: int | None = None) -> bool:
        """Return whether event `number` counts after event `n` (by default the last).

        It may be a takeback in force.
        """
        return self.main_line.stands(number, self.n if n is None else n)

    def is_disputed(self, n: int) -> bool:
        """Return whether `n`, an illegal event or declared position, counts without a ruling in force."""
        return n in self.violations and self.stands(n) and self.rulings.ruling_about(n) is None

    @property
    def takebacks(self) -> dict[int, int]:
        """For each takeback in force, the event after which the line continues."""
        return self.main_line.jumps

    def ending_event(self, n: int) -> int:
        """Return the event that ended the game, other than by play, if it is over after event `n`, or 0."""
        return self.main_line.last_end(n)

    def end_in_force(self, n: int) -> Outcome | None:
        """Return the end, other than by play, that is in force after event `n`."""
        return self.ends.get(self.ending_event(n))

    def end(self, n: int, outcome: Outcome) -> None:
        """End the game with event `n`."""
        self.main_line.add_end(n)
        self.ends[n] = outcome
        self.expire_offers(n)
        self.session = structs.replace(self.session, outcome=outcome)

    def withdraw_end(self, n: int) -> None:
        """Withdraw the end of the game by event `n`, a withdrawn ruling, if it is one."""
        if self.ends.pop(n, None):
            self.main_line.remove_end(n)
            self.session = structs.replace(self.session, outcome=self.end_in_force(self.n))

    def take_back(self, n: int, to: int, slip: bool = False, *, ruled: bool = False) -> Any:
        """Return to the state after event `to`, and restore the end or gap on that line.

        Args:
            n: The number of the event that does this: a takeback, an answer or a ruling.
            to: The number of the event after which the game continues; 0 is the start.
            slip: Whether the events since `to` were never played.
            ruled: Whether the arbiter ruled this. A takeback that is not ruled depends on the line on which
                it was made.

        Returns:
            The state after event `to`.
        """
        self.main_line.add_jump(n, to, played=not ruled)
        if slip:
            self.slips.add(n)
        discontinuity = self.main_line.last_discontinuity(to)
        unknown_since = discontinuity if discontinuity in self.unknown_effects else None
        self.expire_offers(n)
        self.session = structs.replace(
            self.session, outcome=self.end_in_force(to), unknown_since=unknown_since
        )
        return self.states[to]

    def make_dependent(self, n: int, ruling: int) -> None:
        """Make the takeback of event `n` end when the ruling of event `ruling` ends."""
        self.main_line.add_dependency(n, ruling)

    def withdraw_takeback(self, n: int) -> int:
        """Withdraw the takeback of event `n`, and return the event after which the line continues then."""
        self.main_line.remove_jump(n)
        return self.main_line.continuation(self.n)

    def add_penalties(self, points: dict[str, int]) -> None:
        """Add a penalty of the arbiter to the points of seats."""
        self.session = self.session.add_penalties(points)

    def add_warnings(self, numbers: dict[str, int]) -> None:
        """Add warnings of the arbiter to those of seats."""
        self.session = self.session.add_warnings(numbers)

    def mark_declared(self, n: int, reason: str) -> None:
        """Mark event `n` as a declared position. Nothing is unknown any more."""
        self.violations[n] = forbids("", "the position was declared: {=reason}", reason=reason)
        self.main_line.discontinuities.append(n)
        self.session = structs.replace(self.session, unknown_since=None)

    def mark_unknown(self, n: int) -> None:
        """Mark the position after event `n` as unknown."""
        self.unknown_effects.add(n)
        self.main_line.discontinuities.append(n)
        self.session = structs.replace(self.session, unknown_since=n)

    def set_people(self, people: Iterable[Seat]) -> None:
        """Set the people who sit at the table."""
        self.session = structs.replace(self.session, seats=tuple(people))

    def set_tags(self, tags: Mapping[str, str]) -> None:
        """Set these tags of the record, and keep the others."""
        self.tags.update(tags)

    def add_signature(self, signature: Signature) -> None:
        """Add a signature of the record."""
        self.signatures.append(signature)

    def set_recorded_result(self, result: Outcome) -> None:
        """Set the result that the table has recorded."""
        self.session = structs.replace(self.session, declared_result=result)

    def pause(self, t: int) -> None:
        """Stop the clock at `t`."""
        self.session = self.session.pause(t)

    def resume(self, t: int) -> None:
        """Restart the stopped clock at `t`."""
        self.session = self.session.resume(t)

    def set_clock(self, t: int, reading: int, played: int) -> None:
        """Set the clock to `reading` at `t`, of which `played` is time of play."""
        self.session = self.session.set_clock(t, reading)
        self.play_time = played

    def offer(self, offer: Offer, n: int) -> None:
        """Store `offer`, which waits for answers after event `n`."""
        self.offers[offer.n] = offer
        self.awaited_seats[n] = offer.waiting

    def close_offer(self, n: int) -> Offer | None:
        """Remove and return the open offer of event `n`, or return None if there is none."""
        return self.offers.pop(n, None)

    def expire_offers(self, n: int) -> None:
        """End the open offers because of event `n`."""
        if self.offers:
            self.lapsed_offers[n] = (*self.lapsed_offers.get(n, ()), *self.offers.values())
            self.offers.clear()

    def corrected_events(self) -> frozenset[int]:
        """Return the numbers of the events that slips have removed: they were never played."""
        undone = removed_ranges(self.takebacks, self.slips, self.n) if self.slips else ()
        return frozenset(chain.from_iterable(undone))

    def session_at(self, n: int) -> Session:
        """Return the session after event `n`: names, clock, end and penalties at that time."""
        return self._sessions[bisect_right(self._session_starts, n) - 1]

    def unknown_seat(self, text: str) -> Message:
        """Return the message that `text` names no one with a seat, and who has a seat."""
        earlier = [(seat.seat, seat.name) for seat in self.header.seats]
        earlier += [
            (event.seat, event.name) for event in self.events if isinstance(event, common_events.Substitute)
        ]
        key = name_key(text)
        left_seat = next((seat for seat, name in reversed(earlier) if name_key(name or "") == key), None)
        if not left_seat:
            return Message.of(
                '"{=name}" has no seat in this game; the seats are {=seats}',
                name=text,
                seats=self.session.seat_list,
            )
        return Message.of(
            "{=name} has left the seat {seat}, where {=now} sits now; the seats are {=seats}",
            name=text,
            seat=left_seat,
            now=self.session.name_of(left_seat),
            seats=self.session.seat_list,
        )

    def real_time(self, event: Event) -> int:
        """Return the time of `event` in ms since the start, without the time that earlier slips took back."""
        return event.t - self.session_at(event.n - 1).corrected_time

    def play_time_at(self, n: int) -> int:
        """Return the time of play up to event `n`, in ms.

        For events that are not play, it is the time of the last play.
        """
        played = self._played_at.get(n)
        if played is not None or not n:
            return played or 0
        return self.session_at(n - 1).clock(self.events[n - 1].t)

    def play_times(self) -> list[int]:
        """Return `play_time_at` of every event, in the order of the record."""
        if not self._played_at and len(self._sessions) == 1:
            return [event.t for event in self.events]
        return [self.play_time_at(n) for n in range(1, len(self.events) + 1)]

    def _store_time_of_play(self, event: Event, state: Any, earlier: Session) -> None:
        """Store how long play has lasted at a common event, applied to `state` and the `earlier` session.

        Nothing after the end is play. A game that continues does so from the time of its last play, and after
        a slip from the time of the event that the slip returned to.
        """
        moved = (
            state is not self.states[-1]
            or earlier.outcome is not self.session.outcome
            or event.n in self.takebacks
        )
        if event.n in self.slips:
            is_over = earlier.outcome or self.game.pending(state).outcome
            before = self.play_time if is_over else earlier.clock(event.t)
            self.play_time = self._clock_after_slip(self.takebacks[event.n])
            self.session = self.session.go_back(event.t, self.play_time, before)
        elif moved or isinstance(event, common_events.Clock):
            over = earlier.outcome or self.game.pending(state).outcome
            if not over and isinstance(event, _PLAY):
                self.play_time = earlier.clock(event.t)
            elif over and not self.outcome:
                self.session = self.session.set_clock(event.t, self.play_time)
        self._played_at[event.n] = self.play_time

    def _clock_after_slip(self, to: int) -> int:
        """Return the time of play after a slip back to event `to`, at most what was ruled since."""
        return self.rulings.effects.corrected_clock(TABLE, self.play_time_at(to), to)

    def _store_session(self) -> None:
        """Store the session if it has changed."""
        if self.session is not self._sessions[-1]:
            self._sessions.append(self.session)
            self._session_starts.append(self.n)
