"""Verifying records against a yardstick that everybody has: python-chess checking and pushing moves.

``python -m tests.bench.verify [GAME ...]`` plays games with bots, then times, in turn and in one
process: chain, decode and fold of their records, and `is_legal` + `push` of random chess games.
Each figure is the best of several rounds; the ratio is events a second over moves a second.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from time import process_time

import chess

from gamelog.chance.rng import generator
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.decoding import decode
from gamelog.play.judging.replay import replay
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording.driver import simulate
from gamelog.record.compose import compose
from gamelog.record.envelope import Event
from gamelog.record.reading import Record, parse

ROUNDS = 5
EVENTS = 40_000


def chess_games(moves: int) -> list[list[chess.Move]]:
    """Random games with so many moves between them."""
    rng = generator("chess")
    games: list[list[chess.Move]] = []
    while sum(map(len, games)) < moves:
        board = chess.Board()
        game: list[chess.Move] = []
        while not board.is_game_over() and len(game) < 200:
            game.append(rng.choice(list(board.legal_moves)))
            board.push(game[-1])
        games.append(game)
    return games


def push_all(games: list[list[chess.Move]]) -> None:
    """What the yardstick does."""
    for game in games:
        board = chess.Board()
        for move in game:
            assert board.is_legal(move)
            board.push(move)


def records(game: AnyGame, events: int) -> list[bytes]:
    """Records of games between bots, with every number of players in turn."""
    made: list[bytes] = []
    total = 0
    players = sorted(game.seats)
    while total < events:
        index = len(made)
        bots = (("random",), ("greedy", "random"))[index % 2]
        header, played = simulate(game, "bench", index, players=players[index % len(players)], bots=bots, dice="table")
        made.append(compose(header, played)[0])
        total += len(played)
    return made


def timed(work: Callable[[], object]) -> float:
    """Seconds of processor time, which other processes disturb least."""
    begin = process_time()
    work()
    return process_time() - begin


def fold_all(game: AnyGame, read: list[Record], decoded: Sequence[Sequence[Event]]) -> None:
    """Check and apply."""
    for record, events in zip(read, decoded, strict=True):
        assert record.header is not None
        assert Fold(record.header, game).extend(events) is None


def best_of(works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The shortest time of each work over several rounds, all of them in turn in each round."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for what, work in works.items():
            best[what] = min(best[what], timed(work))
    return best


def measure(game: AnyGame, yardstick: list[list[chess.Move]]) -> str:
    """A line of the table."""
    data = records(game, EVENTS)
    read = [parse(one) for one in data]
    decoded = [decode(game, record.bodies)[0] for record in read]
    count, moves = sum(map(len, decoded)), sum(map(len, yardstick))
    best = best_of(
        {
            "chess": lambda: push_all(yardstick),
            "chain": lambda: [parse(one) for one in data],
            "decode": lambda: [decode(game, record.bodies) for record in read],
            "fold": lambda: fold_all(game, read, decoded),
            "whole": lambda: [verdict(replay(parse(one))) for one in data],
        }
    )
    chain, decoding, fold, whole = (best[what] / count * 1e6 for what in ("chain", "decode", "fold", "whole"))
    total, move = chain + decoding + fold, best["chess"] / moves * 1e6
    figures = "".join(f"{figure:9.2f}" for figure in (chain, decoding, fold, total, whole, move, move / total))
    return f"{game.id:18}{count:8}{figures}{decoding / total:9.0%}"


def main() -> None:
    columns = ("chain", "decode", "fold", "verify", "verdict", "chess", "ratio", "decoding")
    print("us an event (chess: us a move; ratio: verify to chess; decoding: its share of verify)")
    print(f"{'game':18}{'events':>8}{''.join(f'{column:>9}' for column in columns)}")
    yardstick = chess_games(20_000)
    for name in sys.argv[1:] or names():
        print(measure(find(name), yardstick))


if __name__ == "__main__":
    main()
