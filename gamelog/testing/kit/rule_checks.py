"""Checks of the rules: what is pending, legal, refused, owed to chance, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from typing import Any

import msgspec
from msgspec import structs

from gamelog.chance.draws import Bag, Dice, Results, Shuffle
from gamelog.chance.rng import reseed_shared_generator
from gamelog.chance.stream import draw_results
from gamelog.errors import CannotApply
from gamelog.play.contract.game import Legal, Pending
from gamelog.play.contract.outcome import contradiction
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.contract.seats import legal_for, lists_nothing, sample_for
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.common import COMMON
from gamelog.play.fold.event_list import decoder
from gamelog.play.fold.start import start
from gamelog.record.envelope import TABLE, Event, tag_of
from gamelog.testing.kit.random_games import Checks
from gamelog.testing.random_play import Play, generator

_LISTED = 100
"""Events of one list of legal ones that are carried out."""


class Judging(Checks):
    """`pending`, `check`, `apply`, `legal`, `sample`, `chance`."""

    def strangers(self) -> Iterator[tuple[Play, Any, Event]]:
        """States of every game with events that nobody played there."""
        for game, at, event in self.sample.strange_events():
            yield game, game.states[at], event

    def test_folding_is_pure(self) -> None:
        for _, state, event, after in self.sample.steps("pure"):
            before = msgspec.json.encode(state)
            assert self.game.check(state, event) is None, f"{event} was played, and check refuses it"
            assert self.game.apply(state, event) == after, f"{event} applied twice makes two states"
            assert self.game.effects(state, event, after) == self.game.effects(state, event, after), (
                "effects differ when told twice"
            )
            assert type(after).__struct_config__.frozen, "states are frozen structs"
            assert before == msgspec.json.encode(state), "a state was changed in place"

    def test_states_stay_as_they_are(self) -> None:
        """What several states share may have been changed before anybody looked: so games are played anew."""
        for game in self.sample.plays:
            if game.lead:
                continue
            before = start(replace(self.game), game.header)  # of another game, so no state that was kept
            for event in takewhile(lambda event: type(event) not in COMMON, game.events[:2_000]):
                said = msgspec.json.encode(before)
                after = self.game.apply(before, event)
                assert msgspec.json.encode(before) == said, f"{event} changes the state before it in place"
                before = after

    def test_exactly_one_thing_is_pending(self) -> None:
        for game in self.sample.plays:
            assert self.game.pending(game.states[-1]).outcome
            for state in game.states[:2_000]:
                pending = self.game.pending(state)
                one_thing(pending)
                assert pending.by == (TABLE,) or set(pending.by) <= set(game.header.seat_ids), (
                    f"{pending.by} are to act; the seats are others"
                )
                asked = {*pending.by, pending.chance.by} if pending.chance else set(pending.by)
                assert not asked & set(game.gone), (
                    f"{' and '.join(asked & set(game.gone))} has given up and is asked to act"
                )

    def test_every_legal_event_passes_check_and_applies(self) -> None:
        rng = generator("legal")
        for game, state in self.sample.states("legal"):
            by = self.game.pending(state).by
            for seat in game.header.seat_ids:
                events = legal_for(self.game, state, seat).events
                assert seat in by or not events, f"{seat} is not to act, and may do {events[0]}"
                for event in rng.sample(events, min(_LISTED, len(events))):
                    assert event.by == seat, f"what {seat} may do is done by {event.by}: {event}"
                    assert self.game.check(state, event) is None, event
                    self.game.apply(state, event)
            listed = legal_for(self.game, state, None)
            assert not by or listed.events or listed.cut, "somebody is to act and nothing is legal"

    def test_where_the_list_is_complete_all_others_are_refused(self) -> None:
        asked, legal, by = None, Legal(()), tuple[str, ...]()
        known, kinds = set[bytes](), set[type[Event]]()
        for _, state, event in self.strangers():
            if state is not asked:
                asked, legal, by = state, legal_for(self.game, state, None), self.game.pending(state).by
                forms = [self._form(listed) for listed in legal.events]
                known, kinds = set(forms), {type(listed) for listed in legal.events}
                assert len(forms) == len(known) or not legal.complete, "an event is listed twice as legal"
            if not by or type(event) in self.game.chance_events:
                continue
            stranger = structs.replace(event, n=0, t=0)
            refused = self.game.check(state, stranger)
            listed = self._form(structs.replace(stranger, id=None, as_played=False)) in known
            assert refused is None or not listed, f"{stranger} is listed as legal, and check says {refused}"
            if refused is None and legal.complete:
                assert listed, (
                    f"check accepts {stranger}, and the list, which calls itself complete, lacks it"
                )
            elif refused is None and event.by in by and known:
                assert type(event) in kinds, f"check accepts {stranger}, and the list has nothing of the kind"

    def _form(self, event: Event) -> bytes:
        return msgspec.json.encode(self.game.canonical(event), order="deterministic")

    def test_check_asks_neither_number_nor_key(self) -> None:
        rng = generator("any number")
        for _, state, event in self.strangers():
            found = self.game.check(state, event)
            for other in (
                structs.replace(event, n=rng.randrange(1, 1_000), as_played=True),
                structs.replace(event, n=1_000_001, id="key"),
            ):
                assert self.game.check(state, other) == found, (
                    "check depends on the event's n, id or as_played"
                )
        for _, state, event, after in self.sample.steps("numbers"):
            for other in (structs.replace(event, n=event.n + 1_000), structs.replace(event, n=2, id="key")):
                assert self.game.check(state, other) is None, "check depends on the event's n or id"
                assert self.game.apply(state, other) == after, "apply depends on the event's n or id"

    def test_sample_gives_legal_events(self) -> None:
        rng = generator("sample")
        for _, state in self.sample.states("sample"):
            for seat in self.game.pending(state).by:
                if not legal_for(self.game, state, seat).events:
                    continue
                before = rng.getstate()
                event = sample_for(self.game, state, seat, rng)
                assert event.by == seat, f"asked what {seat} may do, sample gives {event}"
                assert self.game.check(state, event) is None, event
                reseed_shared_generator()
                rng.setstate(before)
                assert sample_for(self.game, state, seat, rng) == event, "sample has chance of its own"

    def test_chance_is_owed_and_judged(self) -> None:
        rng = generator("chance")
        for game, state in self.sample.states("chance"):
            owed = self.game.pending(state).chance
            if owed is None:
                continue
            for seat in {*game.header.seat_ids} - {*self.game.pending(state).by}:
                assert not legal_for(self.game, state, seat).events, (
                    "nothing is to be decided while chance is owed"
                )
            results = draw_results(b"kit", rng.randbytes(8), owed.draws)
            event = self.game.chance(state, results)
            tag = tag_of(type(event))
            assert (tag, event.by) == (owed.do, owed.by), (
                f"pending owes {owed.do} by {owed.by}, and chance gives {tag} by {event.by}"
            )
            assert isinstance(event, self.game.chance_events), f"chance gives {tag}, not in chance_events"
            assert self.game.check(state, event) is None, event
            for seat in game.header.seat_ids:
                alone = any(draw.private and draw.seat not in (None, seat) for draw in owed.draws)
                assert not alone or self.game.seen(event, state, seat) != event, (
                    f"{seat} sees what is drawn for another alone"
                )
            for seat in {*game.header.seat_ids, TABLE} - {owed.by}:
                assert self.game.check(state, structs.replace(event, by=seat)), (
                    f"{seat} may record what {owed.by} owes"
                )
            for spoiled in _spoiled({**msgspec.to_builtins(event), "n": 1}):
                assert self._refused(state, spoiled), f"{spoiled} is accepted, though it cannot be drawn"
            # of a shuffled deck an event may keep a part: one thing less is then another order of all
            turned = self._made(state, ((*results[0][1:], results[0][0]), *results[1:]))
            possible = (None, event, turned if isinstance(owed.draws[0], Shuffle) else None)
            for impossible in _impossible(owed.draws, results):
                made = self._made(state, impossible)
                assert made in possible or self.game.check(state, made), (
                    f"{made} is accepted, though it cannot be drawn"
                )

    def _refused(self, state: Any, members: dict[str, Any]) -> bool:
        """Whether the event with these members does not fit its type, or is refused."""
        try:
            return self.game.check(state, decoder(self.game).decode(msgspec.json.encode(members))) is not None
        except msgspec.ValidationError:
            return True

    def _made(self, state: Any, results: Results) -> Event | None:
        """The chance event of results that cannot be drawn; those of another number need not make one."""
        with suppress(LookupError, TypeError, ValueError):
            made: Event = self.game.chance(state, results)
            return made
        return None

    def test_chance_that_is_not_owed_is_refused(self) -> None:
        rng = generator("not owed")
        kinds = [
            self.sample.kinds[tag_of(kind)]
            for kind in self.game.chance_events
            if tag_of(kind) in self.sample.kinds
        ]
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
            assert outcome_ and outcome_.reason
            wrong = contradiction(outcome_, game.header.seat_ids)
            assert wrong is None, f"{outcome_} cannot be: {wrong}"
            assert not any(legal_for(self.game, last, seat).events for seat in game.header.seat_ids)
            for event in (*game.events[-50:], *(kind[0] for kind in self.sample.kinds.values())):
                assert self.game.check(last, event), f"{event} is still legal after the end"

    def test_check_never_fails_and_apply_says_when_it_cannot(self) -> None:
        for _, state, anything in self.strangers():
            before = msgspec.json.encode(state)
            found = self.game.check(state, anything)
            assert found is None or isinstance(found, Violation)
            try:
                after = self.game.apply(state, anything)
            except CannotApply:
                assert found, f"apply is total on what check accepts: {anything}"
                continue
            pending = self.game.pending(after)
            one_thing(pending)
            assert not pending.by or not all(lists_nothing(self.game, after, seat) for seat in pending.by), (
                f"after {anything} nothing is legal: apply must raise CannotApply"
            )
            assert msgspec.json.encode(after)
            assert before == msgspec.json.encode(state), "a state was changed in place"

    def test_every_violation_names_a_rule(self) -> None:
        book = rulebook(self.game)
        assert book, "RULES.md has no numbered rules"
        for _, state, event in self.strangers():
            found = self.game.check(state, event)
            if found:
                assert isinstance(found, Violation), f"check gives {found!r}, which is not a Violation"
                assert found.rule in book, f"{found.rule} is not in RULES.md"
                assert found.text and not found.text.endswith("."), (
                    "a violation is a clause without a full stop"
                )


def one_thing(pending: Pending) -> None:
    """Raise AssertionError unless the game is over, somebody may act, or chance is owed to another."""
    assert isinstance(pending, Pending)
    goes_on = bool(pending.by or pending.chance)
    assert goes_on is not bool(pending.outcome), (
        f"a decision, chance, or the end must be pending, not {pending}"
    )
    assert not (pending.chance and pending.chance.by in pending.by), (
        f"who owes chance cannot act before: {pending}"
    )
    assert pending.by or not pending.together, f"nobody decides, and that together: {pending}"


def _spoiled(value: Any) -> Iterator[Any]:
    """A chance event, or what it has in it, with one number changed into one that nothing shows."""
    if isinstance(value, dict):
        for name in value.keys() - Event.__struct_fields__:
            yield from ({**value, name: other} for other in _spoiled(value[name]))
    elif isinstance(value, list | tuple):
        for at in range(len(value)):
            yield from ([*value[:at], other, *value[at + 1 :]] for other in _spoiled(value[at]))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from (-1, 999)


def _impossible(draws: tuple[Any, ...], results: Results) -> list[Results]:
    """`results` spoiled: a face that no die has, a die too many, one too few, more than the bag holds."""
    first = results[0]
    impossible: list[Results] = [((*first, first[0]), *results[1:]), (first[1:], *results[1:])]
    if isinstance(draws[0], Dice):
        impossible += [((draws[0].sides + 1, *first[1:]), *results[1:]), ((0, *first[1:]), *results[1:])]
    elif isinstance(draws[0], Bag):
        impossible += [
            ((thing,) * len(first), *results[1:]) for thing, held in draws[0].things if held < len(first)
        ]
    if isinstance(draws[-1], Dice) and len(results) > 1:
        impossible += [(*results[:-1], (draws[-1].sides + 1, *results[-1][1:]))]
    return [results_ for results_ in impossible if results_ != results]
