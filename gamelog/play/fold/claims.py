"""Players' claims: which are open, and which ruling has closed which.

A ruling about a claim, or about the event of the claim, answers the claim. All claims about one event are
closed and reopened together, so that many claims cost no more than one.
"""

from __future__ import annotations

from collections import defaultdict


class Claims:
    """The claims of a record.

    ``made`` contains all of them, each with the event it is about (None: the game).
    """

    def __init__(self) -> None:
        self.made: dict[int, int | None] = {}
        self._count = 0
        self._open: defaultdict[int, dict[int, None]] = defaultdict(dict)
        self._closed: dict[int, dict[int, dict[int, None]]] = {}

    def __len__(self) -> int:
        """Return the number of open claims."""
        return self._count

    @property
    def open(self) -> list[int]:
        """Numbers of the open claims, in the order of the record."""
        return sorted(n for claims in self._open.values() for n in claims)

    def add(self, n: int, about: int | None) -> None:
        """Add claim `n` about event `about`."""
        self.made[n] = about
        self._open_claims(n if about is None else about, {n: None})

    def is_answered_by(self, about: int) -> bool:
        """Return whether a ruling about event `about` answers a claim.

        It does if the event is a claim, or if an open claim is about the event.
        """
        return about in self.made or bool(self._open.get(about))

    def subject(self, n: int) -> int:
        """Return the event that claim `n` is about, through claims about claims.

        If there is no such event, return the first of the claims.
        """
        while (about := self.made.get(n)) is not None:
            n = about
        return n

    def open_claim_before(self, n: int) -> int | None:
        """Return the first open claim that claim `n` is about, through claims about claims, or None."""
        while (about := self.made[n]) is not None and about in self.made:
            target = self.made[about]
            if about in self._open.get(about if target is None else target, ()):
                return about
            n = about
        return None

    def closed_by(self, n: int) -> int | None:
        """Return the ruling that has closed claim `n`, if any."""
        about = self.made[n]
        target = n if about is None else about
        return next((ruling for ruling, kept in self._closed.items() if n in kept.get(target, ())), None)

    def close(self, ruling: int, about: int) -> None:
        """Close the open claims about event `about`, and the claim `about` itself, with event `ruling`."""
        claims = self._open.pop(about, {})
        if claims:
            self._close_claims(ruling, about, claims)
        target = self.made.get(about)
        if target is not None and about in self._open.get(target, {}):
            del self._open[target][about]
            self._close_claims(ruling, target, {about: None})

    def reopen(self, ruling: int) -> None:
        """Reopen the claims that event `ruling`, now withdrawn, had closed."""
        for target, claims in self._closed.pop(ruling, {}).items():
            self._open_claims(target, claims)

    def reassign(self, ruling: int, to: int) -> None:
        """Assign the claims that event `ruling` had closed to event `to`, a later ruling."""
        closed = self._closed.setdefault(to, {})
        for target, claims in self._closed.pop(ruling, {}).items():
            closed[target] = _join(closed.get(target, {}), claims)

    def _open_claims(self, target: int, claims: dict[int, None]) -> None:
        self._count += len(claims)
        self._open[target] = _join(self._open[target], claims)

    def _close_claims(self, ruling: int, target: int, claims: dict[int, None]) -> None:
        self._count -= len(claims)
        kept = self._closed.setdefault(ruling, {})
        kept[target] = _join(kept.get(target, {}), claims)


def _join(one: dict[int, None], other: dict[int, None]) -> dict[int, None]:
    """Return both dicts together by extending the larger one."""
    small, large = sorted((one, other), key=len)
    large.update(small)
    return large
