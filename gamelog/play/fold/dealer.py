"""Who deals under commit-reveal dice: rolls that lie face down, and the link that opens them all."""

from __future__ import annotations

from collections.abc import Iterable

from gamelog.chance.commit import is_link, link_before
from gamelog.message import Message
from gamelog.play.contract.game import ChanceDue
from gamelog.record.envelope import TABLE


def face_down(due: ChanceDue | None) -> bool:
    """Whether somebody alone may know what this roll gives."""
    return due is not None and any(draw.private for draw in due.draws)


class Dealer:
    """What the table has committed to, who deals, and how much of it has been opened.

    ``links[k]`` is the link of roll ``k`` of those that lie face down, the commitment before the first, as
    far as anybody has opened them; ``rolls`` are the numbers of their events, undone ones too, and so many of
    them are ``opened`` up to here.
    """

    def __init__(self, record_id: str, commitment: str) -> None:
        self._id = record_id
        self.links = [commitment]
        self.rolls: list[int] = []
        self.opened = 0

    @property
    def link(self) -> str | None:
        """The link of the roll that comes next; None where nobody has opened it."""
        return self.links[len(self.rolls) + 1] if len(self.rolls) + 1 < len(self.links) else None

    @property
    def lying(self) -> int:
        """How many rolls have not been opened up to here."""
        return len(self.rolls) - self.opened

    @property
    def closed(self) -> int | None:
        """The first event whose roll nobody else can reckon, here or further on in the record."""
        return self.rolls[len(self.links) - 1] if len(self.links) <= len(self.rolls) else None

    def foresee(self, openings: Iterable[str], most: int) -> None:
        """Take the links from openings further on in a record of `most` events, as far as they are good."""
        for link in openings:
            found = self._since(link, most - len(self.links))
            if not found:
                return
            self.links += found

    def check(self, link: str) -> Message | None:
        """Why `link` does not open all that lies face down, or None."""
        if not self.lying:
            return Message.of("nothing lies face down that has not been opened")
        if not is_link(link):
            return Message.of("a link is 64 hexadecimal digits in lower case")
        behind = len(self.rolls) + 1 - len(self.links)
        good = len(self._since(link, behind)) == behind if behind > 0 else self.links[len(self.rolls)] == link
        since = self.rolls[self.opened]
        if good:
            return None
        return Message.of(
            "this is not the link of the table that opens event {n} and what was dealt after it", n=since
        )

    def open(self, link: str) -> None:
        """Take a link that `check` has nothing against."""
        behind = len(self.rolls) + 1 - len(self.links)
        self.links += self._since(link, behind) if behind > 0 else []
        self.opened = len(self.rolls)

    def _since(self, link: str, most: int) -> list[str]:
        """The links from the first that is not known to `link`;
        none where these are more than `most`, or one at least.
        """
        found = [link]
        while (link := link_before(self._id, TABLE, link)) != self.links[-1]:
            if len(found) >= most:
                return []
            found.append(link)
        return found[::-1]
