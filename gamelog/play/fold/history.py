"""What a fold has passed: states, the table beside them, the course of play, and the time that it took.

Nothing is judged here. What the table looked like is kept from change to change, so that a long
quiet record costs nothing, and whoever asks about an earlier event folds nothing again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import chain
from typing import Any

from msgspec import structs

from gamelog.chance.sources import recomputable
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame, Pending
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.violation import Violation, forbids
from gamelog.play.fold import common
from gamelog.play.fold.ancestry import Ancestry, inherited
from gamelog.play.fold.event_list import EventList
from gamelog.play.fold.game_errors import broken
from gamelog.play.fold.mainline import Mainline, corrections
from gamelog.play.fold.reveal_book import RevealBook
from gamelog.play.fold.ruling_book import RulingBook
from gamelog.play.fold.session import Offer, Session, Signature
from gamelog.play.fold.start import start
from gamelog.record.envelope import ARBITER, TABLE, Event, Header, Seat
from gamelog.record.names import same_name

_PLAY = (common.Clock, common.Takeback, common.Resign, common.Gap)
"""The common events that are play where they take effect at once: the time up to them is time of play."""


class History:
    """A record's play so far.

    ``states[k]`` is the game's state after event ``k``, ``states[0]`` the start, ``events[k]`` event
    ``k + 1``; ``session`` is what common events have changed, ``offers`` the open ones by number,
    ``tags`` the record's as they are now; ``takebacks`` says of each takeback in force where the line
    went on from, ``slips`` which of them correct the paper; ``ends`` how other than by play the
    game has ended; ``violations`` are by number the illegal events that stood and the positions that
    were declared; ``awaited`` says by number whose yes an offer still waited for after an event, ``lapsed``
    which offers an event has ended without an answer; ``signatures`` those that hold; ``played`` is the
    time of play in ms, up to the last event that was play. ``heads`` are those of the lines, the header's
    first, as far as they were given; ``inherited`` is the last event that was written for a parent, of which
    ``ancestry`` knows what the record proves; ``reveals`` is what is known of commit-reveal dice, None where
    the record has others; ``source`` is where dice come from that anybody can throw again, of which
    ``chances`` counts the throws; ``people`` may be the ``by`` of an event.
    """

    def __init__(
        self, header: Header, game: AnyGame, heads: Iterable[bytes], ancestry: Ancestry | None
    ) -> None:
        self.header = header
        self.game = game
        self.heads: list[bytes] = list(heads)
        self.ancestry = ancestry or Ancestry(header)
        self.inherited = inherited(header)
        self.states: list[Any] = [start(game, header)]
        self.people = frozenset((*header.seat_ids, TABLE, ARBITER))
        self.chance_events = frozenset(game.chance_events)
        self.source = recomputable(header.dice, header.id)
        self.chances = 0
        self.reveals = RevealBook(header) if header.dice.source == "commit-reveal" else None
        self.events: EventList = EventList(game)
        self.session = Session.of(header)
        self.offers: dict[int, Offer] = {}
        self.awaited: dict[int, frozenset[str]] = {}
        self.lapsed: dict[int, tuple[Offer, ...]] = {}
        self.tags = dict(header.tags)
        self.t = 0
        self.played = 0
        self.main = Mainline()
        self.takebacks = self.main.jumps
        self.slips: set[int] = set()
        self.ends: dict[int, Outcome] = {}
        self.violations: dict[int, Violation] = {}
        self.unknown: set[int] = set()
        self.rulings = RulingBook()
        self.signatures: list[Signature] = []
        self._still: dict[int, int] = {}
        self._asked: tuple[Any, Pending] = (None, Pending())
        self._sessions: list[Session] = [self.session]
        self._changed = [0]

    @property
    def n(self) -> int:
        """The number of the last event."""
        return len(self.states) - 1

    @property
    def state(self) -> Any:
        """The game's state now."""
        return self.states[-1]

    @property
    def pending(self) -> Pending:
        """What can happen now, the table's own endings included."""
        outcome = self.session.outcome
        return Pending(outcome=outcome) if outcome else self.pending_in(self.states[-1])

    def pending_in(self, state: Any) -> Pending:
        """Return what can happen by the game in `state`, which is asked once where it is the same as before.

        Raises `BrokenGame`.
        """
        if self._asked[0] is not state:
            pending = self.game.pending(state)
            if not isinstance(pending, Pending):
                raise broken(self.game, f"pending gives {type(pending).__name__}, not a Pending")
            self._asked = (state, pending)
        return self._asked[1]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, if it has."""
        return self.pending.outcome

    @property
    def result_differs(self) -> bool:
        """Whether the table has written down another end than the one that the play gives."""
        given, told = self.outcome, self.session.declared
        return told is not None and not (given and given.agrees(told))

    def score(self, n: int = -1) -> dict[str, int]:
        """Points of each seat after event `n` (the last), with the arbiter's penalties as they are now."""
        return self._score(n, self.session)

    def score_at(self, n: int) -> dict[str, int]:
        """Points of each seat after event `n`, with the arbiter's penalties as they were then."""
        return self._score(n, self.session_at(n))

    def _score(self, n: int, table: Session) -> dict[str, int]:
        score = dict(self.game.score(self.states[n]))
        for seat, number in table.penalties.items():
            score[seat] = score.get(seat, 0) + number
        return score

    def pending_at(self, n: int) -> Pending:
        """What could happen after event `n`, the table's own endings at that time included."""
        outcome = self.session_at(n).outcome
        return Pending(outcome=outcome) if outcome else self.game.pending(self.states[n])

    def mainline(self, end: int | None = None) -> list[int]:
        """The numbers of the events that stand after event `end` (the last), without what is taken back."""
        return self.main.numbers(self.n if end is None else end)

    def stands(self, number: int, n: int | None = None) -> bool:
        """Whether event `number`, a takeback in force too, is on the line after event `n` (the last)."""
        return self.main.stands(number, self.n if n is None else n)

    def is_disputed(self, n: int) -> bool:
        """Return whether illegal event, or declared position, `n` counts without a ruling in force."""
        return n in self.violations and self.stands(n) and self.rulings.about(n) is None

    def ended(self, n: int) -> Outcome | None:
        """The end, other than by play, that is in force after event `n`."""
        return self.ends.get(self.main.last_end(n))

    def end(self, n: int, outcome: Outcome) -> None:
        """Event `n` ends the game."""
        self.main.end(n)
        self.ends[n] = outcome
        self.lapse(n)
        self.session = structs.replace(self.session, outcome=outcome)

    def withdraw_end(self, n: int) -> None:
        """Event `n`, a ruling that is withdrawn, ends the game no more, if it did."""
        if self.ends.pop(n, None):
            self.main.withdraw(n)
            self.session = structs.replace(self.session, outcome=self.ended(self.n))

    def take_back(self, n: int, to: int, slip: bool = False, *, ruled: bool = False) -> Any:
        """Event `n` makes the line go on from the state after `to`, returned: with that line's end, or loss.

        After a `slip` what stood since `to` was never played. What the arbiter has not `ruled` hangs on the
        line it was made on.
        """
        self.main.jump(n, to, played=not ruled)
        if slip:
            self.slips.add(n)
        broken = self.main.last_discontinuity(to)
        lost = broken if broken in self.unknown else None
        self.lapse(n)
        self.session = structs.replace(self.session, outcome=self.ended(to), unknown_since=lost)
        return self.states[to]

    def give(self, points: dict[str, int]) -> None:
        """The seats get these points from the arbiter, or lose them."""
        now = dict(self.session.penalties)
        for seat, number in points.items():
            now[seat] = now.get(seat, 0) + number
        self.session = structs.replace(self.session, penalties=now)

    def declare(self, n: int, reason: str) -> None:
        """With event `n` the position is declared, and nothing is unknown any more."""
        self.violations[n] = forbids("", "the position was declared: {=reason}", reason=reason)
        self.main.discontinuities.append(n)
        self.session = structs.replace(self.session, unknown_since=None)

    def lose(self, n: int) -> None:
        """Nobody can say what event `n` did."""
        self.unknown.add(n)
        self.main.discontinuities.append(n)
        self.session = structs.replace(self.session, unknown_since=n)

    def seat(self, people: Iterable[Seat]) -> None:
        """These people sit at the table now."""
        self.session = structs.replace(self.session, seats=tuple(people))

    def write_down(self, result: Outcome) -> None:
        """The table has written down `result`."""
        self.session = structs.replace(self.session, declared=result)

    def pause(self, t: int) -> None:
        """The clock stands from `t` on."""
        self.session = self.session.pause(t)

    def resume(self, t: int) -> None:
        """The clock, which stands, goes on at `t`."""
        self.session = self.session.resume(t)

    def set_clock(self, t: int, reading: int, played: int) -> None:
        """The clock shows `reading` at `t`; of it, play has lasted `played`."""
        self.session = self.session.set_clock(t, reading)
        self.played = played

    def offer(self, offer: Offer, n: int) -> None:
        """After event `n`, `offer` waits for answers."""
        self.offers[offer.n] = offer
        self.awaited[n] = offer.waiting

    def lapse(self, n: int) -> None:
        """With event `n` the open offers hold no longer."""
        if self.offers:
            self.lapsed[n] = (*self.lapsed.get(n, ()), *self.offers.values())
            self.offers.clear()

    def corrected(self) -> frozenset[int]:
        """The numbers of the events that slips of the pen have undone: they were never played."""
        undone = corrections(self.takebacks, self.slips, self.n) if self.slips else ()
        return frozenset(chain.from_iterable(undone))

    def session_at(self, n: int) -> Session:
        """The table as it was after event `n`: names, clock, end, and points given by rulings by then."""
        return self._sessions[bisect_right(self._changed, n) - 1]

    def unknown_seat(self, text: str) -> Message:
        """Return the sentence that nobody whom `text` names has a seat, and who has one."""
        earlier = [(seat.seat, seat.name) for seat in self.header.seats]
        earlier += [(event.seat, event.name) for event in self.events if isinstance(event, common.Substitute)]
        gone = same_name(text)
        left = next((seat for seat, name in reversed(earlier) if same_name(name or "") == gone), None)
        if not left:
            return Message.of(
                '"{=name}" has no seat in this game; the seats are {=seats}',
                name=text,
                seats=self.session.seat_list,
            )
        return Message.of(
            "{=name} sits at {seat} no longer: {=now} does; the seats are {=seats}",
            name=text,
            seat=left,
            now=self.session.name_of(left),
            seats=self.session.seat_list,
        )

    def clock_at(self, n: int) -> int:
        """The time of play up to event `n`, in ms: at what is not play, that of the play before."""
        still = self._still.get(n)
        if still is not None or not n:
            return still or 0
        return self.session_at(n - 1).clock(self.events[n - 1].t)

    def clocks(self) -> list[int]:
        """`clock_at` of every event, the first one's first."""
        if not self._still and len(self._sessions) == 1:
            return [event.t for event in self.events]
        return [self.clock_at(n) for n in range(1, len(self.events) + 1)]

    def _keep_time(self, event: Event, state: Any, table: Session) -> None:
        """Say how long play has lasted at a common event, taken up when `state` and `table` were there.

        Nothing after the end is play: a game that goes on does so from the time of its last play, and
        after a slip from the time that it went back to.
        """
        moved = (
            state is not self.states[-1]
            or table.outcome is not self.session.outcome
            or event.n in self.takebacks
        )
        if event.n in self.slips:
            self.played = self._clock_after_slip(self.takebacks[event.n])
            self.session = self.session.set_clock(event.t, self.played)
        elif moved or isinstance(event, common.Clock):
            over = table.outcome or self.game.pending(state).outcome
            if not over and isinstance(event, _PLAY):
                self.played = table.clock(event.t)
            elif over and not self.outcome:
                self.session = self.session.set_clock(event.t, self.played)
        self._still[event.n] = self.played

    def _clock_after_slip(self, to: int) -> int:
        """The time of play that counts once a slip goes back to event `to`: at most what was ruled since."""
        return self.rulings.corrected_clock(TABLE, self.clock_at(to), to)

    def _remember(self) -> None:
        """Keep what the table is now, if it is another than before."""
        if self.session is not self._sessions[-1]:
            self._sessions.append(self.session)
            self._changed.append(self.n)
