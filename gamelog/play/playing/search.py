"""A bot that searches: it plays on after the best decisions, and compares the positions that it reaches.

Source of the allocation: Karnin, Koren and Somekh (2013), "Almost optimal exploration in multi-armed bandits"
(sequential halving).
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest
from itertools import chain, count
from math import ceil, log2, sqrt
from operator import itemgetter
from statistics import fmean, stdev
from typing import Any

from msgspec import Struct, structs

from gamelog.chance.rng import Random, generator
from gamelog.chance.sources import QuickDice
from gamelog.errors import CannotApply
from gamelog.play.contract.game import AnyGame, Pending
from gamelog.play.contract.seats import MemoryBot, Player, legal_for, sit_down
from gamelog.play.playing.after import after
from gamelog.play.playing.evaluator import Evaluator
from gamelog.play.playing.playout import Position, steady_pace, steps
from gamelog.record.envelope import TABLE, Event

MIN_POSITIONS, MAX_POSITIONS = 10, 100_000
"""Smallest and largest number of positions for a decision."""

_SCREENED = 4
"""One of this many positions is used to choose the candidates."""
_MOST_BRANCHES = 40
"""Maximum number of results of a roll for an expectation."""
_CANDIDATES = 8
"""Maximum number of candidates that are played on, in addition to the proposal."""
_LEAST_EVENTS = 6
"""Minimum number of events that are played on after the proposal, to the end of a turn."""
_MOST_EVENTS = 100
"""Maximum number of events that are played on after a decision."""
_LEAST_TRIALS = 3
"""Minimum number of trials of a candidate that replaces the proposal."""
_LEAST_GAIN, _LEAST_ERRORS = 0.05, 2.0
"""Smallest gain of such a candidate: as a chance, and in standard errors of the difference."""


class Candidate(Struct, frozen=True):
    """A decision that is compared: its event, and the seat's chance after each trial."""

    event: Event
    chances: list[float]


class Search:
    """The search of one game, for one start.

    A decision is compared with others in trials. A trial fills in all that the seat cannot see
    (``determinise``), plays the decision, and lets all seats play on to the end of a turn. The evaluator
    gives the chance in the position after that. All candidates have the same trials: the same hidden parts,
    and generators with the same seed. In each round, the worse half of the candidates is dropped.

    The decision of the bot that plays on is the proposal, and is always a candidate. The search plays a
    different decision only if it is better by more than its error. With another bot for the proposals, a
    search would break off plans that the bot that plays on does not follow.

    Attributes:
        positions: The number of positions of the last decision.
    """

    def __init__(self, evaluator: Evaluator, budget: int) -> None:
        """Make a search with the bot of `evaluator`, for `budget` positions. The last trial can exceed it."""
        game: AnyGame = evaluator.game
        self._game, self._evaluator, self._budget = game, evaluator, budget
        self._playing = game.bots[evaluator.bot]
        self.positions = 0

    @property
    def bot(self) -> MemoryBot:
        """The search as a bot. It counts its decisions, because the evaluator uses the length of the game."""
        return MemoryBot(self._player)

    def _player(self, seat: str, rng: Random) -> Player:
        proposing = sit_down(self._playing, seat, rng)
        decisions = count()

        def choose(state: Any) -> Event:
            n = int(next(decisions) * self._evaluator.events_for_decision)
            return self.choose(state, n, seat, rng, proposing(state))

        return choose

    def choose(self, state: Any, n: int, seat: str, rng: Random, proposal: Event) -> Event:
        """Return the best decision.

        Args:
            state: The state as the seat sees it.
            n: The number of events so far, or an estimate.
            seat: The seat that decides.
            rng: The random generator.
            proposal: The decision of the bot that plays on.
        """
        self.positions = 0
        if self._game.hides and self._game.determinise is None:
            return proposal
        first, *others = self._candidates(state, n, seat, rng, proposal)
        turns: int | None = None
        while others and self.positions < self._budget:
            rounds = ceil(log2(len(others))) + 1
            stop = self.positions + (self._budget - self.positions) / rounds
            while self.positions < stop:
                seed = rng.getrandbits(64)
                for candidate in (first, *others):
                    if self.positions >= self._budget:
                        break
                    chance, turns = self._trial(state, n, seat, candidate.event, seed, turns)
                    candidate.chances.append(chance)
            others = nlargest((len(others) + 1) // 2, others, key=mean_chance)
        return others[0].event if others and is_better(others[0], first) else proposal

    def _candidates(self, state: Any, n: int, seat: str, rng: Random, proposal: Event) -> list[Candidate]:
        """Return the proposal and the other decisions that the evaluator rates highest."""
        most = self._budget // _SCREENED
        options = [event for event in legal_for(self._game, state, seat).events if event != proposal]
        if len(options) > most:
            options = rng.sample(options, most)
        before = Position(self._whole(state, seat, rng), 0, n)
        known = [self._after(before, proposal).state]
        rated = []
        for event in options:
            later = self._after(before, event)
            if later.state not in known:
                known.append(later.state)
                rated.append((self._expected(later, seat), rng.random(), event))
            if self.positions >= most:
                break
        best = nlargest(_CANDIDATES, rated, key=itemgetter(0, 1))
        return [Candidate(proposal, []), *(Candidate(event, []) for _, _, event in best)]

    def _expected(self, position: Position, seat: str) -> float:
        """Return the chance of `seat`, as the expectation over the roll if it has few results."""
        index = self._evaluator.seats.index(seat)
        branches = after(self._game, position, most=_MOST_BRANCHES)
        if branches is None:
            return self._evaluator.chances(position)[index]
        self.positions += len(branches)
        return sum(float(one.probability) * self._evaluator.chances(one.after)[index] for one in branches)

    def _trial(
        self, before: Any, n: int, seat: str, event: Event, seed: int, turns: int | None
    ) -> tuple[float, int]:
        """Play `event` and then to the end of a turn.

        Args:
            before: The state before the event, as the seat sees it.
            n: The number of events so far.
            seat: The seat that decides.
            event: The decision.
            seed: The seed of the chance of this trial.
            turns: The number of ends of turns to which all seats play on. None for the first end after
                `_LEAST_EVENTS` events.

        Returns:
            The chance of the seat at the end, and the number of ends of turns.
        """
        rng = generator(seed)
        end = first = self._after(Position(self._whole(before, seat, rng), 0, n), event)
        ends = 0
        try:
            for end, ended in self._turns(first, seat, rng):
                ends += ended
                played = end.n - first.n
                if ended and (ends == turns if turns else played >= _LEAST_EVENTS):
                    break
                if played >= _MOST_EVENTS:
                    break
        except CannotApply:  # a bot has chosen an event that is impossible in this trial
            pass
        self.positions += end.n - first.n
        # all positions have the same number, so that a longer trial is not a later part of the game
        chances = self._evaluator.chances(end._replace(n=n))
        return chances[self._evaluator.seats.index(seat)], turns or max(1, ends)

    def _turns(self, position: Position, seat: str, rng: Random) -> Iterator[tuple[Position, bool]]:
        """Yield `position` and each later one, and whether the next decision is another seat's."""
        game = self._game
        players = {other: sit_down(self._playing, other, rng) for other in self._evaluator.seats}
        if TABLE in game.bots:
            players[TABLE] = sit_down(game.bots[TABLE], TABLE, rng)
        last = seat
        later = (end for _, _, end in steps(game, position, players, QuickDice(rng)))
        for end in chain((position,), later):
            pending = game.pending(end.state)
            ended = bool(pending.by) and not pending.chance and last not in pending.by
            if ended:
                last = pending.by[0]
            yield end, ended

    def _whole(self, state: Any, seat: str, rng: Random) -> Any:
        """Return a whole state that looks like `state` to the seat."""
        return self._game.determinise(state, seat, rng) if self._game.determinise else state

    def _after(self, before: Position, event: Event) -> Position:
        """Return the position after a decision."""
        self.positions += 1
        n, t = before.n + 1, steady_pace(before.t, Pending())
        return Position(self._game.apply(before.state, structs.replace(event, n=n, t=t)), t, n)


def mean_chance(candidate: Candidate) -> float:
    """Return the mean chance of a candidate, 0 without a trial."""
    return fmean(candidate.chances) if candidate.chances else 0.0


def is_better(candidate: Candidate, proposal: Candidate) -> bool:
    """Return whether `candidate` is better than the proposal by more than its error."""
    gains = [a - b for a, b in zip(candidate.chances, proposal.chances, strict=False)]
    if len(gains) < _LEAST_TRIALS:
        return False
    return fmean(gains) > max(_LEAST_GAIN, _LEAST_ERRORS * stdev(gains) / sqrt(len(gains)))
