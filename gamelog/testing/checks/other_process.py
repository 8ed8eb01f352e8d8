"""The check in another process: records of some games, folded with other hashes of strings.

    python -m gamelog.testing.checks.other_process MODULE NAME < RECORDS

prints the results of the game NAME in MODULE for these records. If a result depends on `hash`, on the order
of a set, on the time or on a random generator of the process, it differs from the result in the first
process.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from typing import Any

import msgspec

from gamelog.chance.rng import generator
from gamelog.play.contract.declare import describe_state
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.seats import MemoryBot, legal_for, sample_for
from gamelog.play.fold.start import start
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from gamelog.testing.checks.random_games import MAX_TRIED_STATES, Checks

_COMPARED_DECISIONS = 6
"""Number of decisions of each game at which all results are compared."""

_MAX_EVENTS = 500
"""Maximum number of events of each game in the other process."""


class OtherProcessChecks(Checks):
    """The check that the functions of the game give the same results in another process."""

    def test_another_process_gives_the_same_results(self) -> None:
        """Check that another process gives the same results, and that the game prints nothing."""
        place = _place_of(self.game)
        assert place, (
            "another process cannot load the game, because it is not a value of a module: write GAME = "
            "Game(...)"
        )
        one_each = {
            (len(game.header.seats), str(game.header.board)): game
            for game in self.sample.plays
            if not game.lead
        }
        games = [(game.header, game.events[:_MAX_EVENTS]) for game in one_each.values()][:MAX_TRIED_STATES]
        with redirect_stdout(StringIO()) as printed:
            here = [
                line for header, events in games for line in _results(self.game, compose(header, events)[0])
            ]
        assert not printed.getvalue(), (
            f"a function of the game prints: {printed.getvalue().splitlines()[0][:300]}; "
            "put text for people into messages and effects"
        )
        there = _results_elsewhere(place, [compose(header, events)[0] for header, events in games])
        for one, other in zip(here, there, strict=True):
            what, _, result = one.partition(" ")
            assert one == other, (
                f"{what} gives {result[:300]} here, but {other.partition(' ')[2][:300]} in another process"
            )


def _place_of(game: AnyGame) -> tuple[str, str] | None:
    """Return the module and name of `game` for other processes, if possible in the package of the game."""
    own = game.start.__module__.partition(".")[0]
    found = [
        (name, member)
        for name, module in list(sys.modules.items())
        for member, value in list(getattr(module, "__dict__", {}).items())
        if value is game and name != "__main__"
    ]
    return min(found, key=lambda place: (place[0].partition(".")[0] != own, place), default=None)


def _results_elsewhere(place: tuple[str, str], records: list[bytes]) -> list[str]:
    """Return the results of another process for these records.

    Raises:
        AssertionError: The process failed. The message has the last line of its error output.
    """
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    environment = os.environ | {
        "PYTHONHASHSEED": seed,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    command = [sys.executable, "-m", __name__, *place]
    done = subprocess.run(
        command, input=b"\0".join(records), capture_output=True, env=environment, check=False
    )
    assert done.returncode == 0, (
        f"the game fails in another process: {done.stderr.decode().splitlines()[-1:]}"
    )
    return done.stdout.decode().split("\n")


def _results(game: AnyGame, record: bytes) -> Iterator[str]:
    """Yield the results of the game's functions for a record, one line for each call."""
    folded = fold_record(parse_record(record), game)
    assert folded.fold is not None, folded.findings
    states = folded.fold.states
    yield f"start {_plain(start(game, folded.fold.header))}"
    yield f"apply {_plain(states[-1])}"
    decisions = [at for at, state in enumerate(states) if game.pending(state).by]
    for at in decisions[:: max(1, len(decisions) // _COMPARED_DECISIONS)]:
        yield from _results_at(game, states[at])
        if at < len(folded.events):
            yield f"effects {_plain(game.effects(states[at], folded.events[at], states[at + 1]))}"


def _results_at(game: AnyGame, state: Any) -> Iterator[str]:
    """Yield the results for one position in which a seat is to decide."""
    seat = game.pending(state).by[0]
    yield f"legal {_plain(legal_for(game, state, None))}"
    if legal_for(game, state, seat).events:
        yield f"sample {_plain(sample_for(game, state, seat, generator('elsewhere')))}"
    yield f"score {_plain(game.score(state))}"
    yield f"scene {_plain(game.scene(game.observe(state, seat), seat))}"
    yield f"describe {_plain(describe_state(game, state))}"
    for name, bot in sorted(game.bots.items()):
        if not isinstance(bot, MemoryBot):  # a bot with a memory must play from the start
            yield f"bots[{name!r}] {_plain(bot(game.observe(state, seat), seat, generator('elsewhere')))}"


def _plain(value: Any) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()


def main() -> None:
    """Print the results of the game on the command line for the records on standard input."""
    module, name = sys.argv[1:]
    with redirect_stdout(sys.stderr):  # text that the module prints is not a result
        game = getattr(import_module(module), name)
        lines = [line for record in sys.stdin.buffer.read().split(b"\0") for line in _results(game, record)]
    sys.stdout.buffer.write("\n".join(lines).encode())


if __name__ == "__main__":
    main()
