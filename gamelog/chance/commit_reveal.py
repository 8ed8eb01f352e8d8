"""Commit-reveal dice, which are fair if at least one seat is honest: commit, decide, then reveal.

Before the game each seat takes a secret of 64 hexadecimal digits and hashes it again and again::

    link ─▶ SHA-256 over  gamelog/1 link LF, record id LF, seat LF, link LF  ─▶ next link ─▶ …

The last link is the seat's *commitment* and is stored in the header. For each roll every seat reveals the
link before its last revealed link. Anyone can hash the new link once and see that it was fixed before the
game. No one else can know it earlier. Links are written in lower case and hashed as text.

The key of a roll is SHA-256 over ``gamelog/1 roll`` LF and a line ``seat link`` LF for each seat that has
revealed, in the header's order. The context is the 43 characters of the head of the line that made the roll
due (`gamelog.chance.stream` defines the results). That line was recorded before any link of the roll was
known.

The dealer may commit too, under the name ``table``. For a roll that lies face down, a line ``table link`` LF
is hashed last, and that link is not revealed. So no one else can compute the roll until the game is over.
Then the dealer records the link of the last such roll, and the links of all others follow from it.
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
"""Default number of links in a chain: the number of rolls in a record, undone rolls included."""

FORFEITS = ("loses",)
"""Rules for a withheld link. ``loses``: the seat that withholds it loses the game."""

_link = re.compile(r"[0-9a-f]{64}")


def is_link(text: str) -> bool:
    """Return whether `text` has the form of a link."""
    return _link.fullmatch(text) is not None


def link_before(record_id: str, seat: str, link: str) -> str:
    """Return the link that was revealed before `link`: one step nearer to the commitment."""
    return sha256(f"gamelog/1 link\n{record_id}\n{seat}\n{link}\n".encode()).hexdigest()


def link_problem(record_id: str, seat: str, link: str, shown: str) -> Message | None:
    """Return the reason why a link is not the next one of its seat, or None if it is.

    Args:
        record_id: The id of the record.
        seat: The seat.
        link: The link.
        shown: The last link that the seat has revealed; before the first roll, the commitment.
    """
    if not is_link(link):
        return Message.of("a link must be 64 hexadecimal digits in lower case")
    if link_before(record_id, seat, link) != shown:
        return Message.of(
            "this is the wrong link: {@seat} must reveal the link that comes before {=shown}…",
            seat=seat,
            shown=shown[:8],
        )
    return None


class Chain(Struct, frozen=True, tag_field="gamelog", tag="secret/1"):
    """The secret of one seat for one record.

    Attributes:
        secret: The last link, from which all others follow, as hexadecimal digits.
        links: Number of rolls for which the secret is enough.
    """

    id: str
    seat: str
    secret: str
    links: int

    @classmethod
    def new(cls, record_id: str, seat: str, links: int = LINKS) -> Chain:
        """Return a chain with a new secret from the system's random source."""
        return cls(record_id, seat, token_hex(32), links)

    def walk(self) -> Iterator[str]:
        """Yield all links from the secret to the commitment."""
        link = self.secret
        yield link
        for _ in range(self.links):
            link = link_before(self.id, self.seat, link)
            yield link

    @property
    def commitment(self) -> str:
        """The seat's entry in the header. Computes `links` digests."""
        return deque(self.walk(), 1)[0]

    def earlier_link(self, shown: str, steps: int = 1) -> str | None:
        """Return the link `steps` before `shown`, or None if the chain has no such link."""
        passed: deque[str] = deque(maxlen=steps)
        for link in self.walk():
            if link == shown:
                return passed[0] if len(passed) == steps else None
            passed.append(link)
        return None


class Chains:
    """The chains of all seats together, with fast access to links, for simulated games and tests."""

    def __init__(self, chains: Mapping[str, Chain]) -> None:
        self._predecessors = {seat: dict(_links_with_predecessors(chain)) for seat, chain in chains.items()}
        self.commitments = {seat: chain.commitment for seat, chain in chains.items()}

    def link(self, seat: str, shown: str, steps: int = 1) -> str:
        """Return the link of `seat` that is `steps` before `shown`.

        Raises:
            KeyError: The chain has no more links.
        """
        for _ in range(steps):
            shown = self._predecessors[seat][shown]
        return shown


def _links_with_predecessors(chain: Chain) -> Iterator[tuple[str, str]]:
    links = chain.walk()
    before = next(links)
    for link in links:
        yield link, before
        before = link


def roll_key(links: Mapping[str, str]) -> bytes:
    """Return the key of a roll. `links` contains the revealed links by seat, in the header's order."""
    lines = "".join(f"{seat} {link}\n" for seat, link in links.items())
    return sha256(b"gamelog/1 roll\n" + lines.encode()).digest()


def results(links: Mapping[str, str], head: str, draws: tuple[Draw, ...]) -> Results:
    """Return the results of `draws`: a roll that became due at `head`.

    `links` contains the revealed links by seat, in the header's order.
    """
    return draw_results(roll_key(links), head.encode(), draws)


def commitments_problem(spec: DiceSpec, record_id: str, seats: tuple[str, ...]) -> Message | None:
    """Return the message that says why commit-reveal dice cannot work with this header, or None."""
    given = spec.commitments or {}
    if set(given) - {TABLE} != set(seats):
        return Message.of(
            "the header must have exactly one commitment for each seat ({=seats}), but has "
            "commitments for: {=found}",
            seats=", ".join(seats),
            found=", ".join(given) or "none",
        )
    unlinked = next((seat for seat in given if not is_link(given[seat])), None)
    if unlinked:
        return Message.of(
            "the commitment of {=seat} must be 64 hexadecimal digits in lower case; copy the whole "
            "commitment",
            seat=unlinked,
        )
    if spec.forfeit not in FORFEITS:
        return Message.of(
            "the rule for a player who withholds a link (forfeit) must be {=rule}", rule=" or ".join(FORFEITS)
        )
    if not all(text.isprintable() for text in (record_id, *seats)):
        return Message.of("the record's id or a seat contains control characters; remove them")
    return None
