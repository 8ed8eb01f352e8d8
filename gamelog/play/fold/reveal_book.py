"""The book of links: which commit-reveal dice owe, what may stand before a roll, what is to be rolled.

The line that makes a roll due is its *intent*: a decision, an earlier roll, the header itself.
From there on every seat still owes a link (`gamelog.chance.commit`), and nothing may be written but
links, the roll, the mending of a torn file, and what ends the wait for a link that does not come.
The game's clock stands meanwhile, so that nobody gains time by waiting.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from gamelog.chance.commit import check_commitments, is_link, link_before, results
from gamelog.chance.draws import Results
from gamelog.errors import BadSetup
from gamelog.message import Message
from gamelog.play.contract.game import ChanceDue
from gamelog.play.fold import common
from gamelog.play.fold.dealer import Dealer, face_down
from gamelog.record.envelope import ARBITER, TABLE, Event, Header


class RevealBook:
    """What the seats have shown of their chains.

    ``shown`` is each seat's last link, at first its commitment, and never goes back; ``given`` the
    links revealed for the roll that is due now, ``intent`` the number of the line that made it due
    (None: none is due); ``gone`` the seats that have resigned and owe no more links. An intent whose
    roll was never made, because the game ended meanwhile, keeps its links: when the end is withdrawn
    or taken back, the wait goes on where it was, and nobody gets another roll out of it. ``dealer`` is
    the table, where it has committed too: rolls that lie face down need a link of its own, which it opens at
    the end.
    """

    def __init__(self, header: Header) -> None:
        """Nothing is due. Raises `BadSetup` for commitments that are not one of every seat."""
        problem = check_commitments(header.dice, header.id, header.seat_ids)
        if problem:
            raise BadSetup(
                Message.of("The dice cannot be committed to like this: {problem}.", problem=problem)
            )
        if header.parents:
            raise BadSetup(
                "A record that goes on from another needs other dice: these links were made for the other."
            )
        self.header = header
        self._seats = header.seat_ids
        self.shown: dict[str, str] = dict(header.dice.commitments or {})
        self.dealer = Dealer(header.id, self.shown[TABLE]) if TABLE in self.shown else None
        self.given: dict[str, str] = {}
        self.intent: int | None = None
        self.gone: dict[int, str] = {}
        self._held = False
        self._down = self._over = False
        self._unrolled: dict[int, dict[str, str]] = {}
        self._intents: list[int | None] = [None]
        self._since: list[int] = [0]

    @property
    def missing(self) -> tuple[str, ...]:
        """The seats whose links the roll that is due still waits for."""
        if self.intent is None:
            return ()
        gone = self.gone.values()
        return tuple(seat for seat in self._seats if seat not in self.given and seat not in gone)

    def check(self, event: Event, *, moves: bool) -> Message | None:
        """Return why the common event `event` may not be recorded here, or None.

        A ruling may be, unless it `moves` the line or ends the game, and a note of the arbiter as the first
        event, so that a forfeit of a game that never began has an event that it is about.
        """
        if isinstance(event, common.Reveal):
            return self._check_link(event)
        if self.intent is None or isinstance(event, common.Recovered | common.Resign):
            return None
        if isinstance(event, common.Ruling) and not moves:
            return None
        if isinstance(event, common.Note) and event.by == ARBITER and event.n == 1:
            return None
        missing = self.missing
        if missing and isinstance(event, common.Ruling) and event.kind == "forfeit" and event.result:
            spared = set(missing) & set(event.result.winners)
            if len(missing) == len(self.header.seats) or (event.result.winners and not spared):
                return None
            return Message.of(
                "whoever withholds a link loses, so that {@people} cannot win and somebody else has to",
                people=missing,
            )
        links = Message.of("the links of {@people} are due", people=missing)
        return Message.of(
            "{due}; nothing else may stand between event {n} and its roll",
            due=links if missing else Message.of("the roll is due"),
            n=self.intent,
        )

    @property
    def lies_closed(self) -> bool:
        """Whether the roll that is due lies face down, and only who deals can reckon it."""
        return self.intent is not None and self._down and self.dealer is not None and self.dealer.link is None

    def _check_link(self, event: common.Reveal) -> Message | None:
        seat = event.seat
        if seat == TABLE and self.dealer:
            if self._over:
                return self.dealer.check(event.link)
            return Message.of("what lies face down is opened when the game is over")
        if seat not in self.shown:
            return Message.of('there is no seat "{=seat}"', seat=seat)
        if self.intent is None:
            return Message.of("no roll is due, so no link is")
        if seat in self.given:
            return Message.of("{@seat} has revealed a link for this roll", seat=seat)
        if seat in self.gone.values():
            return Message.of("{@seat} has resigned", seat=seat)
        if not is_link(event.link):
            return Message.of("a link is 64 hexadecimal digits in lower case")
        if link_before(self.header.id, seat, event.link) != self.shown[seat]:
            return Message.of(
                "this is not the link of {@seat} that comes before {=shown}…",
                seat=seat,
                shown=self.shown[seat][:8],
            )
        return None

    def results(
        self, due: ChanceDue | None, heads: Sequence[bytes], dealt: str | None = None
    ) -> Results | None:
        """The results that the roll which is `due` has to have; None while links, or `heads`, are missing.

        `dealt` is the link of who deals, where the roll lies face down and whoever asks knows it.
        """
        if due is None or self.intent is None or self.missing or len(heads) <= self.intent:
            return None
        links = {seat: self.given[seat] for seat in self._seats if seat in self.given}
        if self.dealer and face_down(due):
            last = dealt or self.dealer.link
            if last is None:
                return None
            links[TABLE] = last
        return results(links, heads[self.intent].decode(), due.draws)

    def reveal(self, seat: str, link: str) -> None:
        """Take a link that `check` has nothing against."""
        self.shown[seat] = link
        if seat == TABLE and self.dealer:
            self.dealer.open(link)
        else:
            self.given[seat] = link

    def resign(self, n: int, seat: str) -> None:
        """With event `n`, `seat` has given up and owes no more links."""
        self.gone[n] = seat

    def go_back(self, stands: Callable[[int], bool]) -> None:
        """Somebody has gone back: seats whose resignation no longer `stands` owe links again."""
        self.gone = {n: seat for n, seat in self.gone.items() if stands(n)}

    def follow(
        self, n: int, chance: ChanceDue | None, *, back_to: int | None, played: bool, over: bool, ended: bool
    ) -> None:
        """Say on which intent the roll hangs that is owed after event `n`, if `chance` is.

        ``back_to`` is where event `n` has gone back to, ``played`` that it was one of the game's, ``over``
        that something other than play has ended the game, ``ended`` that anything has.
        """
        intent = self._intents[-1]
        if played and intent is not None:
            self._unrolled.pop(intent, None)
            if self._down and self.dealer:
                self.dealer.rolls.append(n)
        self._down, self._over = face_down(chance), ended
        if chance is None:
            intent = None
        elif back_to is not None:
            intent = self._intents[bisect_right(self._since, back_to) - 1]
            intent = intent if intent in self._unrolled else n
        elif intent is None or played:
            intent = n
        if intent == n:
            self._unrolled[n] = {}
        if intent != self._intents[-1]:
            self._intents.append(intent)
            self._since.append(n)
        self.intent, self.given = (None, {}) if intent is None or over else (intent, self._unrolled[intent])

    def stops(self, *, running: bool) -> bool:
        """Whether the clock, which is `running` or not, has to stop now, because links or a roll are due."""
        stops = self.intent is not None and running
        self._held = self._held or stops
        return stops

    def lets_go(self) -> bool:
        """Whether the clock, which stands for the dice, has to go on now."""
        lets_go = self.intent is None and self._held
        self._held = self._held and not lets_go
        return lets_go
