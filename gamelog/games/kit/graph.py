"""Boards as graphs: places by their numbers, and which of them touch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gamelog.game import Message

DONE = 255
"""No value of a place."""


def neighbours(
    index: Mapping[str, int], edges: Iterable[tuple[str, str]], *, one: str, many: str
) -> tuple[tuple[int, ...], ...]:
    """For each place, the numbers of those that touch it, ascending.

    `index` gives the number of each name, from 0 without gaps; a place is called `one` in messages, several
    `many`. Raises ValueError, in one sentence, for an edge that names another place, joins a place to itself
    or is listed twice.
    """
    near: list[set[int]] = [set() for _ in index]
    for a, b in edges:
        for name in (a, b):
            if name not in index:
                raise ValueError(
                    Message.of(
                        'the edge {=a}-{=b} names "{=name}", which is not one of the {kinds}',
                        a=a,
                        b=b,
                        name=name,
                        kinds=many,
                    )
                )
        if a == b:
            raise ValueError(Message.of("the edge {=a}-{=b} joins a {kind} to itself", a=a, b=b, kind=one))
        if index[b] in near[index[a]]:
            raise ValueError(Message.of("the edge {=a}-{=b} is listed twice", a=a, b=b))
        near[index[a]].add(index[b])
        near[index[b]].add(index[a])
    return tuple(tuple(sorted(numbers)) for numbers in near)


def components(near: Sequence[Iterable[int]], cells: bytes, value: int) -> list[list[int]]:
    """The connected groups of the places where `cells` has `value`, each begun by its lowest number."""
    left, found = bytearray(cells), []
    seed = left.find(value)
    while seed >= 0:
        left[seed] = DONE
        group = [seed]
        for here in group:  # grows while it is walked
            for there in near[here]:
                if left[there] == value:
                    left[there] = DONE
                    group.append(there)
        found.append(group)
        seed = left.find(value, seed)
    return found
