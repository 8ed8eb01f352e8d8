"""Verifying records, compared with python-chess checking and pushing moves, and with a minimum.

    python -m tests.bench.verify [GAME ...] [--dice table,seeded,commit-reveal] [--short]

The run plays games with bots. Then it times, in turn and in one process: verifying their records from bytes
to verdict, each part of that, `is_legal` + `push` of random chess games, and the programs of
`tests.bench.floor`. ``--short`` adds records that end after 20 events.

Each figure is the least processor time of several rounds. Compare the ratios, because the times depend on the
machine.
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Callable, Iterable
from time import process_time

import chess
import msgspec
from msgspec import Struct

from gamelog.chance.rng import generator
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.common_events import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.event_list import decoder
from gamelog.play.judging.digest import play_digest
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording.series import simulate_game
from gamelog.record.envelope import Event
from gamelog.record.reading import Record, parse_record
from gamelog.record.record_file import compose
from tests.bench import connect_four, floor

ROUNDS = 7
EVENTS, MOVES, GAMES = 12_000, 8_000, 12
"""The least numbers of events for each kind of record, of chess moves, and of games."""

SHORT = 20
PARTS = ("chain", "decode", "canonical", "check", "apply", "fold", "digest")
"""The parts of verifying.

Lines are split and hashed, events are decoded and encoded again, and the game checks and applies them. The
rest is the fold without these, and the play digest.
"""


class Kind(Struct):
    """Records of one game with one source of dice, whole or cut short, and the parts of verifying them."""

    game: AnyGame
    dice: str
    short: bool
    data: list[bytes]
    again: int

    def works(self) -> dict[str, Callable[[], object]]:
        """Return the works that are timed. Each runs over all the records, `again` times."""
        game = self.game
        data = self.data * self.again
        done = [fold_record(parse_record(one), game) for one in self.data] * self.again
        texts = [b"".join(b"{" + body for body in one.record.bodies) for one in done]
        lists: list[list[Event]] = [[*one.events] for one in done]
        steps = [step for one in done for step in zip(good_fold(one).states, one.events, strict=False)]
        states, events = zip(*(step for step in steps if type(step[1]) not in COMMON), strict=True)
        decode = decoder(game).decode_lines
        encode = msgspec.json.Encoder().encode_lines
        works: dict[str, Callable[[], object]] = {
            "whole": lambda: [verdict(fold_record(parse_record(one), game)) for one in data],
            "chain": lambda: [parse_record(one) for one in data],
            "decode": lambda: [decode(text) for text in texts],
            "canonical": lambda: [encode(one) == text for one, text in zip(lists, texts, strict=True)],
            "check": lambda: deque(map(game.check, states, events), 0),
            "apply": lambda: deque(map(game.apply, states, events), 0),
            "fold": lambda: [fold(one.record, game, one.events) for one in done],
            "digest": lambda: [play_digest(good_fold(one), one.events) for one in done],
        }
        if game.id in floor.PLAYS and self.dice == "table":
            works["floor"] = lambda: [floor.judge(one) for one in data]
        return works

    @property
    def count(self) -> int:
        """Return the number of events in a work."""
        return self.again * sum(one.count(b"\n") - 1 for one in self.data)

    @property
    def name(self) -> str:
        """Return the name of the kind in the table."""
        return f"{self.game.id}, {self.dice}{f', {SHORT} events' if self.short else ''}"


def good_fold(one: FoldedRecord) -> Fold:
    """Return the fold of a good record."""
    assert one.fold is not None
    assert one.status == "ok", one.findings
    return one.fold


def fold(record: Record, game: AnyGame, events: Iterable[Event]) -> bool:
    """Return whether check and apply accept all of a record's events."""
    assert record.header is not None
    return (
        Fold(record.header, game, line_heads=(record.header_head, *record.heads)).extend(list(events)) is None
    )


def chess_games(moves: int) -> list[list[chess.Move]]:
    """Return random games with the given number of moves together."""
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
    """Check and push all moves of the chess games."""
    for game in games:
        board = chess.Board()
        for move in game:
            assert board.is_legal(move)
            board.push(move)


def kinds(game: AnyGame, dice: list[str], short: bool) -> list[Kind]:
    """Return bots' games with each source of dice and every number of players, whole and cut short."""
    made: list[Kind] = []
    players = sorted(game.seats)
    for source in dice:
        if source == "commit-reveal" and not game.chance_events:
            continue
        whole: list[bytes] = []
        cut: list[bytes] = []
        total = 0
        while total < EVENTS or len(whole) < GAMES:
            index = len(whole)
            bots = (("random",), ("greedy", "random"))[index % 2]
            header, played = simulate_game(
                game, "bench", index, players=players[index % len(players)], bots=bots, dice=source
            )
            whole.append(compose(header, played)[0])
            cut.append(compose(header, played[:SHORT])[0])
            total += len(played)
        made.append(Kind(game, source, False, whole, 1))
        if short:
            made.append(Kind(game, source, True, cut, max(1, EVENTS // (SHORT * len(cut)))))
    return made


def time_of(work: Callable[[], object]) -> float:
    """Return the seconds of processor time of `work`, which other processes disturb least."""
    begin = process_time()
    work()
    return process_time() - begin


def best_of(works: dict[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """Return the shortest processor time of each work in seconds, over several rounds of all works."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for what, work in works.items():
            best[what] = min(best[what], time_of(work))
    return best


def measure(game: AnyGame, dice: list[str], short: bool, yardstick: list[list[chess.Move]]) -> None:
    """Print the game's lines of the table."""
    found = kinds(game, dice, short)
    works: dict[str, Callable[[], object]] = {"chess": lambda: push_all(yardstick)}
    for kind in found:
        works |= {f"{what} {kind.name}": work for what, work in kind.works().items()}
    best = best_of(works)
    move = best["chess"] / sum(map(len, yardstick))
    tables: dict[bool, float] = {}
    for kind in found:
        took = {what: best.get(f"{what} {kind.name}", 0) / kind.count for what in ("whole", *PARTS, "floor")}
        verify = took["chain"] + took["decode"] + took["canonical"] + took["fold"]
        took["fold"] -= took["check"] + took["apply"]
        shares = [took[part] / took["whole"] for part in PARTS]
        table = tables.setdefault(kind.short, took["whole"])
        ratios = f"{move / verify:8.2f}{move / took['whole']:8.2f}{took['whole'] / table:8.2f}"
        over = f"{took['whole'] / took['floor']:8.2f}" if took["floor"] else f"{'-':>8}"
        parts = "".join(f"{share:10.0%}" for share in (*shares, 1 - sum(shares)))
        print(f"{kind.name:44}{kind.count:7}{took['whole'] * 1e9:8.0f}{ratios}{over}{parts}", flush=True)


def main() -> None:
    """Measure and print."""
    wanted = argparse.ArgumentParser(
        prog="python -m tests.bench.verify", description=(__doc__ or "").split("\n")[0]
    )
    wanted.add_argument("games", nargs="*", help="all of them and Connect Four if none is named")
    wanted.add_argument(
        "--dice", default="table", help="sources of dice parted by commas, the first to be compared with"
    )
    wanted.add_argument("--short", action="store_true", help=f"records of {SHORT} events as well")
    asked = wanted.parse_args()
    print(
        "ns: from bytes to verdict, an event. verify: chess moves in the time of its chain, decode, canonical and fold;"
    )
    print(
        "whole: in the time of it all. over: that over the same with the first source of dice, and floor: over the floor's."
    )
    columns = "".join(f"{column:>8}" for column in ("ns", "verify", "whole", "over", "floor"))
    print(f"{'records':44}{'events':>7}{columns}{''.join(f'{part:>10}' for part in (*PARTS, 'rest'))}")
    yardstick = chess_games(MOVES)
    for name in asked.games or (*names(), connect_four.GAME.id):
        game = connect_four.GAME if name == connect_four.GAME.id else find(name)
        measure(game, asked.dice.split(","), asked.short, yardstick)


if __name__ == "__main__":
    main()
