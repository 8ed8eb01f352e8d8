"""Checks of decisions that several seats make together: their recorded order does not change the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial
from typing import Any

import msgspec

from gamelog.chance.rng import generator
from gamelog.record.envelope import Event
from gamelog.testing.checks.random_games import Checks

MAX_ORDERS = 24
"""Maximum number of orders that are tried. These are all orders for four seats."""


def orders(decided: Sequence[Event]) -> Iterator[tuple[Event, ...]]:
    """Yield orders of the same decisions, the recorded one first: all, or `MAX_ORDERS` drawn at random."""
    if factorial(len(decided)) <= MAX_ORDERS:
        yield from permutations(decided)
        return
    rng = generator("orders")
    yield tuple(decided)
    yield tuple(reversed(decided))
    for _ in range(MAX_ORDERS - 2):
        yield tuple(rng.sample(decided, len(decided)))


class JointDecisionChecks(Checks):
    """Checks of `Pending.together`."""

    def test_decisions_taken_together_have_no_order(self) -> None:
        """Check that joint decisions in each order lead to the same state."""
        for state, decided in self._rounds():
            assert self.game.together, "seats decide together in pending, so the game needs together=True"
            first: bytes | None = None
            for order in orders(decided):
                after = msgspec.json.encode(self._apply(state, order))
                first = first or after
                seats = " before ".join(event.by for event in order)
                assert after == first, (
                    f"{seats} gives another game than the same decisions in another order: {order}"
                )

    def _rounds(self) -> Iterator[tuple[Any, list[Event]]]:
        """Yield states in which several seats decided together, and their decisions."""
        for game in self.sample.plays:
            for at, state in enumerate(game.states[:-1]):
                pending = self.game.pending(state)
                decided = game.events[at : at + len(pending.by)]
                if (
                    pending.together
                    and len(decided) > 1
                    and {event.by for event in decided} == set(pending.by)
                ):
                    yield state, decided

    def _apply(self, state: Any, order: tuple[Event, ...]) -> Any:
        """Return the state after these decisions. Raise AssertionError if one prevents another."""
        for at, event in enumerate(order):
            pending = self.game.pending(state)
            assert pending.together and event.by in pending.by, (
                f"{event.by} can no longer decide after {order[at - 1].by} has decided"
            )
            violation = self.game.check(state, event)
            assert violation is None, f"{event} is refused after {order[at - 1].by} has decided: {violation}"
            before, state = pending, self.game.apply(state, event)
            left = set(before.by) - {event.by}
            assert not left or set(self.game.pending(state).by) == left, (
                f"after {event.by} has decided, {left} must be to act"
            )
        return state
