"""Checks of positions: points, what a seat may know, positions in words and back, giving up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from gamelog.play.contract.declare import NOT_AS_SAID, declared_state, described
from gamelog.play.contract.game import Violation
from gamelog.play.contract.rulebook import Rule, rulebook
from gamelog.testing.kit.judging import one_thing
from gamelog.testing.kit.sample import Checks
from gamelog.testing.plays import generator

RETIRING = 3
"""In every so many states of every game each seat gives up."""


class Positions(Checks):
    """`score`, `scored`, `observe`, `describe`, `declare`, `retire`."""

    def test_scores_speak_of_the_seats(self) -> None:
        for game, state in self.sample.states("scores"):
            assert set(self.game.score(state)) == set(game.header.seat_ids)

    def test_winners_are_not_behind(self) -> None:
        ahead = behind = 0
        for game in self.sample.plays:
            outcome, points = self.game.pending(game.states[-1]).outcome, self.game.score(game.states[-1])
            if outcome is None or len(outcome.winners) != 1 or len(set(points.values())) == 1:
                continue
            won = points[outcome.winners[0]]
            ahead += won == max(points.values())
            behind += won == min(points.values())
        assert ahead >= behind, (
            f"the winner has the fewest points in {behind} games and the most in {ahead}: what does score count?"
        )

    def test_points_hang_on_the_members_named_alone(self) -> None:
        for game in self.sample.plays:
            members = [name for name in game.states[0].__struct_fields__ if name != "setup"]
            strange = set(self.game.scored) - set(members)
            assert not strange, f"the state has no member {', '.join(sorted(strange))}; it has {', '.join(members)}"
            known: dict[bytes, dict[str, int]] = {}
            for state in game.states[:2_000]:
                watched = msgspec.json.encode([getattr(state, name) for name in self.game.scored or members])
                points = self.game.score(state)
                assert known.setdefault(watched, points) == points, "the points are others, and nothing watched is"

    def test_what_a_seat_sees_is_a_state_of_the_game(self) -> None:
        rng = generator("observe")
        for game, state in self.sample.states("observe"):
            assert self.game.observe(state, None) == state, "seat None sees all"
            pending = self.game.pending(state)
            for seat in game.header.seat_ids:
                seen = self.game.observe(state, seat)
                assert type(seen) is type(state) and seen.setup == state.setup
                assert self.game.observe(seen, seat) == seen, f"what {seat} sees of what {seat} sees is something else"
                assert self.game.pending(seen).by == pending.by, f"{seat} cannot see whose turn it is"
            for seat in pending.by:
                event = self.game.sample(self.game.observe(state, seat), rng)
                if event.by == seat:
                    assert self.game.check(state, event) is None, f"{event} is legal only in what {seat} sees"

    def test_positions_in_words_lead_back(self) -> None:
        for game in self.sample.plays:
            accepted = 0
            for state in game.some_states(generator("words"), 100):
                words = described(self.game, state)
                assert msgspec.json.decode(msgspec.json.encode(words)) == msgspec.json.decode(
                    msgspec.json.encode(described(self.game, state))
                )
                for now in (state, game.states[0]):
                    declared, why = declared_state(self.game, now, msgspec.json.decode(msgspec.json.encode(words)))
                    if declared is None:
                        assert why and NOT_AS_SAID not in why, f"declare does not give back what describe said: {why}"
                        continue
                    accepted += 1
                    there, here = self.game.pending(declared), self.game.pending(state)
                    assert (there.by, there.chance, there.outcome) == (here.by, here.chance, here.outcome), (
                        f"declared in the words of describe, the position has {there} pending, not {here}"
                    )
                    assert self.game.score(declared) == self.game.score(state), "the declared position has other points"
                    if here.by and (legal := self.game.legal(state)).complete and len(legal.events) < 2_000:
                        assert set(self.game.legal(declared).events) == set(legal.events), (
                            "other events are legal in the declared position"
                        )
            assert accepted, "no position of a whole game can be declared in the words of describe"

    def test_giving_up_is_a_rule(self) -> None:
        if self.game.retire is None:
            return
        book = rulebook(self.game)
        for game in self.sample.plays:
            for state in game.states[:-1:RETIRING]:
                for seat in game.header.seat_ids:
                    self._gives_up(state, seat, book)

    def _gives_up(self, state: Any, seat: str, book: Mapping[str, Rule]) -> None:
        assert self.game.retire
        after = self.game.retire(state, seat)
        if isinstance(after, Violation):
            assert after.rule in book and after.text, f"{after.rule} is not in RULES.md"
            return
        assert type(after) is type(state), "retire gives a state, or the violation of a rule"
        pending = self.game.pending(after)
        one_thing(pending)
        assert seat not in pending.by, f"{seat} has given up and is asked to act"
        assert set(self.game.score(after)) == self.game.score(state).keys()
        if not pending.outcome:
            assert isinstance(self.game.retire(after, seat), Violation), f"{seat} gives up twice"
