"""Checking and applying rulings: the reason for a refusal, what to do instead, and the effect on the game.

Withdrawing a ruling also removes its effect. Therefore the main line and the end of the game depend only on
the rulings in force (see `gamelog.play.fold.parts.ruling_book`).
"""

from __future__ import annotations

from typing import Any

from gamelog.errors import Refused
from gamelog.message import Message
from gamelog.play.contract.outcome import are_distinct_seats, outcome_problem
from gamelog.play.fold.common_events import COMMON, Accept, Agree, Gap, Resign, Ruling, Takeback
from gamelog.play.fold.history import History
from gamelog.play.fold.parts.ruling_book import MOVING_KINDS, RulingBook
from gamelog.play.fold.session import MAX_CLOCK_RULINGS, MAX_PENALTIES, ClockCorrection
from gamelog.record.envelope import ARBITER, TABLE

_UNDONE = (Accept, Agree, Gap, Resign, Takeback)
"""Common events that a takeback undoes."""


def ruling_problem(history: History, ruling: Ruling) -> Message | None:
    """Return the message that says why `ruling` cannot be made, or None."""
    rulings, about = history.rulings, ruling.about
    if ruling.by != ARBITER:
        return Message.of("only the arbiter can make a ruling")
    if not ruling.name.strip() or not ruling.reason.strip():
        return Message.of(
            "a ruling needs the name of the person who rules and a reason; give both (name and reason)"
        )
    if about >= ruling.n:
        if not history.n:
            return Message.of(
                "the record has no event to rule on yet: record what happened as a note, and rule on the note"
            )
        return Message.of(
            "event {n} is not in the record yet; the last event is event {last}", n=about, last=history.n
        )
    is_ruling = about in rulings.by_number
    if (
        is_ruling
        and not rulings.is_current(about)
        and not (ruling.kind == "stands" and rulings.is_withdrawal(about))
    ):
        return _other_ruling_advice(rulings, about)
    return _kind_problem(history, ruling, is_ruling)


def _kind_problem(history: History, ruling: Ruling, is_ruling: bool) -> Message | None:
    """Return the reason why a ruling of this kind cannot be made about its event, or None.

    `is_ruling` says whether that event is a ruling.
    """
    rulings, about = history.rulings, ruling.about
    seats = history.header.seat_ids
    match ruling.kind:
        case "takeback" if ruling.to is not None and ruling.to >= ruling.n:
            return Message.of(
                "event {n} is not in the record yet; the last event is event {last}",
                n=ruling.to,
                last=history.n,
            )
        case "takeback" | "stands" if (
            ruling.to is None
            and not history.stands(about)
            and not (ruling.kind == "stands" and (is_ruling or about in rulings.claims.subjects))
        ):
            by = next((n for n, to in reversed(history.takebacks.items()) if to < about < n), about)
            return Message.of(
                "event {n} was taken back by event {by}: rule on event {by}, or rule "
                '"takeback" and say with "to" after which event the game continues',
                n=about,
                by=by,
            )
        case "refused" if not is_ruling and not rulings.claims.is_answered_by(about):
            return Message.of(
                'a ruling "refused" must be about a claim or a ruling, but event {n} is neither: use '
                '"stands" or "takeback"',
                n=about,
            )
        case "upheld":
            return _upheld_problem(history, about)
        case "penalty" if len(rulings.effects.penalties) >= MAX_PENALTIES:
            return Message.of(
                "{n} penalties are in force, and no more are allowed; withdraw one first", n=MAX_PENALTIES
            )
        case "clock":
            return _clock_problem(history, ruling)
        case "result" | "forfeit" if ruling.result is not None and are_distinct_seats(
            ruling.result.winners, seats
        ):
            return outcome_problem(ruling.result, seats)
    text = _missing_part(ruling, seats)
    return Message.of(text[0], example=text[1], seats=history.session.seat_list) if text else None


def _missing_part(ruling: Ruling, seats: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the template that asks for a missing part of `ruling` and an example, or None."""
    match ruling.kind:
        case "penalty" if not ruling.points or not set(ruling.points) <= set(seats):
            text = "give the points by seat, for example {=example}; the seats are {=seats}"
            return text, f'{{"{seats[0]}":-2}}'
        case "time" if not ruling.time or 0 in ruling.time.values() or not set(ruling.time) <= set(seats):
            text = "give the time by seat, in ms, for example {=example}; the seats are {=seats}"
            return text, f'{{"{seats[0]}":-60000}}'
        case "warning" if not ruling.warned or not are_distinct_seats(ruling.warned, seats):
            text = "name each warned seat once, for example {=example}; the seats are {=seats}"
            return text, f'["{seats[0]}"]'
        case "result" | "forfeit":
            text = "name each winning seat once, for example {=example}; the seats are {=seats}"
            return text, f'{{"winners":["{seats[0]}"],"reason":"late"}}'
    return None


def _clock_problem(history: History, ruling: Ruling) -> Message | None:
    """Return the message that says why clocks cannot be set as `ruling` says, or None."""
    clocks, seats = ruling.clock or {}, history.header.seat_ids
    if len(history.rulings.effects.clocks) >= MAX_CLOCK_RULINGS:
        return Message.of(
            "{n} rulings that set clocks are in force, and no more are allowed; withdraw one first",
            n=MAX_CLOCK_RULINGS,
        )
    if not clocks or not set(clocks) <= {*seats, TABLE}:
        return Message.of(
            "give the corrected clocks in ms, for example {=example}; the seats are {=seats}, "
            "and {=table} means the game's own clock",
            example=f'{{"{seats[0]}":750000}}',
            seats=history.session.seat_list,
            table=TABLE,
        )
    if max(clocks.values()) > ruling.t:
        return Message.of("no clock can show more than the {n} s since the record began", n=ruling.t // 1000)
    return None


def _other_ruling_advice(rulings: RulingBook, n: int) -> Message:
    """Return the event to rule on instead of ruling `n`, which cannot be ruled on.

    Ruling `n` is not in force, or it only confirms or withdraws another ruling.
    """
    subject, current = rulings.subject(n), n
    if rulings.is_withdrawal(n):
        return Message.of(
            "event {n} withdraws a ruling, and a withdrawal cannot be undone: confirm the "
            'withdrawal with "stands", or rule on event {subject} again',
            n=n,
            subject=subject,
        )
    while (
        rulings.by_number[current].kind == "stands" and rulings.by_number[current].about in rulings.by_number
    ):
        current = rulings.by_number[current].about
    while (ending := rulings.ended_by(current)) and not rulings.is_withdrawal(ending):
        current = ending
    if ending:
        return Message.of(
            "the ruling in event {n} is not in force, because event {gone} has withdrawn "
            "it: rule on event {subject} itself",
            n=n,
            gone=ending,
            subject=subject,
        )
    return Message.of(
        "the ruling in event {n} is not in force, because event {now} has replaced it: "
        "rule on event {now}, or on event {subject} itself",
        n=n,
        now=current,
        subject=subject,
    )


def takeback_target(history: History, about: int) -> int:
    """Return the event after which the game continues when a takeback answers the claim or ruling `about`.

    That is the event before the subject of the claim or ruling. If the subject is a takeback that no one
    agreed to, the game continues at the target of that takeback.

    Raises:
        Refused: There is no such event.
    """
    rulings = history.rulings
    where = Message.of('say with "to" after which event the game continues')
    if about in rulings.by_number and rulings.by_number[about].kind == "takeback":
        raise Refused(
            Message.of(
                "The ruling in event {about} is itself a takeback. Withdraw the ruling with "
                '"refused", or {where}.',
                about=about,
                where=where,
            )
        )
    subject = rulings.claims.subject(rulings.subject(about))
    if subject in rulings.claims.subjects:
        raise Refused(
            Message.of(
                "The claim in event {subject} does not name an event, so {where}.",
                subject=subject,
                where=where,
            )
        )
    target = _declined_target(history, subject)
    if target is not None and history.stands(target):
        return target
    if target is None and history.stands(subject):
        return subject - 1
    undone = subject if target is None else target
    if about in rulings.claims.subjects:
        raise Refused(
            Message.of(
                "Event {n} has already been taken back. If nothing is left to undo, rule "
                '"upheld"; otherwise {where}.',
                n=undone,
                where=where,
            )
        )
    raise Refused(Message.of("Event {n} has already been taken back, so {where}.", n=undone, where=where))


def _declined_target(history: History, n: int) -> int | None:
    """Return the target of event `n`, if `n` is a takeback that did not take effect."""
    event = history.events[n - 1] if n <= history.n else None
    if not isinstance(event, Takeback) or n in history.takebacks:
        return None
    agreed = any(
        isinstance(answer, Accept) and answer.about == n
        for answer in (history.events[jump - 1] for jump in history.takebacks if jump > n)
    )
    return None if agreed else event.to


def _upheld_problem(history: History, about: int) -> Message | None:
    """Return the message that says why a claim cannot be upheld without undoing anything, or None."""
    claims = history.rulings.claims
    if about not in claims.subjects:
        return Message.of(
            'a ruling "upheld" must be about a claim, but event {n} is not a claim: use '
            '"stands" or "takeback"',
            n=about,
        )
    subject = claims.subject(about)
    if subject in claims.subjects:
        return None
    target = _declined_target(history, subject)
    if target is not None:
        return Message.of(
            'the claim asks to take the game back to event {to}: rule "takeback", or refuse '
            'the claim with "refused"',
            to=target,
        )
    event = history.events[subject - 1]
    if history.stands(subject) and (type(event) not in COMMON or isinstance(event, _UNDONE)):
        return Message.of(
            'event {n} still counts: undo the event with "takeback", or confirm it with "stands"', n=subject
        )
    return None


def disputed_subject(history: History, claim: int) -> int | None:
    """Return the disputed event that claim `claim` is about, which needs a ruling too, or None."""
    subject = history.rulings.claims.subject(claim)
    return subject if history.is_disputed(subject) else None


def ending_ruling(history: History) -> int | None:
    """Return the ruling that has ended the game, or None."""
    n = history.ending_event(history.n)
    return n if n in history.rulings.by_number else None


def apply_ruling(history: History, ruling: Ruling) -> Any:
    """Apply a ruling that `ruling_problem` accepts, and return the state after it."""
    rulings, n = history.rulings, ruling.n
    earlier = rulings.by_number.get(ruling.about)
    rulings.add(ruling)
    state = history.state if earlier is None or ruling.kind == "stands" else _undo_ruling(history, ruling)
    if ruling.kind == "penalty" and ruling.points:
        rulings.effects.set_points(n, ruling.points)
        history.add_penalties(ruling.points)
    elif ruling.kind == "warning" and ruling.warned:
        history.add_warnings(dict.fromkeys(ruling.warned, 1))
    elif ruling.kind == "clock" and ruling.clock:
        shown = history.session.clock(ruling.t)
        rulings.effects.set_clocks(n, ClockCorrection(ruling.clock, shown, history.play_time))
        if TABLE in ruling.clock:
            history.set_clock(ruling.t, ruling.clock[TABLE], ruling.clock[TABLE])
    elif ruling.kind in ("result", "forfeit") and ruling.result:
        rulings.effects.end(n, ruling.result)
        history.end(n, ruling.result)
    elif ruling.kind == "takeback":
        to = ruling.about - 1 if ruling.to is None else ruling.to
        rulings.effects.take_back(n, to)
        return history.take_back(n, to, ruled=True)
    if ruling.kind not in ("stands", *MOVING_KINDS) and earlier is not None and earlier.kind in MOVING_KINDS:
        _restore_decision(history, n)
    return state


def _restore_decision(history: History, n: int) -> None:
    """Give the decision after event `n` to the last ruling in force that moves the game, on any line."""
    last, result = history.rulings.effects.last_moving_ruling()
    if result and history.ending_event(n) not in history.rulings.effects.ends_by(last):
        history.rulings.effects.end_again(last, n)
        history.end(n, result)
    elif last and not result and n in history.takebacks:
        history.make_dependent(n, last)


def _put_clock_back(history: History, ruling: Ruling, clocks: ClockCorrection) -> None:
    """Set the game's clock as if the ruling that `ruling` withdraws or replaces had not set it."""
    undone, reading = ruling.about, clocks.readings[TABLE]
    if any(to < undone < slip for slip, to in history.takebacks.items() if slip in history.slips):
        return  # a slip went back to before that ruling, so its setting has no effect any more
    moved = clocks.clock_before - reading
    clock_ms = min(max(0, history.session.clock(ruling.t) + moved), ruling.t)
    played = clocks.play_time if history.play_time == reading else history.play_time + moved
    history.set_clock(ruling.t, clock_ms, min(max(0, played), clock_ms))


def _undo_ruling(history: History, ruling: Ruling) -> Any:
    """Return the state without the effect of the ruling that `ruling` is about.

    The claims that it closed are not reopened here.
    """
    rulings, undone = history.rulings, ruling.about
    points, ends = rulings.effects.remove(undone)
    if points:
        history.add_penalties({seat: -number for seat, number in points.items()})
    for end in ends:
        history.withdraw_end(end)
    clocks = rulings.effects.take_clocks(undone)
    if clocks and TABLE in clocks.readings:
        _put_clock_back(history, ruling, clocks)
    earlier = rulings.by_number[undone]
    if earlier.kind == "warning" and earlier.warned:
        history.add_warnings(dict.fromkeys(earlier.warned, -1))
    if earlier.kind == "takeback":
        target = history.withdraw_takeback(undone)
        if ruling.kind != "takeback" and target != history.n:
            return history.take_back(ruling.n, target, ruled=True)
    return history.state
