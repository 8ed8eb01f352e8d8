"""The session of a record: people, clock, offers, claims, links, and the events that count.

Nothing here depends on hidden information, so it is the same for all viewers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from gamelog.message import Message
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold.common_events import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.names_at_events import NamesAtEvents
from gamelog.play.fold.replacements import is_step
from gamelog.play.fold.seat_times import used_times
from gamelog.play.fold.session import Offer
from gamelog.record.envelope import TABLE, Event, Header, Seat


class SessionView:
    """The session of a record up to the last event of its fold, as all viewers may know it.

    A view grows with its fold. It gives no access to the fold.
    """

    def __init__(self, fold: Fold, unfolded: Sequence[Event] = ()) -> None:
        """Make a view of `fold` and of the `unfolded` events after it, with which the play ends."""
        self._fold, self._game, self._unfolded_events = fold, fold.game, unfolded
        self._ends: dict[int, int] = {}
        self._names = NamesAtEvents(fold, unfolded)

    @property
    def last_number(self) -> int:
        """The number of the last event, refused events included."""
        return self._fold.n + len(self._unfolded_events)

    @property
    def last_played(self) -> int:
        """The number of the last event that was not refused."""
        return self._fold.n

    @property
    def game(self) -> AnyGame:
        """The rules of the record's game."""
        return self._game

    @property
    def header(self) -> Header:
        """The record's header."""
        return self._fold.header

    @property
    def people(self) -> tuple[Seat, ...]:
        """The people at the table after the last event, in the order of the seats."""
        return tuple(self._fold.session.seats)

    @property
    def tags(self) -> Mapping[str, str]:
        """The current tags of the record."""
        return self._fold.tags

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None if the game is not over."""
        return self._fold.outcome

    @property
    def t(self) -> int:
        """The time of the last event, in ms since the start."""
        return self._event(self.last_number).t if self.last_number else 0

    @property
    def real_time(self) -> int:
        """The real time of the last event, in ms since the start."""
        return self._fold.real_time(self._event(self.last_number)) if self.last_number else 0

    @property
    def is_running(self) -> bool:
        """Whether the clock runs."""
        return self._fold.session.paused_at is None

    @property
    def unknown_since(self) -> int | None:
        """The illegal event whose effect is unknown, until a position is declared, or None."""
        return self._fold.session.unknown_since

    @property
    def is_declared(self) -> bool:
        """Whether the table has recorded a result."""
        return self._fold.session.declared_result is not None

    @property
    def result_differs(self) -> bool:
        """Whether the recorded result differs from the result of the play."""
        return self._fold.result_differs

    @property
    def offers(self) -> Mapping[int, Offer]:
        """The open offers by number."""
        return self._fold.offers

    def expired_offers(self, n: int) -> tuple[Offer, ...]:
        """Return the offers that event `n` ended without an answer."""
        return self._fold.lapsed_offers.get(n, ())

    @property
    def penalties(self) -> dict[str, int]:
        """Total points that the rulings in force have given to each seat."""
        return self._fold.session.penalties

    @property
    def warnings(self) -> dict[str, int]:
        """Number of warnings that the rulings in force have given to each seat."""
        return self._fold.session.warnings

    @property
    def open_claims(self) -> Sequence[int]:
        """The numbers of the claims on which no one has ruled."""
        return self._fold.rulings.claims.open_numbers

    @property
    def disputed_events(self) -> Sequence[int]:
        """The numbers of the illegal events and declared positions that count without a ruling."""
        return [n for n in self._fold.violations if self._fold.is_disputed(n)]

    @property
    def revealed_links(self) -> Mapping[str, Any] | None:
        """The revealed links of commit-reveal dice, by seat, or None for other dice."""
        reveals = self._fold.reveals
        return None if reveals is None else reveals.last_links

    @property
    def missing_links(self) -> tuple[str, ...]:
        """The seats whose links the due roll still waits for."""
        reveals = self._fold.reveals
        return reveals.missing_seats if reveals else ()

    @property
    def due_from_dealer(self) -> Literal["secret", "link"] | None:
        """The dealer's secret if a face-down roll waits for it, its link if the end waits for it, or None."""
        reveals = self._fold.reveals
        if reveals is None or reveals.dealer is None:
            return None
        if self.outcome and reveals.dealer.first_closed_roll:
            return "link"
        return "secret" if reveals.is_roll_closed else None

    def time_at(self, real: int) -> int:
        """Return the ``t`` of an event that is recorded `real` ms after the start."""
        return max(self.t, self._fold.session.time_at(real))

    @property
    def catching_up(self) -> int:
        """The ms of play that slips took back and that no later event contains yet."""
        return max(0, self._fold.session.caught_up_at - self.t)

    def clock(self, t: int) -> int:
        """Return the time of play `t` ms after the start, if nothing more happens until then."""
        return self._fold.session.clock(t)

    def used_times(self) -> dict[str, int]:
        """Return the time of play up to the last play, in ms: of each seat, and of the table in all."""
        return {**used_times(self._fold), TABLE: self._fold.play_time}

    def running_times(self, t: int) -> dict[str, int]:
        """Return the times on the clocks `t` ms after the start, in ms: of each seat, and of the table.

        While the game is running, the time since the last play is on the clock of the only player to move or
        to roll.
        """
        session, pending, times = self._fold.session, self._fold.pending, self.used_times()
        if not pending.outcome:
            since = session.clock(max(t, session.caught_up_at)) - times[TABLE]
            chance = (pending.chance.by,) if pending.chance else ()
            on = {seat for seat in (*pending.by, *chance) if seat in times and seat != TABLE}
            times[TABLE] += since
            if len(on) == 1 and session.unknown_since is None:
                times[on.pop()] += since
        return times

    def name_of(self, seat: str) -> str:
        """Return the name of the person at `seat` after the last event, or the seat if it has no name."""
        return self._fold.session.name_of(seat)

    def names_at(self, n: int) -> Callable[[str], str]:
        """Return the function that names the seats in a sentence about event `n`: the people of that time."""
        return self._names.of(self._event(n)) if n else self._names.after(0)

    def unknown_seat(self, text: str) -> Message:
        """Return the message that `text` names no one with a seat, and who has a seat."""
        return self._fold.unknown_seat(text)

    def idle_time(self, n: int) -> int:
        """Return the ms between the last play and event `n`, without pauses; 0 if event `n` is play.

        After a slip, these are also the ms of play that the slip took back. After the end of the game, these
        are the ms until the event that ended it.
        """
        fold, n = self._fold, min(n, self._fold.n)
        session = fold.session_at(n)
        idle = session.clock(max(self._event(n).t, session.caught_up_at)) - fold.play_time_at(n) if n else 0
        if idle and fold.pending_at(n).outcome and (end := self._end_of_play(n)) < n:
            return self.idle_time(end)
        return idle

    def _end_of_play(self, n: int) -> int:
        """Return the event from which on the game was over until event `n`, as was known then."""
        end = n
        while end and end not in self._ends and self._fold.pending_at(end - 1).outcome:
            end -= 1
        self._ends[n] = self._ends.get(end, end)
        return self._ends[n]

    def stands(self, n: int) -> bool:
        """Return whether event `n` is on the main line: not taken back, and not a takeback itself."""
        return not self.is_takeback(n) and self._fold.stands(n)

    def is_takeback(self, n: int) -> bool:
        """Return whether event `n` is a takeback in force, also by a ruling or an accepted offer."""
        return n in self._fold.takebacks

    def main_line_numbers(self, end: int | None = None) -> list[int]:
        """Return the numbers of the events that count after event `end`, without takebacks.

        By default, it is the last event.
        """
        return self._fold.main_line_numbers(end)

    def played_events(self) -> set[int]:
        """Return the numbers of the played events that count at the end of the view, with agreements."""
        fold = self._fold
        numbers = {*fold.main_line_numbers(), *fold.offers, *fold.ends}
        return {n for n in numbers if not self.is_outside_play(n) and fold.stands(n)}

    def is_outside_play(self, n: int) -> bool:
        """Return whether event `n` is not part of play: a note, an answer, most rulings."""
        event = self._event(n)
        return type(event) in COMMON and not is_step(self._fold, event)

    def is_step(self, n: int) -> bool:
        """Return whether event `n` is a decision that a takeback undoes, unlike chance or a note."""
        return is_step(self._fold, self._event(n))

    def before_last_step(self) -> int:
        """Return the number of the event before the last decision that counts (`is_step`); 0 without one."""
        return next((n - 1 for n in reversed(self.main_line_numbers()) if self.is_step(n)), 0)

    def undone_by_return(self, to: int) -> list[int]:
        """Return the numbers of the played events that a takeback to event `to` would undo now."""
        return [n for n in self.main_line_numbers() if n > to and not self.is_outside_play(n)]

    def _undone_by(self, n: int) -> int:
        """Return the number of the takeback in force that undid event `n`."""
        main, end = self._fold.main_line, self._fold.n
        while (jump := main.last_jump(end)) > n:
            end = main.jumps[jump]
            if end < n:
                break
        return jump

    def _event(self, n: int) -> Event:
        fold = self._fold
        if 1 <= n <= fold.n:
            return fold.events[n - 1]
        if fold.n < n <= self.last_number:
            return self._unfolded_events[n - fold.n - 1]
        raise IndexError(f"there is no event {n}; the last is {self.last_number}")
