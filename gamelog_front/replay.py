"""Replays, which `gamelog.read` returns, and their steps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import PurePath
from typing import Any, Generic, TypeVar, cast, overload

from msgspec import Struct

from gamelog.errors import BrokenGame
from gamelog.finding import Finding
from gamelog.message import Message, many
from gamelog.play.contract.effects import Effect
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold import game_errors
from gamelog.play.fold.finding_codes import Status
from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import Event, Header, tag_of
from gamelog.record.escaping import shorten
from gamelog.record.reading import problem_error
from gamelog_front import pictures

StateT_co = TypeVar("StateT_co", bound=Struct, covariant=True)
EventT_co = TypeVar("EventT_co", bound=Event, covariant=True)


class Step(Generic[StateT_co, EventT_co]):
    """One event of a record, with the positions before and after it. Notebooks show it as a board.

    >>> step = gamelog.read("sample_games/slicewars/short.jsonl")[2]
    >>> step.n, step.event.by, step.text, step.stands
    (2, 'blue', 'Rui claims G5.', True)
    """

    __slots__ = ("_view", "n")

    def __init__(self, view: RecordView, n: int) -> None:
        """Create the step of event `n`. To get a step, use a `Replay` or a `Recorder`."""
        self._view = view
        self.n = n

    @property
    def event(self) -> EventT_co | Event:
        """The event: one of the game's own, or one common to all games (a note, a takeback, …)."""
        event = self._view.whole_event(self.n)
        assert event is not None, "the view of a step shows everything"
        return event

    @property
    def before(self) -> StateT_co:
        """The state before the event."""
        return cast(StateT_co, self._view.state(self.n - 1))

    @property
    def after(self) -> StateT_co:
        """The state after the event."""
        return cast(StateT_co, self._view.state(self.n))

    @property
    def score(self) -> dict[str, int]:
        """The points of each seat after the event, with the penalties at that time. Empty without points."""
        return self._view.position(self.n).score

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The effects of the event, in the order in which they happen.

        Raises:
            GamelogError: The code of the game failed.
        """
        try:
            return self._view.effects(self.n)
        except Exception as error:
            failure = game_errors.failure_finding(error, self._view.game)
            raise BrokenGame(Message.of("{problem}.", problem=failure.message)) from error

    @property
    def text(self) -> str:
        """A sentence about the event. It is empty if the game has none for it."""
        return self._view.sentence(self.n)

    @property
    def stands(self) -> bool:
        """Whether the event is on the main line: not taken back, and not a takeback itself."""
        return self._view.stands(self.n)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Step) and (self._view, self.n) == (other._view, other.n)

    def __hash__(self) -> int:
        return hash((id(self._view), self.n))

    def __repr__(self) -> str:
        return f"<Step {self.n}: {shorten(self.text or tag_of(type(self.event)))}>"

    def _repr_svg_(self) -> str:
        return pictures.board_svg(self._view, self.n)

    def _repr_html_(self) -> str:
        return pictures.figure_html(self._view, self.n)


class Replay(Generic[StateT_co, EventT_co]):
    """A record and its play, as far as it can be judged. Notebooks show it as a page.

    The replay has a `Step` for every event before the first bad event, and ``findings`` give the reason. If
    the game of a record is not installed, its replay has no steps. Each step has the number of its event,
    starting from 1. Iteration yields all steps, and `main_line` returns the steps that count.

    >>> evening = gamelog.read("sample_games/slicewars/takeback.jsonl")
    >>> evening.status, evening.finished, len(evening), len(evening.main_line())
    ('ok', False, 145, 142)
    >>> evening.seats
    {'red': 'Ana', 'blue': 'Rui'}
    """

    def __init__(self, folded: FoldedRecord) -> None:
        """Make the replay of a judged record.

        Raises:
            RecordError: The record has no header. The error is the problem of its first line.
        """
        record = folded.record
        if record.header is None:
            assert record.problem is not None  # a record without a problem has a header
            raise problem_error(record.problem, record.path)
        try:
            self._outcome = folded.fold.outcome if folded.fold else None
        except Exception as error:
            finding = game_errors.failure_finding(error, folded.fold.game if folded.fold else None)
            folded = FoldedRecord(record, None, [], [*folded.findings, finding])
            self._outcome = None
        self._header = record.header
        self._folded = folded
        self._view = RecordView(folded.fold) if folded.fold else None

    @property
    def header(self) -> Header:
        """The header of the record: id, game, rules, seats, options, board, dice, tags."""
        return self._header

    @property
    def seats(self) -> dict[str, str]:
        """The current names by seat, in seat order. A seat without a name has an empty one."""
        people = self._view.people if self._view else self._header.seats
        return {seat.seat: seat.name for seat in people}

    @property
    def status(self) -> Status:
        """The status: ``ok``, ``ruled``, ``disputed``, ``illegal``, ``torn``, ``damaged`` or ``unknown``."""
        return self._folded.status

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The problems of the record. Most records have none."""
        return tuple(self._folded.findings)

    @property
    def outcome(self) -> Outcome | None:
        """The winners and the reason when the game is over. Several winners share the victory."""
        return self._outcome

    @property
    def finished(self) -> bool:
        """Whether the game is over, as far as the record could be followed."""
        return self._outcome is not None

    def main_line(self) -> tuple[Step[StateT_co, EventT_co], ...]:
        """Return the steps that count, without takebacks and the events that they undid."""
        view = self._view
        return tuple(Step(view, n) for n in view.main_line_numbers()) if view else ()

    def __len__(self) -> int:
        return self._view.last_number if self._view else 0

    def __bool__(self) -> bool:
        return True

    @overload
    def __getitem__(self, n: int) -> Step[StateT_co, EventT_co]: ...
    @overload
    def __getitem__(self, n: slice) -> tuple[Step[StateT_co, EventT_co], ...]: ...
    def __getitem__(
        self, n: int | slice
    ) -> Step[StateT_co, EventT_co] | tuple[Step[StateT_co, EventT_co], ...]:
        """Return the step of event `n` (from the end if negative), or the steps of a slice.

        The end of a slice is not part of it: ``replay[1:3]`` has the steps of events 1 and 2.

        Raises:
            IndexError: Event `n` has no step.
        """
        if isinstance(n, slice):
            return tuple(self[number] for number in range(len(self) + 1)[n] if number)
        view, number = self._view, n if n >= 0 else len(self) + 1 + n
        if view is None:
            raise IndexError("the record has no steps")
        if not 1 <= number <= view.last_number:
            raise IndexError(f"there is no step {n}; they go from 1 to {len(self)}")
        return Step(view, number)

    def __iter__(self) -> Iterator[Step[StateT_co, EventT_co]]:
        return (self[n] for n in range(1, len(self) + 1))

    def __reversed__(self) -> Iterator[Step[StateT_co, EventT_co]]:
        return (self[n] for n in range(len(self), 0, -1))

    def __repr__(self) -> str:
        file = shorten(PurePath(self._folded.record.path).name, 30)
        winners = " and ".join(self._outcome.winners) if self._outcome else ""
        ended = f", won by {shorten(winners, 30)}" if winners else ", a draw" if self._outcome else ""
        return (
            f"<Replay {file}: {shorten(self._header.game, 20)}, {self.status}, "
            f"{many(len(self), 'step')}{ended}>"
        )

    def _repr_html_(self) -> str:
        return pictures.frame_page(self._page)

    @cached_property
    def _page(self) -> str:
        return pictures.page_html(self._folded)


def folded_record_of(game: Replay[Any, Any]) -> FoldedRecord:
    """Return the folded record that a replay was made of, for other modules of this package."""
    return game._folded
