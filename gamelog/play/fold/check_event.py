"""Checks of the next event: its number and time, common events, the rules of the game, and dice."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import structs

from gamelog.chance.draws import Results
from gamelog.chance.sources import recomputable_source
from gamelog.finding import Finding
from gamelog.message import Message, plain_text
from gamelog.play.fold.common_event_rules import common_event_finding
from gamelog.play.fold.common_events import COMMON
from gamelog.play.fold.history import History
from gamelog.record.envelope import NOT_DICE_MEMBERS, Event


def event_finding(history: History, event: Event) -> Finding | None:
    """Return the finding that says why `event` cannot come next, or None.

    The message shows seats instead of people.
    """
    return _stamp_finding(history, event) or _play_finding(history, event)


def with_game_time(history: History, event: Event) -> Event:
    """Return `event` with the game's time as its ``t``."""
    clock = history.session.clock(event.t)
    return event if clock == event.t else structs.replace(event, t=clock)


def _stamp_finding(history: History, event: Event) -> Finding | None:
    """Return the finding that says why number, time or ``by`` of `event` cannot be next, or None."""
    if event.n != len(history.states):
        due = len(history.states)
        missing = Message.of(
            "event {due} is missing: this line should be event {n}, but has the number {found}",
            due=due,
            n=due,
            found=event.n,
        )
        repeated = Message.of(
            "a line is repeated or in the wrong place: this line should be event {n}, but has "
            "the number {found}",
            n=due,
            found=event.n,
        )
        return Finding.of("record.sequence", missing if event.n > due else repeated, n=event.n)
    if event.t < history.t:
        backwards = Message.of(
            "the time goes backwards: this event is at {t} ms, but the event before is at {before} ms",
            t=event.t,
            before=history.t,
        )
        return Finding.of("record.time", backwards, n=event.n)
    if event.by not in history.authors:
        return Finding.of(
            "play.by",
            Message.of(
                "{problem}, and the table and the arbiter can also be the author of an event",
                problem=history.unknown_seat(event.by),
            ),
            n=event.n,
        )
    return None


def _play_finding(history: History, event: Event) -> Finding | None:
    """Return the finding that says why `event` cannot be carried out now, or None."""
    if type(event) in COMMON:
        return common_event_finding(history, event)
    if history.session.unknown_since:
        return Finding.of("play.cannot_apply", unknown_effect(history.session.unknown_since), n=event.n)
    if history.session.outcome:
        result = msgspec.to_builtins(history.session.outcome)
        over = Message.of("the game is over: {@result}", result=result)
        return Finding.of("play.over", over, n=event.n)
    violation = history.game.check(history.states[-1], with_game_time(history, event))
    if violation:
        return Finding.of("play.illegal", violation.message, n=event.n, rule=violation.rule)
    if history.reveals and history.reveals.intent is not None and type(event) not in history.chance_events:
        waiting = history.reveals.missing_seats
        return Finding.of(
            "chance.missing",
            _links_due_message(waiting)
            if waiting
            else Message.of("the roll that is due must be recorded first"),
            n=event.n,
        )
    if (history.source or history.reveals) and type(event) in history.chance_events:
        return results_finding(history, event)
    return None


def results_finding(history: History, event: Event) -> Finding | None:
    """Return the finding that says why the results in a chance event do not follow from the dice, or None."""
    results = results_due(history)
    if results is None:
        return _unknown_results_finding(history, event)
    expected = history.game.chance(history.states[-1], results)
    if type(expected) is type(event):
        results_of = _result_getter(type(event))
        if results_of(expected) == results_of(event):
            return None
    if _result_members(expected) == _result_members(event):
        return None
    due, recorded = _different_members(expected, event), _different_members(event, expected)
    if history.reveals:
        text = Message.of(
            "the revealed links give the result {due}, but the record has {found}", due=due, found=recorded
        )
        return Finding.of("chance.reveals", text, n=event.n)
    text = Message.of("the seed gives the result {due}, but the record has {found}", due=due, found=recorded)
    return Finding.of("chance.seed", text, n=event.n)


def unknown_effect(n: int) -> Message:
    """Return the message that the effect of event `n` is unknown."""
    return Message.of(
        "the effect of event {n} is unknown; play continues when someone declares the position on the table",
        n=n,
    )


def _links_due_message(missing: tuple[str, ...]) -> Message:
    return Message.of("the roll is waiting for the links of {@people}", people=missing)


def seeded_check(history: History) -> Callable[[Any, Event], bool]:
    """Return a fast function that returns whether the results in a chance event follow from the seed.

    It looks up once what every roll needs. If it returns False, `results_finding` gives the reason.
    """
    pending, chance, source = history.game.pending, history.game.chance, history.source
    first = history.last_inherited + 1

    def follows(state: Any, event: Event) -> bool:
        """Return whether the results of the chance event `event` in `state` follow from the seed."""
        chance_due, kind = pending(state).chance, type(event)
        if chance_due is None or source is None or event.n < first:
            return results_finding(history, event) is None
        expected, results_of = (
            chance(state, source.results(chance_due.draws, history.chance_count)),
            _result_getter(kind),
        )
        return (type(expected) is kind and results_of(expected) == results_of(event)) or results_finding(
            history, event
        ) is None

    return follows


def _unknown_results_finding(history: History, event: Event) -> Finding | None:
    """Return the finding that says why results that cannot be computed here are impossible, or None."""
    reveals = history.reveals
    if reveals and reveals.missing_seats:
        return Finding.of("chance.missing", _links_due_message(reveals.missing_seats), n=event.n)
    if reveals and not reveals.is_roll_closed:
        return Finding.of(
            "chance.unchecked",
            "commit-reveal dice cannot be checked without the digests of the lines before them",
            n=event.n,
        )
    return None


def results_due(history: History, dealt: str | None = None) -> Results | None:
    """Return the results that the due chance must have, or None if no chance is due or they are unknown."""
    source = history.source
    if source is None:
        reveals = history.reveals
        return reveals.results(history.pending.chance, history.line_heads, dealt) if reveals else None
    chance_due = history.game.pending(history.states[-1]).chance
    if chance_due is None:
        return None
    if len(history.states) <= history.last_inherited:
        parent = history.ancestry.origin(len(history.states))
        source = (parent and recomputable_source(history.header.dice, parent.id)) or source
    return source.results(chance_due.draws, history.chance_count)


@cache
def _result_getter(kind: type[Event]) -> Callable[[Event], Any]:
    """Return a function that gets the members of an event of type `kind` that may depend on the dice."""
    return attrgetter(*(name for name in kind.__struct_fields__ if name not in NOT_DICE_MEMBERS))


def _different_members(event: Event, other: Event) -> str:
    """Return the members of `event` that differ from `other`, as text, for example ``dice 3, 4``."""
    members, other_members = _result_members(event), _result_members(other)
    return "; ".join(
        f"{name} {_member_text(value)}" for name, value in members.items() if value != other_members.get(name)
    )


def _member_text(value: Any) -> str:
    return ", ".join(map(plain_text, value)) if isinstance(value, list) else plain_text(value) or "none"


def _result_members(event: Event) -> dict[str, Any]:
    """Return the other members of an event by name, as plain data."""
    return {
        name: msgspec.to_builtins(getattr(event, name))
        for name in event.__struct_fields__
        if name not in NOT_DICE_MEMBERS
    }
