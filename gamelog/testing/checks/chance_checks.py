"""Checks of the results that a game calls alike, and of the numbers for evaluators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from itertools import product
from math import isfinite, prod
from typing import Any

from msgspec import structs

from gamelog.chance.draws import Draw, Results, Shuffle
from gamelog.chance.outcomes import outcomes
from gamelog.chance.stream import draw_results
from gamelog.play.playing.after import possible_results, state_key
from gamelog.testing.checks.random_games import Checks
from gamelog.testing.plays import generator

_MAX_LISTED_RESULTS = 1_300
"""Maximum number of results of a roll that are all tried. If there are more, some are tried."""

_RANDOM_RESULTS = 30
"""Number of random results that are tried for larger rolls."""

_STATES_PER_ROLL = 3
"""Number of states in which each kind of roll is tried."""


class ChanceChecks(Checks):
    """Checks of `classes`, `features` and `progress`, and of draws that are `summed` or not `ordered`."""

    def test_results_that_count_as_one_lead_to_equal_states(self) -> None:
        """Compare the states after the listed results, and their probabilities, with all results in order."""
        rng, tried = generator("alike"), Counter[object]()
        for _, state in self.sample.states("chance"):
            due = self.game.pending(state).chance
            listed = possible_results(self.game, state)
            in_order = () if due is None else tuple(map(_in_order, due.draws))
            tried[in_order] += 1
            if due is None or listed is None or tried[in_order] > _STATES_PER_ROLL:
                continue
            weights, total = listed
            expected: dict[Hashable, Fraction] = {}
            for results, weight in weights:
                key = self._after(state, results)
                expected[key] = expected.get(key, Fraction(0)) + Fraction(weight) / total
            assert sum(expected.values()) == 1, (
                f"the probabilities of the results of {due.do} do not add up to 1"
            )
            lists = [outcomes(draw, _MAX_LISTED_RESULTS) for draw in in_order]
            kept = [one for one in lists if one is not None]
            if len(kept) == len(lists) and prod(len(one.ways) for one in kept) <= _MAX_LISTED_RESULTS:
                found: dict[Hashable, Fraction] = {}
                for combination in product(*(one.ways for one in kept)):
                    key = self._after(state, tuple(result for result, _ in combination))
                    chance = Fraction(prod(ways for _, ways in combination), prod(one.total for one in kept))
                    found[key] = found.get(key, Fraction(0)) + chance
                assert found == expected, (
                    f"the results of {due.do} that count as one (classes, summed or ordered=False of its "
                    "draws) lead to different states, or have another probability"
                )
            for _ in range(_RANDOM_RESULTS):
                drawn = draw_results(b"kit", rng.randbytes(8), due.draws)
                assert self._after(state, drawn) in expected, (
                    f"{due.do} with {drawn} leads to a state that no listed result leads to"
                )

    def _after(self, state: Any, results: Results) -> Hashable:
        """Return the key of the state after these results of the chance that is due."""
        return state_key(self.game.apply(state, self.game.chance(state, results)))

    def test_features_and_progress_are_numbers(self) -> None:
        sizes = set()
        for game, state in self.sample.states("features"):
            done = self.game.progress(state)
            assert done is None or 0 <= done <= 1, f"progress gives {done}, which is not from 0 to 1"
            for seat in game.header.seat_ids:
                values = self.game.features(state, seat)
                sizes.add(len(values))
                assert all(map(isfinite, values)), f"features gives {values}, not all of them finite"
        assert len(sizes) == 1, f"features gives {' or '.join(map(str, sorted(sizes)))} numbers"


def _in_order(draw: Draw) -> Draw:
    """Return `draw` with all its results different."""
    if isinstance(draw, Shuffle):
        return draw
    changed: Draw = structs.replace(draw, ordered=True)
    return structs.replace(changed, summed=False) if hasattr(changed, "summed") else changed
