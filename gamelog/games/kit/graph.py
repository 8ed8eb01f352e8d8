"""Boards as graphs: numbered places and their neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gamelog.game import Message

_VISITED = 255
"""The mark of a visited place. No place has this value."""


def neighbours(
    index: Mapping[str, int], edges: Iterable[tuple[str, str]], *, one: str, many: str
) -> tuple[tuple[int, ...], ...]:
    """Return the neighbours of each place, as numbers in ascending order.

    Args:
        index: The number of each name, from 0 without gaps.
        edges: Pairs of names.
        one: The word for a place in messages.
        many: The word for several places.

    Raises:
        ValueError: An edge names an unknown place, joins a place to itself or is listed twice.
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
    """Return the connected groups of places at which `cells` has `value`, each from its lowest number on."""
    left, found = bytearray(cells), []
    seed = left.find(value)
    while seed >= 0:
        left[seed] = _VISITED
        group = [seed]
        for here in group:  # the loop appends to `group` and so visits the whole group
            for there in near[here]:
                if left[there] == value:
                    left[there] = _VISITED
                    group.append(there)
        found.append(group)
        seed = left.find(value, seed)
    return found
