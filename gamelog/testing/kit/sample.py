"""What the kit looks at: random games of every number of players, on every board, under varied options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from time import monotonic
from typing import Any, ClassVar

from gamelog.chance.rng import Random, generator
from gamelog.errors import BadSetup
from gamelog.play.contract.game import AnyGame
from gamelog.record.envelope import Event, tag_of
from gamelog.testing.kit.options import variations
from gamelog.testing.plays import Play, play

GAMES = 10
"""Games of each number of players."""

SECONDS = 60.0
"""How long they may take to be played, all together; after that one game of each number of players is enough."""

LONGEST = 20_000
"""Events after which a game between bots that play at random counts as endless."""

SLOW = 24
"""States or events of one game that the slow checks look at: all of a short game, some of a long one."""


class Sample:
    """The random games of one game, played once."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        """`GAMES` games of every number of players, boards in turn, and one game under each changed option.

        A game that is over before it begins is not among them: it is found where the options are tried.
        """
        return tuple(found for found in self._played() if found.events)

    def _played(self) -> Iterator[Play]:
        boards, numbers = list(self.game.boards), sorted(self.game.seats)
        end = monotonic() + SECONDS
        for index in range(GAMES):
            for players in numbers:
                if index and monotonic() > end:
                    return
                with suppress(BadSetup):  # a board need not be for every number of players
                    yield self._play(index, players, boards[index % len(boards)])
        for index, change in enumerate(variations(self.game.Options), GAMES):
            if monotonic() > end:
                return
            with suppress(BadSetup):
                yield self._play(index, numbers[index % len(numbers)], boards[index % len(boards)], **change)

    def _play(self, index: int, players: int, board: str, **options: Any) -> Play:
        return play(self.game, index, players, board=board, max_events=LONGEST, **options)

    def states(self, *purpose: str) -> Iterator[tuple[Play, Any]]:
        """Some states of every game, each with its game. `purpose` chooses which."""
        for found in self.plays:
            for state in found.some_states(generator(*purpose), SLOW):
                yield found, state

    def steps(self, *purpose: str) -> Iterator[tuple[Play, Any, Event, Any]]:
        """Some steps of every game: state before, event, state after. Rare kinds of events come first."""
        for found in self.plays:
            for at in self._some(found, generator(*purpose)):
                yield found, found.states[at], found.events[at], found.states[at + 1]

    def _some(self, found: Play, rng: Random) -> list[int]:
        numbers = list(range(len(found.events)))
        if len(numbers) <= SLOW:
            return numbers
        often = Counter(type(event) for event in found.events)
        rng.shuffle(numbers)
        return sorted(sorted(numbers, key=lambda at: often[type(found.events[at])])[: SLOW // 2] + numbers[: SLOW // 2])

    @cached_property
    def kinds(self) -> dict[str, list[Event]]:
        """Events of all games by tag, at most a thousand of each."""
        kinds: dict[str, list[Event]] = {}
        for found in self.plays:
            for event in found.events:
                known = kinds.setdefault(tag_of(type(event)), [])
                if len(known) < 1_000:
                    known.append(event)
        return kinds


_samples: dict[int, Sample] = {}


class Checks:
    """What every group of checks has: the game, and its sample."""

    game: ClassVar[AnyGame]

    @property
    def sample(self) -> Sample:
        """The random games, played once for each game."""
        found = _samples.get(id(self.game))
        if found is None or found.game is not self.game:
            found = _samples[id(self.game)] = Sample(self.game)
        return found
