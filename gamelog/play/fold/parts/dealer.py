"""The dealer under commit-reveal dice: rolls that lie face down, and the link that opens them all."""

from __future__ import annotations

from collections.abc import Iterable

from gamelog.chance.commit_reveal import is_link, link_before
from gamelog.message import Message
from gamelog.play.contract.game import ChanceDue
from gamelog.play.fold.parts.copying import FoldPart
from gamelog.record.envelope import TABLE


def is_face_down(due: ChanceDue | None) -> bool:
    """Return whether only one seat may know the result of this roll."""
    return due is not None and any(draw.private for draw in due.draws)


class Dealer(FoldPart):
    """The commitment of the table, which deals, and how many of its rolls are open.

    Attributes:
        links: The links of the face-down rolls, as far as they are known; the commitment comes first.
        rolls: The numbers of the events of these rolls, undone ones included.
        open_count: The number of these rolls that are open, from the first on.
    """

    def __init__(self, record_id: str, commitment: str) -> None:
        self._id = record_id
        self.links = [commitment]
        self.rolls: list[int] = []
        self.open_count = 0

    @property
    def link(self) -> str | None:
        """The link of the next roll, or None if it is unknown."""
        return self.links[len(self.rolls) + 1] if len(self.rolls) + 1 < len(self.links) else None

    @property
    def closed_count(self) -> int:
        """Number of rolls that are not open yet."""
        return len(self.rolls) - self.open_count

    @property
    def first_closed_roll(self) -> int | None:
        """The first event whose roll no one else can compute, even with the rest of the record."""
        return self.rolls[len(self.links) - 1] if len(self.links) <= len(self.rolls) else None

    def add_later_links(self, openings: Iterable[str], max_events: int) -> None:
        """Add the valid links of later openings in a record of `max_events` events."""
        for link in openings:
            links = self._links_until(link, max_events - len(self.links))
            if not links:
                return
            self.links += links

    def check(self, link: str) -> Message | None:
        """Return the message that says why `link` does not open everything that lies face down, or None."""
        if not self.closed_count:
            return Message.of("all face-down rolls have already been opened")
        if not is_link(link):
            return Message.of("a link must be 64 hexadecimal digits in lower case")
        behind = len(self.rolls) + 1 - len(self.links)
        good = (
            len(self._links_until(link, behind)) == behind
            if behind > 0
            else self.links[len(self.rolls)] == link
        )
        since = self.rolls[self.open_count]
        if good:
            return None
        return Message.of(
            "this link of the table does not open the deal in event {n} and the deals after that event",
            n=since,
        )

    def open(self, link: str) -> None:
        """Apply a link that `check` accepts."""
        behind = len(self.rolls) + 1 - len(self.links)
        self.links += self._links_until(link, behind)
        self.open_count = len(self.rolls)

    def _links_until(self, link: str, max_links: int) -> list[str]:
        """Return the links from the first unknown link to `link`.

        The list is empty if there are more than `max_links` of them; one is always allowed.
        """
        links = [link]
        while (link := link_before(self._id, TABLE, link)) != self.links[-1]:
            if len(links) >= max_links:
                return []
            links.append(link)
        return links[::-1]
