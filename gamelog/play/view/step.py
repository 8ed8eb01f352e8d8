"""Steps: each event of a record once, as a viewer may see it, and what it changed.

As JSON a step is one object without the members that are empty. `RecordView` makes steps, `STEP_ENCODER`
encodes them. Steps of SliceWars and of zone_s, and takebacks, look like this::

    {"n":57,"t":91200,"clock":91200,"facts":[["claim",{"by":"blue","at":"G5"}]],
     "board":{"pieces":{"G5":[["die","blue","1",false,""]],"B2":[]},"fills":{"G5":"blue"},"marks":{"C4":[]},
              "captions":[{"name":"territories","value":"4","seat":"blue"}]},
     "score":{"blue":4},"pending":{"by":["red"]}}
    {"n":58,"t":95000,"clock":91200,"facts":[["@takeback_offer",{"do":"@takeback","by":"red","to":56}],
     ["awaited",{"seats":["blue"]}]],"table":{"offers":{"58":["blue"]}}}
    {"n":59,"t":99000,"clock":91200,"facts":[["@accept",{"by":"blue","about":58}],
     ["went_back",{"to":56,"count":1}]],
     "board":{"pieces":{"G5":[]},"fills":{"G5":null},"captions":[{"name":"territories","value":"","seat":"blue"}]},
     "score":{"blue":3},"pending":{"by":["blue"]},"table":{"offers":{"58":[]}},"line":{"to":56}}
    {"n":60,"t":99500,"clock":91700,"facts":[["choose?",{"do":"choose","by":"red"}]]}
    {"n":61,"t":99900,"clock":92100,"facts":[["@unseen",{"by":"red"}]]}

A page applies the steps 1 to n, one after the other, to step 0, which holds the whole start.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from gamelog.finding import Finding
from gamelog.play.contract.game import Pending
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.scene import Caption

PieceLook = tuple[str, str | None, str, bool, str]
"""Kind, seat, text, whether it is hidden, and id of a piece: all of a `Piece` but its cell."""

MarkLook = tuple[str, str]
"""Kind and text of a mark: all of a `Mark` but its cell."""


class Fact(Struct, frozen=True, array_like=True):
    """Something that happened: the event itself, or an effect of it.

    ``tag`` is the key of its message template: the event's tag (``claim``), another phrase for it
    (``choose?`` if members are left out, ``@takeback_offer``, ``@unseen``) or the tag of an effect
    (``conquered``). ``members`` are those that the viewer may see, without ``n``, ``t`` and ``id``. The
    event's tag is among them as ``do`` if it is another than ``tag``; ``@unseen`` has only ``by``.
    """

    tag: str
    members: dict[str, Any]


class BoardChange(Struct, frozen=True, omit_defaults=True):
    """The cells and captions that look different after an event; the others look as before.

    ``pieces`` and ``marks`` hold by cell the whole content of the cell, in the order of the scene; it is
    empty if nothing is left there. ``fills`` holds the seat in whose colour the cell is, or None.
    ``captions`` with an empty value are gone.
    """

    pieces: dict[str, tuple[PieceLook, ...]] = {}
    fills: dict[str, str | None] = {}
    marks: dict[str, tuple[MarkLook, ...]] = {}
    captions: tuple[Caption, ...] = ()


class TableChange(Struct, frozen=True, omit_defaults=True):
    """A change beside the game. A member is None, or empty, if nothing changed there.

    ``names`` are the new names of seats (empty text: no name). ``running`` says whether the clock runs.
    ``penalties`` are the points that the rulings in force have given a seat in all. ``used`` are the
    milliseconds that a ruling or correction adds to the time a seat has used. ``offers`` holds, by the number
    of the offer, the seats (or ``arbiter``) that have to accept it; no seats if it is not open any more.
    ``result`` is the result that the table wrote down.
    """

    names: dict[str, str] | None = None
    running: bool | None = None
    penalties: dict[str, int] | None = None
    used: dict[str, int] | None = None
    offers: dict[int, tuple[str, ...]] = {}
    result: Outcome | None = None


class LineChange(Struct, frozen=True, omit_defaults=True):
    """A change of the line of play and of the rulings in force.

    Play continues from the position after event ``to`` (None: no change). The events after ``to`` that
    counted are undone, and those that counted at ``to`` count again. With ``slip`` all events between were
    never played (`gamelog.play.fold.mainline`). ``withdrawn`` are the rulings that this event ended.
    """

    to: int | None = None
    slip: bool = False
    withdrawn: tuple[int, ...] = ()


class StepView(Struct, frozen=True, omit_defaults=True):
    """Event ``n`` as a viewer may see it, at ``t`` ms since the start, ``clock`` of them time of play.

    ``facts`` are the event and its effects; none for step 0, the start. ``score`` holds the points that
    changed, with the penalties of then; ``pending`` what can happen now, if that changed: the outcome of the
    game is in it. ``finding`` says why the event was illegal though it counted, or that the position was
    declared. A refused event has only ``facts``: it changed nothing.

    The step is the same in every longer record. Later steps say what becomes of the event (``line``) and
    which names people have.
    """

    n: int
    t: int
    clock: int
    facts: tuple[Fact, ...] = ()
    board: BoardChange | None = None
    score: dict[str, int] | None = None
    pending: Pending | None = None
    table: TableChange | None = None
    line: LineChange | None = None
    finding: Finding | None = None


STEP_ENCODER = msgspec.json.Encoder()
"""The encoder of steps as rows of JSON."""
