"""Positions and what became of events, as a viewer may know them."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from gamelog.play.contract.game import Pending
from gamelog.play.contract.scene import Scene


class Position(Struct, frozen=True):
    """The position after event ``n``: the state with what the viewer does not know taken out, its picture,
    points with the penalties of then, what could happen, the time of play in ms, and the people of then.
    """

    n: int
    state: Any
    scene: Scene
    score: dict[str, int]
    pending: Pending
    clock: int
    names: dict[str, str]


class Standing(Struct, frozen=True):
    """The state of an event: it counts, or event ``by`` undid, corrected or withdrew it.

    A ruling is ``withdrawn`` if another one has withdrawn or replaced it. Rulings, notes and the like are not
    undone by takebacks. ``now`` is the event recorded instead of a corrected one; 0 if there is none.
    """

    state: Literal["stands", "undone", "corrected", "withdrawn", "refused"] = "stands"
    by: int = 0
    now: int = 0
