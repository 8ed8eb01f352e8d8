"""Checks of positions: points, visible states, declared positions, and resignations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from gamelog.chance.rng import Random
from gamelog.chance.stream import draw_results
from gamelog.play.contract.declare import CONTRADICTORY_MEMBER, declared_state, describe_state
from gamelog.play.contract.rulebook import Rule, rulebook
from gamelog.play.contract.seats import legal_for, sample_for
from gamelog.play.contract.violation import Violation
from gamelog.record.envelope import MAX_INT
from gamelog.record.escaping import differing_excerpts
from gamelog.statistics import sign_probability
from gamelog.testing.checks.limits import memory_limit
from gamelog.testing.checks.malformed_events import MalformedEvents
from gamelog.testing.checks.random_games import Checks
from gamelog.testing.checks.rule_checks import check_single_pending
from gamelog.testing.plays import Play, generator

_CONTINUATION_INTERVAL = 20
"""Play continues from one in this number of declared positions."""

_MAX_PLAYED_ON = 500
"""Maximum number of events that are played from a declared position."""

_EVENTS_AFTER_SPOILED = 4
"""Number of events that are played from a spoiled position that is accepted."""

_SPOILED_VARIANTS = 3
"""Number of spoiled variants of each position."""

_MAX_LENGTH_POSITIONS = 3
"""Maximum number of positions of a game in which lists get another length."""

_RESIGNATION_INTERVAL = 3
"""Every seat resigns in one in this number of states."""


class PositionChecks(Checks):
    """Checks of `score`, `scored`, `observe`, `describe`, `declare` and `retire`."""

    def test_scores_have_all_seats(self) -> None:
        for game, state in self.sample.states("scores"):
            points = self.game.score(state)
            assert set(points) == (set(game.header.seat_ids) if self.game.has_points else set()), (
                "score must have every seat, or no seat in a game without points"
            )
            assert all(type(number) is int for number in points.values()), (
                f"points must be whole numbers, not {points}"
            )

    def test_winners_are_not_behind(self) -> None:
        """Check that winners do not have the fewest points more often than the most points.

        A sign test decides at 5 %: a winner can be behind by chance, for example if the other resigns.
        """
        ahead = behind = 0
        for game in self.sample.plays:
            end, points = self.game.pending(game.states[-1]).outcome, self.game.score(game.states[-1])
            if end is None or len(end.winners) != 1 or len(set(points.values())) <= 1:
                continue
            won = points[end.winners[0]]
            ahead += won == max(points.values())
            behind += won == min(points.values())
        assert sign_probability(ahead, behind) >= 0.05, (
            f"the winner has the fewest points in {behind} games and the most points in {ahead} games: "
            "check what score counts"
        )

    def test_points_depend_only_on_the_scored_members(self) -> None:
        """Check that points are equal if all members in ``scored`` are equal."""
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
                    "the points change although no member in scored changes"
                )

    def test_visible_states_are_states_of_the_game(self) -> None:
        """Check that a visible state has the same pending things, and that its sample is legal."""
        rng = generator("observe")
        for game, state in self.sample.states("observe"):
            assert self.game.observe(state, None) == state, "observe must show the whole state to seat None"
            pending = self.game.pending(state)
            for seat in game.header.seat_ids:
                seen = self.game.observe(state, seat)
                assert type(seen) is type(state) and seen.setup == state.setup
                assert self.game.observe(seen, seat) == seen, (
                    f"observe for {seat}, applied twice, gives another state"
                )
                known = self.game.pending(seen)
                assert (known.by, known.together) == (pending.by, pending.together), (
                    f"{seat} cannot see who is to act"
                )
                assert known.outcome == pending.outcome, f"{seat} cannot see that the game is over"
                due = [
                    decision.chance and (decision.chance.do, decision.chance.by)
                    for decision in (known, pending)
                ]
                assert due[0] == due[1], f"{seat} cannot see that {due[1]} is due"
            for seat in pending.by:
                if legal_for(self.game, state, seat).events:
                    event = sample_for(self.game, state, seat, rng)
                    assert self.game.check(state, event) is None, (
                        f"{event} is legal only in the state that {seat} sees"
                    )

    def test_described_positions_can_be_declared(self) -> None:
        """Check that ``declare`` accepts the words of ``describe``, and that play can continue."""
        for game in self.sample.plays:
            accepted = 0
            for at in game.some_numbers(generator("words"), 100):
                state = game.states[at]
                words = msgspec.json.encode(describe_state(self.game, state))
                assert words == msgspec.json.encode(describe_state(self.game, state)), (
                    "describe called twice gives different words"
                )
                for now in (state, game.states[0]):
                    declared, why = declared_state(self.game, now, msgspec.json.decode(words))
                    if declared is None:
                        assert why and why.text != CONTRADICTORY_MEMBER, (
                            f"declare does not accept the words of describe: {why}"
                        )
                        continue
                    accepted += 1
                    self._check_same(declared, state)
                    if now is not state and accepted % _CONTINUATION_INTERVAL == 1:
                        self._check_continuation(game, at, declared)
            assert accepted, "no position of a whole game can be declared in the words of describe"

    def _check_same(self, declared: Any, state: Any) -> None:
        """Raise AssertionError if the declared position has other pending things, points or legal events."""
        there, here = self.game.pending(declared), self.game.pending(state)
        assert (there.by, there.chance, there.outcome) == (here.by, here.chance, here.outcome), (
            f"declared in the words of describe, the position has {there} pending, not {here}"
        )
        assert self.game.score(declared) == self.game.score(state), "the declared position has other points"
        if here.by and (legal := legal_for(self.game, state, None)).complete and len(legal.events) < 2_000:
            assert set(legal_for(self.game, declared, None).events) == set(legal.events), (
                "other events are legal in the declared position"
            )

    def _check_continuation(self, game: Play, at: int, declared: Any) -> None:
        """Raise AssertionError if the events after state `at` cannot follow the declared position."""
        for event, state in zip(game.events[at : at + _MAX_PLAYED_ON], game.states[at + 1 :], strict=False):
            violation = self.game.check(declared, event)
            assert violation is None, (
                f"{event} was played, but it is refused after a declared position: {violation}"
            )
            declared = self.game.apply(declared, event)
            there, here = self.game.pending(declared), self.game.pending(state)
            assert (there.by, there.chance, there.outcome) == (here.by, here.chance, here.outcome), (
                f"{event.n - game.events[at].n + 1} events after a declared position {there} is pending, not "
                f"{here}: the words of describe do not contain everything that matters"
            )

    def test_invalid_positions_are_refused(self) -> None:
        """Check that a spoiled position is refused or can be played, without much memory."""
        for game, state in self.sample.states("no position"):
            rng = generator("no position", msgspec.json.encode(describe_state(self.game, state)).decode())
            words: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(describe_state(self.game, state)))
            malformed = MalformedEvents(self.game, self.sample.kinds, game.header.seat_ids)
            tries = (
                [
                    *(malformed.spoil(words, rng) for _ in range(_SPOILED_VARIANTS)),
                    _with_largest_number(words, rng),
                ]
                if words
                else []
            )
            for spoiled in tries:
                enough_memory = True
                try:
                    with memory_limit():
                        self._check_spoiled(state, spoiled, rng)
                except MemoryError:  # the memory is free again before the message is made
                    enough_memory = False
                assert enough_memory, (
                    f"in a position with {_difference(words, spoiled)}, legal or scene does not end and "
                    "uses all memory: limit the member by a range in its type, such as Annotated[int, "
                    "Meta(ge=0, le=10)]"
                )

    def test_lists_of_another_length_are_refused(self) -> None:
        """Declare each list that always has the same length, such as a board, with an item less and more."""
        constant = self._constant_lengths()
        for game in self.sample.plays:
            for at in game.some_numbers(generator("lengths"), _MAX_LENGTH_POSITIONS):
                words: dict[str, Any] = msgspec.json.decode(
                    msgspec.json.encode(describe_state(self.game, game.states[at]))
                )
                for name in constant & words.keys():
                    usual = words[name]
                    for other in (usual[:-1], [*usual, usual[-1]]):
                        declared, _ = declared_state(self.game, game.states[at], {**words, name: other})
                        assert declared is None, _length_problem(name, len(usual), len(other))

    def _constant_lengths(self) -> set[str]:
        """Return the members of positions that are lists, each with one length in the whole of each game."""
        found: set[str] | None = None
        for game in self.sample.plays:
            lengths: dict[str, set[int]] = {}
            for state in game.some_states(generator("lists"), 100):
                for name, value in describe_state(self.game, state).items():
                    length = len(value) if isinstance(value, list | tuple) else 0
                    lengths.setdefault(name, set()).add(length)
            same = {name for name, known in lengths.items() if len(known) == 1 and min(known) > 1}
            found = same if found is None else found & same
        return found or set()

    def _check_spoiled(self, state: Any, spoiled: dict[str, Any], rng: Random) -> None:
        """Declare a spoiled position, and play some events from it. Raise all errors of the game."""
        declared, why = declared_state(self.game, state, spoiled)
        if declared is None:
            assert why
            return
        check_single_pending(self.game.pending(declared))
        assert self.game.score(declared).keys() == self.game.score(state).keys()
        self.game.scene(declared, None)
        if self.game.declare:
            self._play_some(declared, rng)

    def _play_some(self, state: Any, rng: Random) -> None:
        """Play a few random events. Raise all errors of the game."""
        for _ in range(_EVENTS_AFTER_SPOILED):
            pending = self.game.pending(state)
            check_single_pending(pending)
            if pending.outcome:
                return
            if pending.chance:
                event = self.game.chance(state, draw_results(b"kit", rng.randbytes(8), pending.chance.draws))
            elif not legal_for(self.game, state, pending.by[0]).events:
                return
            else:
                event = sample_for(self.game, state, pending.by[0], rng)
            violation = self.game.check(state, event)
            assert violation is None or pending.next_timeout, (
                f"{event} is refused in a declared position: {violation}"
            )
            state = self.game.apply(state, event)

    def test_resignations_follow_the_rules(self) -> None:
        if self.game.retire is None:
            return
        book = rulebook(self.game)
        for game in self.sample.plays:
            for state in game.states[:-1:_RESIGNATION_INTERVAL]:
                for seat in game.header.seat_ids:
                    self._check_resignation(state, seat, book)

    def _check_resignation(self, state: Any, seat: str, book: Mapping[str, Rule]) -> None:
        """Check that a resignation gives a state without decisions of `seat`, or a violation."""
        assert self.game.retire
        after = self.game.retire(state, seat)
        if isinstance(after, Violation):
            assert after.rule in book and after.text, f"{after.rule} is not in RULES.md"
            return
        assert type(after) is type(state), "retire must give a state, or the violation of a rule"
        pending = self.game.pending(after)
        check_single_pending(pending)
        assert seat not in pending.by, f"{seat} has resigned, but is asked to act"
        assert set(self.game.score(after)) == self.game.score(state).keys()
        if not pending.outcome:
            assert isinstance(self.game.retire(after, seat), Violation), f"{seat} can resign twice"


def _length_problem(name: str, usual: int, other: int) -> str:
    return (
        f'the game accepts a declared position in which "{name}" has {other} items, but it has {usual} items '
        f"in the whole game. Limit it in its type, such as Annotated[tuple[int, ...], "
        f"Meta(min_length={usual}, max_length={usual})], or raise ValueError in declare"
    )


def _with_largest_number(value: Any, rng: Random) -> Any:
    """Return `value` with a random number in it replaced by the largest number of a record."""
    match value:
        case bool():
            return value
        case int():
            return MAX_INT
        case [*items] if items:
            at = rng.randrange(len(items))
            return [*items[:at], _with_largest_number(items[at], rng), *items[at + 1 :]]
        case {**members} if members:
            name = rng.choice(list(members))
            return {**members, name: _with_largest_number(members[name], rng)}
    return value


def _difference(words: dict[str, Any], spoiled: dict[str, Any]) -> str:
    """Return a clause on the first member of `spoiled` that differs from `words`."""
    name = next((name for name in spoiled if name not in words or spoiled[name] != words[name]), None)
    if name is None:
        return "a member left out"
    before, now = (msgspec.json.encode(of.get(name)).decode() for of in (words, spoiled))
    return f'"{name}" set to {differing_excerpts(before, now)[1]}'
