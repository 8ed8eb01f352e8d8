"""The common events, judged and settled: what each does to the table and to the line of play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from gamelog.play import appeals, common, reveals, signatures
from gamelog.play.declare import declared_state
from gamelog.play.findings import Finding
from gamelog.play.game import Outcome, Violation, who
from gamelog.play.narrate import tag_of
from gamelog.play.table import MANY, Offer, each_once
from gamelog.record.envelope import ARBITER, TABLE, Event, Seat

if TYPE_CHECKING:
    from gamelog.play.fold import Fold


STEPS = (common.Resign, common.Gap)
"""The common events that are a step of the game wherever they stand."""


def refuse(fold: Fold, event: Event) -> Finding | None:
    """Why the common event `event` does not fit here, or None."""
    refused = reveals.refuse(fold, event)
    if refused is None and isinstance(event, common.Sign):
        refused = signatures.refuse(fold, event)
    if refused:
        return refused
    text = _objection(fold, event)
    return Finding("play.common", f"{tag_of(type(event))}: {text}", n=event.n) if text else None


def _objection(fold: Fold, event: Event) -> str | None:
    table, seats, n = fold.table, fold.header.seat_ids, event.n
    match event:
        case common.Note(about=about) | common.Claim(about=about) if about is not None and about >= n:
            return f"it is about event {about}, which is not in the record yet"
        case common.Claim() | common.Agree() | common.Resign() if event.by not in seats:
            return "only a seat can do this"
        case common.Claim() if len(fold.rulings.claims) >= MANY:
            return f"{MANY} claims are open; rule on some of them first"
        case common.Takeback() | common.Agree() if len(fold.offers) >= MANY:
            return f"{MANY} offers are open; answer some of them first"
        case common.Clock(running=running) if running == (table.paused_at is None):
            return "the clock runs already" if running else "the clock stands already"
        case common.Takeback(to=to) if to >= n:
            return f"event {to} is not in the record yet; the last is {fold.n}"
        case common.Takeback(to=to) if event.by != ARBITER and (ruling := fold.rulings.barred(to) or fold.rulings.ended(fold)):
            return f"the arbiter has ruled otherwise in event {ruling}, so only another ruling goes back to event {to}"
        case common.Accept(about=about) if event.by in _consenting(fold, about):
            return None
        case common.Accept(about=about) | common.Decline(about=about):
            offer = fold.offers.get(about)
            if offer is None:
                return f"event {about} is no open offer"
            if event.by not in offer.waiting:
                return (
                    f"the offer of event {about} waits for {', '.join(map(who, sorted(offer.waiting)))}, not for {who(event.by)}"
                )
        case common.Agree(result=result) if not each_once(result.winners, seats):
            return "the winners must be seats of the record, each once"
        case common.Agree() | common.Resign() if fold.outcome:
            return "the game is over"
        case common.Resign():
            return _retire(fold, event.by)[1]
        case common.Substitute(seat=seat) if seat not in seats:
            return f'there is no seat "{seat}"'
        case common.Amend(seats=names) if not set(names) <= set(seats):
            return f'there is no seat "{min(set(names) - set(seats))}"'
        case common.Amend(tags=tags) if (new := sum(name not in fold.tags for name in tags)) and len(fold.tags) + new > MANY:
            return f"a record has at most {MANY} tags"
        case common.Result(outcome=outcome) if not each_once(outcome.winners, seats):
            return "the winners must be seats of the record, each once"
        case common.Ruling():
            return appeals.objection(fold, event)
        case common.Gap() if event.by not in (ARBITER, TABLE):
            return "the position is declared by the arbiter, or by the table together"
        case common.Gap(reason=reason) if not reason.strip():
            return "say why the position is declared (reason)"
        case common.Gap(state=declared):
            return declared_state(fold.game, fold.state, declared)[1]
    return None


def _retire(fold: Fold, seat: str) -> tuple[object, str | None]:
    """The state after `seat` gives up (None: the game itself has no say), and why it may not."""
    game = fold.game
    if game.retire is None:
        seats = fold.header.seat_ids
        return None, None if len(seats) == 2 else f"{game.title} does not say what resigning means with {len(seats)} players"
    after = game.retire(fold.state, seat)
    return (None, f"{after.text} ({after.rule})") if isinstance(after, Violation) else (after, None)


def settle(fold: Fold, event: Event) -> None:
    """Take up a common event that `refuse` has nothing against."""
    table, state = fold.table, fold.state
    match event:
        case common.Clock(running=False):
            fold.table = table.pause(event.t)
        case common.Clock():
            fold.table = table.resume(event.t)
        case common.Claim():
            fold.rulings.claimed(event.n, event.about)
        case common.Takeback(to=to, slip=slip):
            waiting = _consent(fold, event.by)
            if waiting:
                fold.offer(Offer(event.n, event.by, waiting, to=to, slip=slip), event.n)
            else:
                state = fold.take_back(event.n, to, slip, ruled=event.by == ARBITER)
                if event.by == ARBITER:
                    fold.rulings.overtaken(event.n)
        case common.Accept(about=about):
            state = _accept(fold, event, about)
        case common.Decline(about=about):
            del fold.offers[about]
        case common.Agree(result=result):
            waiting = frozenset(fold.header.seat_ids) - {event.by}
            if waiting:
                fold.offer(Offer(event.n, event.by, waiting, result=result), event.n)
            else:
                fold.end(event.n, result)
        case common.Resign():
            after, _ = _retire(fold, event.by)
            if after is None:
                fold.end(event.n, Outcome(tuple(seat for seat in fold.header.seat_ids if seat != event.by), "resigned"))
            else:
                state = after
        case common.Substitute():
            people = [Seat(s.seat, event.name, event.person) if s.seat == event.seat else s for s in table.seats]
            fold.table = structs.replace(table, seats=tuple(people))
        case common.Amend(tags=tags, seats=names):
            people = [_renamed(seat, names.get(seat.seat)) for seat in table.seats]
            fold.table = structs.replace(table, seats=tuple(people))
            fold.tags.update(tags)
        case common.Result(outcome=outcome):
            fold.table = structs.replace(table, declared=outcome)
        case common.Ruling():
            state = fold.rulings.settle(fold, event)
        case common.Gap(state=declared):
            state, _ = declared_state(fold.game, state, declared)
            fold.flags[event.n] = Violation("", f"the position was declared: {event.reason.rstrip('.')}")
            fold.course.breaks.append(event.n)
            fold.table = structs.replace(table, lost=None)
        case common.Reveal(seat=seat, link=link) if fold.reveals:
            fold.reveals.reveal(seat, link)
        case common.Sign():
            fold.signatures.append(signatures.signature(fold, event))
        case _:  # notes and recoveries change nothing
            pass
    fold.states.append(state)


def _consent(fold: Fold, by: str) -> frozenset[str]:
    """Whose yes a takeback by `by` needs, as the header says: of a slip as of any other, for a move can be called one."""
    seats, mode = frozenset(fold.header.seat_ids), fold.header.takebacks
    if by == ARBITER or mode == "scorer":
        return frozenset()
    return frozenset({ARBITER}) if mode == "arbiter" else seats - {by}


def _consenting(fold: Fold, about: int) -> frozenset[str]:
    """The seats that may still say that the game's event `about` was agreed with them: until anything else is played."""
    if not 0 < about <= fold.n or about in fold.lost or fold.states[about] is not fold.state:
        return frozenset()
    agreed = fold.game.agreed.get(type(fold.events[about - 1]))
    if agreed is None:
        return frozenset()
    said = {later.by for later in fold.events[about:] if isinstance(later, common.Accept) and later.about == about}
    return frozenset(agreed(fold.events[about - 1])) - said


def _accept(fold: Fold, event: Event, about: int) -> object:
    offer = fold.offers.pop(about, None)
    if offer is None:  # an event of the game that was agreed: it happened when it was played
        return fold.state
    waiting = offer.waiting - {event.by}
    if waiting:
        fold.offer(structs.replace(offer, waiting=waiting), event.n)
        return fold.state
    if offer.to is not None:
        return fold.take_back(event.n, offer.to, offer.slip)
    if offer.result is not None:
        fold.end(event.n, offer.result)
    return fold.state


def _renamed(seat: Seat, names: common.SeatNames | None) -> Seat:
    if names is None:
        return seat
    return structs.replace(seat, name=seat.name if names.name is None else names.name, id=names.id or seat.id)
