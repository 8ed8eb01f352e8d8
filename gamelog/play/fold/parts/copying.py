"""Copies of folds, which change independently of their originals."""

from __future__ import annotations

from copy import copy
from typing import TypeVar

_T = TypeVar("_T")


class FoldPart:
    """A part of a fold that has containers of its own. A copy of the fold copies the part too."""


def copy_members(original: _T, known: dict[int, object] | None = None) -> _T:
    """Return a copy of `original` with its own containers, nested ones included.

    `known` contains existing copies by the id of their original, so that members which share a container
    still share it in the copy.
    """
    known = {} if known is None else known
    copied = copy(original)
    vars(copied).update((name, _copy_container(value, known)) for name, value in vars(original).items())
    return copied


def _copy_container(value: object, known: dict[int, object]) -> object:
    if not isinstance(value, (list, dict, set, FoldPart)):
        return value
    if id(value) not in known:
        known[id(value)] = copy_members(value, known) if isinstance(value, FoldPart) else copy(value)
        inner = known[id(value)]
        if isinstance(inner, dict):  # lists and sets hold nothing that changes
            inner.update((key, _copy_container(part, known)) for key, part in inner.items())
    return known[id(value)]
