"""Dice that nobody can bend as long as one seat is honest: commit first, decide, then reveal.

Before the game each seat takes a secret of 64 hexadecimal digits and hashes it again and again::

    link ─▶ SHA-256 over  gamelog/1 link LF, record id LF, seat LF, link LF  ─▶ next link ─▶ …

The last link is its *commitment* and stands in the header. For each roll every seat reveals the
link before the one it showed last: anybody can hash it once and see that it was fixed before the
game, and nobody can know it earlier. Links are written in lower case and hashed as text.

The key of a roll is SHA-256 over ``gamelog/1 roll`` LF and a line ``seat link`` LF for each seat
that has revealed, in the header's order; the context is the 43 characters of the head of the line
that made the roll due (`gamelog.chance.stream` says what follows from the two). That line was
chained before any link of the roll was known.

Whoever deals may commit as well, under the name ``table``. Of a roll that lies face down a line ``table
link`` LF is hashed last, and that link is not revealed: nobody else can reckon the roll until, when the game
is over, the link of the last such roll is written down, from which those of all others follow.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from hashlib import sha256
from secrets import token_hex

from msgspec import Struct

from gamelog.chance.draws import Draw, Results
from gamelog.chance.stream import draw_results
from gamelog.message import Message
from gamelog.record.envelope import TABLE, DiceSpec

LINKS = 10_000
"""Links of a chain as `Chain.new` makes it: rolls, undone ones included, that a record can hold."""

FORFEITS = ("loses",)
"""The rules for a link that is withheld. ``loses``: whoever withholds it loses the game."""

_link = re.compile(r"[0-9a-f]{64}")


def is_link(text: str) -> bool:
    """Whether `text` is written like a link."""
    return _link.fullmatch(text) is not None


def link_before(record_id: str, seat: str, link: str) -> str:
    """The link that was shown before `link`: one step nearer to the commitment."""
    return sha256(f"gamelog/1 link\n{record_id}\n{seat}\n{link}\n".encode()).hexdigest()


class Chain(Struct, frozen=True, tag_field="gamelog", tag="secret/1"):
    """One seat's secret for one record, good for `links` rolls."""

    id: str
    seat: str
    secret: str
    links: int

    @classmethod
    def new(cls, record_id: str, seat: str, links: int = LINKS) -> Chain:
        """A chain from a fresh secret, out of the system's random source."""
        return cls(record_id, seat, token_hex(32), links)

    def walk(self) -> Iterator[str]:
        """All links from the secret to the commitment."""
        link = self.secret
        yield link
        for _ in range(self.links):
            link = link_before(self.id, self.seat, link)
            yield link

    @property
    def commitment(self) -> str:
        """What stands in the header. Costs `links` digests."""
        return deque(self.walk(), 1)[0]

    def before(self, shown: str, steps: int = 1) -> str | None:
        """The link `steps` before `shown`, the next to reveal; None when there is none before `shown`."""
        passed: deque[str] = deque(maxlen=steps)
        for link in self.walk():
            if link == shown:
                return passed[0] if len(passed) == steps else None
            passed.append(link)
        return None


class Chains:
    """The chains of all seats in one hand, quick to take links from: for simulated games and tests."""

    def __init__(self, chains: Mapping[str, Chain]) -> None:
        self._before = {seat: dict(_pairs(chain)) for seat, chain in chains.items()}
        self.commitments = {seat: chain.commitment for seat, chain in chains.items()}

    def link(self, seat: str, shown: str, steps: int = 1) -> str:
        """The link of `seat` so many `steps` before `shown`. Raises KeyError when its chain is used up."""
        for _ in range(steps):
            shown = self._before[seat][shown]
        return shown


def _pairs(chain: Chain) -> Iterator[tuple[str, str]]:
    links = chain.walk()
    before = next(links)
    for link in links:
        yield link, before
        before = link


def roll_key(links: Mapping[str, str]) -> bytes:
    """The key of a roll for which the seats of `links`, in the header's order, have revealed these."""
    told = "".join(f"{seat} {link}\n" for seat, link in links.items())
    return sha256(b"gamelog/1 roll\n" + told.encode()).digest()


def results(links: Mapping[str, str], head: str, draws: tuple[Draw, ...]) -> Results:
    """What `draws` give when `links` (ordered like the header) are revealed for a roll due at `head`."""
    return draw_results(roll_key(links), head.encode(), draws)


def check_commitments(spec: DiceSpec, record_id: str, seats: tuple[str, ...]) -> Message | None:
    """Why commit-reveal cannot work with this header, or None."""
    given = spec.commitments or {}
    if set(given) - {TABLE} != set(seats):
        return Message.of(
            "every seat has to commit, {=seats}, and nobody else; committed have {=found}",
            seats=", ".join(seats),
            found=", ".join(given) or "none",
        )
    unlinked = next((seat for seat in given if not is_link(given[seat])), None)
    if unlinked:
        return Message.of(
            "the commitment of {=seat} is not 64 hexadecimal digits in lower case, as gamelog dice commit "
            "prints it",
            seat=unlinked,
        )
    if spec.forfeit not in FORFEITS:
        return Message.of(
            "the rule for a link that is withheld (forfeit) has to be {=rule}", rule=" or ".join(FORFEITS)
        )
    if not all(text.isprintable() for text in (record_id, *seats)):
        return Message.of("the record's id and its seats may hold no control characters")
    return None
