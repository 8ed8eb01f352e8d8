"""Check and application of common events: their effect on the session and on the main line."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.contract.declare import declared_state
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.outcome import Outcome, outcome_problem
from gamelog.play.contract.violation import Violation
from gamelog.play.fold import common_events
from gamelog.play.fold.history import History
from gamelog.play.fold.revealing import reveal_finding
from gamelog.play.fold.ruling import apply_ruling, ending_ruling, ruling_problem
from gamelog.play.fold.session import MAX_PER_AUTHOR, MAX_TAGS, Offer
from gamelog.play.fold.sign_events import signature, signature_finding
from gamelog.record.envelope import ARBITER, TABLE, Event, Header, Seat


def common_event_finding(history: History, event: Event) -> Finding | None:
    """Return the finding that says why the common event `event` does not fit here, or None."""
    finding = reveal_finding(history, event)
    if finding or type(event) is common_events.Reveal:
        return finding
    if isinstance(event, common_events.Sign) and (finding := signature_finding(history, event)):
        return finding
    problem = _find_problem(history, event)
    return Finding.of("play.common", problem, n=event.n) if problem else None


def _find_problem(history: History, event: Event) -> Message | None:
    """Return the reason why the common event cannot be recorded now, or None if it can."""
    session, seats, n = history.session, history.header.seat_ids, event.n
    match event:
        case common_events.Note(about=about) | common_events.Claim(about=about) if (about or 0) >= n:
            return Message.of("the event is about event {n}, which is not in the record yet", n=about)
        case common_events.Claim() | common_events.Agree() | common_events.Resign() if event.by not in seats:
            return Message.of("only a player at a seat can do this")
        case common_events.Claim() if history.rulings.claims.open_count(event.by) >= MAX_PER_AUTHOR:
            text = "{@by} has {n} open claims, and no more are allowed; rule on some of them first"
            return Message.of(text, by=event.by, n=MAX_PER_AUTHOR)
        case common_events.Withdraw(about=about):
            return _withdrawal_problem(history, event.by, about)
        case common_events.Takeback() | common_events.Agree() if _has_most_offers(history, event.by):
            text = "{@by} has {n} open offers, and no more are allowed; answer some of them first"
            return Message.of(text, by=event.by, n=MAX_PER_AUTHOR)
        case common_events.Clock(running=running) if running == (session.paused_at is None):
            return (
                Message.of("the clock is already running")
                if running
                else Message.of("the clock is already stopped")
            )
        case common_events.Takeback(to=to) if to >= n:
            return Message.of(
                "event {n} is not in the record yet; the last event is event {last}", n=to, last=history.n
            )
        case common_events.Takeback(to=to) if event.by != ARBITER and (
            ruling := history.rulings.effects.closed_by(to) or ending_ruling(history)
        ):
            text = (
                "after the ruling in event {ruling}, only another ruling can take the game back to event {to}"
            )
            return Message.of(text, ruling=ruling, to=to)
        case common_events.Accept(about=about) | common_events.Decline(about=about):
            return _answer_problem(history, event, about)
        case common_events.Agree(result=outcome) | common_events.Result(outcome=outcome) if (
            why := outcome_problem(outcome, seats)
        ):
            return why
        case common_events.Agree() | common_events.Resign() if history.outcome:
            return Message.of("the game is over")
        case common_events.Resign():
            return resignation(history.game, history.header, history.state, event.by)[1]
        case common_events.Substitute(seat=seat) if seat not in seats:
            return Message.of('there is no seat "{=seat}"', seat=seat)
        case common_events.Amend(seats=names) if not set(names) <= set(seats):
            return Message.of('there is no seat "{=seat}"', seat=min(set(names) - set(seats)))
        case common_events.Amend(tags=tags) if (
            not set(tags) <= set(history.tags) and len({*history.tags, *tags}) > MAX_TAGS
        ):
            return Message.of("a record can have at most {n} tags", n=MAX_TAGS)
        case common_events.Ruling():
            return ruling_problem(history, event)
        case common_events.Gap() if event.by not in (ARBITER, TABLE):
            return Message.of("only the arbiter or the whole table can declare a position")
        case common_events.Gap(reason=reason) if not reason.strip():
            return Message.of("give the reason why the position is declared (reason)")
        case common_events.Gap(state=declared):
            return declared_state(history.game, history.state, declared)[1]
    return None


def _has_most_offers(history: History, by: str) -> bool:
    """Return whether `by` has as many open offers as one author can have."""
    return sum(offer.by == by for offer in history.offers.values()) >= MAX_PER_AUTHOR


def _withdrawal_problem(history: History, by: str, about: int) -> Message | None:
    """Return the message that says why `by` cannot withdraw the claim or offer of event `about`, or None."""
    claims, offer = history.rulings.claims, history.offers.get(about)
    if offer is not None:
        text = "only {@author} can withdraw the offer of event {n}"
        return None if offer.by == by else Message.of(text, author=offer.by, n=about)
    if about not in claims.subjects:
        return Message.of("event {n} is neither a claim nor an open offer", n=about)
    if (author := claims.author(about)) != by:
        return Message.of("only {@author} can withdraw the claim of event {n}", author=author, n=about)
    if claims.is_open(about):
        return None
    if (earlier := claims.withdrawals.get(about)) is not None:
        return Message.of("event {by} has already withdrawn the claim of event {n}", by=earlier, n=about)
    ruling = claims.closed_by(about)
    return Message.of("the ruling in event {by} has answered the claim of event {n}", by=ruling, n=about)


def _answer_problem(history: History, answer: Event, about: int) -> Message | None:
    """Return the message that says why `answer` cannot answer the offer of event `about`, or None."""
    offer = history.offers.get(about)
    if isinstance(answer, common_events.Accept) and answer.by in _possible_accepters(history, about):
        return None
    if offer is None:
        return Message.of("event {n} is not an open offer", n=about)
    if answer.by in offer.waiting:
        return None
    return Message.of(
        "the offer of event {n} waits for {@people}, not for {@by}",
        n=about,
        people=sorted(offer.waiting),
        by=answer.by,
    )


def resignation(game: AnyGame, header: Header, state: Any, seat: str) -> tuple[Any, Message | None]:
    """Return the state after a resignation, and why the seat may not resign.

    The state is None if the game has no function for resigning.

    Args:
        game: The game.
        header: The header of the record.
        state: The state before it.
        seat: The seat that resigns.
    """
    if game.retire is None:
        count = len(header.seat_ids)
        unsaid = Message.of(
            "the rules of {=game} do not say what happens when one of {n} players resigns",
            game=game.title,
            n=count,
        )
        return None, None if count == 2 else unsaid
    after = game.retire(state, seat)
    if isinstance(after, Violation):
        return None, Message.of("{problem} ({=rule})", problem=after.message, rule=after.rule)
    return after, None


def apply_common(history: History, event: Event) -> Any:
    """Apply a common event that `common_event_finding` accepts, and return the state after it."""
    session, state = history.session, history.state
    match event:
        case common_events.Reveal(seat=seat, link=link) if history.reveals:
            history.reveals.reveal(seat, link)
        case common_events.Clock(running=False):
            history.pause(event.t)
        case common_events.Clock():
            history.resume(event.t)
        case common_events.Claim():
            history.rulings.add_claim(event.n, event.about, event.by)
        case common_events.Withdraw(about=about):
            if history.close_offer(about) is None:
                history.rulings.claims.withdraw(about, event.n)
        case common_events.Takeback(to=to, slip=slip):
            waiting = _required_consent(history, event.by)
            if waiting:
                history.offer(Offer(event.n, event.by, waiting, to=to, slip=slip), event.n)
            else:
                state = history.take_back(event.n, to, slip, ruled=event.by == ARBITER)
                if event.by == ARBITER:
                    history.rulings.effects.reopen_game(event.n)
        case common_events.Accept(about=about):
            state = _accept(history, event, about)
        case common_events.Decline(about=about):
            history.close_offer(about)
        case common_events.Agree(result=result):
            waiting = frozenset(history.header.seat_ids) - {event.by}
            if waiting:
                history.offer(Offer(event.n, event.by, waiting, result=result), event.n)
            else:
                history.end(event.n, result)
        case common_events.Resign():
            after, _ = resignation(history.game, history.header, state, event.by)
            if after is None:
                history.end(
                    event.n,
                    Outcome(tuple(seat for seat in history.header.seat_ids if seat != event.by), "resigned"),
                )
            else:
                state = after
        case common_events.Substitute(seat=seat, name=name, person=person):
            history.set_people(Seat(seat, name, person) if s.seat == seat else s for s in session.seats)
        case common_events.Amend(tags=tags, seats=names):
            people = [_with_new_names(seat, names.get(seat.seat)) for seat in session.seats]
            history.set_people(people)
            history.set_tags(tags)
        case common_events.Result(outcome=outcome):
            history.set_recorded_result(outcome)
        case common_events.Ruling():
            state = apply_ruling(history, event)
        case common_events.Gap(state=declared):
            state, _ = declared_state(history.game, state, declared)
            history.mark_declared(event.n, event.reason.rstrip("."))
        case common_events.Sign():
            history.add_signature(signature(history, event))
        case _:  # notes and recoveries change neither the session nor the game
            pass
    return state


def _required_consent(history: History, by: str) -> frozenset[str]:
    """Return the seats that must agree to a takeback by `by`, as the header says, slips included."""
    seats, mode = frozenset(history.header.seat_ids), history.header.takebacks
    if by == ARBITER or mode == "scorer":
        return frozenset()
    return frozenset({ARBITER}) if mode == "arbiter" else seats - {by}


def _possible_accepters(history: History, about: int) -> frozenset[str]:
    """Return the seats that may still agree to the game's event `about`. Any later play ends this."""
    if (
        not 0 < about <= history.n
        or about in history.unknown_effects
        or history.states[about] is not history.state
    ):
        return frozenset()
    agreed = history.game.agreed.get(type(history.events[about - 1]))
    if agreed is None:
        return frozenset()
    accepters = {
        later.by
        for later in history.events[about:]
        if isinstance(later, common_events.Accept) and later.about == about
    }
    return frozenset(agreed(history.events[about - 1])) - accepters


def _accept(history: History, event: Event, about: int) -> object:
    """Apply an acceptance of event `about`, and return the state afterwards.

    Once all seats have accepted an offer, play goes back, or the game ends with the agreed result.
    """
    offer = history.close_offer(about)
    if offer is None:  # the accept confirms an event of the game that already happened
        return history.state
    waiting = offer.waiting - {event.by}
    if waiting:
        history.offer(structs.replace(offer, waiting=waiting), event.n)
        return history.state
    if offer.to is not None:
        return history.take_back(event.n, offer.to, offer.slip)
    if offer.result is not None:
        history.end(event.n, offer.result)
    return history.state


def _with_new_names(seat: Seat, names: common_events.SeatNames | None) -> Seat:
    if names is None:
        return seat
    return structs.replace(seat, name=seat.name if names.name is None else names.name, id=names.id or seat.id)
