"""The fold: the events of a record, one after the other, make states.

A fold keeps every state, the first failure, and the illegal events that count. It grows event by event, both
for a verifier with the whole file and for a recorder with one more event. It only judges. Effects, scenes and
sentences are computed elsewhere.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import structs

from gamelog.chance.draws import Results
from gamelog.errors import CannotApply
from gamelog.finding import Finding
from gamelog.message import with_names
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find
from gamelog.play.contract.violation import Violation
from gamelog.play.fold import game_errors
from gamelog.play.fold.check_event import event_finding, results_due, seeded_check, with_game_time
from gamelog.play.fold.common_event_rules import apply_common
from gamelog.play.fold.common_events import COMMON, STEP_TYPES, Reveal
from gamelog.play.fold.finding_codes import OVERRIDABLE_CODES
from gamelog.play.fold.history import History
from gamelog.play.fold.parts.ancestry import Ancestry
from gamelog.play.fold.parts.copying import copy_members
from gamelog.play.fold.revealing import update_due
from gamelog.record.envelope import Event, Header

_SHORT_SEARCH, _LONG_SEARCH = 16, 1024
"""Numbers of events to search for a run of the game's own events: first few, then many. Small first searches
keep short runs cheap.
"""


class Fold(History):
    """The play of a record so far, and the judge of the next event."""

    def __init__(
        self,
        header: Header,
        game: AnyGame | None = None,
        ruled_events: frozenset[int] = frozenset(),
        line_heads: Iterable[bytes] = (),
        ancestry: Ancestry | None = None,
        openings: Sequence[str] = (),
        audience: game_errors.Audience = game_errors.Audience.ANYONE,
    ) -> None:
        """Start before the first event.

        Args:
            header: The header of the record.
            game: The game. The default is the installed game that the header names.
            ruled_events: Events with a later ruling. They count even if they are illegal.
            line_heads: ``line_heads[k]`` is the head of line ``k``; the header is line 0. Signatures and
                commit-reveal dice depend on the heads. Code that folds lines as they are recorded appends the
                head of each line.
            ancestry: Proof of the events that a branch shares. Without it, their signatures are not checked.
            openings: Links that the dealer reveals at the end. They allow each face-down roll to be judged.
                Without them, no face-down roll is judged.
            audience: The readers of findings about errors of the game.

        Raises:
            UnknownGame: The game is not installed.
            BrokenGame: The game does not load.
            BadSetup: The game does not accept the header.
        """
        super().__init__(
            header, find(header.game, header.rules) if game is None else game, line_heads, ancestry
        )
        self.ruled_events = ruled_events
        self.openings = openings
        self.audience = audience
        if self.reveals and self.reveals.dealer:
            self.reveals.dealer.add_later_links(openings, max_events=len(self.line_heads))
        self._chance_event_numbers = [0]
        self._chance_counts = [0]
        self._links_or_roll_due = False
        self._update_due(None, played=False)

    def copy(self) -> Fold:
        """Return an independent fold of the same events. The time is proportional to the number of events."""
        return copy_members(self)

    def extend(self, events: Sequence[Event]) -> Finding | None:
        """Apply `events` one after another, up to the first that fails, and return the reason.

        The inner loop dominates the cost of verification: runs of the game's own events, with nothing else
        going on, are only checked and applied.
        """
        # The next event has the number `index`, counted from 0. The first event that this pass adds has the
        # number `begin`. The game's own events go on without interruption from `index` up to `end`, which is
        # searched again when `index` reaches it. A run of all events is not sliced: a slice is a copy.
        check, apply = self._run_functions()
        states, append = self.states, self.states.append
        index, end, size = 0, 0, len(events)
        failure: Finding | None = None
        while index < size and not failure:
            if self._is_quiet:
                begin, end = index, end if index < end else self._end_of_run(events, index)
                state = states[-1]
                try:
                    for event in self._with_game_times(events[begin:end] if end - begin < size else events):
                        if check(state, event) is not None:
                            break
                        state = apply(state, event)
                        append(state)
                        index += 1
                except CannotApply:
                    pass  # `push` reports an apply that refuses a legal event
                except Exception as error:
                    failure = self._failure(error, events[index].n)
                if index > begin and states[-1] is None:  # `push` reports an apply without a state
                    del states[-1]
                    index, failure = index - 1, None
                self._add_run(events[begin:index] if index - begin < size else events)
            index = self._add_links(events, index)
            if index == size or failure:
                break
            failure = self.push(events[index])
            index += 1
        return failure

    @property
    def _is_quiet(self) -> bool:
        """Whether only the game is in progress: no end, no open offer, no pause, no wait for links."""
        session = self.session
        return not (
            session.outcome
            or self.offers
            or session.paused_at is not None
            or session.unknown_since
            or self._links_or_roll_due
        )

    def _run_functions(self) -> tuple[Callable[[Any, Event], object], Callable[[Any, Event], Any]]:
        """Return two functions for the events of a run.

        The first checks an event and returns None if it is legal. The second applies it. Both are the game's
        own functions, unless the dice can be recomputed.
        """
        game = self.game
        if not self.chance_events or not (self.source or self.reveals):
            return game.check, game.apply
        return (
            (self._seeded_check(), game.apply)
            if self.source
            else (self._refusal_without_links, self._apply_and_note_dice)
        )

    def _seeded_check(self) -> Callable[[Any, Event], object]:
        """Return a function that checks an event and compares dice with the seed."""
        check, chance_events, follows = self.game.check, self.chance_events, seeded_check(self)

        def refusal_of(state: Any, event: Event) -> object:
            problem: object = check(state, event)
            if problem is None and type(event) in chance_events:
                if not follows(state, event):
                    return event
                self._set_chance_count(event.n, self.chance_count + 1)
            return problem

        return refusal_of

    def _refusal_without_links(self, state: Any, event: Event) -> object:
        """Return why `event` is refused. A roll that needs links gives another value, for `push`."""
        return self._links_or_roll_due or type(event) in self.chance_events or self.game.check(state, event)

    def _apply_and_note_dice(self, state: Any, event: Event) -> Any:
        """Apply `event`, and note whether dice that need links are due now."""
        after = self.game.apply(state, event)
        self._links_or_roll_due = self.pending_in(after).chance is not None
        return after

    def _with_game_times(self, run: Sequence[Event]) -> Iterable[Event]:
        """Return `run` with the game's time for each event's ``t``, while the clock runs."""
        paused = self.session.paused_time
        return (structs.replace(event, t=event.t - paused) for event in run) if paused else run

    def _add_run(self, run: Sequence[Event]) -> None:
        """Add the events of a `run` whose states exist already, and find out what is due now."""
        while self._chance_event_numbers[-1] > self.n:  # dice that passed the check but could not be applied
            del self._chance_event_numbers[-1], self._chance_counts[-1]
        self.chance_count = self._chance_counts[-1]
        if run:
            self.t = run[-1].t
            self.play_time = self.session.clock(self.t)
            self.events += run
            if self.reveals:
                self._update_due(run[-1], played=True)

    def _add_links(self, events: Sequence[Event], index: int) -> int:
        """Add the links from `index` on that a roll waits for. Return the index of the first other event."""
        book, end, t = self.reveals, index, self.t
        if book is None or book.intent is None:
            return index
        for event in events[index : index + len(book.missing_seats)]:
            if (
                type(event) is not Reveal
                or event.n != len(self.states)
                or event.t < t
                or event.by not in self.authors
                or book.check(event, moves=False) is not None
            ):
                break
            book.reveal(event.seat, event.link)
            self.main_line.add_non_play(event.n)
            self._played_at[event.n] = self.play_time
            self.states.append(self.states[-1])
            t = event.t
            end += 1
        self.events += events[index:end]
        self.t = t
        return end

    def _update_due(self, event: Event | None, *, played: bool) -> None:
        """Find out which links are due after `event`, and store the state of the table."""
        update_due(self, event, played=played)
        self._links_or_roll_due = self.reveals is not None and self.reveals.intent is not None
        self._store_session()

    def _end_of_run(self, events: Sequence[Event], index: int) -> int:
        """Return the end of the run of game events with valid stamps that begins at `index`."""
        n, t, end = len(self.states), self.t, index
        for most in (_SHORT_SEARCH, _LONG_SEARCH):
            for event in events[end : end + most]:
                if event.n != n or event.t < t or type(event) in COMMON:
                    return end
                t = event.t
                n += 1
                end += 1
        return end

    def judge(self, event: Event) -> Finding | None:
        """Return the finding that says why `event` cannot come next, or None. Nothing changes.

        An event marked ``as_played`` is judged like any other.
        """
        finding = event_finding(self, event)
        return finding and finding.with_message(with_names(finding.message, self.session.name_of))

    def push(self, event: Event) -> Finding | None:
        """Apply one event, or return why it is refused and change nothing.

        If the game's own code fails, no other event can follow.
        """
        try:
            return self._push(event)
        except Exception as error:
            del self.states[event.n :], self.events[event.n - 1 :]
            return self._failure(error, event.n)

    def _failure(self, error: Exception, n: int) -> Finding:
        return game_errors.failure_finding(error, self.game, n, self.audience)

    def _push(self, event: Event) -> Finding | None:
        """Add the next event, and return the reason if it is refused, or None.

        An illegal event counts if it was recorded as played or a ruling lets it count.

        Raises:
            TypeError: The game's ``apply`` returned no state.
        """
        failure, is_common = self.judge(event), type(event) in COMMON
        if failure and (
            is_common
            or failure.code not in OVERRIDABLE_CODES
            or not (event.as_played or event.n in self.ruled_events)
        ):
            return failure
        if is_common:
            self._push_common(event)
            return None
        state = self.states[-1]
        if failure:
            self.violations[event.n] = Violation(
                failure.rule or "", failure.message.text, failure.message.args
            )
        timed_event = with_game_time(self, event)
        try:
            state = self.game.apply(state, timed_event)
        except CannotApply:
            self.mark_unknown(event.n)
        if state is None:
            raise TypeError("apply returned None instead of a state")
        if type(event) in self.chance_events:
            self._set_chance_count(event.n, self.chance_count + 1)
        self._add(event, state)
        self.play_time = timed_event.t
        self.expire_offers(event.n)
        self._update_due(event, played=True)
        return None

    def _push_common(self, event: Event) -> None:
        """Apply a common event that passed all checks."""
        state, earlier = self.states[-1], self.session
        after = apply_common(self, event)
        if event.n in self.slips:  # the removed throws were never made, so they do not count
            self._set_chance_count(
                event.n,
                self._chance_counts[bisect_right(self._chance_event_numbers, self.takebacks[event.n]) - 1],
            )
        if not isinstance(event, STEP_TYPES):
            self.main_line.add_non_play(event.n)
        self._add(event, after)
        self._store_time_of_play(event, state, earlier)
        self._update_due(event, played=False)

    def _add(self, event: Event, state: Any) -> None:
        """Add an event and the state after it."""
        self.states.append(state)
        self.events.append(event)
        self.t = event.t

    def _set_chance_count(self, n: int, chances: int) -> None:
        """Set the number of chance lines that count after event `n`."""
        self.chance_count = chances
        self._chance_event_numbers.append(n)
        self._chance_counts.append(chances)

    def due_results(self, dealt: str | None = None) -> Results | None:
        """Return the results that the due chance must have, or None if no chance is due or they are unknown.

        `dealt` is the link of the table for a roll that lies face down, if the table has committed.
        """
        return results_due(self, dealt)
