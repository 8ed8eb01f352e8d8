"""Players' claims: which are open, which ruling has closed which, and which their players have withdrawn.

A ruling about a claim, or about the event of the claim, answers the claim. All claims about one event are
closed and reopened together, so that many claims cost no more than one.
"""

from __future__ import annotations

from collections import defaultdict

from gamelog.play.fold.parts.copying import FoldPart

Group = dict[str, dict[int, None]]
"""Numbers of claims about one event, by the seats that made them. They are few, so a group costs little."""


class Claims(FoldPart):
    """The claims of a record.

    Attributes:
        subjects: All claims by number, each with the event it is about (None: the game).
        withdrawals: The claims that their players have withdrawn, each with the event that did it.
    """

    def __init__(self) -> None:
        self.subjects: dict[int, int | None] = {}
        self.withdrawals: dict[int, int] = {}
        self._authors: dict[int, str] = {}
        self._counts: dict[str, int] = {}
        self._open_groups: defaultdict[int, Group] = defaultdict(dict)
        self._closed_groups: dict[int, dict[int, Group]] = {}

    def open_count(self, seat: str) -> int:
        """Return the number of open claims of `seat`."""
        return self._counts.get(seat, 0)

    @property
    def open_numbers(self) -> list[int]:
        """Numbers of the open claims, in the order of the record."""
        return sorted(n for group in self._open_groups.values() for claims in group.values() for n in claims)

    def add(self, n: int, about: int | None, by: str) -> None:
        """Add claim `n` of the seat `by` about event `about`."""
        self.subjects[n], self._authors[n] = about, by
        self._open_claims(self._target(n), {by: {n: None}})

    def author(self, n: int) -> str:
        """Return the seat that made claim `n`."""
        return self._authors[n]

    def is_open(self, n: int) -> bool:
        """Return whether claim `n` is open."""
        return self._contains(self._open_groups.get(self._target(n)), n)

    def withdraw(self, n: int, by: int) -> None:
        """Close the open claim `n` for ever with event `by`."""
        self._open_groups[self._target(n)][self._authors[n]].pop(n)
        self._counts[self._authors[n]] -= 1
        self.withdrawals[n] = by

    def is_answered_by(self, about: int) -> bool:
        """Return whether a ruling about event `about` answers a claim.

        It does if the event is a claim, or if an open claim is about the event.
        """
        return about in self.subjects or any(self._open_groups.get(about, {}).values())

    def subject(self, n: int) -> int:
        """Return the event that claim `n` is about, through claims about claims.

        If there is no such event, return the first of the claims.
        """
        while (about := self.subjects.get(n)) is not None:
            n = about
        return n

    def open_claim_before(self, n: int) -> int | None:
        """Return the first open claim that claim `n` is about, through claims about claims, or None."""
        while (about := self.subjects[n]) is not None and about in self.subjects:
            if self.is_open(about):
                return about
            n = about
        return None

    def closed_by(self, n: int) -> int | None:
        """Return the ruling that has closed claim `n`, if any."""
        target = self._target(n)
        return next(
            (
                ruling
                for ruling, groups in self._closed_groups.items()
                if self._contains(groups.get(target), n)
            ),
            None,
        )

    def close(self, ruling: int, about: int) -> None:
        """Close the open claims about event `about`, and the claim `about` itself, with event `ruling`."""
        group = self._open_groups.pop(about, {})
        if any(group.values()):
            self._close_claims(ruling, about, group)
        target = self.subjects.get(about)
        if target is not None and self._contains(self._open_groups.get(target), about):
            author = self._authors[about]
            del self._open_groups[target][author][about]
            self._close_claims(ruling, target, {author: {about: None}})

    def reopen(self, ruling: int) -> None:
        """Reopen the claims that event `ruling`, now withdrawn, had closed."""
        for target, group in self._closed_groups.pop(ruling, {}).items():
            self._open_claims(target, group)

    def reassign(self, ruling: int, to: int) -> None:
        """Assign the claims that event `ruling` had closed to event `to`, a later ruling."""
        closed = self._closed_groups.setdefault(to, {})
        for target, group in self._closed_groups.pop(ruling, {}).items():
            closed[target] = _join(closed.get(target, {}), group)

    def _target(self, n: int) -> int:
        """Return the event of claim `n`: the event that the claim is about, or else the claim."""
        about = self.subjects[n]
        return n if about is None else about

    def _contains(self, group: Group | None, n: int) -> bool:
        """Return whether `group` contains claim `n`."""
        return group is not None and n in group.get(self._authors[n], ())

    def _open_claims(self, target: int, group: Group) -> None:
        self._count(group, 1)
        self._open_groups[target] = _join(self._open_groups[target], group)

    def _close_claims(self, ruling: int, target: int, group: Group) -> None:
        self._count(group, -1)
        groups = self._closed_groups.setdefault(ruling, {})
        groups[target] = _join(groups.get(target, {}), group)

    def _count(self, group: Group, sign: int) -> None:
        for seat, claims in group.items():
            self._counts[seat] = self._counts.get(seat, 0) + sign * len(claims)


def _join(group: Group, other: Group) -> Group:
    """Return both groups merged. For each seat, extend the larger of its two dicts with the smaller."""
    for seat, claims in other.items():
        small, large = sorted((group.get(seat, {}), claims), key=len)
        large.update(small)
        group[seat] = large
    return group
