"""Checks of the rules: pending, legal and refused events, chance, and the results of events."""

from __future__ import annotations

import re
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
from gamelog.play.contract.outcome import outcome_problem
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.contract.seats import has_no_legal_event, legal_for, sample_for
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.common_events import COMMON
from gamelog.play.fold.parts.event_list import decoder
from gamelog.play.fold.start import start
from gamelog.record.envelope import TABLE, Event, tag_of
from gamelog.testing.checks.random_games import Checks
from gamelog.testing.plays import Play, generator

_MAX_APPLIED = 100
"""Maximum number of legal events of one position that are carried out."""


class RuleChecks(Checks):
    """Checks of `pending`, `check`, `apply`, `legal`, `sample` and `chance`."""

    def unplayed_events(self) -> Iterator[tuple[Play, Any, Event]]:
        """Yield the games, states, and events that were not played there."""
        for game, at, event in self.sample.unplayed_events():
            yield game, game.states[at], event

    def test_folding_is_pure(self) -> None:
        for _, state, event, after in self.sample.steps("pure"):
            before = msgspec.json.encode(state)
            assert self.game.check(state, event) is None, f"{event} was played, but check refuses it"
            assert self.game.apply(state, event) == after, f"{event} applied twice gives two different states"
            assert self.game.effects(state, event, after) == self.game.effects(state, event, after), (
                "effects called twice gives two different results"
            )
            assert type(after).__struct_config__.frozen, "states must be frozen structs"
            assert before == msgspec.json.encode(state), "a state was changed in place"

    def test_states_are_not_changed_in_place(self) -> None:
        """Play the games again, because states may share values that were changed before this check."""
        for game in self.sample.plays:
            if game.lead:
                continue
            before = start(replace(self.game), game.header)  # another game has no cached states
            for event in takewhile(lambda event: type(event) not in COMMON, game.events[:2_000]):
                encoded = msgspec.json.encode(before)
                after = self.game.apply(before, event)
                assert msgspec.json.encode(before) == encoded, f"{event} changes the state before it in place"
                before = after

    def test_exactly_one_thing_is_pending(self) -> None:
        """Check that one thing is pending in each state, and that no resigned seat is asked."""
        for game in self.sample.plays:
            assert self.game.pending(game.states[-1]).outcome
            for state in game.states[:2_000]:
                pending = self.game.pending(state)
                check_single_pending(pending)
                assert pending.by == (TABLE,) or set(pending.by) <= set(game.header.seat_ids), (
                    f"pending names {pending.by}, but the seats are {game.header.seat_ids}"
                )
                asked = {*pending.by, pending.chance.by} if pending.chance else set(pending.by)
                assert not asked & set(game.resigned_seats), (
                    f"{' and '.join(asked & set(game.resigned_seats))} has resigned, but is asked to act"
                )

    def test_every_legal_event_passes_check_and_applies(self) -> None:
        """Check that ``legal`` lists only events that ``check`` and ``apply`` accept."""
        rng = generator("legal")
        for game, state in self.sample.states("legal"):
            by = self.game.pending(state).by
            for seat in game.header.seat_ids:
                events = legal_for(self.game, state, seat).events
                assert seat in by or not events, f"{seat} is not to act, but legal lists {events[0]}"
                for event in rng.sample(events, min(_MAX_APPLIED, len(events))):
                    assert event.by == seat, f"legal lists an event of {event.by} for {seat}: {event}"
                    assert self.game.check(state, event) is None, event
                    self.game.apply(state, event)
            listed = legal_for(self.game, state, None)
            assert not by or listed.events or listed.cut, "a seat is to act, but nothing is legal"

    def test_events_outside_a_complete_list_are_refused(self) -> None:
        """Check that ``check`` refuses events that a complete list does not have."""
        asked, legal, by = None, Legal(()), tuple[str, ...]()
        known, kinds = set[bytes](), set[type[Event]]()
        for _, state, event in self.unplayed_events():
            if state is not asked:
                asked, legal, by = state, legal_for(self.game, state, None), self.game.pending(state).by
                forms = [self._form(listed) for listed in legal.events]
                known, kinds = set(forms), {type(listed) for listed in legal.events}
                assert len(forms) == len(known) or not legal.complete, "an event is listed twice as legal"
            if not by or type(event) in self.game.chance_events:
                continue
            unplayed = structs.replace(event, n=0, t=0)
            violation = self.game.check(state, unplayed)
            listed = self._form(structs.replace(unplayed, id=None, as_played=False)) in known
            assert violation is None or not listed, (
                f"legal lists {unplayed}, but check refuses it: {violation}"
            )
            if violation is None and legal.complete:
                assert listed, f"check accepts {unplayed}, but the list, marked as complete, does not have it"
            elif violation is None and event.by in by and known:
                assert type(event) in kinds, (
                    f"check accepts {unplayed}, but the list has no event of this kind"
                )

    def _form(self, event: Event) -> bytes:
        return msgspec.json.encode(self.game.canonical(event), order="deterministic")

    def test_check_ignores_number_and_key(self) -> None:
        """Check that the rules do not depend on an event's ``n``, ``id`` or ``as_played``."""
        rng = generator("any number")
        for _, state, event in self.unplayed_events():
            violation = self.game.check(state, event)
            for other in (
                structs.replace(event, n=rng.randrange(1, 1_000), as_played=True),
                structs.replace(event, n=1_000_001, id="key"),
            ):
                assert self.game.check(state, other) == violation, (
                    "check depends on the event's n, id or as_played"
                )
        for _, state, event, after in self.sample.steps("numbers"):
            for other in (structs.replace(event, n=event.n + 1_000), structs.replace(event, n=2, id="key")):
                assert self.game.check(state, other) is None, "check depends on the event's n or id"
                assert self.game.apply(state, other) == after, "apply depends on the event's n or id"

    def test_sample_gives_legal_events(self) -> None:
        """Check that ``sample`` gives a legal event, and the same event for the same generator."""
        rng = generator("sample")
        for _, state in self.sample.states("sample"):
            for seat in self.game.pending(state).by:
                if not legal_for(self.game, state, seat).events:
                    continue
                before = rng.getstate()
                event = sample_for(self.game, state, seat, rng)
                assert event.by == seat, f"sample for {seat} gives an event of another seat: {event}"
                assert self.game.check(state, event) is None, event
                reseed_shared_generator()
                rng.setstate(before)
                assert sample_for(self.game, state, seat, rng) == event, (
                    "sample uses random numbers that do not come from its generator"
                )

    def test_due_chance_is_checked(self) -> None:
        """Check that due chance accepts possible results by the right seat, and nothing else."""
        rng = generator("chance")
        for game, state in self.sample.states("chance"):
            due = self.game.pending(state).chance
            if due is None:
                continue
            for seat in {*game.header.seat_ids} - {*self.game.pending(state).by}:
                assert not legal_for(self.game, state, seat).events, (
                    "legal lists decisions while chance is due"
                )
            results = draw_results(b"kit", rng.randbytes(8), due.draws)
            event = self.game.chance(state, results)
            tag = tag_of(type(event))
            assert (tag, event.by) == (due.do, due.by), (
                f"{due.do} by {due.by} is pending, but chance gives {tag} by {event.by}"
            )
            assert isinstance(event, self.game.chance_events), (
                f"chance gives {tag}, which is not in chance_events"
            )
            assert self.game.check(state, event) is None, event
            for seat in game.header.seat_ids:
                alone = any(draw.private and draw.seat not in (None, seat) for draw in due.draws)
                assert not alone or self.game.seen(event, state, seat) != event, (
                    f"{seat} sees a draw that is private to another seat"
                )
            for seat in {*game.header.seat_ids, TABLE} - {due.by}:
                assert self.game.check(state, structs.replace(event, by=seat)), (
                    f"{seat} may record the chance that is due for {due.by}"
                )
            for impossible_event in _with_impossible_numbers({**msgspec.to_builtins(event), "n": 1}):
                assert self._is_refused(state, impossible_event), (
                    f"{impossible_event} is accepted, although it cannot be drawn"
                )
            # an event may keep a part of a shuffled deck, so a rotated deck can give a possible event
            turned = self._chance_event(state, ((*results[0][1:], results[0][0]), *results[1:]))
            possible = (None, event, turned if isinstance(due.draws[0], Shuffle) else None)
            for impossible in _impossible_results(due.draws, results):
                made = self._chance_event(state, impossible)
                assert made in possible or self.game.check(state, made), (
                    f"{made} is accepted, although it cannot be drawn"
                )

    def _is_refused(self, state: Any, members: dict[str, Any]) -> bool:
        """Return whether the event with these members does not fit its type, or is refused."""
        try:
            return self.game.check(state, decoder(self.game).decode(msgspec.json.encode(members))) is not None
        except msgspec.ValidationError:
            return True

    def _chance_event(self, state: Any, results: Results) -> Event | None:
        """Return the chance event of impossible results, or None if the game does not make one."""
        with suppress(LookupError, TypeError, ValueError):
            made: Event = self.game.chance(state, results)
            return made
        return None

    def test_chance_that_is_not_due_is_refused(self) -> None:
        """Check that ``check`` refuses chance that is not due."""
        rng = generator("not owed")
        kinds = [
            self.sample.kinds[tag_of(kind)]
            for kind in self.game.chance_events
            if tag_of(kind) in self.sample.kinds
        ]
        for game, state in self.sample.states("not owed"):
            due = self.game.pending(state).chance
            for kind in kinds:
                event = rng.choice(kind)
                if due is not None and tag_of(type(event)) == due.do:
                    continue
                for by in {event.by, *game.header.seat_ids}:
                    violation = self.game.check(state, structs.replace(event, by=by, t=0))
                    assert violation, f"{tag_of(type(event))} by {by} is accepted, although it is not due"

    def test_nothing_is_legal_after_the_end(self) -> None:
        for game in self.sample.plays:
            last = game.states[-1]
            outcome_ = self.game.pending(last).outcome
            assert outcome_ and outcome_.reason
            wrong = outcome_problem(outcome_, game.header.seat_ids)
            assert wrong is None, f"{outcome_} is not possible: {wrong}"
            assert not any(legal_for(self.game, last, seat).events for seat in game.header.seat_ids)
            for event in (*game.events[-50:], *(kind[0] for kind in self.sample.kinds.values())):
                assert self.game.check(last, event), f"{event} is still legal after the end"

    def test_check_and_apply_never_fail(self) -> None:
        """Check that events that were not played are refused or applied without errors."""
        for _, state, event in self.unplayed_events():
            before = msgspec.json.encode(state)
            violation = self.game.check(state, event)
            assert violation is None or isinstance(violation, Violation)
            try:
                after = self.game.apply(state, event)
            except CannotApply:
                assert violation, f"check accepts {event}, but apply cannot carry it out"
                continue
            pending = self.game.pending(after)
            check_single_pending(pending)
            assert not pending.by or not all(
                has_no_legal_event(self.game, after, seat) for seat in pending.by
            ), f"after {event} nothing is legal: apply must raise CannotApply"
            assert msgspec.json.encode(after)
            assert before == msgspec.json.encode(state), "a state was changed in place"

    def test_every_violation_names_a_rule(self) -> None:
        """Check that each violation names a rule in RULES.md, with a clause in words as its text."""
        book = rulebook(self.game)
        assert book, "RULES.md has no numbered rules"
        state = self.sample.plays[0].states[0]
        kinds = (*self.game.events, self.game.Options, type(state))
        members = {name for kind in kinds for name in getattr(kind, "__struct_fields__", ()) if "_" in name}
        for _, state, event in self.unplayed_events():
            violation = self.game.check(state, event)
            if violation:
                assert isinstance(violation, Violation), (
                    f"check gives {violation!r}, which is not a Violation"
                )
                assert violation.rule in book, f"{violation.rule} is not in RULES.md"
                assert violation.text and not violation.text.endswith("."), (
                    "the text of a violation must be a clause without a full stop"
                )
                named = members.intersection(re.findall(r"\w+", str(violation.message)))
                assert not named, (
                    f"the text of a violation names the member {min(named)}: use the words of the rules"
                )


def check_single_pending(pending: Pending) -> None:
    """Raise AssertionError unless exactly one thing is pending: a decision, chance, or the end."""
    assert isinstance(pending, Pending)
    continues = bool(pending.by or pending.chance)
    assert continues is not bool(pending.outcome), (
        f"a decision, chance, or the end must be pending, not {pending}"
    )
    assert not (pending.chance and pending.chance.by in pending.by), (
        f"a seat cannot act while its own chance is due: {pending}"
    )
    assert pending.by or not pending.together, f"together is True, but no seat decides: {pending}"


def _with_impossible_numbers(value: Any) -> Iterator[Any]:
    """Yield copies of a chance event, or of a value in it, with one number that no die shows."""
    if isinstance(value, dict):
        for name in value.keys() - Event.__struct_fields__:
            yield from ({**value, name: other} for other in _with_impossible_numbers(value[name]))
    elif isinstance(value, list | tuple):
        for at in range(len(value)):
            yield from (
                [*value[:at], other, *value[at + 1 :]] for other in _with_impossible_numbers(value[at])
            )
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from (-1, 999)


def _impossible_results(draws: tuple[Any, ...], results: Results) -> list[Results]:
    """Return impossible variants of `results`: a wrong face, a die too many, or more than is in the bag."""
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
