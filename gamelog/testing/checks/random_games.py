"""The sample of the kit: random games for every number of players, on every board, with varied options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property, wraps
from time import monotonic
from typing import Any, ClassVar

import pytest

from gamelog.chance.rng import Random, generator
from gamelog.errors import BadSetup
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.game_calls import forbid_exit, modules_running
from gamelog.play.contract.registry import foreign_code_runs
from gamelog.play.contract.seats import MemoryBot
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.start import start
from gamelog.play.recording.header import new_header
from gamelog.record.envelope import Event, Seat, tag_of
from gamelog.testing.checks.author_errors import author_error_text
from gamelog.testing.checks.limits import time_limit
from gamelog.testing.checks.malformed_events import MalformedEvents
from gamelog.testing.checks.options import variations
from gamelog.testing.plays import Play, play, play_on

GAMES_PER_PLAYER_COUNT = 10
"""Number of games for each number of players."""

_MAX_PLAY_SECONDS = 60.0
"""Maximum time for playing all games. After this time, one game for each number of players is enough."""

MAX_BOT_EVENTS = 20_000
"""Number of events after which a game between random bots counts as endless."""

MAX_TRIED_STATES = 20
"""Number of states of one game in which unplayed events are tried."""

MAX_UNPLAYED_EVENTS = 40
"""Number of unplayed events that are tried in each of these states."""

_START_TIME = "2026-01-01T12:00:00Z"
"""The start of the games in their headers."""

MAX_SLOW_POSITIONS = 24
"""Maximum number of states or events of one game in the slow checks."""


def names_of_boards(game: AnyGame) -> list[str | None]:
    """Return the names of the built-in boards, or None if all games have the same board."""
    return list(game.boards) or [None]


_tested_packages: set[str] = set()
"""The packages of the games that the kit has tested in this process."""


def _tested_code_runs() -> bool:
    """Return whether code of a tested game is running in this thread."""
    packages = _tested_packages - {"gamelog"}
    return foreign_code_runs() or any(name.partition(".")[0] in packages for name in modules_running())


class Sample:
    """The random games of one game, each played once."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        _tested_packages.add(game.start.__module__.partition(".")[0])
        forbid_exit(_tested_code_runs)  # an exit would end the tests without a message
        self.place = ""
        """Sentence on the present event of the check, or empty if the check does not look at an event."""
        self._stopped: BaseException | None = None

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        """Random games for every number of players, on every board, and with every changed option.

        There are `GAMES_PER_PLAYER_COUNT` games for each number of players, and some of them have
        resignations. A game that is over at its start is not included. The checks of the options find it.

        Raises:
            pytest.fail.Exception: A game cannot be played.
        """
        if self._stopped:  # no other check tries again
            raise self._stopped
        try:
            return tuple(played for played in self._play_all() if played.events)
        except pytest.fail.Exception as stopped:
            self._stopped = stopped
            raise

    def _play_all(self) -> Iterator[Play]:
        """Yield the games of the sample: players, boards and resignations first, then varied options."""
        numbers = sorted(self.game.seats)
        boards = {players: self._boards(players) for players in numbers}
        end = monotonic() + _MAX_PLAY_SECONDS
        for index in range(max(GAMES_PER_PLAYER_COUNT, *map(len, boards.values()))):
            for players in numbers:
                if index and monotonic() > end:
                    return
                if boards[players]:
                    played = self._play(index, players, boards[players][index % len(boards[players])])
                    yield played
                    if index == 0 or (index == 1 and players == numbers[-1]):
                        yield from self._resign_twice(played, on_turn=(index + players) % 2 == 1)
        names = names_of_boards(self.game)
        for index, change in enumerate(variations(self.game.Options), GAMES_PER_PLAYER_COUNT):
            if monotonic() > end:
                return
            with suppress(BadSetup):
                yield self._play(index, numbers[index % len(numbers)], names[index % len(names)], **change)

    def _boards(self, players: int) -> list[str | None]:
        """Return the boards for this number of players."""
        boards = []
        for name in names_of_boards(self.game):
            with suppress(BadSetup):
                start(
                    self.game,
                    new_header(
                        self.game,
                        [Seat(seat) for seat in self.game.seats[players]],
                        id="kit",
                        started=_START_TIME,
                        board=name,
                    ),
                )
                boards.append(name)
        return boards

    def _play(self, index: int, players: int, board: str | None, **options: Any) -> Play:
        try:
            return play(self.game, index, players, board=board, max_events=MAX_BOT_EVENTS, **options)
        except Exception as error:
            changed = f" with {options}" if options else ""
            where = f" on the board {board}" if board else ""
            error.add_note(f"This was game {index} between random bots: {players} players{where}{changed}.")
            raise

    def _resign_twice(self, played: Play, *, on_turn: bool) -> Iterator[Play]:
        """Yield the rest of `played` after one seat resigns, then the rest after a second seat resigns too.

        One of these seats is to move, the other one is not. Yield nothing for bots with a memory, because
        they cannot continue a game.
        """
        if isinstance(self.game.bots["random"], MemoryBot):
            return
        for now in (on_turn, not on_turn):
            place = self._resignation(played, len(played.events) // 3, on_turn=now)
            if place is None:
                return
            played = play_on(played, *place, max_events=MAX_BOT_EVENTS)
            yield played

    def _resignation(self, played: Play, begin: int, *, on_turn: bool) -> tuple[int, str] | None:
        """Return the first state from `begin` on in which a seat can resign without ending the game.

        The seat is returned too.
        """
        for at in range(begin, len(played.events)):
            pending = self.game.pending(played.states[at])
            for seat in played.header.seat_ids:
                if (
                    self.game.retire is None
                    or not pending.by
                    or (seat in pending.by) != on_turn
                    or seat in played.resigned_seats
                ):
                    continue
                after = self.game.retire(played.states[at], seat)
                if not isinstance(after, Violation) and self.game.pending(after).outcome is None:
                    return at, seat
        return None

    def states(self, *purpose: str) -> Iterator[tuple[Play, Any]]:
        """Yield some states of every game, each with its game. `purpose` is the seed of the choice."""
        for played in self.plays:
            for at in played.some_numbers(generator(*purpose), MAX_SLOW_POSITIONS):
                self._look_at(played, at, played.events[at - 1] if at else None)
                yield played, played.states[at]
        self.place = ""

    def steps(self, *purpose: str) -> Iterator[tuple[Play, Any, Event, Any]]:
        """Yield some steps of every game: state before, event, state after.

        Rare kinds of events are preferred.
        """
        for played in self.plays:
            for at in self._some_indices(played, generator(*purpose)):
                self._look_at(played, at + 1, played.events[at])
                yield played, played.states[at], played.events[at], played.states[at + 1]
        self.place = ""

    def unplayed_events(self) -> Iterator[tuple[Play, int, Event]]:
        """Yield games, numbers of states, and events that were not played there."""
        for played, at, event in self._unplayed_events:
            before = played.events[at - 1] if at else None
            self._look_at(played, at, before, f"{event}, which was not played, was tried ")
            yield played, at, event
        self.place = ""

    def _look_at(self, played: Play, n: int, event: Event | None, begin: str = "This was ") -> None:
        """Set the place of the check: event `n`, or the start of the game."""
        where = f"at event {len(played.lead) + n}: {event}" if event else "at the start of a game"
        players = len(played.header.seats)
        self.place = f"{begin}{where}{',' if event else ''} with {players} players."

    def _some_indices(self, played: Play, rng: Random) -> list[int]:
        numbers = list(range(len(played.events)))
        if len(numbers) <= MAX_SLOW_POSITIONS:
            return numbers
        often = Counter(type(event) for event in played.events)
        rng.shuffle(numbers)
        return sorted(
            sorted(numbers, key=lambda at: often[type(played.events[at])])[: MAX_SLOW_POSITIONS // 2]
            + numbers[: MAX_SLOW_POSITIONS // 2]
        )

    @cached_property
    def kinds(self) -> dict[str, list[Event]]:
        """Events of all games by tag, at most a thousand for each tag."""
        kinds: dict[str, list[Event]] = {}
        for played in self.plays:
            for event in played.events:
                known = kinds.setdefault(tag_of(type(event)), [])
                if len(known) < 1_000:
                    known.append(event)
        return kinds

    @cached_property
    def _unplayed_events(self) -> tuple[tuple[Play, int, Event], ...]:
        """Triples of a game, the number of a state, and an event that was not played there."""
        return tuple(self._find_unplayed(monotonic() + _MAX_PLAY_SECONDS))

    def _find_unplayed(self, end: float) -> Iterator[tuple[Play, int, Event]]:
        for played in self.plays:
            rng = generator("strange", len(played.events))
            malformed = MalformedEvents(self.game, self.kinds, played.header.seat_ids)
            for at in rng.sample(range(len(played.events)), min(MAX_TRIED_STATES, len(played.events))):
                if monotonic() > end:
                    return
                by = self.game.pending(played.states[at]).by
                for event in (
                    *malformed.targeted_events(by),
                    *malformed.random_events(rng, MAX_UNPLAYED_EVENTS, played.events[at], by),
                ):
                    yield played, at, event


_samples: dict[int, Sample] = {}


def _with_place(check: Callable[..., None]) -> Callable[..., None]:
    """Return a check that adds the present event to its errors, and explains errors of the game's code."""

    @wraps(check)
    def run(self: Checks, *args: Any, **named: Any) -> None:
        """Run the check. A failure names the place in the sample and the function at fault."""
        self.sample.place = ""
        try:
            check(self, *args, **named)
            return
        except Exception as error:
            place, told = self.sample.place, author_error_text(self.game, error)
            if told is None:
                if place:
                    error.add_note(place)
                raise
        raise AssertionError(f"{told} {place}".rstrip())

    return run


class Checks:
    """Base class of all groups of checks, with the game and its sample."""

    game: ClassVar[AnyGame]

    def __init_subclass__(cls) -> None:
        for name, check in list(vars(cls).items()):
            if name.startswith("test_"):
                setattr(cls, name, _with_place(check))

    @pytest.fixture(autouse=True)
    def _in_time(self) -> Iterator[None]:
        """Limit the time of each check."""
        with time_limit():
            yield

    @property
    def sample(self) -> Sample:
        """The random games. They are played once for each game."""
        sample = _samples.get(id(self.game))
        if sample is None or sample.game is not self.game:
            sample = _samples[id(self.game)] = Sample(self.game)
        return sample
