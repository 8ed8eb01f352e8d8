"""A ruling, checked and applied: why it cannot be made, what to do instead, and what it does to the game.

A ruling that goes takes along what it did, so that the line and the end of the game follow from the rulings
in force alone (`gamelog.play.fold.ruling_book` says how).
"""

from __future__ import annotations

from typing import Any

from gamelog.errors import Refused
from gamelog.play.contract.outcome import contradiction, each_once
from gamelog.play.fold.common import COMMON, Accept, Agree, Gap, Resign, Ruling, Takeback
from gamelog.play.fold.history import History
from gamelog.play.fold.ruling_book import MOVING, RulingBook
from gamelog.play.fold.seating import seated
from gamelog.play.fold.session import MAX_CLOCKS, MAX_PENDING, ClockCorrection
from gamelog.record.envelope import ARBITER, TABLE

_UNDONE = (Accept, Agree, Gap, Resign, Takeback)
"""The common events that a takeback undoes."""


def check_ruling(history: History, ruling: Ruling) -> str | None:
    """Why `ruling` cannot be made, or None."""
    rulings, about = history.rulings, ruling.about
    if ruling.by != ARBITER:
        return "only the arbiter rules"
    if not ruling.name.strip() or not ruling.reason.strip():
        return "say who rules (name) and why (reason)"
    if about >= ruling.n:
        none = (
            "there is no event yet that could be ruled on: write a note of what happened (gamelog "
            "note), and rule on that"
        )
        return f"event {about} is not in the record yet; the last is {history.n}" if history.n else none
    made = about in rulings.made
    if made and not rulings.standing(about) and not (ruling.kind == "stands" and rulings.withdraws(about)):
        return _instead(rulings, about)
    return _of_kind(history, ruling, made)


def _of_kind(history: History, ruling: Ruling, made: bool) -> str | None:
    rulings, about = history.rulings, ruling.about
    seats = seated(history)
    match ruling.kind:
        case "takeback" if ruling.to is not None and ruling.to >= ruling.n:
            return f"event {ruling.to} is not in the record yet; the last is {history.n}"
        case "takeback" | "stands" if (
            ruling.to is None
            and not history.stands(about)
            and not (ruling.kind == "stands" and (made or about in rulings.claims.made))
        ):
            by = next((n for n, to in reversed(history.takebacks.items()) if to < about < n), about)
            return (
                f"event {about} was taken back; rule on event {by}, which did that, or take back --to "
                "the event to go on from"
            )
        case "refused" if not made and not rulings.claims.answered_by(about):
            return (
                f"refused answers a claim or withdraws a ruling; event {about} is neither: let it stand "
                "or take it back"
            )
        case "upheld":
            return _check_upheld(history, about)
        case "penalty" if len(rulings.penalties) >= MAX_PENDING:
            return f"{MAX_PENDING} penalties are in force, more than any game needs"
        case "penalty" if not ruling.points or not set(ruling.points) <= set(history.header.seat_ids):
            return (
                f'say whose points they are, such as {{"{history.header.seat_ids[0]}":-2}}; the seats '
                f"are {seats}"
            )
        case "time" if (
            not ruling.time
            or 0 in ruling.time.values()
            or not set(ruling.time) <= set(history.header.seat_ids)
        ):
            return (
                f'say whose time it is, in ms, such as {{"{history.header.seat_ids[0]}":-60000}}; the '
                f"seats are {seats}"
            )
        case "clock":
            return _clock_problem(history, ruling)
        case "warning" if not ruling.warned or not each_once(ruling.warned, history.header.seat_ids):
            return (
                f'say who is warned, each seat once, such as ["{history.header.seat_ids[0]}"]; the '
                f"seats are {seats}"
            )
        case "result" | "forfeit" if ruling.result is None or not each_once(
            ruling.result.winners, history.header.seat_ids
        ):
            example = f'{{"winners":["{history.header.seat_ids[0]}"],"reason":"late"}}'
            return f"say who has won, each seat once, such as {example}; the seats are {seats}"
        case "result" | "forfeit" if ruling.result is not None:
            return contradiction(ruling.result, history.header.seat_ids)
    return None


def _clock_problem(history: History, ruling: Ruling) -> str | None:
    """Why clocks cannot be set as `ruling` says, or None."""
    clocks, seats = ruling.clock or {}, history.header.seat_ids
    if len(history.rulings.clocks) >= MAX_CLOCKS:
        return f"{MAX_CLOCKS} rulings have set clocks, more than any game needs"
    if not clocks or not set(clocks) <= {*seats, TABLE}:
        return (
            f'say what clocks show now, in ms, such as {{"{seats[0]}":750000}}; the seats are '
            f"{seated(history)}, and {TABLE} is the game's own"
        )
    if max(clocks.values()) > ruling.t:
        return f"no clock can show more than the time since the record began, which is {ruling.t // 1000} s"
    return None


def _instead(rulings: RulingBook, n: int) -> str:
    """What to rule on in place of ruling `n`, which is not in force, or only says what becomes of another."""
    subject, now = rulings.subject(n), n
    if rulings.withdraws(n):
        return (
            f"event {n} withdraws a ruling, which does not come back: confirm it with stands, or rule "
            f"on event {subject} anew"
        )
    while rulings.made[now].kind == "stands" and rulings.made[now].about in rulings.made:
        now = rulings.made[now].about
    while (gone := rulings.gone(now)) and not rulings.withdraws(gone):
        now = gone
    if gone:
        return f"event {n} is not in force: event {gone} has withdrawn it; rule on event {subject} itself"
    return f"event {n} is not the ruling in force, event {now} is: rule on that, or on event {subject} itself"


def upheld(history: History, about: int) -> int:
    """Return the event after which the game goes on when a takeback answers the claim or ruling `about`.

    That is the event before the one that the claim, or the ruling, is about. If that one is a takeback to
    which nobody has agreed, the game goes where it pointed. Raises `Refused` if there is no such event.
    """
    rulings, where = history.rulings, "say with --to N (to, in JSON) after which event the game goes on"
    if about in rulings.made and rulings.made[about].kind == "takeback":
        raise Refused(f"Event {about} is a takeback itself: withdraw it with refused, or {where}.")
    subject = rulings.claims.subject(rulings.subject(about))
    if subject in rulings.claims.made:
        raise Refused(f"The claim of event {subject} names no event: {where}.")
    wanted = _declined(history, subject)
    if wanted is not None and history.stands(wanted):
        return wanted
    if wanted is None and history.stands(subject):
        return subject - 1
    gone = f"Event {subject if wanted is None else wanted} was taken back already"
    if about in rulings.claims.made:
        raise Refused(f"{gone}: rule upheld if nothing is left to undo, or {where}.")
    raise Refused(f"{gone}: {where}.")


def _declined(history: History, n: int) -> int | None:
    """Return where event `n` wanted to go, if `n` is a takeback that did not come into force."""
    event = history.events[n - 1] if n <= history.n else None
    if not isinstance(event, Takeback) or n in history.takebacks:
        return None
    agreed = any(
        isinstance(answer, Accept) and answer.about == n
        for answer in (history.events[jump - 1] for jump in history.takebacks if jump > n)
    )
    return None if agreed else event.to


def _check_upheld(history: History, about: int) -> str | None:
    """Return why a claim cannot be upheld without anything undone, or None."""
    claims = history.rulings.claims
    if about not in claims.made:
        return f"upheld answers a claim; event {about} is not a claim: let it stand or take it back"
    subject = claims.subject(about)
    if subject in claims.made:
        return None
    wanted = _declined(history, subject)
    if wanted is not None:
        return f"the claim wants the game back at event {wanted}: rule takeback, or refuse the claim"
    event = history.events[subject - 1]
    if history.stands(subject) and (type(event) not in COMMON or isinstance(event, _UNDONE)):
        return f"event {subject} still counts: take the game back with takeback, or let the event stand"
    return None


def settling(history: History, claim: int) -> int | None:
    """Return the disputed event that claim `claim` is about, on which the arbiter has to rule, too."""
    subject = history.rulings.claims.subject(claim)
    return subject if history.is_disputed(subject) else None


def ended_by(history: History) -> int | None:
    """The ruling that has ended the game, if one has."""
    n = history.main.last_end(history.n)
    return n if n in history.rulings.made else None


def apply_ruling(history: History, ruling: Ruling) -> Any:
    """Take up a ruling that `check_ruling` has nothing against; gives the state after it."""
    rulings, n = history.rulings, ruling.n
    earlier = rulings.made.get(ruling.about)
    rulings.add(ruling)
    state = history.state if earlier is None or ruling.kind == "stands" else _undo(history, ruling)
    if ruling.kind == "penalty" and ruling.points:
        rulings.give(n, ruling.points)
        history.give(ruling.points)
    elif ruling.kind == "clock" and ruling.clock:
        shown = history.session.clock(ruling.t)
        rulings.set_clocks(n, ClockCorrection(ruling.clock, shown, history.played))
        if TABLE in ruling.clock:
            history.set_clock(ruling.t, ruling.clock[TABLE], ruling.clock[TABLE])
    elif ruling.kind in ("result", "forfeit") and ruling.result:
        rulings.end(n, ruling.result)
        history.end(n, ruling.result)
    elif ruling.kind == "takeback":
        to = ruling.about - 1 if ruling.to is None else ruling.to
        rulings.take_back(n, to)
        return history.take_back(n, to, ruled=True)
    if ruling.kind not in ("stands", *MOVING) and earlier is not None and earlier.kind in MOVING:
        _decide_again(history, n)
    return state


def _decide_again(history: History, n: int) -> None:
    """Let the last ruling in force that moves the game have the say after event `n`, on any line."""
    last, result = history.rulings.last_say()
    if result and history.main.last_end(n) not in history.rulings.ends_by(last):
        history.rulings.end_again(last, n)
        history.end(n, result)
    elif last and not result and n in history.takebacks:
        history.main.hang(n, last)


def _put_clock_back(history: History, ruling: Ruling, clocks: ClockCorrection) -> None:
    """Let the game's clock show what it would if the ruling that `ruling` is about had not set it."""
    gone, reading = ruling.about, clocks.readings[TABLE]
    if any(to < gone < slip for slip, to in history.takebacks.items() if slip in history.slips):
        return  # the clock has gone back to before that ruling, which set it for nothing
    moved = clocks.shown - reading
    now = min(max(0, history.session.clock(ruling.t) + moved), ruling.t)
    played = clocks.played if history.played == reading else history.played + moved
    history.set_clock(ruling.t, now, min(max(0, played), now))


def _undo(history: History, ruling: Ruling) -> Any:
    """The state without what the ruling did that `ruling` is about, but for the claims it closed."""
    rulings, gone = history.rulings, ruling.about
    points, ends = rulings.take_out(gone)
    if points:
        history.give({seat: -number for seat, number in points.items()})
    for end in ends:
        history.withdraw_end(end)
    clocks = rulings.take_clocks(gone)
    if clocks and TABLE in clocks.readings:
        _put_clock_back(history, ruling, clocks)
    if rulings.made[gone].kind == "takeback":
        history.main.fall(gone)
        landing = history.main.landing(history.n)
        if ruling.kind != "takeback" and landing != history.n:
            return history.take_back(ruling.n, landing, ruled=True)
    return history.state
