"""Long lists in little memory, for the files and records of a run."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

_T = TypeVar("_T")

_PACKED_TOGETHER = 1_000
"""Number of members that are compressed together. The last members of a list are not compressed."""


class PackedList(Collection[_T]):
    """A list that is filled once and read in order. The members are pickled and compressed.

    The files of a scan take less than a tenth of their memory, because each path is like the one before it.
    Each reading makes new members, which are equal to the ones that were added.
    """

    def __init__(self, members: Iterable[_T] = ()) -> None:
        """Fill the list."""
        self._packed: list[bytes] = []
        self._last: list[_T] = []
        for member in members:
            self.append(member)

    def append(self, member: _T) -> None:
        """Append a member, which pickle can store."""
        self._last.append(member)
        if len(self._last) == _PACKED_TOGETHER:
            self._packed.append(zlib.compress(pickle.dumps(self._last), level=1))
            self._last = []

    def __len__(self) -> int:
        return len(self._packed) * _PACKED_TOGETHER + len(self._last)

    def __iter__(self) -> Iterator[_T]:
        for packed in self._packed:
            yield from pickle.loads(zlib.decompress(packed))
        yield from self._last

    def __contains__(self, member: object) -> bool:
        return any(member == other for other in self)
