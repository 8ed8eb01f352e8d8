"""Checks of the rules: what is pending, legal, refused, owed to chance, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import structs

from gamelog.chance.draws import Dice, Results
from gamelog.chance.stream import outcome
from gamelog.errors import CannotApply
from gamelog.play.contract.game import Pending, Violation
from gamelog.play.contract.rulebook import rulebook
from gamelog.record.envelope import Event, tag_of
from gamelog.testing.kit.sample import Checks
from gamelog.testing.kit.strangers import Strangers
from gamelog.testing.plays import Play, generator

LISTED = 100
"""Events of one list of legal ones that are carried out."""

STRANGERS = 40
"""Strange events tried in each of the states looked at."""


class Judging(Checks):
    """`pending`, `check`, `apply`, `legal`, `sample`, `chance`."""

    def strangers(self, purpose: str) -> Iterator[tuple[Play, Any, Event]]:
        """States of every game with events that nobody played there."""
        for game in self.sample.plays:
            rng = generator(purpose)
            strangers = Strangers(self.game, self.sample.kinds, game.header.seat_ids)
            numbers = rng.sample(range(len(game.events)), min(20, len(game.events)))
            for at in numbers:
                for event in strangers.some(rng, STRANGERS, game.events[at]):
                    yield game, game.states[at], event

    def test_folding_is_pure(self) -> None:
        for _, state, event, after in self.sample.steps("pure"):
            before = msgspec.json.encode(state)
            assert self.game.check(state, event) is None
            assert self.game.apply(state, event) == after
            assert type(after).__struct_config__.frozen, "states are frozen structs"
            assert before == msgspec.json.encode(state), "a state was changed in place"

    def test_exactly_one_thing_is_pending(self) -> None:
        for game in self.sample.plays:
            assert self.game.pending(game.states[-1]).outcome
            for state in game.states[:2_000]:
                one_thing(self.game.pending(state))

    def test_every_legal_event_passes_check_and_applies(self) -> None:
        rng = generator("legal")
        for _, state in self.sample.states("legal"):
            if not self.game.pending(state).by:
                continue
            events = self.game.legal(state).events
            assert events, "somebody is to act and nothing is legal"
            for event in rng.sample(events, min(LISTED, len(events))):
                assert self.game.check(state, event) is None, event
                self.game.apply(state, event)

    def test_where_the_list_is_complete_all_others_are_refused(self) -> None:
        asked: Any = None
        complete, known = False, set[bytes]()
        for _, state, event in self.strangers("complete"):
            if state is not asked:
                asked, legal = state, self.game.legal(state)
                complete = bool(self.game.pending(state).by) and legal.complete
                known = {self._form(listed) for listed in legal.events}
            if not complete:
                continue
            stranger = structs.replace(event, n=0, t=0)
            refused = self.game.check(state, stranger)
            listed = self._form(structs.replace(stranger, id=None, as_played=False)) in known
            assert (refused is None) == listed, f"{stranger}: check says {refused}, the list {'has' if listed else 'lacks'} it"

    def _form(self, event: Event) -> bytes:
        return msgspec.json.encode(self.game.canonical(event), order="deterministic")

    def test_check_asks_neither_number_nor_key(self) -> None:
        rng = generator("any number")
        for _, state, event in self.strangers("numbers"):
            found = self.game.check(state, event)
            for other in (structs.replace(event, n=rng.randrange(1, 1_000)), structs.replace(event, n=1_000_001, id="key")):
                assert self.game.check(state, other) == found, "check depends on the event's n or id"
        for _, state, event, after in self.sample.steps("numbers"):
            assert self.game.check(state, structs.replace(event, n=event.n + 1_000)) is None, "check depends on the event's n"
            assert self.game.apply(state, structs.replace(event, n=event.n + 1_000)) == after, "apply depends on the event's n"

    def test_sample_gives_legal_events(self) -> None:
        rng = generator("sample")
        for _, state in self.sample.states("sample"):
            if self.game.pending(state).by:
                event = self.game.sample(state, rng)
                assert self.game.check(state, event) is None, event

    def test_chance_is_owed_and_judged(self) -> None:
        rng = generator("chance")
        for _, state in self.sample.states("chance"):
            owed = self.game.pending(state).chance
            if owed is None:
                continue
            assert not self.game.legal(state).events, "nothing is to be decided while chance is owed"
            results = outcome(b"kit", rng.randbytes(8), owed.draws)
            event = self.game.chance(state, results)
            assert (tag_of(type(event)), event.by) == (owed.do, owed.by)
            assert isinstance(event, self.game.chance_events)
            assert self.game.check(state, event) is None, event
            for wrong in _impossible(owed.draws, results):
                assert self.game.check(state, self.game.chance(state, wrong)), wrong

    def test_chance_that_is_not_owed_is_refused(self) -> None:
        rng = generator("not owed")
        kinds = [self.sample.kinds[tag_of(kind)] for kind in self.game.chance_events if tag_of(kind) in self.sample.kinds]
        for game, state in self.sample.states("not owed"):
            owed = self.game.pending(state).chance
            for kind in kinds:
                event = rng.choice(kind)
                if owed is not None and tag_of(type(event)) == owed.do:
                    continue
                for by in {event.by, *game.header.seat_ids}:
                    found = self.game.check(state, structs.replace(event, by=by, t=0))
                    assert found, f"{tag_of(type(event))} by {by} is accepted though it is not owed"

    def test_the_end_is_the_end(self) -> None:
        for game in self.sample.plays:
            last = game.states[-1]
            outcome_ = self.game.pending(last).outcome
            assert outcome_ and set(outcome_.winners) <= set(game.header.seat_ids) and outcome_.reason
            assert not self.game.legal(last).events
            for event in (*game.events[-50:], *(kind[0] for kind in self.sample.kinds.values())):
                assert self.game.check(last, event), f"{event} is still legal after the end"

    def test_check_never_fails_and_apply_says_when_it_cannot(self) -> None:
        for _, state, anything in self.strangers("anything"):
            before = msgspec.json.encode(state)
            found = self.game.check(state, anything)
            assert found is None or isinstance(found, Violation)
            try:
                after = self.game.apply(state, anything)
            except CannotApply:
                assert found, f"apply is total on what check accepts: {anything}"
                continue
            one_thing(self.game.pending(after))
            assert msgspec.json.encode(after)
            assert before == msgspec.json.encode(state), "a state was changed in place"

    def test_every_violation_names_a_rule(self) -> None:
        book = rulebook(self.game)
        assert book, "RULES.md has no numbered rules"
        for _, state, event in self.strangers("violations"):
            found = self.game.check(state, event)
            if found:
                assert found.rule in book, f"{found.rule} is not in RULES.md"
                assert found.text and not found.text.endswith("."), "a violation is a clause without a full stop"


def one_thing(pending: Pending) -> None:
    """Raise AssertionError unless exactly one of a decision, chance and the end is pending."""
    assert isinstance(pending, Pending)
    assert sum(map(bool, (pending.by, pending.chance, pending.outcome))) == 1, f"exactly one thing must be pending, not {pending}"


def _impossible(draws: tuple[Any, ...], results: Results) -> list[Results]:
    """`results` spoiled: a face that no die has, a die too many, one too few."""
    first = results[0]
    wrong: list[Results] = [((*first, first[0]), *results[1:]), (first[1:], *results[1:])]
    if isinstance(draws[0], Dice):
        wrong += [((draws[0].sides + 1, *first[1:]), *results[1:]), ((0, *first[1:]), *results[1:])]
    return [results_ for results_ in wrong if results_ != results]
