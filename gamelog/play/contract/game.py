"""The contract a game fulfils: one frozen value, `Game`, whose members are plain functions.

Nothing here folds, reads or draws. A game's folder builds one `Game` and the rest of the package
works with any of them; nothing outside a game's folder knows its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from random import Random
from typing import Any, Generic, Protocol, TypeVar, cast

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from gamelog.chance.draws import Draw, Results
from gamelog.message import Message
from gamelog.play.contract.commitments import Commitments, no_commitments
from gamelog.play.contract.defaults import (
    FromList,
    NoOptions,
    no_chance,
    no_choice_of_board,
    no_points,
    sees_all,
)
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
    """A chance event that must come next: its tag, whose duty it is, and what is drawn, in recorded order."""

    do: str
    by: str
    draws: tuple[Draw, ...]


class Timeout(Struct, frozen=True):
    """The game's clock runs out: once it shows `at` (ms of play), the table records `event` first."""

    at: int
    event: Event


class Pending(Struct, frozen=True, omit_defaults=True):
    """What can happen now: the game is over, or somebody may act, or chance is owed, or both of these.

    ``by``: the seats that may act, most often one; or ``table`` alone, where a judge writes a fact down that
    is neither decision nor draw; ``together``: they all decide, each once, and the order in which that is
    written down means nothing, so that whoever has not decided is still to act; ``chance``: the chance event
    that is owed, before anything else, or beside what the seats in ``by`` may do meanwhile, in whatever order
    they come (with commit-reveal dice it comes first); ``outcome``: the game is over. ``timeout``, and
    ``timeouts`` where there are several: clocks run beside it, and go before chance that is owed; a game
    whose dice must come first sets none meanwhile.
    """

    by: tuple[str, ...] = ()
    chance: ChanceDue | None = None
    outcome: Outcome | None = None
    timeout: Timeout | None = None
    together: bool = False
    timeouts: tuple[Timeout, ...] = ()

    @property
    def all_timeouts(self) -> tuple[Timeout, ...]:
        """All the clocks that run."""
        return (self.timeout, *self.timeouts) if self.timeout else self.timeouts

    @property
    def next_timeout(self) -> Timeout | None:
        """The clock that runs out first."""
        return min(self.all_timeouts, key=lambda one: one.at) if self.timeouts else self.timeout


class Legal(Struct, frozen=True):
    """What may be played.

    ``complete``: the list holds every legal event (apart from chance).
    Otherwise it is canonical: every result is reached by an event of the list, and what is left out leads
    to the same result as some event of it (pieces that are alike named in another order, the same
    spaces walked in another). Two results are the same when from then on the same may be played with the same
    effects. ``cut``: there are more results than a list is good for, so it holds examples of them, each kind
    and size among them. Then ``check`` alone says what is legal.
    A list that is cut and empty is one that only the seat itself knows, which opens what it has committed
    itself to: a bot with a memory can choose, and ``sample`` is not asked.
    """

    events: tuple[Event, ...]
    complete: bool = True
    cut: bool = False

    def __post_init__(self) -> None:
        if self.cut:
            force_setattr(self, "complete", False)


class Bot(Protocol):
    """Chooses one legal event for `seat`. `state` is what it may see; `rng` is the only chance it may use."""

    def __call__(self, state: Any, seat: str, rng: Random, /) -> Event: ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Game(Generic[StateT, EventT, OptionsT, BoardT]):
    """A game, complete.

    ``id``, ``title``, ``rules_version``
        The id is written into records; rules that change get a new version.
    ``seats``
        For each number of players, the seats in their order round the table.
    ``Options``
        A frozen struct; every field has the ruling as its default. Raises ValueError for
        combinations that make no sense (in ``__post_init__``). By default there are none.
    ``resolve(options)``
        The options of a new game, where what was asked for leaves open what a later ruling has settled: its
        header holds what this gives. Records are read without it, so that what an older header says
        keeps its meaning. By default the options themselves.
    ``events``, ``chance_events``
        The event types (derived from `Event`, each with a tag), and those of them that record chance: by
        default none.
    ``boards``, ``read_board``
        The names of the built-in boards, the standard one first, each with its plain data; and
        the function that makes the game's board value of such data and raises ValueError with
        one sentence when it does not fit. By default every game is played on the same one, headers say
        ``none``, and ``start`` gets None.
    ``start(options, board, seats)``
        The state before the first event. Raises ValueError when the three do not go together.
    ``pending(state)``, ``check(state, event)``, ``apply(state, event)``
        Who may act; which rule forbids the event, or None; what happens. ``apply`` is total on
        what ``check`` accepts; on any other event of the game it does what would physically
        happen or raises `CannotApply`. All three are pure. ``event.t`` is the game's clock:
        milliseconds of play, pauses taken out.
    ``legal(state, seat)``, ``sample(state, seat, rng)``
        The decisions that `seat` may take now, none while others are to act; one of them at random, without
        listing them all: by default any of the list. `state` is what that seat may see (``observe``).
    ``chance(state, results)``
        The chance event that is owed, with these results (one tuple for each draw). Total on
        results of the right number, whether or not they are possible: ``check`` judges them. A game without
        chance has none.
    ``canonical(event)``
        The event with what has no order by the rules put in order: the dice of a hand that are added up, a
        set of squares. Mappings have no order anyway: the framework sorts their keys. Two events with one
        canonical form are the same play: ``apply`` makes the same state of them. The play digest and the
        comparison of two records work on it. By default the event itself.
    ``together``
        Whether `Pending.together` is ever so. Of such decisions the play digest and the comparison of two
        records ask only who took which, not in which order they were written down.
    ``agreed``
        The event types that one seat writes down and others agreed to (a trade), each with the function that
        names those others. Their `@accept` of such an event is taken until anything else is played. It is
        evidence and changes nothing; who never agreed says so with a `@claim`.
    ``effects(before, event, after)``
        The consequences, in order.
    ``score(state)``
        Points of each seat now: what "who is ahead" means in this game. By default there are no points.
    ``unit``
        What the score counts, in the plural (``territories``); by default points.
    ``scored``
        The names of the state's members on which the points depend, ``setup`` left out. While all of
        them are the very same objects as before, nobody asks ``score`` again, so ``apply`` had better
        hand on what it does not change. By default the state as a whole is watched.
    ``scene(state, seat)``, ``observe(state, seat)``
        The picture, and the state with what `seat` does not know taken out; seat None sees all.
    ``seen(event, before, seat)``
        The event, which found the state `before`, as `seat` sees it: whole, `without` some of its members, or
        None where it sees only that something happened. Nothing else decides what a seat is told of an event,
        illegal ones included; what follows from it (``effects``) is told to all who see anything of it. By
        default everybody sees all of it.
    ``messages``
        English sentences for event tags and effect tags (`gamelog.play.telling.messages`).
    ``translation(language)``
        The same in another language (``pt``), as far as the game speaks it; by default it speaks English
        alone.
    ``bots``
        By name. ``random`` is there by default and does what ``sample`` gives; a game with points brings a
        ``greedy``. Where a judge writes facts down, ``table`` makes them up for simulations; without it
        nobody can simulate the game.
    ``rules``
        The text of RULES.md.
    ``retire(state, seat)``
        What resigning means with more than two seats, or a `Violation`; None: the game has no resigning.
    ``describe(state)``
        The dynamic state as plain data for people's programs; by default the state's own members
        without the one called ``setup``.
    ``declare(now, words)``
        The way back, for positions whose moves were not written down: the state that `words`, in the
        form of ``describe``, tell of, with the setup of `now`. Play must be able to go on from it: a position
        that the rules call decided is given as one that is over, and the record refuses it.
        Raises ValueError, KeyError or `msgspec.ValidationError` for what is not a position. By
        default words are the state's own members.

    ``left(state)``
        How much of what is due is still to come before somebody else's turn, in words (``3 dice left to
        place``), for the prompt; by default nothing, as in games in which one decision is one turn.
    ``shorthand(state, words)``
        The events that players' own short words may stand for, where these are not the event's members in
        order (who walks and where to, without the way between); a `Violation` where they can mean nothing the
        rules allow, None for all other words. By default a game has no words of its own.
    ``taps(state, event)``
        What a person touches to say `event`, a decision that is legal in `state`: ids of cells and pieces and
        names of zones of the scene, seats, else words. The last is where it ends, and means the event where
        no other ends there; the others only begin it. Events of one type with the same taps, in whatever
        order, are the same to people: they lead to equal states, or are ways between the same ends. By
        default taps follow from the event's members (`gamelog.play.contract.tapping`).

    ``commitments(state, seat)``
        What `seat` can commit itself to by a tap, or has to open, in games in which a digest is written down
        first (`gamelog.play.contract.commitments`). `state` is what that seat may see. By default nothing.

    States are frozen structs that compare and encode. What never changes during a game (seats,
    options, board) stands in the state's member ``setup``.
    """

    id: str
    title: str
    rules_version: str
    seats: Mapping[int, tuple[str, ...]]
    events: tuple[type[EventT], ...]
    start: Callable[[OptionsT, BoardT, tuple[str, ...]], StateT]
    pending: Callable[[StateT], Pending]
    check: Callable[[StateT, EventT], Violation | None]
    apply: Callable[[StateT, EventT], StateT]
    legal: Callable[[StateT, str], Legal]
    effects: Callable[[StateT, EventT, StateT], tuple[Effect, ...]]
    scene: Callable[[StateT, str | None], Scene]
    messages: Mapping[str, str]
    rules: Callable[[], str]
    Options: type[OptionsT] = field(default=cast("Any", NoOptions))
    chance_events: tuple[type[EventT], ...] = ()
    boards: Mapping[str, Callable[[], dict[str, Any]]] = field(default_factory=dict)
    read_board: Callable[[dict[str, Any]], BoardT] = no_choice_of_board
    sample: Callable[[StateT, str, Random], EventT] = field(default=FromList())
    chance: Callable[[StateT, Results], EventT] = no_chance
    score: Callable[[StateT], dict[str, int]] = no_points
    bots: Mapping[str, Bot] = field(default_factory=dict)
    unit: str = "points"
    scored: tuple[str, ...] = ()
    together: bool = False
    agreed: Mapping[type[EventT], Callable[[Any], tuple[str, ...]]] = field(default_factory=dict)
    resolve: Callable[[OptionsT], OptionsT] = field(default=lambda options: options)
    canonical: Callable[[EventT], EventT] = field(default=lambda event: event)
    observe: Callable[[StateT, str | None], StateT] = field(default=sees_all)
    seen: Callable[[EventT, StateT, str], EventT | dict[str, Any] | None] = field(
        default=lambda event, _before, _seat: event
    )
    retire: Callable[[StateT, str], StateT | Violation] | None = None
    describe: Callable[[StateT], dict[str, Any]] | None = None
    translation: Callable[[str], Translation] = field(default=lambda _language: Translation())
    declare: Callable[[StateT, dict[str, Any]], StateT] | None = None
    left: Callable[[StateT], str | Message] = field(default=lambda _state: "")
    shorthand: Callable[[StateT, tuple[str, ...]], tuple[EventT, ...] | Violation | None] = field(
        default=lambda _state, _words: None
    )
    taps: Callable[[StateT, EventT], tuple[str, ...]] | None = None
    commitments: Callable[[StateT, str], Commitments] = no_commitments

    def __post_init__(self) -> None:
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
        if isinstance(self.sample, FromList):
            object.__setattr__(self, "sample", FromList(self.legal))
        if isinstance(self.bots.get("random", FromList()), FromList):
            others = {name: bot for name, bot in self.bots.items() if name != "random"}
            object.__setattr__(self, "bots", {"random": self.sample, **others})

    @property
    def has_points(self) -> bool:
        """Whether the seats have points."""
        return self.score is not no_points

    @property
    def hides(self) -> bool:
        """Whether there are things that a seat may not know."""
        return self.observe is not sees_all

    def __repr__(self) -> str:
        return f"<Game {self.id}, rules {self.rules_version}>"


AnyGame = Game[Any, Any, Any, Any]


def without(event: Event, *members: str) -> dict[str, Any]:
    """Return `event` as plain data without these `members`, for `Game.seen` of seats that do not see them."""
    told: dict[str, Any] = msgspec.to_builtins(event)
    for member in members:
        del told[member]
    return told
