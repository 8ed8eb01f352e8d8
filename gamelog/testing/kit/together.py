"""Checks of what several seats decide together: whoever is written down first, the game is the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import msgspec

from gamelog.chance.rng import Random, generator
from gamelog.play.contract.choices import legal_for, sample_for
from gamelog.record.envelope import Event
from gamelog.testing.kit.sample import Checks

ORDERS = 24
"""Orders of the same decisions that are tried: all of four seats."""


class Together(Checks):
    """`Pending.together`."""

    def test_decisions_taken_together_have_no_order(self) -> None:
        rng = generator("together")
        for game, state in self._states():
            assert self.game.together, "pending says that seats decide together: say so of the game, together=True"
            decided = self._decided(state, game.header.seat_ids, rng)
            first: bytes | None = None
            for order in list(permutations(decided))[:ORDERS]:
                after = msgspec.json.encode(self._taken(state, order))
                first = first or after
                told = " before ".join(event.by for event in order)
                assert after == first, f"{told} makes another game than the same decisions in another order: {order}"

    def _states(self) -> Iterator[tuple[Any, Any]]:
        """States in which several seats decide together."""
        for game, state in self.sample.states("together"):
            pending = self.game.pending(state)
            if pending.together and len(pending.by) > 1:
                yield game, state

    def _decided(self, state: Any, seats: tuple[str, ...], rng: Random) -> list[Event]:
        """One decision of every seat that is to act, as far as the list of what it may do has any."""
        by = self.game.pending(state).by
        return [
            sample_for(self.game, state, seat, rng) for seat in seats if seat in by and legal_for(self.game, state, seat).events
        ]

    def _taken(self, state: Any, order: tuple[Event, ...]) -> Any:
        """The state after these decisions. Raises AssertionError where one stands in the way of another."""
        for at, event in enumerate(order):
            pending = self.game.pending(state)
            assert pending.together and event.by in pending.by, f"{event.by} can no longer decide once {order[at - 1].by} has"
            refused = self.game.check(state, event)
            assert refused is None, f"{event} is refused once {order[at - 1].by} has decided: {refused}"
            before, state = pending, self.game.apply(state, event)
            left = set(before.by) - {event.by}
            assert not left or set(self.game.pending(state).by) == left, f"once {event.by} has decided, {left} are to act"
        return state
