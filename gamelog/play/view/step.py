"""Steps, positions and the standing of events, as a viewer may see them.

There is one step for each event of a record: the event and what it changed.

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

from typing import Any, Literal

import msgspec
from msgspec import Struct

from gamelog.finding import Finding
from gamelog.play.contract.game import Pending
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.scene import Caption, Scene

PieceLook = tuple[str, str | None, str, bool, str]
"""Kind, seat, text, whether it is hidden, and id of a piece: a `Piece` without its cell."""

MarkLook = tuple[str, str]
"""Kind and text of a mark: a `Mark` without its cell."""


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
    """The cells and captions that look different after an event.

    ``pieces`` and ``marks`` have the whole content of each changed cell, in the order of the scene; it is
    empty if nothing is left on the cell. ``fills`` has the seat in whose colour a cell is, or None. A caption
    with an empty value is gone.
    """

    pieces: dict[str, tuple[PieceLook, ...]] = {}
    fills: dict[str, str | None] = {}
    marks: dict[str, tuple[MarkLook, ...]] = {}
    captions: tuple[Caption, ...] = ()


class TableChange(Struct, frozen=True, omit_defaults=True):
    """A change at the table. A member is None or empty if nothing changed there.

    ``names`` are the new names of seats (empty text: no name). ``running`` says whether the clock runs.
    ``penalties`` are the total points that the rulings in force have given to a seat. ``used`` are the
    milliseconds that a ruling or correction adds to the time that a seat has used. ``offers`` has, by the
    number of the offer, the seats (or ``arbiter``) that have to accept it; none if it is not open any more.
    ``result`` is the result that the table recorded.
    """

    names: dict[str, str] | None = None
    running: bool | None = None
    penalties: dict[str, int] | None = None
    used: dict[str, int] | None = None
    offers: dict[int, tuple[str, ...]] = {}
    result: Outcome | None = None


class LineChange(Struct, frozen=True, omit_defaults=True):
    """A change of the main line and of the rulings in force.

    Play continues from the position after event ``to`` (None: no change). The events after ``to`` that
    counted are undone, and those that counted at ``to`` count again. With ``slip`` the events between were
    not played (`gamelog.play.fold.takebacks`). ``withdrawn`` are the rulings that this event ended.
    """

    to: int | None = None
    slip: bool = False
    withdrawn: tuple[int, ...] = ()


class StepView(Struct, frozen=True, omit_defaults=True):
    """Event ``n`` as a viewer may see it, ``t`` ms after the start, of which ``clock`` ms are time of play.

    ``facts`` are the event and its effects; step 0, the start, has none. ``score`` has the points that
    changed, with the penalties at that time. ``pending`` is what can happen now, if that changed; the outcome
    of the game is part of it. ``finding`` is the reason why an event that counts was illegal, or says that
    the position was declared. A refused event has only ``facts``: it changed nothing.

    The step is the same in every longer record. Later steps change the status of the event (``line``) and the
    names of people.
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


class Position(Struct, frozen=True):
    """The position after event ``n`` as a viewer may see it.

    ``state`` is without what is hidden from the viewer, ``scene`` its picture. ``score`` includes the
    penalties at that time. ``pending`` is what can happen next, ``clock`` the time of play in ms, ``names``
    are the people at that time.
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


STEP_ENCODER = msgspec.json.Encoder()
"""The encoder of steps as rows of JSON."""
