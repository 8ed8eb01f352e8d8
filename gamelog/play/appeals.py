"""What the arbiter can rule on, and why something else cannot be ruled: with what can be done instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamelog.play.common import Ruling
from gamelog.play.seating import seated
from gamelog.play.table import MANY, each_once
from gamelog.record.envelope import ARBITER

if TYPE_CHECKING:
    from gamelog.play.fold import Fold
    from gamelog.play.rulings import Rulings


def objection(fold: Fold, ruling: Ruling) -> str | None:
    """Why `ruling` cannot be made, or None."""
    rulings, about = fold.rulings, ruling.about
    if ruling.by != ARBITER:
        return "only the arbiter rules"
    if not ruling.name.strip() or not ruling.reason.strip():
        return "say who rules (name) and why (reason)"
    if about >= ruling.n:
        none = "there is no event yet that could be ruled on: write a note of what happened (gamelog note), and rule on that"
        return f"event {about} is not in the record yet; the last is {fold.n}" if fold.n else none
    made = about in rulings.made
    if made and not rulings.standing(about) and not (ruling.kind == "stands" and rulings.withdraws(about)):
        return _instead(rulings, about)
    return _of_kind(fold, ruling, made)


def _of_kind(fold: Fold, ruling: Ruling, made: bool) -> str | None:
    rulings, about = fold.rulings, ruling.about
    seats = seated(fold)
    match ruling.kind:
        case "takeback" if ruling.to is not None and ruling.to >= ruling.n:
            return f"event {ruling.to} is not in the record yet; the last is {fold.n}"
        case "takeback" | "stands" if ruling.to is None and not fold.stands(about) and not (made and ruling.kind == "stands"):
            by = next((n for n, to in reversed(fold.jumps.items()) if to < about < n), about)
            return f"event {about} was taken back; rule on event {by}, which did that, or take back --to the event to go on from"
        case "refused" if not made and not rulings.claims.answered_by(about):
            return f"refused answers a claim or withdraws a ruling; event {about} is neither: let it stand or take it back"
        case "penalty" if len(rulings.penalties) >= MANY:
            return f"{MANY} penalties are in force, more than any game needs"
        case "penalty" if not ruling.points or not set(ruling.points) <= set(fold.header.seat_ids):
            return f'say whose points they are, such as {{"{fold.header.seat_ids[0]}":-2}}; the seats are {seats}'
        case "result" | "forfeit" if ruling.result is None or not each_once(ruling.result.winners, fold.header.seat_ids):
            example = f'{{"winners":["{fold.header.seat_ids[0]}"],"reason":"late"}}'
            return f"say who has won, each seat once, such as {example}; the seats are {seats}"
    return None


def _instead(rulings: Rulings, n: int) -> str:
    """What to rule on in place of ruling `n`, which is not in force, or only says what becomes of another."""
    subject, now = rulings.subject(n), n
    if rulings.withdraws(n):
        return f"event {n} withdraws a ruling, which does not come back: confirm it with stands, or rule on event {subject} anew"
    while rulings.made[now].kind == "stands" and rulings.made[now].about in rulings.made:
        now = rulings.made[now].about
    while (gone := rulings.gone(now)) and not rulings.withdraws(gone):
        now = gone
    if gone:
        return f"event {n} is not in force: event {gone} has withdrawn it; rule on event {subject} itself"
    return f"event {n} is not the ruling in force, event {now} is: rule on that, or on event {subject} itself"
