"""Steps, positions and the status of events, as a viewer may see them.

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

from gamelog.play.contract.game import Pending
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.scene import Caption, Scene

PieceAppearance = tuple[str, str | None, str, bool, str]
"""Kind, seat, text, whether it is hidden, and id of a piece: a `Piece` without its cell."""

MarkAppearance = tuple[str, ...]
"""Kind and text of a mark, and its seat if it has one: a `Mark` without its cell."""


class Fact(Struct, frozen=True, array_like=True):
    """Something that happened: the event itself, or an effect of it.

    Attributes:
        tag: Key of its message template. This is the event's tag (``claim``), another phrase for the event
            (``choose?`` if members are left out, ``@takeback_offer``, ``@unseen``) or the tag of an effect
            (``conquered``).
        members: Members that the viewer may see, without ``n``, ``t`` and ``id``. The event's tag is among
            them as ``do`` if it is another than ``tag``. ``@unseen`` has only ``by``.
    """

    tag: str
    members: dict[str, Any]


class BoardChange(Struct, frozen=True, omit_defaults=True):
    """The cells and captions that look different after an event.

    Attributes:
        pieces: All pieces on each changed cell, in the order of the scene; empty if no piece is left.
        fills: The seat in whose colour each changed cell is, or None.
        marks: All marks on each changed cell, in the order of the scene; empty if no mark is left.
        captions: The changed captions. A caption with an empty value is gone.
    """

    pieces: dict[str, tuple[PieceAppearance, ...]] = {}
    fills: dict[str, str | None] = {}
    marks: dict[str, tuple[MarkAppearance, ...]] = {}
    captions: tuple[Caption, ...] = ()


class SessionChange(Struct, frozen=True, omit_defaults=True):
    """A change of the session. A member is None or empty if nothing changed there.

    Attributes:
        names: The new names of seats. An empty text means no name.
        running: Whether the clock runs.
        penalties: Total points that the rulings in force have given to each seat.
        warnings: Number of warnings that the rulings in force have given to each seat.
        used: Milliseconds that a ruling or correction adds to the time that each seat has used.
        offers: The seats (or ``arbiter``) that have to accept each offer, by the number of the offer; none
            if it is not open any more.
        result: The result that the table recorded.
    """

    names: dict[str, str] | None = None
    running: bool | None = None
    penalties: dict[str, int] | None = None
    warnings: dict[str, int] | None = None
    used: dict[str, int] | None = None
    offers: dict[int, tuple[str, ...]] = {}
    result: Outcome | None = None


class LineChange(Struct, frozen=True, omit_defaults=True):
    """A change of the main line, of the rulings in force or of the claims.

    Attributes:
        to: Number of the event from whose position play continues, or None if the main line is unchanged.
            The events after it that counted are undone, and the events that counted at it count again.
        slip: Whether the events after ``to`` were not played (`gamelog.play.fold.parts.main_line`).
        withdrawn: Numbers of the rulings that this event ended, or of the claim that it withdrew.
    """

    to: int | None = None
    slip: bool = False
    withdrawn: tuple[int, ...] = ()


class StepView(Struct, frozen=True, omit_defaults=True):
    """One event as a viewer may see it.

    A refused event and the events after it have only ``facts`` and new people, because they change nothing
    else. The step is the same in every longer record. Later steps change the status of the event (``line``).

    Attributes:
        n: Number of the event; 0 for the start.
        t: Time of the event in ms after the start.
        clock: Time of play until then in ms.
        unplayed: Time in ms since the last play, without pauses and without the time after the end of the
            game. It becomes time of play if play goes on.
        facts: The event and its effects; none for the start.
        board: The changed cells and captions, or None.
        score: The points that changed, with the penalties at that time, or None.
        pending: What can happen now, with the outcome of the game, or None if unchanged.
        table: The change of the session, or None.
        line: The change of the main line and of the rulings in force, or None.
    """

    n: int
    t: int
    clock: int
    facts: tuple[Fact, ...] = ()
    board: BoardChange | None = None
    score: dict[str, int] | None = None
    pending: Pending | None = None
    table: SessionChange | None = None
    line: LineChange | None = None
    unplayed: int = 0


class Position(Struct, frozen=True):
    """The position after event ``n`` as a viewer may see it.

    Attributes:
        n: Number of the event.
        state: The state without everything that is hidden from the viewer.
        scene: The picture of ``state``.
        score: Points by seat, with the penalties at that time.
        pending: What can happen next.
        clock: Time of play in ms.
        names: The people at that time, by seat.
    """

    n: int
    state: Any
    scene: Scene
    score: dict[str, int]
    pending: Pending
    clock: int
    names: dict[str, str]


class EventStatus(Struct, frozen=True):
    """The state of an event: it counts, or event ``ended_by`` undid, corrected or withdrew it.

    A ruling is ``withdrawn`` if another ruling has withdrawn or replaced it, and a claim if its player has
    withdrawn it. Takebacks do not undo rulings, claims, notes and the like.

    Attributes:
        state: Whether the event counts, or how it stopped counting.
        ended_by: Number of the event that changed its state; 0 if there is none.
        replaced_by: Number of the event recorded instead of a corrected event; 0 if there is none.
        is_disputed: Whether the event was illegal or declares the position, and no ruling is in force.
    """

    state: Literal["stands", "undone", "corrected", "withdrawn", "refused"] = "stands"
    ended_by: int = 0
    replaced_by: int = 0
    is_disputed: bool = False


STEP_ENCODER = msgspec.json.Encoder()
"""The encoder of steps as rows of JSON."""
