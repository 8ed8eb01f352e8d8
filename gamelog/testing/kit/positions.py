"""Checks of positions: points, what a seat may know, positions in words and back, giving up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from gamelog.chance.rng import Random
from gamelog.chance.stream import draw_results
from gamelog.play.contract.declare import NOT_AS_SAID, declared_state, described
from gamelog.play.contract.rulebook import Rule, rulebook
from gamelog.play.contract.seats import legal_for, sample_for
from gamelog.play.contract.violation import Violation
from gamelog.record.envelope import MAX_INT
from gamelog.record.escaping import differing_excerpts
from gamelog.testing.kit.bounded import bounded
from gamelog.testing.kit.malformed_events import MalformedEvents
from gamelog.testing.kit.random_games import Checks
from gamelog.testing.kit.rule_checks import one_thing
from gamelog.testing.random_play import Play, generator

_FOLLOWED = 20
"""From one in so many declared positions play goes on."""

FURTHEST = 500
"""Events that are played from it at most."""

PLAYED = 4
"""Events that are played from a position in spoiled words, where it is one."""

SPOILED = 3
"""Ways in which the words of each position are spoiled."""

RETIRING = 3
"""In every so many states of every game each seat gives up."""


class Positions(Checks):
    """`score`, `scored`, `observe`, `describe`, `declare`, `retire`."""

    def test_scores_speak_of_the_seats(self) -> None:
        for game, state in self.sample.states("scores"):
            points = self.game.score(state)
            assert set(points) == (set(game.header.seat_ids) if self.game.has_points else set()), (
                "score speaks of every seat"
            )
            assert all(type(number) is int for number in points.values()), (
                f"points are whole numbers, not {points}"
            )

    def test_winners_are_not_behind(self) -> None:
        ahead = behind = 0
        for game in self.sample.plays:
            end, points = self.game.pending(game.states[-1]).outcome, self.game.score(game.states[-1])
            if end is None or len(end.winners) != 1 or len(set(points.values())) <= 1:
                continue
            won = points[end.winners[0]]
            ahead += won == max(points.values())
            behind += won == min(points.values())
        assert ahead >= behind, (
            f"the winner has the fewest points in {behind} games and the most in {ahead}: what does score "
            "count?"
        )

    def test_points_hang_on_the_members_named_alone(self) -> None:
        for game in self.sample.plays:
            members = [name for name in game.states[0].__struct_fields__ if name != "setup"]
            unknown = set(self.game.scored) - set(members)
            assert not unknown, (
                f"the state has no member {', '.join(sorted(unknown))}; it has {', '.join(members)}"
            )
            known: dict[bytes, dict[str, int]] = {}
            for state in game.states[:2_000]:
                watched = msgspec.json.encode([getattr(state, name) for name in self.game.scored or members])
                points = self.game.score(state)
                assert known.setdefault(watched, points) == points, (
                    "the points are others, and nothing watched is"
                )

    def test_what_a_seat_sees_is_a_state_of_the_game(self) -> None:
        rng = generator("observe")
        for game, state in self.sample.states("observe"):
            assert self.game.observe(state, None) == state, "seat None sees all"
            pending = self.game.pending(state)
            for seat in game.header.seat_ids:
                seen = self.game.observe(state, seat)
                assert type(seen) is type(state) and seen.setup == state.setup
                assert self.game.observe(seen, seat) == seen, (
                    f"what {seat} sees of what {seat} sees is something else"
                )
                told = self.game.pending(seen)
                assert (told.by, told.together) == (pending.by, pending.together), (
                    f"{seat} cannot see whose turn it is"
                )
                assert told.outcome == pending.outcome, f"{seat} cannot see that the game is over"
                due = [one.chance and (one.chance.do, one.chance.by) for one in (told, pending)]
                assert due[0] == due[1], f"{seat} cannot see that {due[1]} is due"
            for seat in pending.by:
                if legal_for(self.game, state, seat).events:
                    event = sample_for(self.game, state, seat, rng)
                    assert self.game.check(state, event) is None, f"{event} is legal only in what {seat} sees"

    def test_positions_in_words_lead_back(self) -> None:
        for game in self.sample.plays:
            accepted = 0
            for at in game.some_numbers(generator("words"), 100):
                state = game.states[at]
                words = msgspec.json.encode(described(self.game, state))
                assert words == msgspec.json.encode(described(self.game, state)), (
                    "described twice, a position has other words"
                )
                for now in (state, game.states[0]):
                    declared, why = declared_state(self.game, now, msgspec.json.decode(words))
                    if declared is None:
                        assert why and why.text != NOT_AS_SAID, (
                            f"declare does not give back what describe said: {why}"
                        )
                        continue
                    accepted += 1
                    self._alike(declared, state)
                    if now is not state and accepted % _FOLLOWED == 1:
                        self._goes_on(game, at, declared)
            assert accepted, "no position of a whole game can be declared in the words of describe"

    def _alike(self, declared: Any, state: Any) -> None:
        """Raise AssertionError where the declared position has something else pending, legal or scored."""
        there, here = self.game.pending(declared), self.game.pending(state)
        assert (there.by, there.chance, there.outcome) == (here.by, here.chance, here.outcome), (
            f"declared in the words of describe, the position has {there} pending, not {here}"
        )
        assert self.game.score(declared) == self.game.score(state), "the declared position has other points"
        if here.by and (legal := legal_for(self.game, state, None)).complete and len(legal.events) < 2_000:
            assert set(legal_for(self.game, declared, None).events) == set(legal.events), (
                "other events are legal in the declared position"
            )

    def _goes_on(self, game: Play, at: int, declared: Any) -> None:
        """Raise AssertionError where play from state `at` on cannot go on so from the declared one."""
        for event, state in zip(game.events[at : at + FURTHEST], game.states[at + 1 :], strict=False):
            refused = self.game.check(declared, event)
            assert refused is None, (
                f"after a declared position {event} is refused, which was played: {refused}"
            )
            declared = self.game.apply(declared, event)
            there, here = self.game.pending(declared), self.game.pending(state)
            assert (there.by, there.chance, there.outcome) == (here.by, here.chance, here.outcome), (
                f"{event.n - game.events[at].n + 1} events after a declared position {there} is pending, not "
                f"{here}: something that decides it is lost in the words of describe"
            )

    def test_what_is_no_position_is_refused(self) -> None:
        for game, state in self.sample.states("no position"):
            rng = generator("no position", msgspec.json.encode(described(self.game, state)).decode())
            words: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(described(self.game, state)))
            strangers = MalformedEvents(self.game, self.sample.kinds, game.header.seat_ids)
            tries = (
                [*(strangers.spoiled(words, rng) for _ in range(SPOILED)), _with_too_many(words, rng)]
                if words
                else []
            )
            for said in tries:
                bearable = True
                try:
                    with bounded():
                        self._is_refused_or_played(state, said, rng)
                except MemoryError:  # what was made is let go before anything is said
                    bearable = False
                assert bearable, (
                    f"a position was tried with {_differing(words, said)}, and legal or scene does not end "
                    "with it, but takes all memory: a range in the type, such as Annotated[int, Meta(ge=0, "
                    "le=10)], says what a member may be"
                )

    def _is_refused_or_played(self, state: Any, said: dict[str, Any], rng: Random) -> None:
        """Raise whatever fails when a position is declared like that and played from, where it is one."""
        declared, why = declared_state(self.game, state, said)
        if declared is None:
            assert why
            return
        one_thing(self.game.pending(declared))
        assert self.game.score(declared).keys() == self.game.score(state).keys()
        self.game.scene(declared, None)
        if self.game.declare:
            self._is_played(declared, rng)

    def _is_played(self, state: Any, rng: Random) -> None:
        """Raise whatever fails when a few events are played at random."""
        for _ in range(PLAYED):
            pending = self.game.pending(state)
            one_thing(pending)
            if pending.outcome:
                return
            if pending.chance:
                event = self.game.chance(state, draw_results(b"kit", rng.randbytes(8), pending.chance.draws))
            elif not legal_for(self.game, state, pending.by[0]).events:
                return
            else:
                event = sample_for(self.game, state, pending.by[0], rng)
            refused = self.game.check(state, event)
            assert refused is None or pending.next_timeout, (
                f"{event} is refused in a declared position: {refused}"
            )
            state = self.game.apply(state, event)

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


def _with_too_many(value: Any, rng: Random) -> Any:
    """`value` with one of the numbers in it, where chance meets one, as large as a record can hold."""
    match value:
        case bool():
            return value
        case int():
            return MAX_INT
        case [*items] if items:
            at = rng.randrange(len(items))
            return [*items[:at], _with_too_many(items[at], rng), *items[at + 1 :]]
        case {**members} if members:
            name = rng.choice(list(members))
            return {**members, name: _with_too_many(members[name], rng)}
    return value


def _differing(words: dict[str, Any], said: dict[str, Any]) -> str:
    """The first member that is `said` otherwise than in `words`, and what it is said to be."""
    name = next((name for name in said if name not in words or said[name] != words[name]), None)
    if name is None:
        return "a member left out"
    before, now = (msgspec.json.encode(of.get(name)).decode() for of in (words, said))
    return f'"{name}" set to {differing_excerpts(before, now)[1]}'
