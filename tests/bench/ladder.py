"""The strength of bots: the share of wins of one bot against another in paired games, and its time.

python -m tests.bench.ladder slicewars search:200 greedy --pairs 100
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from time import process_time
from typing import Any, NamedTuple

from gamelog.chance.rng import Random, generator
from gamelog.chance.sources import Seeded
from gamelog.play.contract.game import AnyGame, Bot
from gamelog.play.contract.registry import find
from gamelog.play.contract.seats import MemoryBot, Player, sit_down
from gamelog.play.fold.start import start
from gamelog.play.playing.evaluator import MAX_EVENTS, shares
from gamelog.play.playing.named_bots import bots_at_seats
from gamelog.play.playing.playout import Position, play_out, seat_players, think_time
from gamelog.play.recording.series import seatings, series_header
from gamelog.statistics import LEVEL, normal_quantile


class Share(NamedTuple):
    """The share of wins of a bot in paired games.

    Attributes:
        games: Number of games.
        share: Share of the wins of the bot's seats, over line-ups in which each bot has equally many seats.
        error: Half of the 95 % interval, from the differences between pairs.
        milliseconds: Mean processor time of a decision of the bot, without the fit of its evaluator.
    """

    games: int
    share: float
    error: float
    milliseconds: float


class Clock:
    """The processor time and the number of the decisions of a bot."""

    def __init__(self) -> None:
        self.seconds, self.decisions = 0.0, 0

    def timed(self, bot: Bot) -> MemoryBot:
        """Return `bot` with its decisions timed."""

        def begin(seat: str, rng: Random) -> Player:
            player = sit_down(bot, seat, rng)

            def choose(state: Any) -> Any:
                begun = process_time()
                event = player(state)
                self.seconds += process_time() - begun
                self.decisions += 1
                return event

            return choose

        return MemoryBot(begin)


def compare(game: AnyGame, bot: str, other: str, pairs: Sequence[int], players: int | None = None) -> Share:
    """Return the share of wins of `bot` against `other`.

    The two games of a pair have the same dice and draws by their order. In the second, each seat has the bot
    that it does not have in the first.

    Args:
        game: The game.
        bot: The name of the bot.
        other: The name of the other bot.
        pairs: Numbers of the pairs, which are their seeds.
        players: The number of players; by default, the smallest number that the game allows.
    """
    count = players or min(game.seats)
    lines, clock, shared = seatings((bot, other), count), Clock(), []
    for pair in pairs:
        line = lines[pair % len(lines)]
        mirrored = tuple(other if name == bot else bot for name in line)
        shared.append(fmean(_share(game, bot, pair, names, clock) for names in (line, mirrored)))
    error = normal_quantile((1 + LEVEL) / 2) * stdev(shared) / sqrt(len(shared))
    return Share(2 * len(shared), fmean(shared), error, 1_000 * clock.seconds / max(1, clock.decisions))


def _share(game: AnyGame, bot: str, pair: int, names: tuple[str, ...], clock: Clock) -> float:
    """Return the share of the win of `bot`'s seats in one game. `names` are the bots by seat."""
    lines = seatings(tuple(dict.fromkeys(names)), len(names))
    header, _, _ = series_header(
        game, "ladder", lines.index(names), players=len(names), bots=tuple(dict.fromkeys(names))
    )
    begun = start(game, header)
    bots = bots_at_seats(game, header, begun)
    for seat, name in zip(header.seat_ids, names, strict=True):
        if name == bot:
            bots[seat] = clock.timed(bots[seat])
    seed = ("ladder", game.id, pair)
    ended = play_out(
        game,
        Position(begun),
        seat_players(bots, *seed),
        Seeded("ladder", f"{game.id} {pair}"),
        pace=think_time(generator(*seed, "pace")),
        max_events=MAX_EVENTS,
    )
    won = shares(ended.outcome, header.seat_ids) if ended.outcome else [1 / len(names)] * len(names)
    return sum(part for part, name in zip(won, names, strict=True) if name == bot)


def main() -> None:
    """Print the share of wins of a bot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("bot")
    parser.add_argument("other")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    share = compare(find(given.game), given.bot, given.other, range(given.first, given.first + given.pairs))
    print(
        f"{given.game} {given.bot} against {given.other}: {share.games} games, "
        f"{100 * share.share:.1f} % ± {100 * share.error:.1f}, {share.milliseconds:.2f} ms a move",
        flush=True,
    )


if __name__ == "__main__":
    main()
