"""Thousands of random games: every event passes `check`, and every state satisfies its game's invariants.

    python -m tests.fuzz.games --games 10000 --jobs 2 [GAME ...]

The invariants of a game are the function `sound` of its property tests. The bots are random, the numbers of
players take turns, and each record is also verified from its bytes.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from time import perf_counter
from typing import Any

from gamelog.play.contract.registry import find, names
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording.series import simulate_game
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose

BATCH = 25


def play_one(name: str, index: int) -> tuple[int, str]:
    """Play a game and check every state; return the number of its events and the reason of its end.

    Raises:
        AssertionError: A state does not satisfy an invariant.
    """
    game = find(name)
    sound: Callable[[Any], None] = import_module(f"tests.games.{name}.test_properties").sound
    players = sorted(game.seats)[index % len(game.seats)]
    header, events = simulate_game(game, "fuzz", index, players=players, dice="table")
    folded = fold_record(parse_record(compose(header, events)[0]))
    judged = verdict(folded)
    assert (judged.status, judged.finished) == ("ok", True), (name, index, judged.findings)
    assert folded.fold is not None
    for state in folded.fold.states:
        sound(state)
    assert judged.outcome is not None
    return len(events), judged.outcome.reason


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz.games", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("names", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(arguments)
    for name in given.names or names():
        begin = perf_counter()
        with ProcessPoolExecutor(given.jobs) as pool:
            done = list(pool.map(partial(play_one, name), range(given.games), chunksize=BATCH))
        seconds = perf_counter() - begin
        events = sum(count for count, _ in done)
        ends = ", ".join(
            f"{reason} {number}" for reason, number in Counter(reason for _, reason in done).most_common()
        )
        print(
            f"{name}: {len(done):,} games, {events:,} events, all sound; {seconds:.0f} s; {ends}", flush=True
        )


if __name__ == "__main__":
    main()
