"""Checks of what several seats decide together: whoever is written down first, the game is the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial
from typing import Any

import msgspec

from gamelog.chance.rng import generator
from gamelog.record.envelope import Event
from gamelog.testing.kit.random_games import Checks

ORDERS = 24
"""Orders of the same decisions that are tried at most: all of four seats."""


def orders(decided: Sequence[Event]) -> Iterator[tuple[Event, ...]]:
    """Yield orders of the same decisions, the recorded one first: all, or `ORDERS` drawn at random."""
    if factorial(len(decided)) <= ORDERS:
        yield from permutations(decided)
        return
    rng = generator("orders")
    yield tuple(decided)
    yield tuple(reversed(decided))
    for _ in range(ORDERS - 2):
        yield tuple(rng.sample(decided, len(decided)))


class Together(Checks):
    """`Pending.together`."""

    def test_decisions_taken_together_have_no_order(self) -> None:
        for state, decided in self._rounds():
            assert self.game.together, (
                "pending says that seats decide together: say so of the game, together=True"
            )
            first: bytes | None = None
            for order in orders(decided):
                after = msgspec.json.encode(self._taken(state, order))
                first = first or after
                told = " before ".join(event.by for event in order)
                assert after == first, (
                    f"{told} makes another game than the same decisions in another order: {order}"
                )

    def _rounds(self) -> Iterator[tuple[Any, list[Event]]]:
        """States in which several seats were to decide together, and what they decided."""
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

    def _taken(self, state: Any, order: tuple[Event, ...]) -> Any:
        """The state after these decisions. Raises AssertionError where one stands in the way of another."""
        for at, event in enumerate(order):
            pending = self.game.pending(state)
            assert pending.together and event.by in pending.by, (
                f"{event.by} can no longer decide once {order[at - 1].by} has"
            )
            refused = self.game.check(state, event)
            assert refused is None, f"{event} is refused once {order[at - 1].by} has decided: {refused}"
            before, state = pending, self.game.apply(state, event)
            left = set(before.by) - {event.by}
            assert not left or set(self.game.pending(state).by) == left, (
                f"once {event.by} has decided, {left} are to act"
            )
        return state
