"""The reveal book: the links that commit-reveal dice owe, and the events allowed before a roll.

The line that makes a roll due is its *intent*: a decision, an earlier roll, or the header. From then on every
seat owes a link (`gamelog.chance.commit_reveal`). Only links, the roll, the repair of a torn file, and events
that end the wait for a withheld link may be recorded. The game's clock is stopped meanwhile, so that no one
gains time by waiting.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from gamelog.chance.commit_reveal import commitments_problem, link_problem, results
from gamelog.chance.draws import Results
from gamelog.errors import BadSetup
from gamelog.message import Message
from gamelog.play.contract.game import ChanceDue
from gamelog.play.fold import common_events
from gamelog.play.fold.parts.copying import FoldPart
from gamelog.play.fold.parts.dealer import Dealer, is_face_down
from gamelog.record.envelope import ARBITER, TABLE, Event, Header


class RevealBook(FoldPart):
    """The links that the seats have revealed.

    If the game ends before the roll, the intent keeps its links. If the end is withdrawn or taken back, the
    wait continues, and no one gets another roll.

    Attributes:
        last_links: Each seat's last link, at first its commitment. It never goes back.
        revealed_links: The links revealed for the roll that is due now, by seat.
        intent: The number of the line that made the roll due, or None.
        resignations: The seats that have resigned and owe no more links, by the event of the resignation.
        dealer: The table, if it has committed too, or None. Face-down rolls need a link of its own, which it
            reveals at the end.
    """

    def __init__(self, header: Header) -> None:
        """Start with nothing due.

        Raises:
            BadSetup: The commitments are invalid, or the record continues another record.
        """
        problem = commitments_problem(header.dice, header.id, header.seat_ids)
        if problem:
            raise BadSetup(Message.of("The commitments to the dice are invalid: {problem}.", problem=problem))
        if header.parents:
            raise BadSetup(
                "A record that continues another cannot use commit-reveal dice, because the links "
                "were made for the other record. Choose other dice."
            )
        self.header = header
        self._seats = header.seat_ids
        self.last_links: dict[str, str] = dict(header.dice.commitments or {})
        self.dealer = Dealer(header.id, self.last_links[TABLE]) if TABLE in self.last_links else None
        self.revealed_links: dict[str, str] = {}
        self.intent: int | None = None
        self.resignations: dict[int, str] = {}
        self._has_stopped_clock = False
        self._is_face_down = self._is_game_over = False
        self._links_by_intent: dict[int, dict[str, str]] = {}
        self._intents: list[int | None] = [None]
        self._intent_starts: list[int] = [0]

    @property
    def missing_seats(self) -> tuple[str, ...]:
        """Seats whose links the due roll still waits for."""
        if self.intent is None:
            return ()
        forfeited = self.resignations.values()
        return tuple(
            seat for seat in self._seats if seat not in self.revealed_links and seat not in forfeited
        )

    def check(self, event: Event, *, moves: bool) -> Message | None:
        """Return the message that says why the common event `event` may not be recorded here, or None.

        A ruling is allowed unless it `moves` the line or ends the game. A note of the arbiter is allowed as
        the first event, so that a forfeit of a game that never began has an event to refer to.
        """
        if isinstance(event, common_events.Reveal):
            return self._link_problem(event)
        if self.intent is None or isinstance(event, common_events.Recovered | common_events.Resign):
            return None
        if isinstance(event, common_events.Ruling) and not moves:
            return None
        if isinstance(event, common_events.Note) and event.by == ARBITER and event.n == 1:
            return None
        missing = self.missing_seats
        if missing and isinstance(event, common_events.Ruling) and event.kind == "forfeit" and event.result:
            spared = set(missing) & set(event.result.winners)
            if len(missing) == len(self.header.seats) or (event.result.winners and not spared):
                return None
            return Message.of(
                "a player who withholds a link loses, so {@people} cannot win; name another winner",
                people=missing,
            )
        links = Message.of("the links of {@people} are due", people=missing)
        return Message.of(
            "{due}, and no other event can be recorded between event {n} and the roll",
            due=links if missing else Message.of("the roll is due"),
            n=self.intent,
        )

    @property
    def is_roll_closed(self) -> bool:
        """Whether the due roll lies face down, so that only the dealer can compute it."""
        return (
            self.intent is not None
            and self._is_face_down
            and self.dealer is not None
            and self.dealer.link is None
        )

    def _link_problem(self, event: common_events.Reveal) -> Message | None:
        """Return the reason why the link cannot be revealed now, or None if it can."""
        seat = event.seat
        if seat == TABLE and self.dealer:
            if self._is_game_over:
                return self.dealer.check(event.link)
            return Message.of("face-down rolls are opened when the game is over")
        if seat not in self.last_links:
            return Message.of('there is no seat "{=seat}"', seat=seat)
        if self.intent is None:
            return Message.of("no roll is due, so no link is needed")
        if seat in self.revealed_links:
            return Message.of("{@seat} has already revealed a link for this roll", seat=seat)
        if seat in self.resignations.values():
            return Message.of("{@seat} has resigned", seat=seat)
        return link_problem(self.header.id, seat, event.link, self.last_links[seat])

    def results(
        self, due: ChanceDue | None, heads: Sequence[bytes], dealt: str | None = None
    ) -> Results | None:
        """Return the results that the `due` roll must have, or None while links or `heads` are missing.

        `dealt` is the dealer's link for a face-down roll, if the caller knows it.
        """
        if due is None or self.intent is None or self.missing_seats or len(heads) <= self.intent:
            return None
        links = {seat: self.revealed_links[seat] for seat in self._seats if seat in self.revealed_links}
        if self.dealer and is_face_down(due):
            last = dealt or self.dealer.link
            if last is None:
                return None
            links[TABLE] = last
        return results(links, heads[self.intent].decode(), due.draws)

    def reveal(self, seat: str, link: str) -> None:
        """Apply a link that `check` accepts."""
        self.last_links[seat] = link
        if seat == TABLE and self.dealer:
            self.dealer.open(link)
        else:
            self.revealed_links[seat] = link

    def resign(self, n: int, seat: str) -> None:
        """Release `seat`, which resigned in event `n`, from further links."""
        self.resignations[n] = seat

    def go_back(self, stands: Callable[[int], bool]) -> None:
        """Make seats owe links again if their resignation no longer `stands` after a takeback."""
        self.resignations = {n: seat for n, seat in self.resignations.items() if stands(n)}

    def update_intent(
        self, n: int, chance: ChanceDue | None, *, back_to: int | None, played: bool, over: bool, ended: bool
    ) -> None:
        """Update the intent of the roll that is due after event `n`, if `chance` is.

        Args:
            n: Number of the event.
            chance: The chance that is due after event `n`, if any.
            back_to: Event to which event `n` has returned, if any.
            played: Whether event `n` is one of the game's own.
            over: Whether something other than play has ended the game.
            ended: Whether anything has ended the game.
        """
        intent = self._intents[-1]
        if played and intent is not None:
            self._links_by_intent.pop(intent, None)
            if self._is_face_down and self.dealer:
                self.dealer.rolls.append(n)
        self._is_face_down, self._is_game_over = is_face_down(chance), ended
        if chance is None:
            intent = None
        elif back_to is not None:
            intent = self._intents[bisect_right(self._intent_starts, back_to) - 1]
            intent = intent if intent in self._links_by_intent else n
        elif intent is None or played:
            intent = n
        if intent == n:
            self._links_by_intent[n] = {}
        if intent != self._intents[-1]:
            self._intents.append(intent)
            self._intent_starts.append(n)
        self.intent, self.revealed_links = (
            (None, {}) if intent is None or over else (intent, self._links_by_intent[intent])
        )

    def must_stop_clock(self, *, running: bool) -> bool:
        """Return whether the `running` clock must stop now, because links or a roll are due."""
        stops = self.intent is not None and running
        self._has_stopped_clock = self._has_stopped_clock or stops
        return stops

    def must_restart_clock(self) -> bool:
        """Return whether the clock that was stopped for the dice must restart now."""
        lets_go = self.intent is None and self._has_stopped_clock
        self._has_stopped_clock = self._has_stopped_clock and not lets_go
        return lets_go
