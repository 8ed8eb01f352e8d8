"""What a ruling did to the game: told to whoever has made it, in words."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold.common import COMMON, Gap, Resign, Ruling
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.ruling import settling
from gamelog.play.telling.messages import clock_told, game_over, time_told
from gamelog.record.counting import many
from gamelog.record.envelope import TABLE


class Decided(Struct, frozen=True):
    """What ruling `n` did.

    ``to`` is the event after which the game goes on, None where the line of play is as it was;
    ``undone`` and ``again`` say how many events of play no longer stand, and stand again; ``points``
    what seats were given; ``outcome`` the end of the game where it is another one, ``goes_on`` that it has
    none any more; ``closed`` and ``reopened`` are claims. ``disputed`` is the illegal event behind the claim
    that the ruling answers, if the arbiter still has to rule on that event.
    """

    n: int
    to: int | None
    undone: int
    again: int
    points: dict[str, int]
    outcome: Outcome | None
    goes_on: bool
    closed: tuple[int, ...]
    reopened: tuple[int, ...]
    disputed: int | None = None


def decided(fold: Fold, n: int, waiting: frozenset[int]) -> Decided:
    """What ruling `n`, one of the last parts of `fold`, did; `waiting` are claims that were open before."""
    before, after = (frozenset(_played(fold, end)) for end in (n - 1, n))
    then, now = fold.session_at(n - 1), fold.session_at(n)
    points = {seat: now.penalties.get(seat, 0) - then.penalties.get(seat, 0) for seat in fold.header.seat_ids}
    was, is_ = fold.pending_at(n - 1).outcome, fold.pending_at(n).outcome
    still, made = frozenset(fold.rulings.claims.open), fold.rulings.claims.made
    return Decided(
        n=n,
        to=fold.takebacks.get(n),
        undone=len(before - after),
        again=len(after - before),
        points={seat: number for seat, number in points.items() if number},
        outcome=is_ if is_ != was else None,
        goes_on=was is not None and is_ is None,
        closed=tuple(sorted(waiting - still)),
        reopened=tuple(sorted(still - waiting)),
        disputed=settling(fold, about) if (about := fold.rulings.made[n].about) in made else None,
    )


def _played(fold: Fold, end: int) -> Iterator[int]:
    """The events of play that stand after event `end`, what people said meanwhile left out."""
    for n in fold.mainline(end):
        event = fold.events[n - 1]
        if type(event) not in COMMON or isinstance(event, Gap | Resign):
            yield n


def told(fold: Fold, ruling: Ruling, done: Decided) -> Iterator[str]:
    """What `ruling` was about and what it did, in sentences."""
    yield _subject(fold, ruling)
    if done.to is not None:
        moved = [_events(done.undone, "undone")] if done.undone else []
        moved += [_events(done.again, "standing again")] if done.again else []
        way = "Back to" if done.undone or not done.again else "On from"
        yield f"{way} event {done.to}; {' and '.join(moved) or 'no event of play is undone'}."
    name = fold.session.name_of
    for seat, points in done.points.items():
        yield f"{name(seat)}: {points:+} {'point' if abs(points) == 1 else 'points'}."
    for seat, ms in (ruling.time or {}).items():
        yield f"{name(seat)}: {time_told(ms)} on the clock."
    for whose, ms in (ruling.clock or {}).items():
        clock = "The game's clock" if whose == TABLE else f"The clock of {name(whose)}"
        yield f"{clock} shows {clock_told(ms)}."
    if ruling.warned:
        yield f"Warned: {' and '.join(map(name, ruling.warned))}."
    if done.outcome:
        yield game_over(fold.game, done.outcome, name)
    elif done.goes_on:
        yield "The game goes on."
    if done.closed:
        yield f"{_claims(done.closed)} closed."
    if done.reopened:
        yield f"{_claims(done.reopened)} open again."


def _subject(fold: Fold, ruling: Ruling) -> str:
    about = ruling.about
    if about in fold.rulings.made:
        fates = {"stands": "is confirmed", "refused": "is withdrawn"}
        return f"The ruling of event {about} {fates.get(ruling.kind, f'is replaced: {ruling.kind}')}."
    answers = {"refused": "refused", "takeback": "upheld", "upheld": "upheld"}
    if ruling.kind in answers and about in fold.rulings.claims.made:
        return f"The claim of event {about} is {answers[ruling.kind]}."
    if ruling.kind == "stands" and about in fold.rulings.claims.made:
        return f"The claim of event {about} is answered: nothing changes."
    return f"Event {about}: {'time penalty' if ruling.kind == 'time' else ruling.kind}."


def _events(count: int, what: str) -> str:
    return f"{many(count, 'event')} {what}"


def _claims(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, numbers[:10])) + (", …" if len(numbers) > 10 else "")
    return f"The claim of event {shown} is" if len(numbers) == 1 else f"The claims of events {shown} are"
