"""The same in another process: records of some games, folded where Python hashes strings otherwise.

    python -m gamelog.testing.kit.other_process MODULE NAME < RECORDS

prints what the game NAME of MODULE makes of them. Whatever hangs on `hash`, on the order of a set, on the
time or on a generator of the process differs from what the first process says.
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
from gamelog.play.contract.declare import described
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.seats import MemoryBot, legal_for, sample_for
from gamelog.play.fold.start import start
from gamelog.play.judging.replay import replay
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from gamelog.testing.kit.random_games import LOOKED_AT, Checks

SAID_AT = 6
"""Decisions of each game at which everything is said."""

_EVENTS = 500
"""Of each game, at most so many events are played elsewhere."""


class OtherProcess(Checks):
    """All functions, in another process."""

    def test_another_process_says_the_same(self) -> None:
        place = _place_of(self.game)
        assert place, (
            "no module holds the game as a value, so no other process can load it: write GAME = Game(...)"
        )
        one_each = {
            (len(game.header.seats), str(game.header.board)): game
            for game in self.sample.plays
            if not game.lead
        }
        games = [(game.header, game.events[:_EVENTS]) for game in one_each.values()][:LOOKED_AT]
        with redirect_stdout(StringIO()) as printed:
            here = [line for header, events in games for line in _said(self.game, compose(header, events)[0])]
        assert not printed.getvalue(), (
            f"a function of the game prints: {printed.getvalue().splitlines()[0][:300]}; "
            "what people are to read belongs into messages and effects"
        )
        there = _other(place, [compose(header, events)[0] for header, events in games])
        for one, other in zip(here, there, strict=True):
            what, _, said = one.partition(" ")
            assert one == other, (
                f"{what} gives {said[:300]} here, {other.partition(' ')[2][:300]} in another process"
            )


def _place_of(game: AnyGame) -> tuple[str, str] | None:
    """The module and name under which other processes find `game`: its own package's among several."""
    own = game.start.__module__.partition(".")[0]
    found = [
        (name, member)
        for name, module in list(sys.modules.items())
        for member, value in list(getattr(module, "__dict__", {}).items())
        if value is game and name != "__main__"
    ]
    return min(found, key=lambda place: (place[0].partition(".")[0] != own, place), default=None)


def _other(place: tuple[str, str], records: list[bytes]) -> list[str]:
    """What another process says of these records. Raises AssertionError with its last line where it fails."""
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    surroundings = os.environ | {
        "PYTHONHASHSEED": seed,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    command = [sys.executable, "-m", __name__, *place]
    done = subprocess.run(
        command, input=b"\0".join(records), capture_output=True, env=surroundings, check=False
    )
    assert done.returncode == 0, (
        f"the game fails in another process: {done.stderr.decode().splitlines()[-1:]}"
    )
    return done.stdout.decode().split("\n")


def _said(game: AnyGame, record: bytes) -> Iterator[str]:
    """What the game says of a record, a line for each thing that is asked."""
    found = replay(parse_record(record), game)
    assert found.fold is not None, found.findings
    states = found.fold.states
    yield f"start {_plain(start(game, found.fold.header))}"
    yield f"apply {_plain(states[-1])}"
    decisions = [at for at, state in enumerate(states) if game.pending(state).by]
    for at in decisions[:: max(1, len(decisions) // SAID_AT)]:
        yield from _said_of(game, states[at])
        if at < len(found.events):
            yield f"effects {_plain(game.effects(states[at], found.events[at], states[at + 1]))}"


def _said_of(game: AnyGame, state: Any) -> Iterator[str]:
    """What it says of one position in which somebody is to decide."""
    seat = game.pending(state).by[0]
    yield f"legal {_plain(legal_for(game, state, None))}"
    if legal_for(game, state, seat).events:
        yield f"sample {_plain(sample_for(game, state, seat, generator('elsewhere')))}"
    yield f"score {_plain(game.score(state))}"
    yield f"scene {_plain(game.scene(game.observe(state, seat), seat))}"
    yield f"describe {_plain(described(game, state))}"
    for name, bot in sorted(game.bots.items()):
        if not isinstance(bot, MemoryBot):  # which knows what to do only from the start on
            yield f"bots[{name!r}] {_plain(bot(game.observe(state, seat), seat, generator('elsewhere')))}"


def _plain(value: Any) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()


def main() -> None:
    """Print what the game named on the command line says of the records on standard input."""
    module, name = sys.argv[1:]
    with redirect_stdout(sys.stderr):  # so what the module itself prints is not taken for an answer
        game = getattr(import_module(module), name)
        said = [line for record in sys.stdin.buffer.read().split(b"\0") for line in _said(game, record)]
    sys.stdout.buffer.write("\n".join(said).encode())


if __name__ == "__main__":
    main()
