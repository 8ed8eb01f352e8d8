"""The contract that a game fulfils: one frozen value, `Game`, whose members are plain functions.

This module does not fold, read or draw. A game's folder builds one `Game`, and the rest of the package works
with any of them. No code outside a game's folder knows its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from random import Random
from typing import Any, Generic, Protocol, TypeVar, cast

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from gamelog.chance.draws import Draw, Results
from gamelog.errors import BrokenGame
from gamelog.message import Message
from gamelog.play.contract.commitments import Commitments, no_commitments
from gamelog.play.contract.effects import Effect
from gamelog.play.contract.game_calls import exits_as_errors
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.scene import Scene
from gamelog.play.contract.translation import Translation
from gamelog.play.contract.violation import Violation
from gamelog.record.envelope import Event

StateT = TypeVar("StateT", bound=Struct)
EventT = TypeVar("EventT", bound=Event)
OptionsT = TypeVar("OptionsT", bound=Struct)
BoardT = TypeVar("BoardT")


class ChanceDue(Struct, frozen=True):
    """A chance event that must come next: its tag, its author, and its draws in recorded order."""

    do: str
    by: str
    draws: tuple[Draw, ...]


class Timeout(Struct, frozen=True):
    """A clock of the game: when it shows `at` (ms of play), the table records `event` first."""

    at: int
    event: Event


class Pending(Struct, frozen=True, omit_defaults=True):
    """The possible next steps: decisions of seats, chance, both, or nothing because the game is over.

    - ``by``: the seats that may act, usually one. `table` alone means that a judge records a fact that is
      neither a decision nor a draw.
    - ``together``: all seats in ``by`` decide, each once, and the recorded order has no meaning. A seat that
      has not decided is still to act.
    - ``chance``: the chance event that is due. It comes before anything else, or beside the decisions of the
      seats in ``by``, in any order (with commit-reveal dice it comes first).
    - ``outcome``: the result; the game is over.
    - ``timeout``, and ``timeouts`` if there are several: running clocks. A timeout comes before chance that
      is due. A game whose dice must come first sets no clock meanwhile.
    """

    by: tuple[str, ...] = ()
    chance: ChanceDue | None = None
    outcome: Outcome | None = None
    timeout: Timeout | None = None
    together: bool = False
    timeouts: tuple[Timeout, ...] = ()

    @property
    def all_timeouts(self) -> tuple[Timeout, ...]:
        """All running clocks."""
        return (self.timeout, *self.timeouts) if self.timeout else self.timeouts

    @property
    def next_timeout(self) -> Timeout | None:
        """The clock that runs out first."""
        return min(self.all_timeouts, key=lambda timeout: timeout.at) if self.timeouts else self.timeout


class Legal(Struct, frozen=True):
    """The events that a seat may choose.

    Attributes:
        complete: Whether the list contains every legal event (except chance). Otherwise, the list contains an
            event with the same result for every legal event. Omitted events only order equal pieces
            differently, or reach the same spaces on another path. Two results are the same if the same events
            with the same effects can follow.
        cut: Whether there are too many results for a list, so that the list contains examples of each kind
            and size. In this case, only ``check`` decides which events are legal. If the list is empty, only
            the seat itself knows its legal events, because it opens its own commitment. A bot with a memory
            can choose; ``sample`` is not called.
    """

    events: tuple[Event, ...]
    complete: bool = True
    cut: bool = False

    def __post_init__(self) -> None:
        if self.cut:
            force_setattr(self, "complete", False)


class Bot(Protocol):
    """A function that chooses one legal event for `seat`.

    `state` is what the seat may see. `rng` is the only source of chance that the bot may use.
    """

    def __call__(self, state: Any, seat: str, rng: Random, /) -> Event: ...


class NoOptions(Struct, frozen=True):
    """Options of a game that has none."""


def reject_board(_data: dict[str, Any]) -> Any:
    """Reject a board, for games that have only one.

    Raises:
        ValueError: Always.
    """
    raise ValueError("this game has only one board, so you cannot choose a board")


def reject_chance(_state: Any, _results: Results) -> Any:
    """Reject chance results, for games without chance. Called only if `pending` says that chance is due.

    Raises:
        NotImplementedError: Always.
    """
    raise NotImplementedError("pending says that chance is owed, and the game has no function chance")


def no_points(_state: Any) -> dict[str, int]:
    """Return no points, for games without points."""
    return {}


def observe_all(state: Any, _seat: str | None) -> Any:
    """Return the whole state, for games without hidden information."""
    return state


class SampleFromLegal:
    """The default ``sample`` of a game: any legal event of the seat."""

    def __init__(self, legal: Callable[[Any, str], Any] | None = None) -> None:
        self._legal = legal

    def __call__(self, state: Any, seat: str, rng: Random, /) -> Any:
        """Return one of the legal events.

        Raises:
            BrokenGame: The list is empty.
        """
        assert self._legal is not None, "Game.__post_init__ sets the list"
        events = self._legal(state, seat).events
        if not events:
            raise BrokenGame(
                Message.of(
                    "{=seat} is to act, but the game's function legal returns no event for that seat.",
                    seat=seat,
                )
            )
        event: Event = rng.choice(events)
        return event


@dataclass(frozen=True, kw_only=True, eq=False)
class Game(Generic[StateT, EventT, OptionsT, BoardT]):
    """A complete game.

    States are frozen structs that compare and encode. The part that never changes during a game (seats,
    options, board) is in the state's member ``setup``. All functions are pure: they use no clock, no file and
    no random source other than the `rng` that they get.
    """

    # The game and its setup

    id: str
    """Id of the game in headers. It never changes."""
    title: str
    """Name of the game for people."""
    rules_version: str
    """Version of the rules in headers. It changes when the rules change."""
    rules: Callable[[], str]
    """``rules()``: return the text of RULES.md, for help and for the texts of broken rules."""
    seats: Mapping[int, tuple[str, ...]]
    """For each number of players, the seats in their order around the table."""
    Options: type[OptionsT] = field(default=cast("Any", NoOptions))
    """Frozen struct whose fields have the rulings as their defaults. Its ``__post_init__`` raises ValueError
    for combinations that make no sense. By default, there are no options.
    """
    resolve: Callable[[OptionsT], OptionsT] = field(default=lambda options: options)
    """``resolve(options)``: return the options of a new game. If the given options leave open what a later
    ruling has settled, the header gets the settled value. Gamelog reads records without this function, so
    older headers keep their meaning. By default, the options do not change.
    """
    boards: Mapping[str, Callable[[], dict[str, Any]]] = field(default_factory=dict)
    """Names of the built-in boards, the standard one first, each with a function that returns its plain data.
    By default, the game has only one board: headers contain ``none``, and ``start`` gets None.
    """
    read_board: Callable[[dict[str, Any]], BoardT] = reject_board
    """``read_board(data)``: return the game's board value. Raise ValueError with one sentence if the data are
    not a board.
    """
    start: Callable[[OptionsT, BoardT, tuple[str, ...]], StateT]
    """``start(options, board, seats)``: return the state before the first event. Raise ValueError if the
    three do not go together.
    """

    # The events and their order

    events: tuple[type[EventT], ...]
    """Event types, derived from `Event`, each with a tag."""
    chance_events: tuple[type[EventT], ...] = ()
    """Event types that record chance, which are among ``events``."""
    pending: Callable[[StateT], Pending]
    """``pending(state)``: return the seats that may act, the chance that is due, or the result."""
    check: Callable[[StateT, EventT], Violation | None]
    """``check(state, event)``: return the rule that forbids the event, or None. It judges any event of the
    game and raises no error. ``event.t`` is the game's clock: milliseconds of play without pauses.
    """
    apply: Callable[[StateT, EventT], StateT]
    """``apply(state, event)``: return the next state. It accepts every event that ``check`` accepts. For any
    other event of the game it does what would physically happen, or raises `CannotApply`.
    """
    chance: Callable[[StateT, Results], EventT] = reject_chance
    """``chance(state, results)``: return the chance event that is due, with these results, one tuple for each
    draw. It accepts any results of the right number, possible or not: ``check`` judges them. A game without
    chance has none.
    """
    classes: Callable[[StateT], tuple[tuple[Results, Fraction], ...] | None] = field(
        default=lambda _state: None
    )
    """``classes(state)``: return results that stand for all results of the chance that is due, each with the
    exact probability of its class. Every result must lead to the state that one of these results leads to.
    Programs that need all states after a roll are faster with it: a contest of many dice has two classes.
    Return None if the draws say enough (`Dice.summed`). By default, None.
    """
    together: bool = False
    """Whether `Pending.together` is ever true. For such decisions the play digest and the comparison of two
    records ignore the recorded order.
    """
    canonical: Callable[[EventT], EventT] = field(default=lambda event: event)
    """``canonical(event)``: return the event with its unordered parts sorted, such as dice that are added up
    or a set of squares. The framework sorts the keys of mappings. Two events with the same canonical form are
    the same play: ``apply`` makes the same state from both. The play digest and the comparison of two records
    use it. By default, the event itself.
    """
    agreed: Mapping[type[EventT], Callable[[Any], tuple[str, ...]]] = field(default_factory=dict)
    """Event types that one seat records after other seats have agreed (a trade), each with the function that
    returns those seats. Their `@accept` of such an event is possible until the next play. It is evidence and
    changes nothing. A player who did not agree records a `@claim`.
    """
    retire: Callable[[StateT, str], StateT | Violation] | None = None
    """``retire(state, seat)``: return the state after the seat has resigned in a game of more than two seats,
    or a `Violation`. None: the game has no resigning.
    """

    # Decisions

    legal: Callable[[StateT, str], Legal]
    """``legal(state, seat)``: return the decisions that the seat may make now, none while only others may
    act. `state` is what that seat may see (``observe``).
    """
    sample: Callable[[StateT, str, Random], EventT] = field(default=SampleFromLegal())
    """``sample(state, seat, rng)``: return one of these decisions at random, of the same state as ``legal``.
    By default, it chooses from the list, but it may choose without listing all decisions.
    """
    bots: Mapping[str, Bot] = field(default_factory=dict)
    """Bots by name. ``random`` is there by default and uses ``sample``. A game with points should have a
    ``greedy`` bot. In a game in which a judge records facts, ``table`` invents them for simulations; without
    it the game cannot be simulated.
    """

    # Consequences and points

    effects: Callable[[StateT, EventT, StateT], tuple[Effect, ...]]
    """``effects(before, event, after)``: return the consequences, in the order in which they happen."""
    score: Callable[[StateT], dict[str, int]] = no_points
    """``score(state)``: return the current points of each seat, which decide who is ahead. By default, there
    are no points.
    """
    unit: str = "points"
    """Name of the things that the score counts, in the plural (``territories``)."""
    scored: tuple[str, ...] = ()
    """Names of the state's members that determine the points, without ``setup``. While all these members are
    the same objects as before, Gamelog does not call ``score`` again, so ``apply`` should pass on unchanged
    members. By default, Gamelog compares the state as a whole.
    """

    # Chances

    features: Callable[[StateT, str], tuple[float, ...]] = field(default=lambda _state, _seat: ())
    """``features(state, seat)``: return numbers that say how well the seat is placed, of about the size of 1,
    for evaluators, which estimate the chances of the seats. The number of values must not change. `state` is
    the whole state. By default, none: an evaluator uses the points, the seat that is to act and the progress
    of the game.
    """
    progress: Callable[[StateT], float | None] = field(default=lambda _state: None)
    """``progress(state)``: return the part of the game that is over, from 0 to 1. By default, None:
    programs then compare the number of events with the usual number.
    """

    # Hidden information

    observe: Callable[[StateT, str | None], StateT] = field(default=observe_all)
    """``observe(state, seat)``: return the state without everything that the seat does not know. Seat None
    sees everything. By default, nothing is hidden.
    """
    determinise: Callable[[StateT, str, Random], StateT] | None = None
    """``determinise(state, seat, rng)``: return a whole state that looks like `state` to the seat, which is
    to act. `state` is what that seat may see. Hidden parts are drawn at random, so that bots can play on.
    None: if the game hides something, bots that search cannot search, and play like ``greedy``.
    """
    seen: Callable[[EventT, StateT, str], EventT | dict[str, Any] | None] = field(
        default=lambda event, _before, _seat: event
    )
    """``seen(event, before, seat)``: return the event, applied to the state `before`, as the seat sees it:
    whole, `without` some of its members, or None if the seat sees only that something happened. Only this
    function decides what a seat learns about an event, illegal events included. Seats that see anything of
    the event see all its ``effects``. By default, every seat sees the whole event.
    """
    commitments: Callable[[StateT, str], Commitments] = no_commitments
    """``commitments(state, seat)``: return what the seat can commit to by a tap, or must open, in games in
    which a digest is recorded first (`gamelog.play.contract.commitments`). `state` is what that seat may see.
    By default, nothing.
    """

    # Pictures, words and input

    scene: Callable[[StateT, str | None], Scene]
    """``scene(state, seat)``: return the picture that the seat sees; seat None sees everything."""
    messages: Mapping[str, str]
    """English sentences for event tags and effect tags (`gamelog.play.rendering.sentences`)."""
    translation: Callable[[str], Translation] = field(default=lambda _language: Translation())
    """``translation(language)``: return the same sentences in another language (``pt``), if the game has
    them. By default, a game is only in English.
    """
    left: Callable[[StateT], str | Message] = field(default=lambda _state: "")
    """``left(state)``: return the remaining part of the player's turn in words (``3 dice left to place``),
    for the prompt. By default, an empty string, for games in which each turn is one decision.
    """
    due_rules: Callable[[StateT], tuple[str, ...]] = field(default=lambda _state: ())
    """``due_rules(state)``: return the ids of the rules about the next event or the roll that is due, for
    help. `state` is what a viewer may see. By default, none.
    """
    shorthand: Callable[[StateT, tuple[str, ...]], tuple[EventT, ...] | Violation | None] = field(
        default=lambda _state, _words: None
    )
    """``shorthand(state, words)``: return the events that players' short words may mean, if these are not the
    event's members in order (a start and a target without the path between). Return a `Violation` if they
    mean nothing legal, and None for all other words. By default, a game has no words of its own.
    """
    taps: Callable[[StateT, EventT], tuple[str, ...]] | None = None
    """``taps(state, event)``: return the things that a person taps to enter the event, a decision that is
    legal in the state: ids of cells and pieces, names of zones of the scene, seats, or words. The last tap is
    the event's end and selects the event if no other event ends there; the other taps only begin it. Events
    of one type with the same taps look the same to people. They must lead to equal states, or be paths
    between the same ends. By default, taps follow from the event's members (`gamelog.play.view.tapping`).
    """

    # Positions as plain data

    describe: Callable[[StateT], dict[str, Any]] | None = None
    """``describe(state)``: return the changing part of the state as plain data for other programs. By
    default, the state's members without ``setup``.
    """
    declare: Callable[[StateT, dict[str, Any]], StateT] | None = None
    """``declare(now, words)``: return the state that the words, in the form of ``describe``, describe, with
    the setup of `now`. It is used for positions whose moves were not recorded. Play must be able to continue
    from it. A position that is decided by the rules is returned as one that is over, and the record refuses
    it. Raise ValueError, KeyError or `msgspec.ValidationError` if the words are not a position. By default,
    `words` are the state's members.
    """

    def __post_init__(self) -> None:
        """Contain the functions of the game, copy its mappings, and add the default bot ``random``."""
        for member in fields(self):
            value = getattr(self, member.name)
            if callable(value) and not isinstance(value, type):
                object.__setattr__(self, member.name, exits_as_errors(value))
        for name in ("seats", "messages"):  # a mapping may have code of its own
            mapping = getattr(self, name)
            object.__setattr__(self, name, {key: mapping[key] for key in mapping})
        for name in ("boards", "bots", "agreed"):
            functions = {key: exits_as_errors(value) for key, value in getattr(self, name).items()}
            object.__setattr__(self, name, functions)
        if isinstance(self.sample, SampleFromLegal):
            object.__setattr__(self, "sample", SampleFromLegal(self.legal))
        if isinstance(self.bots.get("random", SampleFromLegal()), SampleFromLegal):
            others = {name: bot for name, bot in self.bots.items() if name != "random"}
            object.__setattr__(self, "bots", {"random": self.sample, **others})

    @property
    def has_points(self) -> bool:
        """Whether the seats have points."""
        return self.score is not no_points

    @property
    def all_seats(self) -> tuple[str, ...]:
        """The seats of games of all sizes, first those of the largest game."""
        sizes = sorted(self.seats, reverse=True)
        return tuple(dict.fromkeys(seat for players in sizes for seat in self.seats[players]))

    @property
    def hides(self) -> bool:
        """Whether the game has hidden information."""
        return self.observe is not observe_all

    def __repr__(self) -> str:
        return f"<Game {self.id}, rules {self.rules_version}>"


AnyGame = Game[Any, Any, Any, Any]


def without(event: Event, *members: str) -> dict[str, Any]:
    """Return `event` as plain data without these `members`, for `Game.seen`."""
    data: dict[str, Any] = msgspec.to_builtins(event)
    for member in members:
        del data[member]
    return data
