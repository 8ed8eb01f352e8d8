"""Copies of a fold with its own containers. The immutable contents are shared with the copy."""

from __future__ import annotations

from copy import copy
from typing import TypeVar

from gamelog.play.fold.claims import Claims
from gamelog.play.fold.closed_stretches import ClosedStretches
from gamelog.play.fold.dealer import Dealer
from gamelog.play.fold.event_list import EventList
from gamelog.play.fold.reveal_book import RevealBook
from gamelog.play.fold.ruling_book import RulingBook
from gamelog.play.fold.takebacks import Mainline

BOOKS = (Claims, Dealer, EventList, Mainline, RevealBook, RulingBook, ClosedStretches)
"""Parts of a fold that have containers of their own."""

T = TypeVar("T")


def copy_members(one: T, known: dict[int, object] | None = None) -> T:
    """Return a copy of `one` with its own containers, nested ones included.

    `known` contains existing copies by the id of their original, so that members which share a container
    still share it in the copy.
    """
    known = {} if known is None else known
    then = copy(one)
    vars(then).update((name, _copy_container(value, known)) for name, value in vars(one).items())
    return then


def _copy_container(value: object, known: dict[int, object]) -> object:
    if not isinstance(value, (list, dict, set, *BOOKS)):
        return value
    if id(value) not in known:
        known[id(value)] = copy_members(value, known) if isinstance(value, BOOKS) else copy(value)
        inner = known[id(value)]
        if isinstance(inner, dict):  # lists and sets hold nothing that changes
            inner.update((key, _copy_container(part, known)) for key, part in inner.items())
    return known[id(value)]
