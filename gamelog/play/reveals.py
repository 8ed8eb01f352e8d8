"""Folding commit-reveal: which links are owed, what may stand between an intent and its roll, what has to be rolled.

The line that makes a roll due is its *intent*: a decision, an earlier roll, the header itself.
From there on every seat still owes a link (`gamelog.chance.commit`), and nothing may be written but
links, the roll, the mending of a torn file, and what ends the wait for a link that does not come.
The game's clock stands meanwhile, so that nobody gains time by waiting.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from gamelog.chance.commit import is_link, objection, results, step
from gamelog.chance.draws import Results
from gamelog.errors import BadSetup
from gamelog.play import common
from gamelog.play.findings import Finding
from gamelog.play.game import who
from gamelog.play.narrate import tag_of
from gamelog.record.envelope import Event, Header

if TYPE_CHECKING:
    from gamelog.play.fold import Fold


class Reveals:
    """What the seats have shown of their chains.

    ``shown`` is each seat's last link, at first its commitment, and never goes back; ``given`` the
    links revealed for the roll that is due now, ``intent`` the number of the line that made it due
    (None: none is due); ``gone`` the seats that have resigned and owe no more links. An intent whose
    roll was never made, because the game ended meanwhile, keeps its links: when the end is withdrawn
    or taken back, the wait goes on where it was, and nobody gets another roll out of it.
    """

    def __init__(self, header: Header) -> None:
        """Nothing is due. Raises `BadSetup` for commitments that are not one of every seat."""
        wrong = objection(header.dice, header.id, header.seat_ids)
        if wrong:
            raise BadSetup(f"The dice cannot be committed to like this: {wrong}.")
        if header.parents:
            raise BadSetup("A record that goes on from another needs other dice: these links were made for the other.")
        self.header = header
        self.shown: dict[str, str] = dict(header.dice.commitments or {})
        self.given: dict[str, str] = {}
        self.intent: int | None = None
        self.gone: dict[int, str] = {}
        self._held = False
        self._unrolled: dict[int, dict[str, str]] = {}
        self._intents: list[int | None] = [None]
        self._since: list[int] = [0]

    @property
    def missing(self) -> tuple[str, ...]:
        """The seats whose links the roll that is due still waits for."""
        if self.intent is None:
            return ()
        gone = self.gone.values()
        return tuple(seat for seat in self.header.seat_ids if seat not in self.given and seat not in gone)

    def refuse(self, fold: Fold, event: Event) -> str | None:
        """Why the common event `event` may not stand here, or None. Rulings may that neither move the line nor end the game."""
        if isinstance(event, common.Reveal):
            return self._refuse_link(event)
        if self.intent is None or isinstance(event, common.Recovered | common.Resign):
            return None
        if isinstance(event, common.Ruling) and not fold.rulings.moves(event):
            return None
        missing = self.missing
        if missing and isinstance(event, common.Ruling) and event.kind == "forfeit" and event.result:
            spared = set(missing) & set(event.result.winners)
            if len(missing) == len(self.header.seats) or (event.result.winners and not spared):
                return None
            return (
                f"whoever withholds a link loses, so that {' and '.join(map(who, missing))} cannot win and somebody else has to"
            )
        due = f"the links of {', '.join(map(who, missing))} are due" if missing else "the roll is due"
        return f"{due}; nothing else may stand between event {self.intent} and its roll"

    def _refuse_link(self, event: common.Reveal) -> str | None:
        seat = event.seat
        if seat not in self.shown:
            return f'there is no seat "{seat}"'
        if self.intent is None:
            return "no roll is due, so no link is"
        if seat not in self.missing:
            return f"{who(seat)} has revealed a link for this roll" if seat in self.given else f"{who(seat)} has resigned"
        if not is_link(event.link):
            return "a link is 64 hexadecimal digits in lower case"
        if step(self.header.id, seat, event.link) != self.shown[seat]:
            return f"this is not the link of {who(seat)} that comes before {self.shown[seat][:8]}…"
        return None

    def rolled(self, fold: Fold) -> Results | None:
        """The results that the roll which is due has to have; None while links, or the heads of lines, are missing."""
        owed = fold.pending.chance
        if owed is None or self.intent is None or self.missing or len(fold.heads) <= self.intent:
            return None
        links = {seat: self.given[seat] for seat in self.header.seat_ids if seat in self.given}
        return results(links, fold.heads[self.intent].decode(), owed.draws)

    def reveal(self, seat: str, link: str) -> None:
        """Take a link that `refuse` has nothing against."""
        self.shown[seat] = self.given[seat] = link

    def follow(self, fold: Fold, event: Event | None, played: bool) -> None:
        """See what is due after `event` (None: at the start), which `fold` has taken up; `played`: it is one of the game's."""
        n, t = (0, 0) if event is None else (event.n, event.t)
        if isinstance(event, common.Resign):
            self.gone[n] = event.by
        if n in fold.jumps:
            self.gone = {at: seat for at, seat in self.gone.items() if fold.stands(at)}
        self._turn(fold, n, played)
        table = fold.table
        if self.intent is not None and table.paused_at is None:
            fold.table = table.pause(t)
            self._held = True
        elif self.intent is None and self._held:
            fold.table = table.resume(t)
            self._held = False

    def _turn(self, fold: Fold, n: int, played: bool) -> None:
        """Say on which intent the roll hangs that is due after event `n`, if one is."""
        intent = self._intents[-1]
        if played and intent is not None:
            self._unrolled.pop(intent, None)
        if fold.game.pending(fold.state).chance is None:
            intent = None
        elif n in fold.jumps:
            intent = self._intents[bisect_right(self._since, fold.jumps[n]) - 1]
            intent = intent if intent in self._unrolled else n
        elif intent is None or played:
            intent = n
        if intent == n:
            self._unrolled[n] = {}
        if intent != self._intents[-1]:
            self._intents.append(intent)
            self._since.append(n)
        waits = intent is not None and not fold.table.outcome
        self.intent, self.given = (intent, self._unrolled[intent]) if waits and intent is not None else (None, {})


def refuse(fold: Fold, event: Event) -> Finding | None:
    """Why the common event `event` does not fit the dice of the record, or None."""
    reveals = fold.reveals
    if reveals is None:
        if isinstance(event, common.Reveal) and event.n > fold.inherited:
            return Finding("chance.link", "the seats of this record have committed to nothing", n=event.n)
        return None
    if fold.table.lost and isinstance(event, common.Gap | common.Takeback):
        return None
    text = reveals.refuse(fold, event)
    if text is None:
        return None
    if isinstance(event, common.Reveal):
        return Finding("chance.link", text, n=event.n)
    return Finding("chance.missing", f"{tag_of(type(event))}: {text}", n=event.n)
